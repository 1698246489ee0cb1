// SPDX-License-Identifier: MIT
#include "fly/gfx/renderer.h"

#include <engine/model/model_loader.h>
#include <gtest/gtest.h>
#include <nearmiss/split_mix.h>
#include <stb_image.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include <glad/gl.h>

#include "app/offscreen_window.h"
#include "support/campaign.h"

namespace nearmiss::app {
namespace {

constexpr int width = 320, height = 200;

/// A box of six faces with normals of their own, half-sizes given, one material.
engine::DrawMesh box(float x, float y, float z) {
  engine::DrawMesh mesh;
  mesh.materials.push_back({});
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0f, 1.0f}) {
      const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
      for (int corner = 0; corner < 4; ++corner) {
        float p[3];
        p[axis] = side;
        p[(axis + 1) % 3] = corner == 1 || corner == 2 ? side : -side;
        p[(axis + 2) % 3] = corner >= 2 ? 1.0f : -1.0f;
        engine::DrawVertex v{{x * p[0], y * p[1], z * p[2]}, {0, 0, 0}, 0};
        v.normal[axis] = side;
        mesh.vertices.push_back(v);
      }
      for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.indices.push_back(base + k);
    }
  }
  return mesh;
}

/// The same box without the face that looks to +z.
engine::DrawMesh openBox(float size) {
  engine::DrawMesh mesh = box(size, size, size);
  mesh.indices.resize(mesh.indices.size() - 6);
  return mesh;
}

struct Rgb {
  int r = 0, g = 0, b = 0;
  [[nodiscard]] int light() const { return r + g + b; }
};

/// A picture as the window shows it.
struct Picture {
  std::vector<std::uint8_t> rgb;
  [[nodiscard]] Rgb at(int x, int y) const {
    const std::size_t i = static_cast<std::size_t>(y * width + x) * 3;
    return {rgb[i], rgb[i + 1], rgb[i + 2]};
  }
  [[nodiscard]] Rgb at(const glm::vec2& p) const {
    return at(std::clamp(static_cast<int>(p.x), 0, width - 1),
              std::clamp(static_cast<int>(p.y), 0, height - 1));
  }
};

bool differ(const Rgb& a, const Rgb& b) {
  return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) > 24;
}

struct Difference {
  int count = 0;
  glm::vec2 centre{0.0f}, low{1e9f}, high{-1e9f};
};

Difference between(const Picture& a, const Picture& b) {
  Difference d;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (!differ(a.at(x, y), b.at(x, y))) continue;
      const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
      ++d.count;
      d.centre += p;
      d.low = glm::min(d.low, p);
      d.high = glm::max(d.high, p);
    }
  }
  if (d.count > 0) d.centre /= static_cast<float>(d.count);
  return d;
}

class FlyRender : public testing::Test {
 protected:
  void SetUp() override {
    setenv("NEARMISS_ROOT", NEARMISS_SOURCE_DIR, 1);
    ASSERT_EQ(window_.failure(), "") << "tests draw with OpenGL 3.3 off screen";
    Result<Renderer> made = Renderer::create();
    ASSERT_TRUE(made) << made.error().message;
    renderer_.emplace(*std::move(made));
    const std::array<engine::DrawMesh, 2> models{box(0.6f, 0.5f, 0.4f), openBox(0.5f)};
    renderer_->setShapes(models);
  }

  void TearDown() override {
    for (const std::string& words : window_.complaints()) ADD_FAILURE() << words;
    if (renderer_) {
      EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    }
    renderer_.reset();
  }

  Picture draw(const DrawFrame& frame) {
    renderer_->draw(frame, width, height);
    return {renderer_->readPixels(width, height)};
  }

  glm::vec2 pixelOf(const Vec3& world) {
    glm::vec2 pixel(-1.0f);
    EXPECT_TRUE(project(frame_.camera, width, height, world, pixel));
    return pixel;
  }

  /// Pixels that a length at this point covers.
  float pixels(const Vec3& world, double length) {
    const double depth =
        glm::dot(world - frame_.camera.pose.position, frame_.camera.pose.rotation * Vec3(0, 0, -1));
    return static_cast<float>(0.5 * height * length /
                              (std::tan(0.5 * frame_.camera.fieldOfView) * depth));
  }

