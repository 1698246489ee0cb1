// SPDX-License-Identifier: MIT
/// A hierarchy of spheres around a polyhedron, with one set of spheres per level of detail [H96
/// §5]. Optional additions: boxes that fit walls and rods better [H96 §12], and spheres inside the
/// solid. Two inner spheres of different bodies that overlap prove contact.
///
/// Thread-safe: one tree may be read by any number of threads.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nearmiss {

/// Up to eight siblings side by side, so that one pass compares a sphere with all of them. Body
/// frame, metres. Unused lanes have radius -1 and come last.
struct SpherePack {
  static constexpr int width = 8;
  float x[width], y[width], z[width], r[width];
};

/// A sphere's id is its slot: pack * SpherePack::width + lane.
using SphereId = std::uint32_t;

/// An oriented box: all points p with |axis[k] . (p - centre)| <= half[k] for each k. Body frame,
/// metres. A slab if half[0] is small; a beam if half[0] and half[1] are small.
struct NodeBox {
  float centre[3];
  float axis[3][3];  ///< of unit length and at right angles, within rounding
  float half[3];     ///< ascending

  [[nodiscard]] Vec3 middle() const noexcept { return {centre[0], centre[1], centre[2]}; }
  [[nodiscard]] Vec3 direction(int k) const noexcept {
    return {axis[k][0], axis[k][1], axis[k][2]};
  }
  /// Returns the maximum signed distance of `p` from the three pairs of faces, metres; negative
  /// inside.
  [[nodiscard]] Real excess(const Vec3& p) const noexcept;
};

/// Returns true if the axes are of unit length and at right angles to within 2^-22, and the box
/// matches the size of the sphere: neither half nor the distance of the centres is above twice the
/// radius.
[[nodiscard]] bool isBoxFor(const NodeBox& box, const Sphere& sphere) noexcept;

/// Boxes of some spheres. A sphere with a box bounds the intersection of both, which contains all
/// of the surface that the sphere has to cover.
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

/// A hierarchy of slots, breadth first, with up to eight children in one pack. A slot holds the
/// sphere of its subtree that fills the solid best, so that a few large ones come first, and a
/// bound around the whole subtree. Body frame, metres. Empty for a tree without inner spheres.
struct InnerSpheres {
  static constexpr std::uint32_t none = 0xffffffff;
  struct Links {
    std::uint32_t childPack[SpherePack::width];  ///< `none`: no children
  };
  std::vector<SpherePack> spheres;        ///< see buildInnerSpheres(); radii rounded down
  std::vector<SpherePack> bounds;         ///< one pack per pack of `spheres`; radii rounded up
  std::vector<Links> links;               ///< one element per pack of `spheres`
  std::vector<std::uint32_t> levelBegin;  ///< first pack of each level, then the pack count

  [[nodiscard]] bool empty() const noexcept { return spheres.empty(); }
  [[nodiscard]] int levelCount() const noexcept {
    return empty() ? 0 : static_cast<int>(levelBegin.size()) - 1;
  }
  [[nodiscard]] Sphere sphere(SphereId id) const noexcept;
  /// Returns the spheres that represent the solid at level `l`, 0 <= l < levelCount(): those of its
  /// slots, and of childless slots above.
  [[nodiscard]] std::vector<Sphere> spheresOf(int l) const;

  /// Returns the fault in the structure, or null. Accepts arbitrary input.
  [[nodiscard]] static const char* validate(const InnerSpheres& inner);
};

/// How strictly the children of a sphere must cover what it covers [H96 §9.1].
enum class Coverage : std::uint8_t {
  Paper,       ///< each level as a whole covers the surface; a traversal may miss (erratum E5)
  Guaranteed,  ///< every surface point has a chain of spheres from the root to a leaf
  /// Each level contains sample points of the surface; nothing is guaranteed between them.
  Samples,
};

/// Data of a pack that a traversal needs only for colliding spheres.
struct SphereLinks {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t childPack[SpherePack::width];  ///< first pack of the children; `none`: a leaf
  /// H, the Hausdorff distance: the maximum distance of a point of the ball from the surface,
  /// metres, rounded up [H96 §9.2, erratum E3].
  float hausdorff[SpherePack::width];
};

