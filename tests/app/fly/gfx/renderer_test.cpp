// SPDX-License-Identifier: MIT
/// What is drawn around the ships, whole frames, and pictures in files.
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>
#include <stb_image.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/fly/drawn_pictures.h"
#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {
namespace {

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

TEST_F(FlyRender, WhatPanelsCoverIsLeftOutAndNothingElse) {
  const std::vector<ShipInstance> ships = [] {
    std::vector<ShipInstance> all(9);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i].pose.position = {1.5 * (static_cast<double>(i % 3) - 1.0),
                              static_cast<double>(i / 3) - 1.0, -5.0};
    return all;
  }();
  const DrawSphere sphere{{{0, 0, -5}, 1.0}, glm::vec3(1.0f), 1.0f, true};
  frame_.ships = ships;
  frame_.spheres = {&sphere, 1};
  const std::array<PixelRect, 2> panels{PixelRect{0, height - 30, width, 30},
                                        PixelRect{170, 20, 120, 90}};
  for (const double scale : {1.0, 0.75, 2.0}) {
    SCOPED_TRACE(scale);
    const auto picture = [&] {
      renderer_->draw(frame_, width, height, {.scale = scale});
      return Picture{renderer_->readPixels(width, height)};
    };
    frame_.covered = {};
    const Picture whole = picture();
    frame_.covered = panels;
    const Picture part = picture();
    int leftOut = 0, covered = 0;
    const Pixel ground = part.at(230, height - 65);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const bool inside = std::ranges::any_of(panels, [&](const PixelRect& rect) {
          const int up = height - 1 - y;
          return x >= rect.x && x < rect.x + rect.width && up >= rect.y &&
                 up < rect.y + rect.height;
        });
        if (!inside) {
          const Pixel a = whole.at(x, y), b = part.at(x, y);
          EXPECT_TRUE(a.r == b.r && a.g == b.g && a.b == b.b) << x << ", " << y;
        }
        covered += inside;
        leftOut += inside && !differ(part.at(x, y), ground);
      }
    // But for a seam where pixels are mixed
    EXPECT_GT(leftOut, covered * 9 / 10);
    EXPECT_GT(between(whole, part).count, 1000);
  }
}

TEST_F(FlyRender, HighContrastDrawsOnBlack) {
  const auto lit = [](const Picture& picture) {
    int count = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) count += picture.at(x, y).light() > 0;
    return count;
  };
  frame_.arenaRadius = 0.0;
  EXPECT_GT(lit(draw(frame_)), width * height / 2) << "the sky";
  usePalette(Palette::Contrast);
  const int inContrast = lit(draw(frame_));
  usePalette(Palette::Usual);
  EXPECT_LT(inContrast, width * height / 20) << "but for dust";
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
    const Pixel p = picture.at(pixelOf(glm::mix(line.from, line.to, t)));
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

TEST_F(FlyRender, LinesMayBeWideAndTranslucent) {
  const Picture empty = draw(frame_);
  DrawLine line{{-1.0, 0.0, -5.0}, {1.0, 0.0, -5.0}, {1.0f, 0.25f, 0.0f}};
  frame_.lines = {&line, 1};
  const int narrow = between(empty, draw(frame_)).count;
  line.halfWidth = 5.0f;
  EXPECT_GT(between(empty, draw(frame_)).count, 2 * narrow);
  const Pixel opaque = draw(frame_).at(pixelOf({0, 0, -5}));
  line.alpha = 0.4f;
  const Pixel half = draw(frame_).at(pixelOf({0, 0, -5}));
  EXPECT_LT(half.r, opaque.r - 60);
  EXPECT_GT(half.r, empty.at(pixelOf({0, 0, -5})).r + 40);
}

TEST_F(FlyRender, NothingHidesArcs) {
  ShipInstance ship;
  ship.pose.position = {0, 0, -5};
  frame_.ships = {&ship, 1};
  const Pixel bare = draw(frame_).at(pixelOf({0, 0, -7}));
  const DrawLine behind{{-1.0, 0.0, -7.0}, {1.0, 0.0, -7.0}, {1.0f, 0.0f, 0.0f}};
  frame_.lines = {&behind, 1};
  EXPECT_FALSE(differ(draw(frame_).at(pixelOf({0, 0, -7})), bare));
  frame_.lines = {};
  frame_.arcs = {&behind, 1};
  EXPECT_TRUE(differ(draw(frame_).at(pixelOf({0, 0, -7})), bare));
}

TEST_F(FlyRender, MarkedTriangleLiesOverTheSurfaceItMarks) {
  ShipInstance ship;
  ship.pose.position = {0, 0, -5};
  frame_.ships = {&ship, 1};
  DrawTriangle triangle{
      {-0.4, -0.4, -4.6}, {0.4, -0.4, -4.6}, {0.0, 0.4, -4.6}, {0.84f, 0.37f, 0.0f}};
  const Pixel bare = draw(frame_).at(pixelOf({0, -0.1, -4.6}));
  frame_.triangles = {&triangle, 1};
  const Pixel marked = draw(frame_).at(pixelOf({0, -0.1, -4.6}));
  EXPECT_TRUE(differ(bare, marked));
  EXPECT_GT(marked.r, marked.b + 80);
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
    ships[i].shape = static_cast<std::uint32_t>(i % 3);  // the third does not exist
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

}  // namespace
}  // namespace nearmiss::app::fly
