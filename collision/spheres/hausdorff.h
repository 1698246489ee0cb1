// SPDX-License-Identifier: MIT
/// How far the points of a ball, or of a sphere, can be from a surface: the Hausdorff measures of a
/// sphere [H96 §9.2], by branch and bound.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/mesh.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/tree_builders.h>

#include <cstddef>
#include <cstdint>

#include "geometry/kept_heap.h"
#include "geometry/solid_cells.h"
#include "spheres/distance_field.h"

namespace nearmiss {

/// Covers the rounding of the nearest point of the flattest triangles, relative to the size of a
/// mesh.
inline constexpr Real depthRounding = 1e-7;

/// Orders by `atMost`, the largest first; `sequence` decides ties, the lowest first.
struct LesserPart {
  template <class Part>
  bool operator()(const Part& a, const Part& b) const noexcept {
    return a.atMost != b.atMost ? a.atMost < b.atMost : a.sequence > b.sequence;
  }
};

/// The parts of a search that are still in question.
template <class Part>
using OpenParts = KeptHeap<Part, LesserPart>;

/// Which points of a ball are looked for.
enum class BallPart : std::uint8_t {
  Whole,
  Outside,  ///< of the solid; all others count 0. Meaningless without a solid
};

/// The max distance from a point of a ball to the surface lies between these, in metres.
struct DistanceRange {
  Real atLeast = 0.0;  ///< the distance of a point that was looked at
  Real atMost = 0.0;   ///< proven; holds also where the search was cut short
};

/// Branch and bound over the ball, not over its surface alone: where one ball lies inside another
/// their surfaces do not meet, and only the ball bounds the separation (erratum E3). Replaces the
/// dodecahedron of the paper, whose correction of 0.64 r is most of its figure.
class FarthestPointSearch {
 public:
  /// Both must outlive this.
  /// @param part of the ball
  /// @param field of the same mesh, for quicker answers: any point of the surface, however found,
  /// proves what is `atMost`; `atLeast` then holds up to the rounding of floats. Null: exact
  explicit FarthestPointSearch(const Polyhedron& polyhedron, const DistanceField* field = nullptr,
                               BallPart part = BallPart::Whole) noexcept
      : polyhedron_(&polyhedron), cells_(&SolidCells::of(polyhedron)), field_(field), part_(part) {}

  /// Searches until the range is no wider than `tolerance`, or until nothing is proven to be
  /// farther than `enough`, or until `maxQueries` points were looked at besides the middle.
  [[nodiscard]] DistanceRange search(const Sphere& ball, Real tolerance, Real enough = 0.0,
                                     std::size_t maxQueries = 20000);

 private:
  /// A box that holds the part of the ball that is still in question.
  struct Cell {
    Box box;
    Real atMost = 0.0;
    Vec3 near{0.0};              ///< a point of the surface not far from it
    bool allCounts = false;      ///< known to count as a whole
    std::uint32_t witness = 0;   ///< of the field: a triangle not far from it
    std::uint32_t sequence = 0;  ///< decides ties
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
  Real discarded_ = 0.0;  ///< max bound of the cells put away
  std::uint32_t queries_ = 0;
};

/// The measure of the paper, for the points of the sphere alone. Branch and bound over patches of
/// the sphere: the faces of a cube about it, halved both ways and seen from the centre. A patch
/// lies in a cap, whose farthest point from a given point is known.
class SphereSurfaceSearch {
 public:
  /// @param polyhedron must outlive this
  explicit SphereSurfaceSearch(const Polyhedron& polyhedron) noexcept : polyhedron_(&polyhedron) {}

  /// Searches until the range is no wider than `tolerance` or `maxQueries` points were looked at.
  /// @param outsideOnly points inside the solid count 0; meaningless without a solid
  [[nodiscard]] DistanceRange search(const Sphere& sphere, Real tolerance, bool outsideOnly,
                                     std::size_t maxQueries = 20000);

 private:
  struct Patch {
    int face = 0;                                   ///< axis * 2, and 1 for the far side
    Real u0 = -1.0, u1 = 1.0, v0 = -1.0, v1 = 1.0;  ///< on the face, which spans -1 to 1
    Real atMost = 0.0;
    std::uint32_t sequence = 0;  ///< decides ties
  };
  void look(const Sphere& sphere, Patch patch, bool outsideOnly);

  const Polyhedron* polyhedron_;
  OpenParts<Patch> open_;
  DistanceRange range_;
  std::uint32_t queries_ = 0;
};

/// The last stage of every builder: fills links[].hausdorff, each at most
/// settings.hausdorffTolerance times its radius above the true value and never below it, with
/// settings.workers threads. False if cancelled.
/// @param field of the polyhedron's mesh
[[nodiscard]] bool measureHausdorff(const Polyhedron& polyhedron, const DistanceField& field,
                                    const SphereTreeSettings& settings, SphereTree::Data& data,
                                    BuildProgress* progress);

/// Fills `outside` in the same way, after H; leaves it empty without a solid.
[[nodiscard]] bool measureOutside(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                  SphereTree::Data& data, BuildProgress* progress);

}  // namespace nearmiss
