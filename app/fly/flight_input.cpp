// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "fly/flight_loop.h"
#include "fly/pace.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app {
namespace {

/// The cone around what the window showed last.
engine::View viewOf(const Camera& camera, int width, int height) {
  const double up = std::tan(0.5 * camera.fieldOfView);
  const double aside = up * width / std::max(1, height);
  return {camera.pose.position, camera.pose.rotation * Vec3(0.0, 0.0, -1.0),
          1.0 / std::sqrt(1.0 + up * up + aside * aside)};
}

}  // namespace

/// All but what detection may have.
engine::FrameInput FlightLoop::frameInput(const FrameStep& step) {
  const engine::Scene& scene = flight_->scene();
  engine::FrameInput input;
  input.control = control_;
  input.stopShip = std::exchange(stopShip_, false);
  input.dt = step.dt;
  input.detectStep = step.detectStep;
  input.levelCap = ui_.levelCap;
  input.order = ui_.order;
  input.response = ui_.response;
  input.instants = scene.instants;
  input.importance = scene.importance;
  // The camera glides by wall time, which no run repeats
  if (scene.clock == engine::ClockKind::Wall)
    input.view = viewOf(camera_, pictureWidth(), window_.height());
  return input;
}

PickedShips FlightLoop::picked(glm::vec2 click) const {
  if (!split_)
    return pickAt(*flight_, ui_.picked, camera_, window_.width(), window_.height(), click);
  const int half = pictureWidth();
  const auto middle = static_cast<float>(half);
  return click.x < middle
             ? pickAt(split_->left(), ui_.picked, leftView_.camera(), half, window_.height(), click)
             : pickAt(*flight_, ui_.picked, camera_, half, window_.height(),
                      click - glm::vec2(middle, 0.0f));
}

}  // namespace nearmiss::app