  test::OffscreenWindow window_{width, height};
  std::optional<Renderer> renderer_;
  DrawFrame frame_;
};

TEST_F(FlyRender, ShipIsDrawnWhereItProjects) {
  SplitMix random(11);
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    const auto any = [&](double reach) { return random.between(-reach, reach); };
    // Far from the origin, where float alone would tear the ship apart
    frame_.camera.pose = {Vec3(1e6 + any(9), -3e5, any(9)),
                          glm::normalize(Quat(any(1), any(1), any(1), any(1) + 2.0))};
    const Picture empty = draw(frame_);
    ShipInstance ship;
    ship.pose = {frame_.camera.pose.position +
                     frame_.camera.pose.rotation * Vec3(any(1.5), any(1.0), -6.0 + any(2.0)),
                 glm::normalize(Quat(any(1), any(1), any(1), any(1) + 2.0))};
    frame_.ships = {&ship, 1};
    const Difference d = between(empty, draw(frame_));
    frame_.ships = {};
    const glm::vec2 pixel = pixelOf(ship.pose.position);
    const float radius = pixels(ship.pose.position, 0.9);
    EXPECT_GT(static_cast<float>(d.count), 0.2f * radius * radius);
    EXPECT_NEAR(d.centre.x, pixel.x, 0.2f * radius + 1.0f);
    EXPECT_NEAR(d.centre.y, pixel.y, 0.2f * radius + 1.0f);
    EXPECT_LT(d.high.x - pixel.x, 1.15f * radius + 2.0f);
    EXPECT_LT(pixel.y - d.low.y, 1.15f * radius + 2.0f);
  }
}

TEST_F(FlyRender, WhatIsOutOfViewIsLeftOut) {
  std::vector<ShipInstance> ships(4);
  ships[0].pose.position = {0, 0, 5};      // behind the eye
  ships[1].pose.position = {50, 0, -10};   // beside the view
  ships[2].pose.position = {0, 0, -1000};  // beyond the far plane
  ships[3].pose.position = {0, 0, -6};
  const Picture empty = draw(frame_);
  EXPECT_EQ(renderer_->shipsDrawn(), 0u);
  frame_.ships = std::span(ships).first(3);
  EXPECT_EQ(between(empty, draw(frame_)).count, 0);
  EXPECT_EQ(renderer_->shipsDrawn(), 0u);
  frame_.ships = ships;
  EXPECT_GT(between(empty, draw(frame_)).count, 100);
  EXPECT_EQ(renderer_->shipsDrawn(), 1u);
}

TEST_F(FlyRender, ShipAtTheEdgeOfTheViewIsStillDrawn) {
  const Picture empty = draw(frame_);
  const double edge = 6.0 * std::tan(0.45) * width / height;
  int seen = 0;
  for (const double beyond : {-0.5, 0.0, 0.3, 2.0}) {
    ShipInstance ship;
    ship.pose.position = {edge + beyond, 0, -6};
    frame_.ships = {&ship, 1};
    const bool shows = between(empty, draw(frame_)).count > 0;
    EXPECT_EQ(shows, beyond < 0.6) << beyond;
    seen += shows ? 1 : 0;
    if (shows) {
      EXPECT_EQ(renderer_->shipsDrawn(), 1u);
    }
  }
  EXPECT_EQ(seen, 3);
}

TEST_F(FlyRender, HitShipShinesInCream) {
  ShipInstance ship;
  ship.pose = {{0, 0, -5}, glm::angleAxis(0.5, Vec3(0, 1, 0))};
  ship.tint = glm::vec3(0.105f, 0.147f, 0.262f);
  frame_.ships = {&ship, 1};
  const glm::vec2 middle = pixelOf(ship.pose.position);
  const Rgb plain = draw(frame_).at(middle);
  ship.glow = 0.5f;
  const Rgb half = draw(frame_).at(middle);
  ship.glow = 1.0f;
  const Picture hit = draw(frame_);
  const Rgb full = hit.at(middle);
  EXPECT_GT(half.light(), plain.light() + 60);
  EXPECT_GT(full.light(), half.light() + 60);
  // #FFF0C0: red above green above blue
  EXPECT_GT(full.r, 200);
  EXPECT_GT(full.r, full.g);
  EXPECT_GT(full.g, full.b + 20);
  // The halo reaches beyond the hull.
  ship.glow = 0.0f;
  const Picture dark = draw(frame_);
  const glm::vec2 beside = middle + glm::vec2(pixels(ship.pose.position, 1.0), 0.0f);
  EXPECT_GT(hit.at(beside).light(), dark.at(beside).light() + 15);
}

