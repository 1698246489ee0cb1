// SPDX-License-Identifier: MIT
/// A mesh prepared for exact queries: whether it is a solid, whether a point is inside, and the
/// nearest surface point.
///
/// Thread-safe: polyhedra may be made concurrently, and one polyhedron may be queried concurrently.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <atomic>
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

class SurfaceBoxes;

/// The surface point nearest to a query point.
struct SurfacePoint {
  Vec3 position{0.0};
  Real distance = 0.0;         ///< metres, within rounding
  std::uint32_t triangle = 0;  ///< index in mesh().triangles
};

/// A mesh with a hierarchy of boxes over its triangles. Immutable; cheap to move, expensive to
/// copy. Moved-from objects can only be assigned to or destroyed.
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

  /// Returns true if `point` (body frame) lies inside or on the surface, decided exactly. Always
  /// false if the mesh is not a solid, because inside is then undefined.
  [[nodiscard]] bool contains(const Vec3& point) const;

  /// Returns the nearest surface point, at any distance.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point) const;

  /// As nearest(), but may stop as soon as it finds a surface point within `enough` metres.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point, Real enough) const;

  /// As nearest(), but faster if triangle `guess` is near the point. The result does not depend on
  /// the guess; ties go to the triangle of lowest index.
  [[nodiscard]] SurfacePoint nearestFrom(const Vec3& point, std::uint32_t guess) const;

  /// Calls visit(triangle) for every triangle whose box intersects `box` (body frame).
  void forEachTriangleIn(const Box& box, const auto& visit) const {
    visitTrianglesIn(
        box, [](void* f, std::uint32_t t) { (*static_cast<decltype(&visit)>(f))(t); },
        const_cast<void*>(static_cast<const void*>(&visit)));
  }
  /// Returns true if forEachTriangleIn() would visit any triangle. Stops at the first.
  [[nodiscard]] bool hasTriangleIn(const Box& box) const noexcept;

 private:
  friend class SolidCells;
  friend class TrianglePairs;
  friend const SurfaceBoxes& surfaceOf(const Polyhedron& polyhedron) noexcept;
  friend class PiecesInside;
  friend class PolyhedronMotion;
  friend class WindingInside;
  friend Result<Polyhedron> polyhedronUnlessCancelled(TriangleMesh mesh,
                                                      const std::atomic<bool>* cancelled,
                                                      int workers);
  void visitTrianglesIn(const Box& box, void (*call)(void*, std::uint32_t), void* visitor) const;
  struct Parts;
  explicit Polyhedron(std::unique_ptr<Parts> parts) noexcept;
  /// If cancelled, the report is meaningless.
  Polyhedron(TriangleMesh mesh, const std::atomic<bool>* cancelled, int workers);
  std::unique_ptr<Parts> parts_;
};

/// Makes the polyhedron of an unchecked mesh, cleaned or not. Returns soon after `cancelled` is
/// set, also during the search for self-intersections. The result is the same for any number of
/// `workers` (threads). Errors: those of checkTriangles(); Cancelled; OutOfMemory.
Result<Polyhedron> makePolyhedron(TriangleMesh mesh, const std::atomic<bool>* cancelled = nullptr,
                                  int workers = 1);

/// Returns true if a component of one body lies inside the other. `bToA` transforms `b` into the
/// frame of `a`; the test is exact on the transformed doubles. Compares extents and volumes first,
/// so that most pairs are rejected quickly.
/// @pre The two surfaces do not intersect. The outer body must be a solid.
[[nodiscard]] bool oneInsideOther(const Polyhedron& a, const Polyhedron& b, const Pose& bToA);

/// Returns false if, by extents and volumes, no component of `inner` can lie inside `outer` in any
/// pose. oneInsideOther() is then unnecessary. Linear in the components of both.
[[nodiscard]] bool mayHold(const Polyhedron& outer, const Polyhedron& inner) noexcept;

/// Returns the distance of two surfaces in metres, 0 if they intersect or one solid contains the
/// other. Exact within rounding errors. Separation bounds are compared with this true distance.
[[nodiscard]] Real distanceBetween(const Polyhedron& a, const Polyhedron& b, const Pose& bToA);

}  // namespace nearmiss
