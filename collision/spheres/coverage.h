// SPDX-License-Identifier: MIT
/// Proofs that spheres, or chains of spheres in a tree, cover a surface, and leaves of a tree that
/// are redundant. Triangles are decided by the boundary lemma [H96 §9.1, Fig. 9].
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/sphere_tree.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss {

/// True if one sphere holds the whole triangle, for certain.
[[nodiscard]] bool heldByOne(const Triangle& triangle, std::span<const Sphere> spheres) noexcept;

/// A point of the triangle that may be outside of all spheres, or none: then the triangle is
/// covered, for certain. Each sphere cuts a disk from the plane; the triangle is covered if its
/// corners are, and if of every disk's boundary the part in the triangle lies within other disks
/// (erratum E4: a disk within another does not count, disks are open, and rounding widens gaps).
/// Takes time that grows with the square of the number of spheres that meet the triangle.
/// @param cancelled once set, if given, the answer comes soon and is any point
[[nodiscard]] std::optional<Vec3> uncoveredPoint(const Triangle& triangle,
                                                 std::span<const Sphere> spheres,
                                                 const std::atomic<bool>* cancelled = nullptr);

/// As above for the part of the triangle in `clip`, which cuts a clipping disk from the plane: the
/// part of a parent that children must cover by the paper's safest policy.
[[nodiscard]] std::optional<Vec3> uncoveredPoint(const Triangle& triangle,
                                                 std::span<const Sphere> spheres,
                                                 const Sphere& clip,
                                                 const std::atomic<bool>* cancelled = nullptr);

/// uncoveredPoint() of one triangle again and again, while spheres grow: a disk's rim that others
/// cover stays covered, and is not looked at again.
class GrowingCover {
 public:
  /// @param clip  only the part of the triangle in it is to be covered; null: all
  GrowingCover(const Triangle& triangle, const Sphere* clip);
  void add(const Sphere& sphere);
  /// @param larger  about the same centre
  void grow(std::size_t i, const Sphere& larger);
  /// In the order of add().
  [[nodiscard]] std::span<const Sphere> spheres() const noexcept { return spheres_; }
  /// `cancelled` as above.
  [[nodiscard]] std::optional<Vec3> uncoveredPoint(const std::atomic<bool>* cancelled);

 private:
  Triangle triangle_;
  std::optional<Sphere> clip_;
  std::vector<Sphere> spheres_;
  std::vector<bool> rims_;  ///< by sphere: known to be covered
};

/// As uncoveredPoint(); where the lemma leaves a doubt, by pieces that lie wholly in one of the
/// spheres. `cancelled` as there.
[[nodiscard]] std::optional<Vec3> openPoint(const Triangle& triangle,
                                            std::span<const Sphere> spheres,
                                            const std::atomic<bool>* cancelled = nullptr);

/// The triangles that come within `ball`, ascending.
[[nodiscard]] std::vector<std::uint32_t> trianglesMeeting(const Polyhedron& polyhedron,
                                                          const Sphere& ball);

/// The chains of spheres, from a leaf to the root, that hold pieces of the surface. Splits
/// triangles until each piece lies wholly in all spheres, and in their boxes, of one chain whose
/// leaf lists the triangle. Independent of how the tree was built.
class CoverageChains {
 public:
  /// All must outlive this.
  /// @param cancelled once set, searches end soon, and nothing more is proven; null: never
  CoverageChains(const SphereTree& tree, const TriangleMesh& mesh,
                 const std::atomic<bool>* cancelled = nullptr);

  /// Called with a piece and its chain, leaf first. Of several leaves it is the one in which the
  /// piece lies deepest.
  using Report = std::function<void(const Triangle& piece, std::span<const SphereId> chain)>;

  /// The number of pieces of `triangle` for which no chain from a leaf that lists it was found, at
  /// most `most`; where the first one is.
  std::size_t uncovered(std::uint32_t triangle, std::size_t most, Vec3& where,
                        const Report& report = {});

  /// True if the part of `triangle` in `ball` is proven, with little effort, to have chains from
  /// `leaves`.
  [[nodiscard]] bool covered(std::uint32_t triangle, const Sphere& ball,
                             std::span<const SphereId> leaves);

  /// The leaves that list a triangle.
  [[nodiscard]] std::span<const SphereId> leavesOf(std::uint32_t triangle) const noexcept {
    return std::span(leavesOf_).subspan(listBegin_[triangle],
                                        listBegin_[triangle + 1] - listBegin_[triangle]);
  }

 private:
  /// A part of the triangle, with the leaves that could hold some of it.
  struct Piece {
    Triangle corners;
    std::size_t leavesBegin = 0, leavesEnd = 0;  ///< range in candidates_
  };
  [[nodiscard]] bool holds(SphereId id, const Triangle& corners);
  [[nodiscard]] bool covered(const Piece& piece, const Report& report);
  void split(const Piece& piece);
  /// The region and the effort of a search.
  struct Effort {
    const Sphere* ball = nullptr;  ///< none: everywhere
    std::size_t splits = 0;
    std::size_t most = 0;  ///< pieces found
  };
  std::size_t search(std::uint32_t triangle, std::span<const SphereId> leaves, Effort effort,
                     Vec3& where, const Report& report);

  const SphereTree& tree_;
  const TriangleMesh& mesh_;
  const std::atomic<bool>* cancelled_;
  std::vector<std::size_t> parentBegin_;  ///< per pack of children, ranges in parents_
  std::vector<SphereId> parents_;         ///< several in a DAG
  std::vector<std::size_t> slotBegin_;    ///< per identity, ranges in slots_
  std::vector<SphereId> slots_;           ///< in which a sphere lies
  std::vector<std::size_t> listBegin_;
  std::vector<SphereId> leavesOf_;  ///< per triangle, ranges from listBegin_
  std::vector<Piece> open_;
  std::vector<SphereId> candidates_;     ///< a stack beside open_
  std::vector<SphereId> chain_;          ///< from the leaf to the sphere that is tried
  std::vector<std::uint64_t> failedIn_;  ///< by sphere: the last piece that had no chain from it
  std::uint64_t piecesTried_ = 0;
  std::vector<SphereId> best_;
};

/// The remains of a tree; both by identity in the old tree.
struct ThinnedTree {
  std::vector<bool> gone;                         ///< leaves that are left out
  std::vector<std::vector<std::uint32_t>> lists;  ///< of the other leaves: triangles, ascending
};

/// The tree or DAG without those leaves, repacked. Inner spheres that lose all their children go as
/// well. @pre the root stays
[[nodiscard]] SphereTree::Data thinned(const SphereTree& tree, const ThinnedTree& what);

/// Leaves out leaves whose surface others cover as well [H96 §12], those with the largest H first,
/// as long as the others still keep the tree's coverage, and with them spheres that are left
/// without children. With guaranteed coverage, leaves nearby take over the triangles. H is the
/// Hausdorff distance. The spheres that stay are unchanged. False if cancelled.
[[nodiscard]] bool dropRedundant(const Polyhedron& polyhedron, SphereTree::Data& data,
                                 BuildProgress* progress);

}  // namespace nearmiss