TEST_F(FlyRender, LiveryColoursTheHull) {
  ShipInstance ship;
  ship.pose = {{0, 0, -4}, glm::angleAxis(0.6, Vec3(0, 1, 0))};
  frame_.ships = {&ship, 1};
  const glm::vec2 middle = pixelOf(ship.pose.position);
  ship.tint = glm::vec3(0.79f, 0.35f, 0.0f);  // #E69F00
  const Rgb own = draw(frame_).at(middle);
  EXPECT_GT(own.r, own.g + 30);
  EXPECT_GT(own.g, own.b + 50);
  ship.tint = glm::vec3(0.105f, 0.147f, 0.262f);  // #5B6B8C
  const Rgb drone = draw(frame_).at(middle);
  EXPECT_GT(drone.b, drone.r + 15);
}

TEST_F(FlyRender, OutlineSurroundsThePickedShip) {
  ShipInstance ship;
  ship.pose = {{0, 0, -5}, glm::angleAxis(0.4, glm::normalize(Vec3(1, 2, 0)))};
  frame_.ships = {&ship, 1};
  const Picture plain = draw(frame_);
  ship.outline = 1.0f;
  const Picture picked = draw(frame_);
  int white = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Rgb p = picked.at(x, y);
      if (differ(p, plain.at(x, y)) && p.r > 230 && p.g > 230 && p.b > 230) ++white;
    }
  }
  const float around = 6.0f * pixels(ship.pose.position, 0.55);
  EXPECT_GT(static_cast<float>(white), 0.8f * around);
  EXPECT_LT(static_cast<float>(white), 6.0f * around);
  EXPECT_FALSE(
      differ(picked.at(pixelOf(ship.pose.position)), plain.at(pixelOf(ship.pose.position))));
}

TEST_F(FlyRender, RingLiesOnTheSilhouetteOfItsSphere) {
  const Picture empty = draw(frame_);
  SplitMix random(5);
  for (int i = 0; i < 10; ++i) {
    SCOPED_TRACE(i);
    DrawSphere sphere;
    sphere.sphere = {{random.between(-0.4, 0.4), random.between(-0.3, 0.3), -6.0},
                     random.between(0.3, 1.2)};
    sphere.colour = {0.94f, 0.89f, 0.26f};
    frame_.spheres = {&sphere, 1};
    const Difference d = between(empty, draw(frame_));
    // The silhouette of a ball near the axis of view
    const double distance = glm::length(sphere.sphere.centre);
    const double sine = sphere.sphere.radius / distance;
    const float expected =
        pixels(sphere.sphere.centre, distance * sine / std::sqrt(1.0 - sine * sine));
    EXPECT_NEAR(0.5f * (d.high.x - d.low.x), expected, 0.04f * expected + 2.0f);
    EXPECT_NEAR(0.5f * (d.high.y - d.low.y), expected, 0.04f * expected + 2.0f);
    // A line and no disc
    EXPECT_LT(static_cast<float>(d.count), 6.2832f * expected * 3.5f);
    EXPECT_GT(static_cast<float>(d.count), 6.2832f * expected * 0.7f);
  }
}

TEST_F(FlyRender, ThreeCirclesShowTheBall) {
  DrawSphere sphere;
  sphere.sphere = {{0.3, 0.4, -6.0}, 1.2};
  const Picture empty = draw(frame_);
  frame_.spheres = {&sphere, 1};
  const int ring = between(empty, draw(frame_)).count;
  sphere.threeCircles = true;
  EXPECT_GT(between(empty, draw(frame_)).count, ring + ring / 3);
  // An eye inside of a ball sees no silhouette, and nothing breaks.
  sphere.sphere = {{0, 0, 0}, 3.0};
  draw(frame_);
  sphere.sphere.radius = -1.0;
  EXPECT_EQ(between(empty, draw(frame_)).count, 0);
}