/// A hierarchy of bounding spheres. Immutable after construction. Holds no pointer into the mesh it
/// was built from.
///
/// Packs are stored breadth first, so a level is one range of packs. All children of a sphere lie
/// in one pack, or in consecutive packs. The root has id 0. Radii are rounded up. If several
/// spheres share a child (a sphere-DAG [H96 §12]), it is stored in the packs of each of them. All
/// these slots hold the same sphere, and its identity is the first of them.
class SphereTree {
 public:
  struct Data {
    std::vector<SpherePack> packs;
    std::vector<SphereLinks> links;         ///< one element per pack
    std::vector<std::uint32_t> levelBegin;  ///< first pack of each level, then the pack count
    /// Per sphere id, plus one: index into leafTriangles.
    std::vector<std::uint32_t> triangleBegin;
    std::vector<std::uint32_t> leafTriangles;  ///< indices in the mesh
    Coverage coverage = Coverage::Guaranteed;
    /// Per slot: the identity of its sphere; the slot's own id if unused. Empty, like the next
    /// member, unless spheres have several parents or more than eight children.
    std::vector<SphereId> identity;
    std::vector<std::uint32_t> childPackCount;  ///< per slot: packs of its children; 0: a leaf
    /// Ho of the sphere in each slot: as H, but points inside the solid count 0. At most H. Empty
    /// if the mesh is not a solid.
    std::vector<float> outside;
    NodeBoxes boxes;     ///< of some spheres; may be empty
    InnerSpheres inner;  ///< for proofs of contact; may be empty
  };

  SphereTree() = default;
  /// @pre validate(data) is null.
  explicit SphereTree(Data data) noexcept;

  /// Returns the fault in the structure (counts, order, indices, finite radii), or null. Accepts
  /// arbitrary input, including hostile files.
  [[nodiscard]] static const char* validate(const Data& data, std::uint32_t triangleCount);

  [[nodiscard]] const Data& data() const noexcept { return data_; }
  /// Moves the data out. The tree is left without levels.
  [[nodiscard]] Data take() && noexcept { return std::exchange(data_, {}); }
  [[nodiscard]] int levelCount() const noexcept {
    return static_cast<int>(data_.levelBegin.size()) - 1;
  }
  [[nodiscard]] Coverage coverage() const noexcept { return data_.coverage; }
  /// Returns the maximum distance of a point of any sphere from the origin of the body frame,
  /// metres.
  [[nodiscard]] Real reach() const noexcept { return reach_; }
  /// Returns true if some spheres have several parents.
  [[nodiscard]] bool isDag() const noexcept { return isDag_; }
  [[nodiscard]] SphereId identity(SphereId id) const noexcept {
    return data_.identity.empty() ? id : data_.identity[id];
  }
  /// Returns the number of packs of children of sphere `id`, starting at childPack; 0 for a leaf.
  [[nodiscard]] std::uint32_t childPackCount(SphereId id) const noexcept {
    if (!data_.childPackCount.empty()) return data_.childPackCount[id];
    const std::uint32_t child =
        data_.links[id / SpherePack::width].childPack[id % SpherePack::width];
    return child == SphereLinks::none ? 0 : 1;
  }
  /// Writes the identities of the spheres of level `l`, 0 <= l < levelCount(), each once. Leaves
  /// above the level are not repeated.
  void spheresOf(int l, std::vector<SphereId>& out) const;
  [[nodiscard]] Sphere sphere(SphereId id) const noexcept;
  [[nodiscard]] Real hausdorff(SphereId id) const noexcept {
    return data_.links[id / SpherePack::width].hausdorff[id % SpherePack::width];
  }
  /// Returns Ho, metres; H if inside is not defined.
  [[nodiscard]] Real outside(SphereId id) const noexcept {
    return data_.outside.empty() ? hausdorff(id) : data_.outside[id];
  }
  /// Returns true if outside() refers to a solid.
  [[nodiscard]] bool boundsSolid() const noexcept { return !data_.outside.empty(); }
  /// Returns the triangles in leaf `id`, as indices in the mesh; empty for a sphere with children.
  /// The data list them at the identity only.
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
