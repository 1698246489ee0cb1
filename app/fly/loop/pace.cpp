// SPDX-License-Identifier: MIT
#include "fly/loop/pace.h"

#include <algorithm>
#include <cmath>

namespace nearmiss::app::fly {

FrameStep nextStep(const engine::Scene& scene, double speed,
                   std::optional<double> frameSeconds) noexcept {
  const double longest = std::max(longestRealFrame, 2e-3 * scene.frameMs);
  const double seconds =
      frameSeconds ? std::clamp(*frameSeconds, 0.0, longest) : engine::frameStep(scene);
  // Above normal speed, use more detections so that no touch is too short to be detected. The
  // tolerance avoids an additional detection for a measured frame that is slightly too long
  const double forgiven = frameSeconds ? 1.05 : 1.0;
  return {std::min(seconds * speed, engine::maxFrameSeconds),
          scene.detectStep * std::min(1.0, speed) * forgiven};
}

Pace paceOf(const engine::FrameHistory& history) noexcept {
  // A frame moves the world by the duration of its predecessor
  const std::size_t n = history.size();
  if (n < 2) return {};
  double wall = 0.0;
  std::size_t first = n;
  while (first > 1 && wall < 1.0) {
    --first;
    wall += std::chrono::duration<double>(history[first].frameTime).count();
  }
  if (!(wall > 0.0)) return {};
  const double simulated = history[n - 1].simTime - history[first - 1].simTime;
  return {simulated / wall, static_cast<double>(n - first) / wall};
}

}  // namespace nearmiss::app::fly
