// SPDX-License-Identifier: MIT
/// Other looks at one scene, each made of the same digits: in a mirror, with its axes renamed, with
/// all lengths times a power of two.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "support/shapes.h"

namespace nearmiss::test {

struct View {
  const char* name;
  Vec3 (*point)(const Vec3&);
  Quat (*rotation)(const Quat&);
  Real scale = 1.0;
  bool mirrored = false;
  bool ofAnyPose = true;  ///< else only of poses without rounding: sums have another order
};

inline Quat unchanged(const Quat& q) { return q; }

inline constexpr std::array views{
    View{"in a mirror", [](const Vec3& p) { return Vec3(-p.x, p.y, p.z); },
         [](const Quat& q) { return Quat(q.w, q.x, -q.y, -q.z); }, 1.0, true},
    View{"with its axes renamed", [](const Vec3& p) { return Vec3(p.z, p.x, p.y); },
         [](const Quat& q) { return Quat(q.w, q.z, q.x, q.y); }, 1.0, false, false},
    View{"a million times as large", [](const Vec3& p) { return 0x1p20 * p; }, unchanged, 0x1p20},
    View{"a billionth as large", [](const Vec3& p) { return 0x1p-30 * p; }, unchanged, 0x1p-30}};

inline std::vector<TriangleMesh> seenMeshes(const View& view) {
  std::vector<TriangleMesh> meshes = solidAndOpenMeshes();
  for (TriangleMesh& mesh : meshes) {
    for (Vec3& p : mesh.positions) p = view.point(p);
    if (view.mirrored) flip(mesh);
  }
  return meshes;
}

inline const ShapeKit& usualShapes() {
  static const ShapeKit kit(solidAndOpenMeshes(), 3);
  return kit;
}

/// Those of views[view].
inline const ShapeKit& seenShapes(std::size_t view) {
  static std::array<std::unique_ptr<ShapeKit>, views.size()> kits;
  if (!kits[view]) kits[view] = std::make_unique<ShapeKit>(seenMeshes(views[view]), 3);
  return *kits[view];
}

/// Of the usual shapes, those that lie on the lattice: of spheres and tori other digits are
/// rounded.
inline constexpr std::array<std::uint32_t, 5> latticeShapes{0, 5, 7, 8, 9};

}  // namespace nearmiss::test
