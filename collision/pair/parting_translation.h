// SPDX-License-Identifier: MIT
/// The shortest known translation at which the exact test finds two bodies separate.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>

#include "pair/beyond_planes.h"
#include "pair/distance_search.h"

namespace nearmiss {

class PartingTranslation {
 public:
  /// @param known a translation of b, frame of a, that separates them. The shapes must outlive the
  /// last call.
  void begin(const Shape& a, const Shape& b, const Pose& bToA, const Vec3& known);

  /// Starts to measure the gap after the given translation of `b`.
  void beginGap(const Vec3& translation);
  /// Continues until the gap is measured. Returns false if time ran out first. Charges `budget`.
  bool refineGap(const TimeBudget& budget);
  /// Returns the measured gap; 0 if the bodies touch.
  [[nodiscard]] Real gap() const noexcept { return gap_; }

  /// Starts to descend from a separating translation to ever shorter ones.
  void beginDescent(const Vec3& translation);
  /// Continues the descent. Returns false if time ran out first.
  bool refineDescent(const TimeBudget& budget);

  [[nodiscard]] Real length() const noexcept { return length_; }
  /// Returns the translation of that length, frame of a.
  [[nodiscard]] const Vec3& shortest() const noexcept { return shortest_; }

 private:
  /// A path from one separating plane to the next.
  struct Descent {
    Vec3 from{0.0}, target{0.0};
    int planes = 0;  ///< found so far
    int steps = 0;   ///< towards the target
    bool approaching = false, ended = true;
  };

  void take();
  void arrive();
  void approach();
  void land(const Vec3& next);

  const Shape* a_ = nullptr;
  const Shape* b_ = nullptr;
  Pose bToA_;
  DistanceSearch distance_;
  Vec3 moved_{0.0};  ///< translation for which `distance_` was started
  bool measured_ = false;
  Real gap_ = 0.0;
  Descent descent_;
  BeyondPlanes planes_;  ///< separating planes of the current descent
  Real length_ = 0.0;
  Vec3 shortest_{0.0};
};

}  // namespace nearmiss
