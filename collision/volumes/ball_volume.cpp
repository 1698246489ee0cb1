// SPDX-License-Identifier: MIT
#include "volumes/ball_volume.h"

#include <algorithm>

namespace nearmiss {

BallVolume BallVolume::around(std::span<const Vec3> points) {
  Box box;
  for (const Vec3& p : points) box.include(p);
  BallVolume volume{{box.centre(), 0.0}};
  for (const Vec3& p : points)
    volume.ball.radius = std::max(volume.ball.radius, glm::distance(p, volume.ball.centre));
  return volume;
}

}  // namespace nearmiss
