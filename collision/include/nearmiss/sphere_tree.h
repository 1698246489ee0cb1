// SPDX-License-Identifier: MIT
/// A hierarchy of spheres around a polyhedron, one set of spheres per level of detail [H96 §5], and
/// optional additions: boxes that fit walls and rods better [H96 §12], and spheres inside the
/// solid, two of which prove contact where they meet.
///
/// Any number of threads may read one tree.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nearmiss {

/// Up to eight siblings side by side, so that one pass compares a sphere with all of them. In the
/// body's own frame, metres. Unused lanes have radius -1 and come last.
struct SpherePack {
  static constexpr int width = 8;
  float x[width], y[width], z[width], r[width];
};

/// A sphere's id is its slot: pack * SpherePack::width + lane.
using SphereId = std::uint32_t;

/// All points p with |axis[k] . (p - centre)| <= half[k] for each k. Body frame, metres; a slab
/// where half[0] is small, a beam where half[0] and half[1] are.
struct NodeBox {
  float centre[3];
  float axis[3][3];  ///< of unit length and at right angles, within rounding
  float half[3];     ///< ascending

  [[nodiscard]] Vec3 middle() const noexcept { return {centre[0], centre[1], centre[2]}; }
  [[nodiscard]] Vec3 direction(int k) const noexcept {
    return {axis[k][0], axis[k][1], axis[k][2]};
  }
  /// Distance of `p` outside of the worst pair of faces, metres; negative inside.
  [[nodiscard]] Real excess(const Vec3& p) const noexcept;
};

/// True if the axes are of unit length and at right angles to within 2^-22, and the box is of the
/// sphere's size: neither half nor distance of the centres is above twice the radius.
[[nodiscard]] bool isBoxFor(const NodeBox& box, const Sphere& sphere) noexcept;

/// A sphere with a box bounds their intersection, which holds all of the surface that the sphere
/// has to cover.
struct NodeBoxes {
  static constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> boxOf;  ///< per slot of the tree, or `none`; empty without boxes
  std::vector<NodeBox> boxes;

  [[nodiscard]] bool empty() const noexcept { return boxes.empty(); }
  [[nodiscard]] const NodeBox* find(SphereId id) const noexcept {
    return boxes.empty() || boxOf[id] == none ? nullptr : &boxes[boxOf[id]];
  }
};

inline constexpr std::size_t maxInnerSpheres = 4096;

/// A hierarchy of slots, breadth first, up to eight children in one pack. A slot holds the
/// best-filling sphere of its subtree, so that a few large ones come first, and a bound around the
/// whole subtree. Body frame, metres. Empty for a tree without inner spheres.
struct InnerSpheres {
  static constexpr std::uint32_t none = 0xffffffff;
  struct Links {
    std::uint32_t childPack[SpherePack::width];  ///< `none`: nothing below
  };
  std::vector<SpherePack> spheres;        ///< see buildInnerSpheres(); radii rounded down
  std::vector<SpherePack> bounds;         ///< as many; radii rounded up
  std::vector<Links> links;               ///< as many
  std::vector<std::uint32_t> levelBegin;  ///< first pack of each level, then the pack count

  [[nodiscard]] bool empty() const noexcept { return spheres.empty(); }
  [[nodiscard]] int levelCount() const noexcept {
    return empty() ? 0 : static_cast<int>(levelBegin.size()) - 1;
  }
  [[nodiscard]] Sphere sphere(SphereId id) const noexcept;
  /// The spheres that represent the solid at level `l`, 0 <= l < levelCount(): those of its slots,
  /// and of the slots above without children.
  [[nodiscard]] std::vector<Sphere> spheresOf(int l) const;

  /// The fault in the structure, or null. Never trusts its input.
  [[nodiscard]] static const char* validate(const InnerSpheres& inner);
};

/// How strictly the children of a sphere must cover what it covers [H96 §9.1].
enum class Coverage : std::uint8_t {
  Paper,       ///< each level as a whole covers the surface; a traversal may miss (erratum E5)
  Guaranteed,  ///< every surface point has a chain of spheres from the root to a leaf
  Samples,     ///< each level holds points spread over the surface; nothing between is guaranteed
};

/// Data that a traversal needs once a sphere is found to collide.
struct SphereLinks {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t childPack[SpherePack::width];  ///< first pack of the children; `none`: a leaf
  /// H, the Hausdorff distance: the maximum distance of a point of the ball from the surface,
  /// metres, rounded up [H96 §9.2, erratum E3].
  float hausdorff[SpherePack::width];
};

