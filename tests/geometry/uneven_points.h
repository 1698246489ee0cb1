// SPDX-License-Identifier: MIT
/// Points whose coordinates differ greatly in size, nearly or exactly in one plane: where one term
/// of a determinant, and of the bound of its error, outweighs all others.
#pragma once

#include <nearmiss/math.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "support/random.h"

namespace nearmiss::test {

[[nodiscard]] inline Real unevenNumber(Random& random) {
  return random.chance(0.1) ? 0.0 : std::ldexp(random.between(-1.0, 1.0), random.whole(-16, 16));
}

/// In one plane through one of them but for rounding, in any order.
template <std::size_t count>
[[nodiscard]] std::array<Vec3, count> unevenPointsInOnePlane(Random& random) {
  const auto vector = [&] {
    return Vec3(unevenNumber(random), unevenNumber(random), unevenNumber(random));
  };
  const Vec3 origin = random.chance(0.5) ? Vec3(0.0) : vector();
  std::array<Vec3, count> points{origin, vector(), vector()};
  for (std::size_t i = 3; i < count; ++i)
    points[i] = origin + unevenNumber(random) * points[1] + unevenNumber(random) * points[2];
  points[1] += origin;
  points[2] += origin;
  // Any of them may lie beside the plane, by one digit in one coordinate
  Real& number = points[random.bits() % count][random.whole(0, 2)];
  if (random.chance(0.5) && std::abs(number) > 1e-9) number = std::nextafter(number, 1e9);
  for (std::size_t i = count; i > 1; --i) std::swap(points[i - 1], points[random.bits() % i]);
  return points;
}

}  // namespace nearmiss::test
