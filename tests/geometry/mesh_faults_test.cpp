// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/shape.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/meshes.h"

namespace nearmiss {
namespace {

constexpr std::string_view surfaceOnly =
    "; only its surface collides, and the depth of contacts may be unknown";

TEST(Describe, SaysNothingOfSolids) {
  EXPECT_EQ(describe(checkMesh(test::cube())), "");
  EXPECT_TRUE(solidFaults(checkMesh(test::torus())).empty());
}

TEST(Describe, SaysWhyAndWhatFollows) {
  TriangleMesh open = test::cube();
  open.triangles.pop_back();
  EXPECT_EQ(describe(checkMesh(open)),
            "not a solid: not closed (3 boundary edges)" + std::string(surfaceOnly));
  TriangleMesh several = test::cube();
  std::swap(several.triangles[0][1], several.triangles[0][2]);
  several.triangles.push_back({0, 7, 3});
  EXPECT_EQ(solidFaults(checkMesh(several)),
            (std::vector<std::string>{"not closed (1 boundary edge)",
                                      "not a manifold (2 edges with more than two triangles)",
                                      "not wound consistently (3 edges run twice the same way)"}));
  TriangleMesh tangled = test::cube();
  test::append(tangled, test::cube(), {1.0, 0.5, 0.25});
  ASSERT_TRUE(checkMesh(tangled).hasWindingInside());
  EXPECT_TRUE(describe(checkMesh(tangled))
                  .ends_with("; winding numbers tell the depth of contacts, for all else only its "
                             "surface collides"));
  TriangleMesh inward = test::cube();
  test::flip(inward);
  EXPECT_EQ(describe(checkMesh(inward)),
            "not a solid: 1 closed piece faces the wrong way" + std::string(surfaceOnly));
  TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_FALSE(describe(checkMesh(flat)).empty());
}

TEST(SolidFaults, CountSelfIntersections) {
  TriangleMesh tangled = test::cube();
  test::append(tangled, test::cube(), {1.0, 0.5, 0.25});
  const MeshReport report = checkMesh(tangled);
  EXPECT_EQ(
      solidFaults(report),
      (std::vector<std::string>{"intersects itself (" + std::to_string(report.selfIntersections) +
                                " pairs of triangles)"}));
}

TEST(MakeShape, WarnsOnceOfWhatIsNoSolid) {
  static std::vector<std::string> heard;
  heard.clear();
  ShapeSettings settings;
  settings.quality = TreeQuality::None;
  settings.warn = [](std::string_view sentence) { heard.emplace_back(sentence); };
  ASSERT_TRUE(makeShape(test::cube(), settings));
  EXPECT_TRUE(heard.empty());
  TriangleMesh open = test::cube();
  open.triangles.pop_back();
  const auto made = makeShape(open, settings);
  ASSERT_TRUE(made);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0], describe(made->polyhedron().report()));
  // It cannot be made at all: the error says so
  ASSERT_FALSE(makeShape(TriangleMesh{}, settings));
  EXPECT_EQ(heard.size(), 1u);
}

}  // namespace
}  // namespace nearmiss
