// SPDX-License-Identifier: MIT
/// Directions that are spread evenly: through the cells on the six sides of a cube.
#pragma once

#include <nearmiss/math.h>

namespace nearmiss {

/// Calls visit(middle) for each of `side` x `side` cells of every side of the cube from -1 to 1:
/// +x, +y, +z, then the opposite ones; the cells of a side row by row.
void forEachCubeCell(int side, const auto& visit) {
  const auto middle = [side](int k) { return (2 * k + 1) / static_cast<Real>(side) - 1.0; };
  for (int face = 0; face < 6; ++face)
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        Vec3 direction;
        direction[face % 3] = face < 3 ? 1.0 : -1.0;
        direction[(face + 1) % 3] = middle(i);
        direction[(face + 2) % 3] = middle(j);
        visit(direction);
      }
}

}  // namespace nearmiss
