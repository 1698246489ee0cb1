// SPDX-License-Identifier: MIT
/// Ships as they are drawn: where they stand, what colours them and what surrounds them.
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "app/fly/drawn_pictures.h"
#include "fly/gfx/frame_block.h"
#include "support/meshes.h"

namespace nearmiss::app::fly {
namespace {

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

TEST_F(FlyRender, HitShipGlowsAtItsRimAndKeepsItsPaint) {
  ShipInstance ship;
  ship.pose = {{0, 0, -5}, glm::angleAxis(0.5, Vec3(0, 1, 0))};
  ship.tint = glm::vec3(0.105f, 0.147f, 0.262f);
  frame_.ships = {&ship, 1};
  const glm::vec2 middle = pixelOf(ship.pose.position);
  // In the middle of the face that looks at the eye
  ship.hit = ship.pose.position + ship.pose.rotation * Vec3(0.0, 0.0, 0.4);
  const Pixel plain = draw(frame_).at(middle);
  ship.glow = 0.5f;
  const Pixel half = draw(frame_).at(middle);
  ship.glow = 1.0f;
  const Picture hit = draw(frame_);
  const Pixel full = hit.at(middle);
  // A little where it was hit, #FFF0C0: red is added above green above blue
  EXPECT_GT(half.light(), plain.light() + 20);
  EXPECT_GT(full.light(), half.light() + 20);
  EXPECT_GT(full.r - plain.r, full.g - plain.g);
  EXPECT_GT(full.g - plain.g, full.b - plain.b);
  EXPECT_LT(full.light(), 3 * 200) << "it does not burn white";
  // Elsewhere it keeps its colours, but for its rim
  ship.hit = ship.pose.position + Vec3(9.0, 0.0, 0.0);
  const Pixel far = draw(frame_).at(middle);
  EXPECT_LT(far.light(), plain.light() + 60);
  ship.hit = ship.pose.position + Vec3(0.5, 0.0, 0.3);
  const Picture aside = draw(frame_);
  // The halo reaches beyond the hull.
  ship.glow = 0.0f;
  const Picture dark = draw(frame_);
  const glm::vec2 beside = middle + glm::vec2(pixels(ship.pose.position, 1.0), 0.0f);
  EXPECT_GT(aside.at(beside).light(), dark.at(beside).light() + 15);
}

TEST_F(FlyRender, ShipsOutsideTheSpotlightAreDarker) {
  ShipInstance ship;
  ship.pose = {{0, 0, -5}, glm::angleAxis(0.5, Vec3(0, 1, 0))};
  frame_.ships = {&ship, 1};
  const glm::vec2 middle = pixelOf(ship.pose.position);
  const int lit = draw(frame_).at(middle).light();
  ship.glow = -0.85f;
  EXPECT_LT(draw(frame_).at(middle).light(), 6 * lit / 10);
  ship.glow = -1.0f;
  EXPECT_LT(draw(frame_).at(middle).light(), 12);
}

TEST_F(FlyRender, LiveryColoursTheHull) {
  ShipInstance ship;
  ship.pose = {{0, 0, -4}, glm::angleAxis(0.6, Vec3(0, 1, 0))};
  frame_.ships = {&ship, 1};
  const glm::vec2 middle = pixelOf(ship.pose.position);
  ship.tint = glm::vec3(0.79f, 0.35f, 0.0f);  // #E69F00
  const Pixel own = draw(frame_).at(middle);
  EXPECT_GT(own.r, own.g + 30);
  EXPECT_GT(own.g, own.b + 50);
  ship.tint = glm::vec3(0.105f, 0.147f, 0.262f);  // #5B6B8C
  const Pixel drone = draw(frame_).at(middle);
  EXPECT_GT(drone.b, drone.r + 15);
}

/// Seen from its dark side, with the sun behind it.
TEST_F(FlyRender, OwnShipIsLitFromTheEye) {
  frame_.camera.pose.rotation = glm::quatLookAt(Vec3(sunDirection), Vec3(0, 1, 0));
  ShipInstance ship;
  ship.pose.position = 4.0 * Vec3(sunDirection);
  frame_.ships = {&ship, 1};
  const glm::vec2 middle = pixelOf(ship.pose.position);
  const int drone = draw(frame_).at(middle).light();
  ship.own = true;
  EXPECT_GT(draw(frame_).at(middle).light(), drone + 60);
  // It still glows where it is hit
  ship.hit = frame_.camera.pose.rotation * Vec3(0.0, 0.0, -3.4);
  const Pixel cool = draw(frame_).at(middle);
  ship.glow = 1.0f;
  EXPECT_TRUE(differ(draw(frame_).at(middle), cool));
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
      const Pixel p = picked.at(x, y);
      if (differ(p, plain.at(x, y)) && p.r > 230 && p.g > 230 && p.b > 230) ++white;
    }
  }
  const float around = 6.0f * pixels(ship.pose.position, 0.55);
  EXPECT_GT(static_cast<float>(white), 0.8f * around);
  EXPECT_LT(static_cast<float>(white), 6.0f * around);
  EXPECT_FALSE(
      differ(picked.at(pixelOf(ship.pose.position)), plain.at(pixelOf(ship.pose.position))));
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
  ship.shape = 1;
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

/// A torus of 12,000 triangles about the z axis.
engine::DrawMesh torusModel() {
  engine::DrawMesh mesh;
  mesh.materials.push_back({});
  const TriangleMesh torus = test::torus(120, 50);
  for (const Vec3& p : torus.positions) {
    const glm::vec3 at(p),
        out = glm::normalize(at - 0.7f * glm::normalize(glm::vec3(at.x, at.y, 0)));
    mesh.vertices.push_back({{at.x, at.y, at.z}, {out.x, out.y, out.z}, 0});
  }
  for (const auto& t : torus.triangles) mesh.indices.insert(mesh.indices.end(), t.begin(), t.end());
  return mesh;
}

TEST_F(FlyRender, ShipsAreCoarserWhereThereAreTooManyTrianglesButForTheNearest) {
  const std::array models{torusModel()};
  renderer_->setShapes(models);
  std::vector<ShipInstance> ships(13);
  for (std::size_t i = 0; i < 12; ++i)
    ships[i].pose.position = {-6.0 + 4.0 * static_cast<double>(i % 4),
                              -3.0 + 3.0 * static_cast<double>(i / 4), -14.0};
  ships[12].pose.position = {0, 0, -6};
  frame_.ships = std::span(ships).last(1);
  const Picture nearest = draw(frame_);
  const std::size_t fine = renderer_->shipTriangles();
  renderer_->draw(frame_, width, height, {.maxTriangles = 10});
  const std::size_t least = renderer_->shipTriangles();
  EXPECT_GT(least, 200u) << "the nearest keeps what three pixels leave";

  frame_.ships = ships;
  const Picture all = draw(frame_);
  const std::size_t usual = renderer_->shipTriangles();
  const auto coarse = [&](std::size_t most) {
    renderer_->draw(frame_, width, height, {.maxTriangles = most});
    return renderer_->shipTriangles();
  };
  EXPECT_EQ(coarse(usual), usual);
  EXPECT_LE(coarse(usual / 2), usual / 2);
  const std::size_t few = coarse(10);
  EXPECT_GT(few, least + 12 * 20) << "the others are still there";
  EXPECT_LT(few - least, (usual - fine) / 3);
  const Picture shown{renderer_->readPixels(width, height)};
  EXPECT_LT(between(all, shown).count, width * height / 20);
}

TEST_F(FlyRender, FewerPixelsShowTheSamePicture) {
  ShipInstance ship;
  ship.pose.position = {0.7, -0.4, -4};
  frame_.backdrop = glm::vec3(0.0f);  // the sky's stars are pixels
  const Picture empty = draw(frame_);
  frame_.ships = {&ship, 1};
  const Difference fine = between(empty, draw(frame_));
  ASSERT_GT(fine.count, 500);
  renderer_->draw(frame_, width, height, {.scale = 0.75});
  const Picture coarse{renderer_->readPixels(width, height)};
  const Difference d = between(empty, coarse);
  EXPECT_GT(between(draw(frame_), coarse).count, 20) << "as many pixels as ever";
  EXPECT_NEAR(d.centre.x, fine.centre.x, 2.0f);
  EXPECT_NEAR(d.centre.y, fine.centre.y, 2.0f);
  EXPECT_NEAR(d.low.x, fine.low.x, 3.0f);
  EXPECT_NEAR(d.high.y, fine.high.y, 3.0f);
  EXPECT_NEAR(d.count, fine.count, 0.25 * fine.count);
}

TEST_F(FlyRender, MorePixelsSmoothEdges) {
  ShipInstance ship;
  // Edges along the pixels would be smooth already
  ship.pose = {{0.7, -0.4, -4}, glm::angleAxis(0.3, glm::normalize(Vec3(1, 2, 3)))};
  frame_.backdrop = glm::vec3(0.0f);
  frame_.ships = {&ship, 1};
  const auto photo = renderer_->photograph(frame_, width, height);
  ASSERT_TRUE(photo) << photo.error().message;
  // How far a picture is from the photograph, which has 16 samples a pixel
  const auto roughness = [&](const std::vector<std::uint8_t>& picture) {
    double sum = 0.0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int c = 0; c < 3; ++c) {
          const auto fine = [&](int i, int j) {
            return photo
                ->rgb[static_cast<std::size_t>(3 * ((2 * y + j) * photo->width + 2 * x + i) + c)];
          };
          const double mean = 0.25 * (fine(0, 0) + fine(1, 0) + fine(0, 1) + fine(1, 1));
          sum += std::abs(picture[static_cast<std::size_t>(3 * (y * width + x) + c)] - mean);
        }
    return sum;
  };
  renderer_->draw(frame_, width, height);
  const double rough = roughness(renderer_->readPixels(width, height));
  renderer_->draw(frame_, width, height, {.scale = 2.0});
  const double smooth = roughness(renderer_->readPixels(width, height));
  ASSERT_GT(rough, 1000.0);
  EXPECT_LT(smooth, 0.6 * rough);
}

