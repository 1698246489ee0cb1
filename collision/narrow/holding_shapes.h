// SPDX-License-Identifier: MIT
/// Which shapes can lie inside which, in any pose: asked of every pair that is found separate.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cstddef>
#include <vector>

namespace nearmiss {

/// A table for a few shapes; of more, any may hold any.
class HoldingShapes {
 public:
  explicit HoldingShapes(const Shapes& shapes) : count_(shapes.size()) {
    if (count_ > maxShapes) return;
    for (const Shape& outer : shapes)
      for (const Shape& inner : shapes)
        may_.push_back(mayHold(outer.polyhedron(), inner.polyhedron()));
  }

  /// True if one of them may hold the other.
  [[nodiscard]] bool either(ShapeId a, ShapeId b) const noexcept {
    if (may_.empty()) return true;
    const auto p = static_cast<std::size_t>(a), q = static_cast<std::size_t>(b);
    return may_[p * count_ + q] != 0 || may_[q * count_ + p] != 0;
  }

 private:
  static constexpr std::size_t maxShapes = 32;
  std::size_t count_;
  std::vector<char> may_;  ///< outer, inner
};

}  // namespace nearmiss
