// SPDX-License-Identifier: MIT
/// Maximum distance of the points of a ball, or of a sphere, from a surface: the Hausdorff measures
/// of a sphere [H96 §9.2], by branch and bound.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>

#include "base/kept_heap.h"
#include "geometry/solid_cells.h"
#include "spheres/distance_field.h"

namespace nearmiss {

/// Upper bound on the rounding error of the nearest point of the flattest triangles, relative to
/// the size of a mesh.
inline constexpr Real depthRounding = 1e-7;

/// Orders by `atMost`, the largest first; ties go to the lowest `sequence`.
struct LesserPart {
  template <class Part>
  bool operator()(const Part& a, const Part& b) const noexcept {
    return a.atMost != b.atMost ? a.atMost < b.atMost : a.sequence > b.sequence;
  }
};

/// The open parts of a search.
template <class Part>
using OpenParts = KeptHeap<Part, LesserPart>;

/// Which points of a ball are considered.
enum class BallPart : std::uint8_t {
  Whole,
  Outside,  ///< outside the solid; other points count as 0. Meaningless without a solid
};

/// Lower and upper bound of the maximum distance from a point of a ball to the surface, metres.
struct DistanceRange {
  Real atLeast = 0.0;  ///< the distance of an examined point
  Real atMost = 0.0;   ///< proven, even if the search was cut short
};

/// Branch and bound over the ball, not only over its surface. If one ball lies inside another,
/// their surfaces do not meet, and only the ball bounds the separation (erratum E3). Replaces the
/// dodecahedron of the paper, whose correction of 0.64 r dominates its result.
class FarthestPointSearch {
 public:
  /// Both must outlive this.
  /// @param part the points of the ball to consider
  /// @param field of the same mesh, for faster results. Any point of the surface proves `atMost`;
  /// `atLeast` is then accurate only up to float rounding. Null: exact
  explicit FarthestPointSearch(const Polyhedron& polyhedron, const DistanceField* field = nullptr,
                               BallPart part = BallPart::Whole) noexcept
      : polyhedron_(&polyhedron), cells_(&SolidCells::of(polyhedron)), field_(field), part_(part) {}

  /// Searches until the range is no wider than `tolerance`, until nothing is proven to be farther
  /// than `enough`, or until `maxQueries` points were examined in addition to the middle.
  [[nodiscard]] DistanceRange search(const Sphere& ball, Real tolerance, Real enough = 0.0,
                                     std::size_t maxQueries = 20000);

 private:
  /// A box that contains an open part of the ball.
  struct Cell {
    Box box;
    Real atMost = 0.0;
    Vec3 near{0.0};              ///< a nearby point of the surface
    bool allCounts = false;      ///< all of its points are known to count
    std::uint32_t witness = 0;   ///< index of a nearby triangle in the field
    std::uint32_t sequence = 0;  ///< breaks ties
  };
  [[nodiscard]] SurfacePoint nearest(const Vec3& point, Real enough, std::uint32_t& witness) const;
  void look(const Sphere& ball, Cell cell, Real tolerance, Real enough);
  [[nodiscard]] bool counts(const Vec3& point) const {
    if (part_ == BallPart::Whole) return true;
    const SolidCells::Side side = cells_->sideOf(point);
    return side == SolidCells::Side::Unknown ? !polyhedron_->contains(point)
                                             : side == SolidCells::Side::Outside;
  }
  void lookAtRim(const Sphere& ball, const Cell& whole);
  [[nodiscard]] bool heedSide(const Sphere& ball, const Vec3& point, Cell& cell) const;

  const Polyhedron* polyhedron_;
  const SolidCells* cells_;
  const DistanceField* field_;
  BallPart part_;
  OpenParts<Cell> open_;
  DistanceRange range_;
  Real discarded_ = 0.0;  ///< maximum bound of the dropped cells
  std::uint32_t queries_ = 0;
};

/// The measure of the paper, for the points of the sphere only. Branch and bound over patches of
/// the sphere: the faces of a cube about it, halved in both directions and projected from the
/// centre. A patch lies in a cap, whose farthest point from a given point is known.
class SphereSurfaceSearch {
 public:
  /// @param polyhedron must outlive this
  explicit SphereSurfaceSearch(const Polyhedron& polyhedron) noexcept : polyhedron_(&polyhedron) {}

  /// Searches until the range is no wider than `tolerance` or `maxQueries` points were examined.
  /// @param outsideOnly points inside the solid count as 0; meaningless without a solid
  [[nodiscard]] DistanceRange search(const Sphere& sphere, Real tolerance, bool outsideOnly,
                                     std::size_t maxQueries = 20000);

 private:
  struct Patch {
    int face = 0;                                   ///< axis * 2, plus 1 for the far side
    Real u0 = -1.0, u1 = 1.0, v0 = -1.0, v1 = 1.0;  ///< ranges on the face, which spans -1 to 1
    Real atMost = 0.0;
    std::uint32_t sequence = 0;  ///< breaks ties
  };
  void look(const Sphere& sphere, Patch patch, bool outsideOnly);

  const Polyhedron* polyhedron_;
  OpenParts<Patch> open_;
  DistanceRange range_;
  std::uint32_t queries_ = 0;
};

/// The last stage of every builder: fills links[].hausdorff with settings.workers threads. Each
/// value is never below the true one, and at most settings.hausdorffTolerance times the radius
/// above it. Returns false if cancelled.
/// @param field of the polyhedron's mesh
[[nodiscard]] bool measureHausdorff(const Polyhedron& polyhedron, const DistanceField& field,
                                    const SphereTreeSettings& settings, SphereTree::Data& data,
                                    BuildProgress* progress);

/// Fills `outside` in the same way. Call after H was measured. Leaves it empty without a solid.
[[nodiscard]] bool measureOutside(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                  SphereTree::Data& data, BuildProgress* progress);

}  // namespace nearmiss
