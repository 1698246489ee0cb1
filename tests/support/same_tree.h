// SPDX-License-Identifier: MIT
/// Whether two sphere trees are equal to the bit.
#pragma once

#include <nearmiss/sphere_tree.h>

#include <cstddef>

namespace nearmiss::test {

inline bool same(const SphereTree::Data& a, const SphereTree::Data& b) {
  if (a.packs.size() != b.packs.size() || a.levelBegin != b.levelBegin ||
      a.triangleBegin != b.triangleBegin || a.leafTriangles != b.leafTriangles ||
      a.identity != b.identity || a.childPackCount != b.childPackCount)
    return false;
  for (std::size_t pack = 0; pack < a.packs.size(); ++pack)
    for (int lane = 0; lane < SpherePack::width; ++lane)
      if (a.packs[pack].x[lane] != b.packs[pack].x[lane] ||
          a.packs[pack].y[lane] != b.packs[pack].y[lane] ||
          a.packs[pack].z[lane] != b.packs[pack].z[lane] ||
          a.packs[pack].r[lane] != b.packs[pack].r[lane] ||
          a.links[pack].childPack[lane] != b.links[pack].childPack[lane] ||
          a.links[pack].hausdorff[lane] != b.links[pack].hausdorff[lane])
        return false;
  return true;
}

}  // namespace nearmiss::test