TEST_F(FlyRender, LineRunsBetweenItsEnds) {
  const Picture empty = draw(frame_);
  DrawLine line{{-1.0, -0.5, -4.0}, {1.2, 0.6, -7.0}, {1.0f, 0.25f, 0.0f}};
  frame_.lines = {&line, 1};
  const Picture picture = draw(frame_);
  for (const double t : {0.1, 0.4, 0.7, 0.9}) {
    const Rgb p = picture.at(pixelOf(glm::mix(line.from, line.to, t)));
    EXPECT_GT(p.r, 200) << t;
    EXPECT_LT(p.b, 70) << t;
  }
  EXPECT_LT(between(empty, picture).count, 900);
  // From behind the eye to before it
  line.from = {0.3, -0.2, 3.0};
  line.to = {0.1, 0.2, -5.0};
  const Picture across = draw(frame_);
  EXPECT_GT(across.at(pixelOf(glm::mix(line.from, line.to, 0.8))).r, 200);
}

TEST_F(FlyRender, MarkedTriangleLiesOverTheSurfaceItMarks) {
  ShipInstance ship;
  ship.pose.position = {0, 0, -5};
  frame_.ships = {&ship, 1};
  DrawTriangle triangle{
      {-0.4, -0.4, -4.6}, {0.4, -0.4, -4.6}, {0.0, 0.4, -4.6}, {0.84f, 0.37f, 0.0f}};
  const Rgb bare = draw(frame_).at(pixelOf({0, -0.1, -4.6}));
  frame_.triangles = {&triangle, 1};
  const Rgb marked = draw(frame_).at(pixelOf({0, -0.1, -4.6}));
  EXPECT_TRUE(differ(bare, marked));
  EXPECT_GT(marked.r, marked.b + 80);
}

TEST_F(FlyRender, PlumeBurnsBehindTheShip) {
  ShipInstance ship;
  ship.pose = {{0, 0, -6}, glm::angleAxis(1.5707963, Vec3(0, 1, 0))};
  frame_.ships = {&ship, 1};
  const Picture idle = draw(frame_);
  ship.thrust = 1.0f;
  const Difference d = between(idle, draw(frame_));
  const glm::vec2 rear = pixelOf(transformed(ship.pose, Vec3(0, 0, 1.0)));
  const glm::vec2 middle = pixelOf(ship.pose.position);
  EXPECT_GT(d.count, 40);
  EXPECT_GT((d.centre.x - middle.x) * (rear.x - middle.x), 0.0f);
  ship.thrust = 0.4f;
  EXPECT_LT(between(idle, draw(frame_)).count, d.count);
}

TEST_F(FlyRender, OpenModelShowsItsInside) {
  ShipInstance ship;
  ship.shape = ShapeId{1};
  ship.pose.position = {0, 0, -5};
  const Picture empty = draw(frame_);
  frame_.ships = {&ship, 1};
  // The eye looks through the missing face onto the back wall.
  EXPECT_TRUE(differ(draw(frame_).at(pixelOf({0, 0, -5})), empty.at(pixelOf({0, 0, -5}))));
}

TEST_F(FlyRender, WireframeLeavesTheFacesOpen) {
  ShipInstance ship;
  ship.pose = {{0, 0, -4}, glm::angleAxis(0.5, glm::normalize(Vec3(1, 1, 0)))};
  const Picture empty = draw(frame_);
  frame_.ships = {&ship, 1};
  const int filled = between(empty, draw(frame_)).count;
  frame_.wireframe = true;
  const int wires = between(empty, draw(frame_)).count;
  EXPECT_GT(wires, 50);
  EXPECT_LT(wires, filled / 3);
}

