// SPDX-License-Identifier: MIT
/// Decides quickly which shapes can contain which. Tested for every pair that is found separate;
/// one vertex usually suffices to reject it.
#pragma once

#include <nearmiss/advanced/shapes.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "base/four_floats.h"
#include "narrow/pair_search.h"

namespace nearmiss {

/// A table for a few shapes. With more shapes, any may contain any.
class HoldingShapes {
 public:
  explicit HoldingShapes(const Shapes& shapes) : count_(shapes.size()) {
    if (count_ > maxShapes) return;
    for (const Shape& outer : shapes) {
      outlines_.emplace_back(outer.polyhedron());
      for (const Shape& inner : shapes)
        may_.push_back(mayHold(outer.polyhedron(), inner.polyhedron()));
    }
  }

  /// Returns true if one shape may contain the other; the motions of `search` transform each into
  /// the frame of the other. False only if oneInsideOther() is false.
  [[nodiscard]] bool either(std::uint32_t a, std::uint32_t b, const Search& search) const noexcept {
    if (may_.empty()) return true;
    const auto p = static_cast<std::size_t>(a), q = static_cast<std::size_t>(b);
    const Outline &ofA = outlines_[p], &ofB = outlines_[q];
    if (may_[p * count_ + q] != 0 && (ofB.pieces || ofA.near(toA(search, ofB), search.slack)))
      return true;
    return may_[q * count_ + p] != 0 && (ofA.pieces || ofB.near(toB(search, ofA), search.slack));
  }

 private:
  /// The box of a shape, and one of its vertices; the fourth coordinate is 0.
  struct Outline {
    explicit Outline(const Polyhedron& polyhedron) : pieces(polyhedron.components().size() != 1) {
      const Vec3& own = polyhedron.mesh().positions[polyhedron.components()[0].vertex];
      const Box& bounds = polyhedron.bounds();
      for (int k = 0; k < 3; ++k) {
        vertex[k] = static_cast<float>(own[k]);
        low[k] = static_cast<float>(bounds.low[k]);
        high[k] = static_cast<float>(bounds.high[k]);
      }
    }
    /// Returns false only if the point lies outside the box by more than the exact test tolerates.
    /// Transforming the point and rounding the box each err by less than the slack, and the test's
    /// own tolerance is 2^-10 of it.
    [[nodiscard]] bool near(FourFloats p, float slack) const noexcept {
      const FourFloats room = four(3.0f * slack);
      return (lanesLess(p, low - room) | lanesLess(high + room, p)) == 0;
    }
    FourFloats vertex{}, low{}, high{};
    bool pieces;  ///< several pieces, so that all their vertices may have to be examined
  };
  [[nodiscard]] static FourFloats loaded(const float (&from)[4]) noexcept {
    FourFloats lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
  }
  [[nodiscard]] static FourFloats turned(const LaneMotion& by, FourFloats p) noexcept {
    return loaded(by.column[0]) * p[0] + loaded(by.column[1]) * p[1] + loaded(by.column[2]) * p[2];
  }
  [[nodiscard]] static FourFloats toA(const Search& by, const Outline& b) noexcept {
    return turned(by.toA, b.vertex) + loaded(by.toA.position);
  }
  [[nodiscard]] static FourFloats toB(const Search& by, const Outline& a) noexcept {
    return turned(by.toB, a.vertex + loaded(by.toB.position));
  }

  static constexpr std::size_t maxShapes = 32;
  std::size_t count_;
  std::vector<Outline> outlines_;
  std::vector<char> may_;  ///< indexed by outer, then inner shape
};

}  // namespace nearmiss
