// SPDX-License-Identifier: MIT
/// The program with models far from the origin at hand, and their trees built and exported.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "support/csv.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/program.h"

namespace nearmiss::test {

/// Ships far from the origin and in large units, so that a lost frame shows.
class TreeTools : public testing::Test {
 protected:
  TreeTools() {
    cube_ = test::box(Vec3(10.0, 20.0, -6.0), Vec3(14.0, 24.0, -2.0));
    torus_ = test::torus(10, 6);
    for (Vec3& p : torus_.positions) p = p * 50.0 + Vec3(300.0, -200.0, 1000.0);
    writeText(home() / "cube.obj", asObj(cube_));
    writeText(home() / "torus.obj", asObj(torus_));
  }

  const test::TemporaryFolder& home() const { return program_.home(); }
  Outcome run(const Words& words) const { return program_.run(words); }
  void build(const std::string& model, const std::string& levels,
             const std::string& method = "octree") const {
    // Thousands would be no better here
    const Words more = method == "medial" ? Words{"--points", "500"} : Words{};
    const Outcome built = run(joined({"tree", "build", model + ".obj", "-o", model + ".tree",
                                      "--levels", levels, "--method", method},
                                     more));
    ASSERT_EQ(built.exitCode, 0) << built.err;
  }
  /// Exports the tree of a model in its own frame and returns the text.
  std::string exported(const std::string& model, const Words& more) const {
    const Outcome outcome = run(joined(
        {"tree", "export", model + ".tree", "-o", "out.txt", "--model", model + ".obj"}, more));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return readText(home() / "out.txt");
  }
  static std::vector<Sphere> spheresIn(const std::string& csv, const std::string& level) {
    std::vector<Sphere> spheres;
    for (const auto& row : cellsOf(csv))
      if (row[0] == level)
        spheres.push_back(
            {Vec3(std::stod(row[3]), std::stod(row[4]), std::stod(row[5])), std::stod(row[6])});
    return spheres;
  }
  /// Even points of every triangle, as its file has it, lie in some sphere.
  static void expectCovered(const TriangleMesh& mesh, const std::vector<Sphere>& spheres) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto p = mesh.corners(t);
      for (int i = 0; i <= 4; ++i)
        for (int j = 0; i + j <= 4; ++j) {
          const Vec3 point = p[0] + 0.25 * i * (p[1] - p[0]) + 0.25 * j * (p[2] - p[0]);
          EXPECT_TRUE(std::any_of(spheres.begin(), spheres.end(), [&](const Sphere& s) {
            return glm::distance(s.centre, point) <= s.radius;
          })) << t;
        }
    }
  }

  TriangleMesh cube_, torus_;
  test::Program program_{NEARMISS_PROGRAM};
};

}  // namespace nearmiss::test
