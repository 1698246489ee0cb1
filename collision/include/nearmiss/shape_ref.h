// SPDX-License-Identifier: MIT
/// A body's reference to its shape: an index, with the shape's radius.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>
#include <limits>

namespace nearmiss {

/// Index of a shape among those that a detector was made for: see Shapes.
enum class ShapeId : std::uint32_t {};

/// A shape of a body, and the radius of the sphere around it. Both come from Shapes, so that they
/// cannot disagree; a plain value.
class ShapeRef {
 public:
  /// None: no detector takes a body without a shape.
  ShapeRef() = default;

  /// A body for a broad phase alone, as a sphere of `radius` metres about its position, or one
  /// whose narrow phase is not of this library and keeps shapes of its own under `id`.
  [[nodiscard]] static ShapeRef ofRadius(Real radius, ShapeId id = ShapeId{}) noexcept {
    return ShapeRef(id, radius);
  }

  [[nodiscard]] ShapeId id() const noexcept { return id_; }
  /// Metres about the body's position: the shape lies within, however the body turns. NaN for none.
  [[nodiscard]] Real radius() const noexcept { return radius_; }

  friend bool operator==(const ShapeRef&, const ShapeRef&) = default;

 private:
  ShapeRef(ShapeId id, Real radius) noexcept : radius_(radius), id_(id) {}
  Real radius_ = std::numeric_limits<Real>::quiet_NaN();
  ShapeId id_{};
};

}  // namespace nearmiss
