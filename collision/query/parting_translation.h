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

  /// Begins to measure the gap that `b` has when it is moved so.
  void beginGap(const Vec3& translation);
  /// Goes on until it is measured; false where time ran out before. Charges `budget`.
  bool refineGap(const TimeBudget& budget);
  /// What was measured; 0 if they touch.
  [[nodiscard]] Real gap() const noexcept { return gap_; }

  /// Begins to go from a translation at which they are apart to shorter ones, as long as that goes.
  void beginDescent(const Vec3& translation);
  /// Goes on; false where time ran out before it ended.
  bool refineDescent(const TimeBudget& budget);

  [[nodiscard]] Real length() const noexcept { return length_; }
  /// Of that length, frame of a.
  [[nodiscard]] const Vec3& shortest() const noexcept { return shortest_; }

 private:
  /// On the way from one plane that parts them to the next.
  struct Descent {
    Vec3 from{0.0}, target{0.0};
    int planes = 0;  ///< that were found
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
  Vec3 moved_{0.0};  ///< the translation of `distance_`
  bool measured_ = false;
  Real gap_ = 0.0;
  Descent descent_;
  BeyondPlanes planes_;  ///< what keeps them apart, of one descent
  Real length_ = 0.0;
  Vec3 shortest_{0.0};
};

}  // namespace nearmiss
