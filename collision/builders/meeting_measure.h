// SPDX-License-Identifier: MIT
/// How far from each other two bodies meet whose shape is a set of balls: what a set of balls costs
/// in false alarms, before anything is built with it.
#pragma once

#include <nearmiss/primitives.h>

#include <cstddef>
#include <span>
#include <vector>

namespace nearmiss {

/// A fixed set of approaches of a copy of a body, in any rotation, from any direction.
class MeetingMeasure {
 public:
  /// @param bound holds the body: copies turn about its centre
  MeetingMeasure(const Sphere& bound, std::size_t ways);

  /// The mean distance of the centres at which a set of balls and its copy first touch, in radii of
  /// the bound. Sets of balls for one body differ in it by what they stick out where it is met.
  [[nodiscard]] Real meanDistance(std::span<const Sphere> balls) const;

 private:
  struct Way {
    Quat turn{};
    Vec3 from{0.0};  ///< unit vector to where the copy comes from
  };
  Sphere bound_;
  std::vector<Way> ways_;
};

}  // namespace nearmiss
