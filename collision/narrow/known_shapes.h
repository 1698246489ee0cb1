// SPDX-License-Identifier: MIT
/// Which shapes a narrow phase of this library was made for, for those who check bodies.
#pragma once

#include <nearmiss/polyhedron.h>

#include <span>

namespace nearmiss {

/// A second base of narrow phases: NarrowPhase itself knows no shapes, which foreign methods may
/// keep as they like.
class KnownShapes {
 public:
  /// Indexed by ShapeId.
  [[nodiscard]] virtual std::span<const Polyhedron> shapes() const noexcept = 0;

 protected:
  ~KnownShapes() = default;
};

}  // namespace nearmiss