TEST_F(FlyRender, SkyFillsEveryDirection) {
  for (int i = 0; i < 12; ++i) {
    frame_.camera.pose.rotation = glm::angleAxis(0.55 * i, glm::normalize(Vec3(0.3, 1.0, 0.2)));
    const Picture sky = draw(frame_);
    int stars = 0, black = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        stars += sky.at(x, y).light() > 330 ? 1 : 0;
        black += sky.at(x, y).light() < 5 ? 1 : 0;
      }
    }
    EXPECT_GT(stars, 5) << i;
    EXPECT_EQ(black, 0) << i;
  }
}

TEST_F(FlyRender, TheSameFrameGivesTheSamePicture) {
  std::vector<ShipInstance> ships(3);
  for (std::size_t i = 0; i < ships.size(); ++i) {
    ships[i].pose.position = {static_cast<double>(i) - 1.0, 0.0, -5.0};
    ships[i].thrust = 0.8f;
  }
  frame_.ships = ships;
  frame_.arenaRadius = 9.0;
  frame_.seconds = 12.5;
  const Picture first = draw(frame_);
  frame_.seconds = 13.0;
  EXPECT_NE(first.rgb, draw(frame_).rgb);
  frame_.seconds = 12.5;
  EXPECT_EQ(first.rgb, draw(frame_).rgb);
}

TEST_F(FlyRender, EverythingAtOnceLeavesNoError) {
  std::vector<ShipInstance> ships(20);
  for (std::size_t i = 0; i < ships.size(); ++i) {
    ships[i].shape = ShapeId{static_cast<std::uint32_t>(i % 3)};  // the third does not exist
    ships[i].pose.position = {static_cast<double>(i) - 10.0, 0.0, -9.0};
    ships[i].glow = static_cast<float>(i) / 20.0f;
    ships[i].outline = i % 4 == 0 ? 1.0f : 0.0f;
    ships[i].thrust = 1.0f;
  }
  std::vector<DrawSphere> spheres(600);
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    spheres[i].sphere = {{0.02 * static_cast<double>(i) - 6.0, 0.3, -8.0}, 0.2};
    spheres[i].threeCircles = i % 7 == 0;
  }
  const DrawLine line{{0, 0, -3}, {0, 0, -3}, glm::vec3(1.0f)};
  const DrawTriangle triangle{{0, 0, -3}, {0, 0, -3}, {0, 0, -3}, glm::vec3(1.0f)};
  frame_.ships = ships;
  frame_.spheres = spheres;
  frame_.lines = {&line, 1};
  frame_.triangles = {&triangle, 1};
  frame_.arenaRadius = 9.0;
  for (const bool wireframe : {false, true}) {
    frame_.wireframe = wireframe;
    draw(frame_);
    renderer_->draw(frame_, 64, 48);
    renderer_->draw(frame_, 0, 0);
  }
  EXPECT_GT(renderer_->shipsDrawn(), 8u);
  EXPECT_TRUE(window_.reports()) << "the driver does not report errors: complaints are not seen";
}

TEST_F(FlyRender, BrokenShaderIsNamedWithTheDriversWords) {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / "nearmiss_broken_shader_test";
  fs::remove_all(root);
  fs::create_directories(root);
  fs::copy(fs::path(NEARMISS_SOURCE_DIR) / "shaders", root / "shaders");
  std::ofstream(root / "shaders" / "ship.frag.glsl")
      << "#version 330 core\nout vec4 colour;\nvoid main() { colour = unheardOf; }\n";
  setenv("NEARMISS_ROOT", root.c_str(), 1);
  const Result<Renderer> broken = Renderer::create();
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::Unsupported);
  EXPECT_NE(broken.error().message.find("ship.frag.glsl"), std::string::npos);
  EXPECT_NE(broken.error().message.find("unheardOf"), std::string::npos) << broken.error().message;

  window_.forgetComplaints();

  fs::remove(root / "shaders" / "ship.frag.glsl");
  const Result<Renderer> missing = Renderer::create();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_NE(missing.error().message.find("ship.frag.glsl"), std::string::npos);
  fs::remove_all(root);
}

