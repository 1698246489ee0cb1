// SPDX-License-Identifier: MIT
/// Finds where the surfaces of two bodies intersect.
#pragma once

#include <nearmiss/math.h>

#include "base/work_meter.h"
#include "contact/contact_body.h"
#include "contact/crossing_sample.h"
#include "contact/near_triangle_pairs.h"

namespace nearmiss {

/// A resumable search for triangles that intersect. Reuses its memory.
class SurfaceCrossings {
 public:
  /// Starts a search. Both bodies must outlive the last step.
  void begin(const ContactBody& a, const ContactBody& b, const Pose& bToA) noexcept;

  /// Compares a few triangles. Stops at the first intersection if both bodies have an inside.
  /// Returns false when the search is finished.
  bool step(WorkCount& work);

  [[nodiscard]] const CrossingSample& sample() const noexcept { return sample_; }
  /// Uses `point` as a substitute if there are no intersections.
  void addIfEmpty(const ManifoldPoint& point) {
    if (sample_.empty()) sample_.add(point);
  }

 private:
  [[nodiscard]] bool solids() const noexcept { return a_->hasInside() && b_->hasInside(); }
  void compare(const NearTrianglePairs::Pair& pair, WorkCount& work);

  const ContactBody* a_ = nullptr;
  const ContactBody* b_ = nullptr;
  NearTrianglePairs triangles_;  ///< pairs with overlapping boxes
  std::size_t next_ = 0;         ///< next of the last listed pairs
  CrossingSample sample_;
};

}  // namespace nearmiss
