// SPDX-License-Identifier: MIT
/// Inertia of bodies about their origin.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>

#include <span>

namespace nearmiss::engine {

/// The inverse inertia tensor about the body's origin for a mass of 1 kg: symmetric, body frame,
/// 1/m^2. Zero: the body never turns.
struct InverseInertia {
  Vec3 diagonal{0.0};  ///< xx, yy, zz
  Vec3 mixed{0.0};     ///< yz, zx, xy

  [[nodiscard]] Vec3 operator*(const Vec3& v) const noexcept {
    return {diagonal.x * v.x + mixed.z * v.y + mixed.y * v.z,
            mixed.z * v.x + diagonal.y * v.y + mixed.x * v.z,
            mixed.y * v.x + mixed.x * v.y + diagonal.z * v.z};
  }
  /// An upper bound on the length of the product with any unit vector.
  [[nodiscard]] Real norm() const noexcept;
};

/// Computes the tensor for uniform density if the mesh is a solid, otherwise for a sheet of uniform
/// thickness. The origin is treated as the centre of mass. Thin bodies are treated as if a fiftieth
/// of their radius thick.
[[nodiscard]] InverseInertia inverseInertiaOf(const Polyhedron& polyhedron);

/// One part of a body; `pose` is in the body's frame.
struct BodyPart {
  const Polyhedron* polyhedron = nullptr;  ///< never null
  Pose pose;
};
/// For rigidly connected parts: uniform density if all are solids, otherwise sheets.
[[nodiscard]] InverseInertia inverseInertiaOf(std::span<const BodyPart> parts);

}  // namespace nearmiss::engine
