// SPDX-License-Identifier: MIT
#include "fly/loop/canvas.h"

#include <glad/gl.h>

#include <algorithm>
#include <chrono>

#include "fly/loop/frame_times.h"

namespace nearmiss::app::fly {
namespace {

/// Maximum drawing time and reserve for targets below 30 frames per second.
constexpr double longestPicture = 1.0 / 30.0, reserve = 0.05;  // seconds; fraction of the target

double allowed(double target) noexcept {
  return (1.0 - reserve) * std::max(target, longestPicture);
}

}  // namespace

/// Uploads the models of a flight unless they are the same; other trees do not matter.
void Canvas::show(const Shapes& shapes) {
  if (!shown_ || !shown_->sharesBodiesWith(*shapes)) renderer_.setShapes(*shapes);
  shown_ = shapes;
}

DrawFrame Canvas::uncovered(const DrawFrame& frame) const noexcept {
  DrawFrame part = frame;
  part.covered = covered_;
  return part;
}

void Canvas::draw(const Shapes& shapes, const DrawFrame& frame, int width, int height) {
  draw(shapes, frame, Viewport{0, width, height});
}

void Canvas::draw(const Shapes& shapes, const DrawFrame& frame, const Viewport& part) {
  show(shapes);
  renderer_.draw(uncovered(frame), part, quality());
}

HalfDrawn Canvas::drawHalf(const Shapes& shapes, const DrawFrame& frame, const Viewport& part) {
  show(shapes);
  const auto began = std::chrono::steady_clock::now();
  renderer_.draw(uncovered(frame), part, quality_.quality());
  glFinish();
  return {seconds(std::chrono::steady_clock::now() - began), renderer_.shipTriangles()};
}

void Canvas::clear() {
  glClearColor(0.02f, 0.025f, 0.035f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

DrawQuality Canvas::quality() const noexcept {
  DrawQuality quality = quality_.quality();
  const bool full = quality.scale == 1.0 && quality.maxTriangles == DrawQuality::unlimited;
  if (edges_.on() && full) quality.scale = EdgeSmoothing::scale;
  return quality;
}

void Canvas::fit(const engine::FrameProfile& profile, double target) noexcept {
  const bool smooth = quality().scale > 1.0;
  edges_.drew(seconds(profile.render), target);
  // The time for smooth edges must not reduce the quality
  if (smooth) return;
  const double rest = seconds(profile.frameTime - profile.render - profile.slack);
  quality_.drew(renderer_.shipTriangles(), seconds(profile.render), allowed(target) - rest);
}

void Canvas::fitHalves(std::size_t triangles, double drawing, double work, double target) noexcept {
  quality_.drew(triangles, drawing, allowed(target) - work);
}

}  // namespace nearmiss::app::fly