TEST_F(FlyRender, PictureSurvivesAsPng) {
  ShipInstance ship;
  ship.pose.position = {0.5, 0.3, -4};
  frame_.ships = {&ship, 1};
  const Picture picture = draw(frame_);
  const auto file = std::filesystem::temp_directory_path() / "nearmiss_picture_test.png";
  ASSERT_TRUE(writePng(file, width, height, picture.rgb));
  int w = 0, h = 0, channels = 0;
  stbi_uc* back = stbi_load(file.c_str(), &w, &h, &channels, 3);
  ASSERT_NE(back, nullptr);
  ASSERT_EQ(w, width);
  ASSERT_EQ(h, height);
  EXPECT_TRUE(std::equal(picture.rgb.begin(), picture.rgb.end(), back));
  stbi_image_free(back);
  std::filesystem::remove(file);
  EXPECT_FALSE(writePng(file, width, height + 1, picture.rgb));
  EXPECT_FALSE(writePng("/nowhere/at/all.png", width, height, picture.rgb));
}

/// Wall time of a frame, draw and wait: the median of some. The time that all threads of the
/// process spent on it is more reliable where other programs keep the cores busy.
struct FrameTime {
  double wallMs = 0.0, threadsMs = 0.0;
};

FrameTime measure(Renderer& renderer, const DrawFrame& frame) {
  std::vector<double> times;
  std::clock_t begin = 0;
  // The first ones compile and fill caches
  const int frames = test::cases(2), before = frames / 10 + 1;
  for (int i = 0; i < before + frames; ++i) {
    if (i == before) begin = std::clock();
    const auto start = std::chrono::steady_clock::now();
    renderer.draw(frame, 1280, 720);
    glFinish();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (i >= before) times.push_back(took.count());
  }
  const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
  std::nth_element(times.begin(), times.begin() + frames / 2, times.end());
  return {times[static_cast<std::size_t>(frames / 2)], 1000.0 * spent / frames};
}

void print(const char* what, const FrameTime& t) {
  std::printf("%-26s %8.2f ms wall %8.2f ms of all threads\n", what, t.wallMs, t.threadsMs);
}

/// NEARMISS_CAMPAIGN=50 for figures to quote.
TEST(FlyRenderTimes, ArePrinted) {
  setenv("NEARMISS_ROOT", NEARMISS_SOURCE_DIR, 1);
  test::OffscreenWindow window(1280, 720);
  ASSERT_EQ(window.failure(), "");
  Result<Renderer> renderer = Renderer::create();
  ASSERT_TRUE(renderer) << renderer.error().message;
  std::printf("%s, 1280x720, draw and glFinish, median of %d\n", driverInfo().renderer.c_str(),
              test::cases(2));

  CameraRig rig;
  DrawFrame frame;
  frame.arenaRadius = 9.0;
  for (const char* name : {"lamp", "faucet", "rocket", "truck"}) {
    const auto file = engine::findModel(name);
    ASSERT_TRUE(file) << file.error().message;
    auto model = engine::loadModel(*file);
    ASSERT_TRUE(model) << model.error().message;
    renderer->setShapes(std::span(&model->draw, 1));
    SplitMix random(7);
    std::vector<ShipInstance> ships(10);
    for (std::size_t i = 1; i < ships.size(); ++i) {
      ships[i].tint = glm::vec3(0.105f, 0.147f, 0.262f);
      ships[i].thrust = 0.6f;
      const double x = random.between(-6, 6), y = random.between(-3, 3), z = random.between(-12, 0);
      ships[i].pose.position = {x, y, z};
    }
    frame.camera = rig.update(ships[0].pose, 1.0, 0.0);
    frame.ships = ships;
    const std::size_t triangles = model->draw.indices.size() / 3;
    const std::string what = "10 x " + std::string(name) + ", " + std::to_string(triangles);
    print((what + " triangles").c_str(), measure(*renderer, frame));
  }
  frame.ships = {};
  print("no ships", measure(*renderer, frame));
  SplitMix random(9);
  for (const bool three : {false, true}) {
    std::vector<DrawSphere> spheres(three ? 64 : 512);
    for (DrawSphere& s : spheres) {
      const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
      s.sphere = {{x, y, z}, three ? 0.25 : 0.12};
      s.threeCircles = three;
    }
    frame.spheres = spheres;
    print(three ? "64 of three circles" : "512 rings", measure(*renderer, frame));
  }
}

}  // namespace
}  // namespace nearmiss::app
