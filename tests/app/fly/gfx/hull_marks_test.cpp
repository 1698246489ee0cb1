// SPDX-License-Identifier: MIT
// Panels and letters on hulls: whose, where, and that they can be read.
#include "fly/gfx/hull_marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>

#include "app/fly/drawn_pictures.h"

namespace nearmiss::app::fly {
namespace {

const std::filesystem::path models = std::filesystem::path(NEARMISS_SOURCE_DIR) / "assets/models";

TEST(HullMarks, OnlyTheProgramsOwnShipsHaveThem) {
  setenv("NEARMISS_ROOT", NEARMISS_SOURCE_DIR, 1);
  for (const char* name : {"lamp.glb", "faucet.glb", "rocket.glb", "truck.glb"}) {
    const HullMarks marks = hullMarksOf(models / name, false);
    EXPECT_TRUE(marks.panels) << name;
    EXPECT_FALSE(marks.letterings.empty()) << name;
  }
  const HullMarks link = hullMarksOf(models / "truck.glb", true);
  EXPECT_TRUE(link.panels);
  EXPECT_TRUE(link.letterings.empty()) << "a link's frame is another";
  const HullMarks other = hullMarksOf("/elsewhere/lamp.glb", false);
  EXPECT_FALSE(other.panels);
  EXPECT_TRUE(other.letterings.empty());
}

glm::vec3 cornerOf(const engine::DrawMesh& mesh, const LetteredPiece& piece, std::size_t i) {
  glm::vec3 place(0.0f);
  for (std::size_t k = 0; k < 3; ++k) {
    const float* p = mesh.vertices[mesh.indices[3 * piece.triangle + k]].position;
    place += piece.corners[i].weights[k] * glm::vec3(p[0], p[1], p[2]);
  }
  return place;
}

TEST(HullMarks, APieceIsWhatOfTheHullLiesInTheRectangle) {
  const engine::DrawMesh mesh = box(0.6f, 0.5f, 0.4f);
  // On the upper side, reading along x
  const Lettering lettering{0, {0.1f, 0.5f, -0.05f}, {1, 0, 0}, {0, 0, -1}, 0.4f};
  float area = 0.0f;
  for (const LetteredPiece& piece : letteredPieces(mesh, lettering)) {
    for (std::size_t i = 0; i < piece.corners.size(); ++i) {
      const glm::vec3 p = cornerOf(mesh, piece, i);
      EXPECT_NEAR(p.y, 0.5f, 1e-5f) << "only the side that it faces";
      EXPECT_NEAR(p.x, 0.1f + 0.4f * (piece.corners[i].across - 0.5f), 1e-5f);
      EXPECT_NEAR(p.z, -0.05f - 0.1f * (piece.corners[i].over - 0.5f), 1e-5f);
      if (i >= 2)
        area +=
            0.5f * glm::length(glm::cross(cornerOf(mesh, piece, i - 1) - cornerOf(mesh, piece, 0),
                                          p - cornerOf(mesh, piece, 0)));
    }
  }
  EXPECT_NEAR(area, 0.4f * 0.1f, 1e-5f);
}

int lightAt(const HullPicture& picture, const glm::vec2& place) {
  const auto x = static_cast<std::size_t>(place.x * static_cast<float>(HullPicture::width));
  const auto y = static_cast<std::size_t>(place.y * static_cast<float>(HullPicture::height));
  return picture.light[y * std::size_t{HullPicture::width} + x];
}

TEST(HullPicture, EveryLetterIsThereAndTheRestIsPlain) {
  const HullPicture picture = drawHullPicture();
  EXPECT_EQ(lightAt(picture, plainPlace()), HullPicture::plain);
  for (std::size_t r = 0; r < registrations.size(); ++r) {
    const std::size_t letters = registrations[r].size();
    for (std::size_t i = 0; i < letters; ++i) {
      int darkest = 255;
      for (int step = 0; step < 40 * 40; ++step) {
        const float across = (static_cast<float>(i) + static_cast<float>(step % 40) / 40.0f) /
                             static_cast<float>(letters);
        const float over = static_cast<float>(step / 40) / 40.0f;
        darkest = std::min(darkest, lightAt(picture, letterPlace(r, across, over)));
      }
      EXPECT_LT(darkest, HullPicture::plain / 4) << registrations[r] << ", letter " << i;
    }
    EXPECT_EQ(lightAt(picture, letterPlace(r, 0.01f, 0.05f)), HullPicture::plain);
  }
}

TEST(HullPicture, PanelsDifferInLightAndHaveSeams) {
  const HullPicture picture = drawHullPicture();
  int least = 255, most = 0;
  for (float x = -0.9f; x < 0.9f; x += 0.01f) {
    const int light = lightAt(picture, panelPlace({x, 0.3f, 0.0f}, 2, 1.0f));
    least = std::min(least, light);
    most = std::max(most, light);
  }
  EXPECT_LT(least, HullPicture::plain / 2) << "no seam";
  EXPECT_GT(most, HullPicture::plain) << "no lighter panel";
}

}  // namespace
}  // namespace nearmiss::app::fly
