// SPDX-License-Identifier: MIT
#include "fly/sheet/sheet_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>

#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {

void TightnessScale::include(double h) {
  if (h > 0.0 && std::isfinite(h)) values_.push_back(h);
}

void TightnessScale::settle() {
  if (values_.empty()) return;
  const auto twentieth = values_.begin() + static_cast<std::ptrdiff_t>(values_.size() / 20);
  std::nth_element(values_.begin(), twentieth, values_.end());
  low_ = *twentieth;
  high_ = *std::max_element(values_.begin(), values_.end());
  // Put equal spheres in the middle of the scale
  if (high_ < 2.0 * low_) {
    low_ *= 0.5;
    high_ *= 2.0;
  }
}

double TightnessScale::place(double h) const noexcept {
  if (!(h > low_)) return 0.0;
  return std::clamp(std::log(h / low_) / std::log(high_ / low_), 0.0, 1.0);
}

glm::vec3 TightnessScale::colourAt(double place) noexcept {
  constexpr std::array<Rgb, 5> stops{0x1F4FA8, 0x2E95D1, 0x6CC3B0, 0xE9D75C, 0xF08A24};
  const double at = std::clamp(place, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  return glm::mix(srgb(stops[below]), srgb(stops[below + 1]),
                  static_cast<float>(at - static_cast<double>(below)));
}

namespace {

constexpr double fieldOfView = 0.22;  // radians; almost parallel, as in a drawing
constexpr double viewMargin = 1.05;
constexpr double widest = 1.6, tallest = 0.8;

}  // namespace

ShownLevel shownLevel(const SphereTree& tree, int level) {
  ShownLevel shown;
  std::vector<SphereId> ids;
  for (int l = 0; l <= std::min(level, tree.levelCount() - 1); ++l) {
    tree.spheresOf(l, ids);
    for (const SphereId id : ids)
      if (l == level || tree.childPackCount(id) == 0)
        shown.balls.push_back({tree.sphere(id), tree.hausdorff(id)});
  }
  for (const ShownLevel::Ball& ball : shown.balls) {
    shown.hMean += ball.h / static_cast<double>(shown.balls.size());
    shown.hMax = std::max(shown.hMax, ball.h);
  }
  return shown;
}

Pose sheetPose() {
  Pose pose;
  pose.rotation = glm::angleAxis(0.38, Vec3(1, 0, 0)) * glm::angleAxis(2.2, Vec3(0, 1, 0));
  return pose;
}

void SheetView::include(const Vec3& centre, double radius) {
  const Vec3 seen = transformed(sheetPose(), centre);
  low_ = glm::min(low_, seen - radius);
  high_ = glm::max(high_, seen + radius);
}

void SheetView::include(const engine::DrawMesh& object) {
  for (const engine::DrawVertex& v : object.vertices)
    include(Vec3(v.position[0], v.position[1], v.position[2]), 0.0);
}

void SheetView::include(const ShownLevel& level) {
  for (const ShownLevel::Ball& ball : level.balls) include(ball.sphere.centre, ball.sphere.radius);
}

double SheetView::aspect() const noexcept {
  const Vec3 size = high_ - low_;
  return std::clamp(size.x / std::max(size.y, 1e-9), tallest, widest);
}

double SheetView::height() const noexcept {
  const Vec3 size = high_ - low_;
  return viewMargin * std::max(size.y, size.x / aspect());
}

double SheetView::pixelsPerMetre(double width) const noexcept {
  return width / (height() * aspect());
}

Camera SheetView::camera() const noexcept {
  const Vec3 size = high_ - low_, middle = 0.5 * (low_ + high_);
  Camera camera;
  camera.fieldOfView = fieldOfView;
  // The nearest object appears largest: measure there
  const double away = 0.5 * height() / std::tan(0.5 * fieldOfView);
  camera.pose.position = {middle.x, middle.y, high_.z + away};
  camera.nearPlane = 0.5 * away;
  camera.farPlane = 2.0 * (away + size.z);
  return camera;
}

}  // namespace nearmiss::app::fly
