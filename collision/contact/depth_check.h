// SPDX-License-Identifier: MIT
/// Finds points of a manifold that are deeper than the bodies overlap.
#pragma once

#include <nearmiss/pair.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "pair/parting_test.h"
#include "pair/two_bodies.h"

namespace nearmiss {

/// Edges of two stacked slabs also cross sideways, and there overlap by the whole width of the
/// slabs. But no contact is deeper than the length of a translation that separates the bodies. For
/// points of doubtful depth, this therefore moves b out along their normals and tests whether that
/// separates the bodies. Reuses its memory.
class DepthCheck {
 public:
  /// Starts a check of points of two bodies, which must outlive the last step. Copies the points.
  /// @param certain metres: no shorter translation separates the bodies
  void begin(const TwoBodies& bodies, std::span<const ManifoldPoint> points, Real certain,
             Real slack);

  /// Continues with a translation or starts the next, and adds the work. Returns false if nothing
  /// is left to try.
  bool step(WorkCount& work);

  /// Starts to test whether the points explain the overlap: whether the bodies are separated by the
  /// shortest translation of b that moves every point out by three times its depth. It separates
  /// them unless the points miss most of the overlap.
  /// @param points at most 2
  /// @pre step() has returned false.
  void beginToExplain(std::span<const ManifoldPoint> points);
  /// Advances that test and adds the work. Returns false when explains() has the result.
  bool stepToExplain(WorkCount& work) { return test_.step(work); }
  [[nodiscard]] bool explains() const noexcept { return test_.parts(); }

  /// Returns the length of a translation that separates the bodies; infinite if none is known.
  /// Deeper points are not contacts.
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
  /// Ways from `begin_` to `end_` remain. Earlier ones do not separate the bodies, later ones do.
  std::size_t begin_ = 0, end_ = 0;
  std::uint32_t tried_ = 0;
  bool testing_ = false;  ///< the translation of next() is being tested
  PartingTest test_;
  Real limit_ = std::numeric_limits<Real>::infinity();
};

}  // namespace nearmiss
