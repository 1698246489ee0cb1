// SPDX-License-Identifier: MIT
/// `nearmiss mesh check`: a table or JSON of what keeps a file from being a solid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/running/small_ships.h"

namespace nearmiss {
namespace {

using test::Outcome;
using test::writeText;
using testing::HasSubstr;
using testing::Not;

using MeshCommand = test::SmallShips;

constexpr std::string_view tetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";

TEST_F(MeshCommand, FindsNothingInASolid) {
  const Outcome found = run({"mesh", "check", "torus.obj"});
  EXPECT_EQ(found.exitCode, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("solid                    yes\n"));
  EXPECT_THAT(found.out, HasSubstr("triangles                      120\n"));
  EXPECT_EQ(found.err, "");
  // Models that are no files of this program's own formats
  EXPECT_EQ(run({"mesh", "check", "lamp"}).exitCode, 0);
}

TEST_F(MeshCommand, ListsOpenEdgesAndEndsWith4) {
  writeText(home() / "open.obj", std::string(tetrahedron));
  const Outcome found = run({"mesh", "check", "open.obj"});
  EXPECT_EQ(found.exitCode, 4);
  EXPECT_THAT(found.out,
              HasSubstr("boundary edges                   3  triangle 0 (0 0 0)-(0 1 0), 1 (0 0 "
                        "0)-(0 0 1), ...\n"));
  EXPECT_THAT(found.out, HasSubstr("solid                    no: not closed (3 boundary edges)\n"));
  EXPECT_THAT(found.err, HasSubstr("\"open.obj\": not a solid: not closed (3 boundary edges); "));
  const Outcome all = run({"mesh", "check", "open.obj", "--all"});
  EXPECT_THAT(all.out, HasSubstr("  triangle 0 (0 0 0)-(0 1 0)\n  triangle 1 (0 0 0)-(0 0 1)\n  "
                                 "triangle 2 (0 1 0)-(0 0 1)\n"));
}

TEST_F(MeshCommand, ListsTrianglesThatIntersect) {
  // A second tetrahedron, whose corner is inside the first
  std::string text(tetrahedron);
  text += "f 1 4 3\nv 0.1 0.1 0.1\nv 2 0.1 0.1\nv 0.1 2 0.1\nv 0.1 0.1 2\n";
  text += "f 5 7 6\nf 5 6 8\nf 6 7 8\nf 5 8 7\n";
  writeText(home() / "two.obj", text);
  const Outcome table = run({"mesh", "check", "two.obj", "--jobs", "1"});
  EXPECT_EQ(table.exitCode, 4);
  EXPECT_THAT(table.out, HasSubstr("  triangles 2 4, 2 5, 2 7\n"));
  const Outcome found = run({"mesh", "check", "two.obj", "--json"});
  EXPECT_EQ(found.exitCode, 4);
  const auto json = nlohmann::json::parse(found.out);
  EXPECT_EQ(json["self_intersections"], nlohmann::json::parse("[[2,4],[2,5],[2,7]]"));
  EXPECT_EQ(json["solid"], false);
  EXPECT_EQ(json["boundary_edges"].size(), 0u);
  writeText(home() / "open.obj", std::string(tetrahedron));
  const auto open = nlohmann::json::parse(run({"mesh", "check", "open.obj", "--json"}).out);
  EXPECT_EQ(open["boundary_edges"][1],
            nlohmann::json::parse(R"({"triangle": 1, "from": [0, 0, 0], "to": [0, 0, 1]})"));
  EXPECT_EQ(json["components"], 2);
  const Outcome without = run({"mesh", "check", "two.obj", "--no-self-intersections"});
  EXPECT_THAT(without.out, HasSubstr("self-intersections       not looked for\n"));
}

TEST_F(MeshCommand, RefusesWhatIsNoMesh) {
  writeText(home() / "bad.obj", "v 0 0 zero\n");
  const Outcome bad = run({"mesh", "check", "bad.obj"});
  EXPECT_EQ(bad.exitCode, 3);
  EXPECT_THAT(bad.err, HasSubstr("line 1: \"zero\" is no number"));
  EXPECT_EQ(bad.out, "");
  EXPECT_EQ(run({"mesh", "check", "none.obj"}).exitCode, 3);
  EXPECT_EQ(run({"mesh", "check"}).exitCode, 1);
  EXPECT_EQ(run({"mesh"}).exitCode, 1);
  EXPECT_EQ(run({"mesh", "check", "torus.obj", "--weld", "-1"}).exitCode, 1);
}

}  // namespace
}  // namespace nearmiss
