// SPDX-License-Identifier: MIT
/// Tests if two sphere trees are equal to the bit.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>

#include <cstring>
#include <type_traits>
#include <vector>

namespace nearmiss::test {

/// Of values without padding.
template <class Value>
bool sameBytes(const std::vector<Value>& a, const std::vector<Value>& b) {
  static_assert(std::is_trivially_copyable_v<Value>);
  // Null, as the data of an empty vector may be, is nothing to compare
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0);
}

inline bool same(const NodeBoxes& a, const NodeBoxes& b) {
  return a.boxOf == b.boxOf && sameBytes(a.boxes, b.boxes);
}

inline bool same(const InnerSpheres& a, const InnerSpheres& b) {
  return sameBytes(a.spheres, b.spheres) && sameBytes(a.bounds, b.bounds) &&
         sameBytes(a.links, b.links) && a.levelBegin == b.levelBegin;
}

inline bool same(const SphereTree::Data& a, const SphereTree::Data& b) {
  return a.coverage == b.coverage && sameBytes(a.packs, b.packs) && sameBytes(a.links, b.links) &&
         a.levelBegin == b.levelBegin && a.triangleBegin == b.triangleBegin &&
         a.leafTriangles == b.leafTriangles && a.identity == b.identity &&
         a.childPackCount == b.childPackCount && sameBytes(a.outside, b.outside) &&
         same(a.boxes, b.boxes) && same(a.inner, b.inner);
}

}  // namespace nearmiss::test
