// SPDX-License-Identifier: MIT
/// The shortest known translation at which the exact test finds two bodies apart.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>

#include "query/beyond_planes.h"
#include "query/distance_search.h"

namespace nearmiss {

class PartingTranslation {
 public:
  /// @param known a translation of b, frame of a, that parts them
  /// The shapes must outlive the last call.
  void begin(const Shape& a, const Shape& b, const Pose& bToA, const Vec3& known);

  /// The gap that `b` has when it is moved so; 0 if they touch. Charges `budget`.
  Real gapAt(const Vec3& translation, const TimeBudget& budget);

  /// From a translation at which they are apart to shorter ones, as long as that goes.
  void descend(Vec3 translation, const TimeBudget& budget);

  [[nodiscard]] Real length() const noexcept { return length_; }
  /// Of that length, frame of a.
  [[nodiscard]] const Vec3& shortest() const noexcept { return shortest_; }

 private:
  [[nodiscard]] Vec3 approach(const Vec3& from, const Vec3& to, const TimeBudget& budget);

  const Shape* a_ = nullptr;
  const Shape* b_ = nullptr;
  Pose bToA_;
  DistanceSearch distance_;
  BeyondPlanes planes_;  ///< what keeps them apart, of one descent
  Real length_ = 0.0;
  Vec3 shortest_{0.0};
};

}  // namespace nearmiss