TEST_F(FlyRender, PhotographShowsTheSameSceneFinerAndLeavesTheWindowAlone) {
  ShipInstance ship;
  ship.pose.position = {0.3, -0.2, -3};
  ship.outline = 1.0f;
  const DrawLine line{{-1, 0.8, -3}, {1, 0.8, -3}, glm::vec3(1.0f)};
  frame_.ships = {&ship, 1};
  frame_.lines = {&line, 1};
  frame_.backdrop = glm::vec3(0.0f);
  const Picture shown = draw(frame_);
  const auto photo = renderer_->photograph(frame_, width, height);
  ASSERT_TRUE(photo) << photo.error().message;
  EXPECT_EQ(between(shown, {renderer_->readPixels(width, height)}).count, 0);
  ASSERT_EQ(photo->width, 2 * width);
  ASSERT_EQ(photo->height, 2 * height);
  ASSERT_EQ(photo->rgb.size(), std::size_t{12} * width * height);

  // One pixel of four: ship, outline and line lie where they lay, and are as wide
  Picture half{std::vector<std::uint8_t>(shown.rgb.size())};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int k = 0; k < 3; ++k)
        half.rgb[static_cast<std::size_t>((y * width + x) * 3 + k)] =
            photo->rgb[static_cast<std::size_t>((2 * y * 2 * width + 2 * x) * 3 + k)];
  const Picture nothing{std::vector<std::uint8_t>(shown.rgb.size())};
  const Difference drawn = between(nothing, shown), taken = between(nothing, half);
  EXPECT_NEAR(taken.count, drawn.count, 0.12 * drawn.count);
  EXPECT_NEAR(taken.centre.x, drawn.centre.x, 1.5f);
  EXPECT_NEAR(taken.centre.y, drawn.centre.y, 1.5f);
}

}  // namespace
}  // namespace nearmiss::app::fly
