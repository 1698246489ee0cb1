// SPDX-License-Identifier: MIT
/// The occupied octants of the cube around an object, level by level, and their slots in a tree.
/// Shared by the octree and the builders that start from it [H96 §6.2, Fig. 4].
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <array>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// An occupied octant.
struct Octant {
  std::array<std::uint32_t, 3> index{};  ///< position in its level along each axis
  std::vector<std::uint32_t> triangles;  ///< triangles that meet it, ascending
  SphereId id = 0;                       ///< the slot of its sphere
};

/// The cube around an object, halved level by level.
class OctantGrid {
 public:
  explicit OctantGrid(const Box& bounds) noexcept;
  /// Returns the box of an octant. Faces shared by neighbours, or by parent and child, are equal to
  /// the bit.
  [[nodiscard]] Box box(int level, const Octant& octant) const noexcept;

 private:
  Vec3 low_{0.0};
  Real side_ = 0.0;
};

class OctantGrowth {
 public:
  /// All arguments must outlive this.
  OctantGrowth(const Polyhedron& polyhedron, BuildProgress* progress);

  /// Divides the octants of the deepest level and adds circumscribed spheres for those that a
  /// triangle meets.
  /// Errors: Cancelled, TooLarge. Call no other function after an error.
  [[nodiscard]] Result<Success> grow();
  /// The octants of the deepest level.
  [[nodiscard]] const std::vector<Octant>& octants() const noexcept { return octants_; }
  [[nodiscard]] Box boxOf(const Octant& octant) const noexcept { return boxOf(octant, level_); }
  /// The box of an octant of any level.
  [[nodiscard]] Box boxOf(const Octant& octant, int level) const noexcept {
    return grid_.box(level, octant);
  }
  /// The tree so far. Every slot has the circumscribed sphere of its octant, or the sphere that the
  /// caller stored instead.
  [[nodiscard]] SphereTree::Data& data() noexcept { return data_; }
  /// The last step: assigns the triangles of the deepest octants to their leaves.
  void listTriangles();

 private:
  void addRoot();
  [[nodiscard]] bool addChildren(const Octant& parent, std::vector<Octant>& children);

  const Polyhedron& polyhedron_;
  BuildProgress* progress_;
  OctantGrid grid_;
  int level_ = 0;
  std::vector<Octant> octants_;
  SphereTree::Data data_;
  std::size_t leafTriangles_ = 0;  ///< total length of the triangle lists of octants_
};

/// Returns the smallest sphere about a centre representable in float that contains `box`, enlarged
/// by one millionth. Without the margin, the spheres of eight octants would only touch in their
/// common corner, and no piece of surface around it would lie wholly in one of them.
[[nodiscard]] Sphere circumscribed(const Box& box) noexcept;

}  // namespace nearmiss
