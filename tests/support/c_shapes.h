// SPDX-License-Identifier: MIT
/// Objects of the C functions, and who frees them.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <nearmiss/nearmiss_c.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace nearmiss::test {

struct CFree {
  void operator()(nearmiss_shape* shape) const { nearmiss_shape_free(shape); }
  void operator()(nearmiss_pair* pair) const { nearmiss_pair_free(pair); }
  void operator()(nearmiss_world* world) const { nearmiss_world_free(world); }
};
template <class T>
using Held = std::unique_ptr<T, CFree>;

inline constexpr nearmiss_pose atOrigin{{0, 0, 0}, {1, 0, 0, 0}};
inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr double endless = std::numeric_limits<double>::infinity();

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
