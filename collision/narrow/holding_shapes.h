// SPDX-License-Identifier: MIT
/// Which shapes can lie inside which: asked of every pair that is found separate, and mostly denied
/// by one vertex.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cstddef>
#include <vector>

#include "narrow/moved_packs.h"

namespace nearmiss {

/// A table for a few shapes; of more, any may hold any.
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

  /// True if one of them may hold the other where `motion` brings b into the frame of a. False only
  /// where oneInsideOther() is.
  [[nodiscard]] bool either(ShapeId a, ShapeId b, const PackMotion& motion) const noexcept {
    if (may_.empty()) return true;
    const auto p = static_cast<std::size_t>(a), q = static_cast<std::size_t>(b);
    const Outline &ofA = outlines_[p], &ofB = outlines_[q];
    if (may_[p * count_ + q] != 0 && (ofB.pieces || ofA.near(toA(motion, ofB), motion.slack)))
      return true;
    return may_[q * count_ + p] != 0 && (ofA.pieces || ofB.near(toB(motion, ofA), motion.slack));
  }

 private:
  struct Point {
    float at[3];
  };
  /// The box around a shape, and a vertex of it.
  struct Outline {
    explicit Outline(const Polyhedron& polyhedron) : pieces(polyhedron.components().size() != 1) {
      const Vec3& own = polyhedron.mesh().positions[polyhedron.components()[0].vertex];
      for (int k = 0; k < 3; ++k) {
        vertex.at[k] = static_cast<float>(own[k]);
        low[k] = static_cast<float>(polyhedron.bounds().low[k]);
        high[k] = static_cast<float>(polyhedron.bounds().high[k]);
      }
    }
    /// False only if the point lies outside of the box by more than the exact test allows for:
    /// moving it errs by less than the slack, as does rounding the box, and the test's own slack is
    /// 2^-10 of it.
    [[nodiscard]] bool near(const Point& p, float slack) const noexcept {
      bool outside = false;
      for (int k = 0; k < 3; ++k)
        outside |= p.at[k] < low[k] - 3.0f * slack || p.at[k] > high[k] + 3.0f * slack;
      return !outside;
    }
    Point vertex;
    float low[3], high[3];
    bool pieces;  ///< several, whose vertices may all have to be looked at
  };
  [[nodiscard]] static Point toA(const PackMotion& by, const Outline& b) noexcept {
    const float* const p = b.vertex.at;
    Point moved;
    for (int k = 0; k < 3; ++k)
      moved.at[k] = by.rotation[k][0] * p[0] + by.rotation[k][1] * p[1] + by.rotation[k][2] * p[2] +
                    by.position[k];
    return moved;
  }
  [[nodiscard]] static Point toB(const PackMotion& by, const Outline& a) noexcept {
    float p[3];
    for (int k = 0; k < 3; ++k) p[k] = a.vertex.at[k] - by.position[k];
    Point moved;
    for (int k = 0; k < 3; ++k)
      moved.at[k] = by.rotation[0][k] * p[0] + by.rotation[1][k] * p[1] + by.rotation[2][k] * p[2];
    return moved;
  }

  static constexpr std::size_t maxShapes = 32;
  std::size_t count_;
  std::vector<Outline> outlines_;
  std::vector<char> may_;  ///< outer, inner
};

}  // namespace nearmiss