/// Immutable after construction. Packs lie breadth first, so a level is one range of packs; all
/// children of one sphere lie in one pack, or in a run of packs. The root has the id 0; radii are
/// rounded up. Where several spheres share a child (a sphere-DAG [H96 §12]) it lies in the packs of
/// each of them: all these slots hold the same sphere, and its identity is the first of them. Holds
/// no pointer into the mesh it was built from.
class SphereTree {
 public:
  struct Data {
    std::vector<SpherePack> packs;
    std::vector<SphereLinks> links;            ///< as many as packs
    std::vector<std::uint32_t> levelBegin;     ///< first pack of each level, then the pack count
    std::vector<std::uint32_t> triangleBegin;  ///< per sphere id and one more: into leafTriangles
    std::vector<std::uint32_t> leafTriangles;  ///< indices in the mesh
    Coverage coverage = Coverage::Guaranteed;
    /// Only where spheres have several parents or more than eight children, else empty; both per
    /// slot.
    std::vector<SphereId> identity;             ///< of the sphere there; its own where unused
    std::vector<std::uint32_t> childPackCount;  ///< packs of children from childPack; 0: a leaf
    /// Ho of the sphere in each slot: as H, but points inside the solid count 0. At most H. Empty
    /// without a solid.
    std::vector<float> outside;
    NodeBoxes boxes;     ///< beside some spheres; may be empty
    InnerSpheres inner;  ///< for proofs of contact; may be empty
  };

  SphereTree() = default;
  /// @pre validate(data) is null.
  explicit SphereTree(Data data) noexcept;

  /// The fault in the structure (counts, order, indices, finite radii), or null. Never trusts its
  /// input, so that a hostile file is safe.
  [[nodiscard]] static const char* validate(const Data& data, std::uint32_t triangleCount);

  [[nodiscard]] const Data& data() const noexcept { return data_; }
  /// Leaves the tree without levels.
  [[nodiscard]] Data take() && noexcept { return std::exchange(data_, {}); }
  [[nodiscard]] int levelCount() const noexcept {
    return static_cast<int>(data_.levelBegin.size()) - 1;
  }
  [[nodiscard]] Coverage coverage() const noexcept { return data_.coverage; }
  /// Maximum reach of a sphere from the origin of the body frame, metres.
  [[nodiscard]] Real reach() const noexcept { return reach_; }
  /// True if some spheres have several parents.
  [[nodiscard]] bool isDag() const noexcept { return isDag_; }
  [[nodiscard]] SphereId identity(SphereId id) const noexcept {
    return data_.identity.empty() ? id : data_.identity[id];
  }
  /// Number of packs of children of sphere `id`, from childPack on; 0 for a leaf.
  [[nodiscard]] std::uint32_t childPackCount(SphereId id) const noexcept {
    if (!data_.childPackCount.empty()) return data_.childPackCount[id];
    const std::uint32_t child =
        data_.links[id / SpherePack::width].childPack[id % SpherePack::width];
    return child == SphereLinks::none ? 0 : 1;
  }
  /// The identities of the spheres of level `l`, 0 <= l < levelCount(), each once, a leaf above it
  /// not repeated.
  void spheresOf(int l, std::vector<SphereId>& out) const;
  [[nodiscard]] Sphere sphere(SphereId id) const noexcept;
  [[nodiscard]] Real hausdorff(SphereId id) const noexcept {
    return data_.links[id / SpherePack::width].hausdorff[id % SpherePack::width];
  }
  /// Ho, metres; H where inside is not defined.
  [[nodiscard]] Real outside(SphereId id) const noexcept {
    return data_.outside.empty() ? hausdorff(id) : data_.outside[id];
  }
  /// True if outside() refers to a solid.
  [[nodiscard]] bool boundsSolid() const noexcept { return !data_.outside.empty(); }
  /// The triangles in leaf `id`, as indices in the mesh; empty for an inner sphere. In the data
  /// they are listed at the identity only.
  [[nodiscard]] std::span<const std::uint32_t> trianglesOf(SphereId id) const noexcept {
    const SphereId own = identity(id);
    const std::uint32_t begin = data_.triangleBegin[own];
    return std::span(data_.leafTriangles).subspan(begin, data_.triangleBegin[own + 1] - begin);
  }

 private:
  Data data_;
  Real reach_ = 0.0;
  bool isDag_ = false;
};

}  // namespace nearmiss
