// SPDX-License-Identifier: MIT
/// A mesh prepared for exact queries: is it a solid, is a point inside, how far is its surface.
#pragma once

#include <nearmiss/primitives.h>
#include <nearmiss/triangle_mesh.h>

#include <cstdint>
#include <memory>
#include <span>

namespace nearmiss {

/// A connected piece of the surface.
struct SurfaceComponent {
  std::uint32_t vertex = 0;  ///< one of its vertices
  Real volume = 0.0;         ///< enclosed, signed, cubic metres; meaningless if not closed
  Box bounds;                ///< body frame
};

/// The point of a surface that is nearest to a query point.
struct SurfacePoint {
  Vec3 position{0.0};
  Real distance = 0.0;         ///< metres, not rounded
  std::uint32_t triangle = 0;  ///< index in mesh().triangles
};

/// Immutable; cheap to move, not to copy. Holds a hierarchy of boxes over the triangles.
class Polyhedron {
 public:
  /// @pre `mesh` has at least one triangle, is finite and was cleaned.
  explicit Polyhedron(TriangleMesh mesh);
  Polyhedron(Polyhedron&&) noexcept;
  Polyhedron& operator=(Polyhedron&&) noexcept;
  ~Polyhedron();

  [[nodiscard]] const TriangleMesh& mesh() const noexcept;
  [[nodiscard]] const MeshReport& report() const noexcept;
  [[nodiscard]] std::span<const SurfaceComponent> components() const noexcept;
  [[nodiscard]] const Box& bounds() const noexcept;
  [[nodiscard]] Real radius() const noexcept;  ///< about the origin of the body frame, rounded up
  [[nodiscard]] std::uint64_t hash() const noexcept;

  /// Whether `point` (body frame) lies inside or on the surface, decided exactly. Always false for
  /// what is no solid: there inside is undefined.
  [[nodiscard]] bool contains(const Vec3& point) const;

  /// The nearest point of the surface, however far.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point) const;

  /// As nearest(), but may stop as soon as some surface point within `enough` metres is known.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point, Real enough) const;

  /// Calls visit(triangle) for every triangle whose box meets `box` (body frame).
  void forEachTriangleIn(const Box& box, const auto& visit) const {
    visitTrianglesIn(
        box, [](void* f, std::uint32_t t) { (*static_cast<decltype(&visit)>(f))(t); },
        const_cast<void*>(static_cast<const void*>(&visit)));
  }

 private:
  friend class TrianglePairs;
  friend bool oneInsideOther(const Polyhedron& a, const Polyhedron& b, const Pose& bToA);
  friend Real distanceBetween(const Polyhedron& a, const Polyhedron& b, const Pose& bToA);
  void visitTrianglesIn(const Box& box, void (*call)(void*, std::uint32_t), void* visitor) const;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Whether a component of one body lies inside the other, `b` moved by `bToA` into the frame of
/// `a`, decided exactly on the moved doubles. Only meaningful once the two surfaces are known not
/// to meet; the outer one must be a solid. Compares extents and volumes first, so that most pairs
/// are rejected quickly.
[[nodiscard]] bool oneInsideOther(const Polyhedron& a, const Polyhedron& b, const Pose& bToA);

/// The distance of two surfaces in metres, 0 if they meet or one solid holds the other: the true
/// distance that separation bounds are compared with. Exact up to rounding of the arithmetic.
[[nodiscard]] Real distanceBetween(const Polyhedron& a, const Polyhedron& b, const Pose& bToA);

}  // namespace nearmiss
