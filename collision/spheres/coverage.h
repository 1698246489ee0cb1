// SPDX-License-Identifier: MIT
/// Proofs that spheres, or chains of spheres in a tree, cover a surface; and detection of redundant
/// leaves of a tree. Triangles are decided by the boundary lemma [H96 §9.1, Fig. 9].
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss {

/// Returns true if one sphere certainly contains the whole triangle.
[[nodiscard]] bool heldByOne(const Triangle& triangle, std::span<const Sphere> spheres) noexcept;

/// Returns a point of the triangle that may be outside all spheres, or nothing if the triangle is
/// certainly covered. Each sphere cuts a disk from the plane. The triangle is covered if its
/// corners are, and if for every disk the part of its boundary inside the triangle lies within
/// other disks (erratum E4: a disk within another does not count, disks are open, and rounding
/// widens gaps). Takes time quadratic in the number of spheres that meet the triangle.
/// @param cancelled optional; once set, returns soon with an arbitrary point
[[nodiscard]] std::optional<Vec3> uncoveredPoint(const Triangle& triangle,
                                                 std::span<const Sphere> spheres,
                                                 const std::atomic<bool>* cancelled = nullptr);

/// The same for the part of the triangle in `clip`, which cuts a clipping disk from the plane. By
/// the paper's safest policy, children must cover this part of their parent.
[[nodiscard]] std::optional<Vec3> uncoveredPoint(const Triangle& triangle,
                                                 std::span<const Sphere> spheres,
                                                 const Sphere& clip,
                                                 const std::atomic<bool>* cancelled = nullptr);

/// Repeats uncoveredPoint() for one triangle while spheres grow. A disk's rim that others cover
/// stays covered, and is not tested again.
class GrowingCover {
 public:
  /// @param clip  only the part of the triangle in this ball is to be covered; null: all
  GrowingCover(const Triangle& triangle, const Sphere* clip);
  void add(const Sphere& sphere);
  /// @param larger  must have the same centre
  void grow(std::size_t i, const Sphere& larger);
  /// The spheres in the order of add().
  [[nodiscard]] std::span<const Sphere> spheres() const noexcept { return spheres_; }
  /// @param cancelled as in uncoveredPoint() above
  [[nodiscard]] std::optional<Vec3> uncoveredPoint(const std::atomic<bool>* cancelled);

 private:
  Triangle triangle_;
  std::optional<Sphere> clip_;
  std::vector<Sphere> spheres_;
  std::vector<bool> rims_;  ///< by sphere: its rim is known to be covered
};

/// As uncoveredPoint(). If the lemma does not prove coverage, splits the triangle until each piece
/// lies in one of the spheres.
/// @param cancelled as in uncoveredPoint()
[[nodiscard]] std::optional<Vec3> openPoint(const Triangle& triangle,
                                            std::span<const Sphere> spheres,
                                            const std::atomic<bool>* cancelled = nullptr);

/// Returns the triangles that meet `ball`, ascending.
[[nodiscard]] std::vector<std::uint32_t> trianglesMeeting(const Polyhedron& polyhedron,
                                                          const Sphere& ball);

/// The chains of spheres, from a leaf to the root, that contain pieces of the surface. Splits
/// triangles until each piece lies wholly in all spheres, and in their boxes, of one chain whose
/// leaf lists the triangle. Independent of how the tree was built.
class CoverageChains {
 public:
  /// All arguments must outlive this.
  /// @param cancelled once set, searches end soon, and nothing more is proven; null: never
  CoverageChains(const SphereTree& tree, const TriangleMesh& mesh,
                 const std::atomic<bool>* cancelled = nullptr);

  /// Called with a piece and its chain, leaf first. If several leaves contain the piece, it is the
  /// leaf in which it lies deepest.
  using Report = std::function<void(const Triangle& piece, std::span<const SphereId> chain)>;

  /// Returns the number of pieces of `triangle` for which no chain from a leaf that lists it was
  /// found, at most `most`. Sets `where` to the position of the first one.
  std::size_t uncovered(std::uint32_t triangle, std::size_t most, Vec3& where,
                        const Report& report = {});

  /// Returns true if the part of `triangle` in `ball` is proven, with little effort, to have chains
  /// from `leaves`.
  [[nodiscard]] bool covered(std::uint32_t triangle, const Sphere& ball,
                             std::span<const SphereId> leaves);

  /// Returns the leaves that list a triangle.
  [[nodiscard]] std::span<const SphereId> leavesOf(std::uint32_t triangle) const noexcept {
    return std::span(leavesOf_).subspan(listBegin_[triangle],
                                        listBegin_[triangle + 1] - listBegin_[triangle]);
  }

 private:
  /// A part of the triangle, with the leaves that may contain some of it.
  struct Piece {
    Triangle corners;
    std::size_t leavesBegin = 0, leavesEnd = 0;  ///< range in candidates_
  };
  [[nodiscard]] bool holds(SphereId id, const Triangle& corners);
  [[nodiscard]] bool covered(const Piece& piece, const Report& report);
  void split(const Piece& piece);
  /// The region and the limits of a search.
  struct Effort {
    const Sphere* ball = nullptr;  ///< null: everywhere
    std::size_t splits = 0;
    std::size_t most = 0;  ///< maximum number of pieces found
  };
  std::size_t search(std::uint32_t triangle, std::span<const SphereId> leaves, Effort effort,
                     Vec3& where, const Report& report);

  const SphereTree& tree_;
  const TriangleMesh& mesh_;
  const std::atomic<bool>* cancelled_;
  std::vector<std::size_t> parentBegin_;  ///< per pack of children: ranges in parents_
  std::vector<SphereId> parents_;         ///< several per pack in a DAG
  std::vector<std::size_t> slotBegin_;    ///< per identity: ranges in slots_
  std::vector<SphereId> slots_;           ///< slots of each sphere
  std::vector<std::size_t> listBegin_;
  std::vector<SphereId> leavesOf_;  ///< leaves per triangle; ranges from listBegin_
  std::vector<Piece> open_;
  std::vector<SphereId> candidates_;     ///< a stack, parallel to open_
  std::vector<SphereId> chain_;          ///< from the leaf to the sphere being tested
  std::vector<std::uint64_t> failedIn_;  ///< by sphere: the last piece that had no chain from it
  std::uint64_t piecesTried_ = 0;
  std::vector<SphereId> best_;
};

/// Which parts of a tree remain. Both members are indexed by identity in the old tree.
struct ThinnedTree {
  std::vector<bool> gone;                         ///< leaves that are removed
  std::vector<std::vector<std::uint32_t>> lists;  ///< ascending triangles of the remaining leaves
};

/// Returns the tree or DAG without the removed leaves, repacked. Inner spheres that lose all their
/// children are removed as well.
/// @pre the root remains
[[nodiscard]] SphereTree::Data thinned(const SphereTree& tree, const ThinnedTree& what);

/// Removes leaves whose surface others cover as well [H96 §12], those with the largest H (Hausdorff
/// distance) first, as long as the others keep the tree's coverage. Also removes spheres that lose
/// all their children. With guaranteed coverage, leaves nearby receive the triangles. Remaining
/// spheres are unchanged. Returns false if cancelled.
[[nodiscard]] bool dropRedundant(const Polyhedron& polyhedron, SphereTree::Data& data,
                                 BuildProgress* progress);

}  // namespace nearmiss
