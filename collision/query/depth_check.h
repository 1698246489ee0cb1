// SPDX-License-Identifier: MIT
/// Finds points of a manifold that are deeper than the bodies overlap.
#pragma once

#include <nearmiss/contact_manifold.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "narrow/work_meter.h"
#include "query/parting_test.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// The edges of two slabs that lie on each other cross sideways too, as deep as the slabs are wide.
/// But no contact is deeper than a translation that parts the bodies is long: moves b out along the
/// normals of points whose depth is in doubt, and looks whether that parts them. Keeps its memory.
class DepthCheck {
 public:
  /// Takes points of two bodies, which must outlive the last step. Copies the points.
  /// @param certain metres: no shorter translation parts the bodies
  void begin(const TwoBodies& bodies, std::span<const ManifoldPoint> points, Real certain,
             Real slack);

  /// Goes on with a translation, or begins the next, and adds the work. False: nothing is left to
  /// try.
  bool step(WorkCount& work);

  /// Begins to look whether the shortest translation of b that moves every point out by three times
  /// its depth parts the bodies, as it does unless the points miss most of the overlap.
  /// @param points at most 2
  /// @pre step() has returned false.
  void beginToExplain(std::span<const ManifoldPoint> points);
  /// A step of that, which adds the work. False: explains() has the answer.
  bool stepToExplain(WorkCount& work) { return test_.step(work); }
  [[nodiscard]] bool explains() const noexcept { return test_.parts(); }

  /// A translation of this length parts the bodies; infinite if none is known. Deeper points are no
  /// contacts.
  [[nodiscard]] Real limit() const noexcept { return limit_; }

 private:
  struct Way {
    Real depth;
    Vec3 normal;
  };
  [[nodiscard]] std::size_t next() const noexcept;

  const TwoBodies* bodies_ = nullptr;
  Real slack_ = 0.0;
  std::vector<Way> ways_;  ///< by depth
  /// Ways from `begin_` to `end_` are left: those before do not part the bodies, those behind do.
  std::size_t begin_ = 0, end_ = 0;
  std::uint32_t tried_ = 0;
  bool testing_ = false;  ///< the translation of next() is being tested
  PartingTest test_;
  Real limit_ = std::numeric_limits<Real>::infinity();
};

}  // namespace nearmiss
