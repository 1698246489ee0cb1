// SPDX-License-Identifier: MIT
/// How hard a body is to turn about its origin.
#pragma once

#include <nearmiss/mesh.h>

#include <span>

namespace nearmiss::engine {

/// The inverse of an inertia tensor about the body's origin, for a mass of 1 kg: symmetric, body
/// frame, 1/m^2. Zero: nothing turns the body.
struct InverseInertia {
  Vec3 diagonal{0.0};  ///< xx, yy, zz
  Vec3 mixed{0.0};     ///< yz, zx, xy

  [[nodiscard]] Vec3 operator*(const Vec3& v) const noexcept {
    return {diagonal.x * v.x + mixed.z * v.y + mixed.y * v.z,
            mixed.z * v.x + diagonal.y * v.y + mixed.x * v.z,
            mixed.y * v.x + mixed.x * v.y + diagonal.z * v.z};
  }
  /// At least the length of the product with any unit vector.
  [[nodiscard]] Real norm() const noexcept;
};

/// For a body of uniform density where the mesh is a solid, else for a sheet of uniform thickness.
/// A ship turns about its origin, as if that were its centre of mass. Thin bodies are as hard to
/// turn about their axis as if a fiftieth of their radius thick.
[[nodiscard]] InverseInertia inverseInertiaOf(const Polyhedron& polyhedron);

/// One part of a body, where it is in the body's frame.
struct BodyPart {
  const Polyhedron* polyhedron = nullptr;  ///< never null
  Pose pose;
};
/// For parts fixed to each other: of uniform density where all are solids, else of sheets.
[[nodiscard]] InverseInertia inverseInertiaOf(std::span<const BodyPart> parts);

}  // namespace nearmiss::engine
