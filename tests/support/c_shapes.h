// SPDX-License-Identifier: MIT
/// Shapes made by the C functions.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <nearmiss/nearmiss_c.h>

#include <cstdint>
#include <vector>

namespace nearmiss::test {

/// The caller frees it.
inline nearmiss_shape* cShape(const TriangleMesh& mesh, std::int32_t levels) {
  std::vector<double> vertices;
  for (const Vec3& p : mesh.positions) vertices.insert(vertices.end(), {p.x, p.y, p.z});
  nearmiss_shape_settings settings{};
  settings.size = sizeof settings;
  settings.levels = levels;
  nearmiss_shape* made = nullptr;
  EXPECT_EQ(nearmiss_shape_make(vertices.data(), mesh.positions.size(), &mesh.triangles[0][0],
                                mesh.triangles.size(), &settings, &made),
            NEARMISS_OK)
      << nearmiss_error();
  return made;
}

}  // namespace nearmiss::test
