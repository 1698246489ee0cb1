// SPDX-License-Identifier: MIT
/// Contact points and normals as they are drawn over a picture.
#include "fly/view/contact_drawing.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "app/fly/drawn_text.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

constexpr glm::vec2 picture(1280.0f, 720.0f);

/// The part of the picture that was drawn on; empty if nothing was.
Rect drawnArea() {
  const ImDrawList& list = *ImGui::GetBackgroundDrawList();
  if (list.VtxBuffer.Size == 0) return {};
  float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;
  for (const ImDrawVert& corner : list.VtxBuffer) {
    left = std::min(left, corner.pos.x);
    right = std::max(right, corner.pos.x);
    top = std::min(top, corner.pos.y);
    bottom = std::max(bottom, corner.pos.y);
  }
  return {left, top, right - left, bottom - top};
}

ManifoldPoint pointAt(const Vec3& place, const Vec3& normal, Real depth) {
  return {place - 0.5 * depth * normal, place + 0.5 * depth * normal, normal, depth, 1};
}

/// The eye is at the origin and looks along -z; 10 m ahead a metre has some 75 pixels.
Camera ahead() { return {}; }

TEST(ContactDrawing, DrawsAMarkAndAnArrowAlongTheNormal) {
  for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    const DrawnText type(picture.x, picture.y, 1.0f);
    const std::array points{pointAt({0.0, 0.0, -10.0}, normal, 0.0)};
    drawContacts(Ink(), ahead(), picture, points, {palette::white, 2.0});
    const Rect area = drawnArea();
    // From the middle of the picture, farther along the normal than the other way
    const auto along = [&](float low, float high, float middle) {
      return (high - middle) - (middle - low);
    };
    const float x = along(area.x, area.right(), 640.0f), y = along(area.y, area.bottom(), 360.0f);
    EXPECT_NEAR(x, 138.0 * normal.x, 25.0) << area.x << " " << area.right();
    EXPECT_NEAR(y, -138.0 * normal.y, 25.0) << area.y << " " << area.bottom();
  }
}

/// The first has a ring, so that it can be told without colour.
TEST(ContactDrawing, MarksTheDeepestPointByAnotherShape) {
  const auto sizeOf = [](std::vector<ManifoldPoint> points) {
    const DrawnText type(picture.x, picture.y, 1.0f);
    // Too short to be an arrow
    drawContacts(Ink(), ahead(), picture, points, {palette::white, 1e-6});
    return drawnArea();
  };
  const Vec3 normal(0.0, 1.0, 0.0);
  const ManifoldPoint one = pointAt({0.0, 0.0, -10.0}, normal, 0.0);
  const ManifoldPoint other = pointAt({3.0, 0.0, -10.0}, normal, 0.0);
  const Rect first = sizeOf({one});
  const Rect both = sizeOf({one, other});
  EXPECT_NEAR(both.x, first.x, 1e-3);
  const float ring = 640.0f - first.x, plain = both.right() - (640.0f + 3.0f * 74.5f);
  EXPECT_GT(ring, 1.6f * plain);
}

TEST(ContactDrawing, JoinsThePointsOfBothSurfaces) {
  const DrawnText type(picture.x, picture.y, 1.0f);
  const std::array points{pointAt({0.0, 0.0, -10.0}, {1.0, 0.0, 0.0}, 4.0)};
  drawContacts(Ink(), ahead(), picture, points, {palette::white, 0.01});
  EXPECT_GT(drawnArea().width, 280.0f);
}

/// Behind the eye, or where no pixel is, nothing is drawn, and nothing fails.
TEST(ContactDrawing, LeavesOutWhatCannotBeSeen) {
  const DrawnText type(picture.x, picture.y, 1.0f);
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (const Vec3& place :
       {Vec3(0, 0, 10), Vec3(nan, 0, -10), Vec3(1e30, 0, -10), Vec3(-9, 0, -10)}) {
    const std::array points{pointAt(place, {0.0, 1.0, 0.0}, 0.1)};
    drawContacts(Ink(), ahead(), picture, points, {});
  }
  drawContacts(Ink(), ahead(), picture, {}, {});
  EXPECT_EQ(ImGui::GetBackgroundDrawList()->VtxBuffer.Size, 0);
}

}  // namespace
}  // namespace nearmiss::app::fly
