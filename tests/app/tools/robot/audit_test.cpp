// SPDX-License-Identifier: MIT
/// `spheres check` from outside: spheres of every format against links whose answers are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "support/csv.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/model_files.h"
#include "support/program.h"

namespace nearmiss {
namespace {

using test::joined;
using test::Outcome;
using test::Words;
using test::writeText;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A cube of edge 2 about the origin, a ball of radius 0.5 about (0, 0, 3), and a link of nothing.
constexpr const char* cubeAndBall = R"(<robot name="two">
<link name="world"/>
<link name="cube"><collision><geometry><box size="2 2 2"/></geometry></collision></link>
<link name="ball"><collision><origin xyz="0 0 3"/><geometry><sphere radius="0.5"/></geometry></collision></link>
</robot>)";

class Audit : public testing::Test {
 protected:
  Audit() { write("two.urdf", cubeAndBall); }
  void write(const std::string& name, const std::string& text) const {
    writeText(program_.home() / name, text);
  }
  Outcome check(const Words& words) const {
    return program_.run(joined({"spheres", "check"}, words));
  }
  nlohmann::json figures(const Words& words, int exitCode) const {
    const Outcome outcome = check(joined(words, {"-o", "figures.json"}));
    EXPECT_EQ(outcome.exitCode, exitCode) << outcome.out << outcome.err;
    return nlohmann::json::parse(test::readText(program_.home() / "figures.json"), nullptr, false);
  }
  /// Whether both links are covered by a file with a sphere that holds the cube, and of the
  /// ball's own radius; and with less about the cube, what is left of it is what must be left.
  void expectCoveredThenNot(const std::string& name, const std::string& covering,
                            const std::string& lacking) const {
    write(name, covering);
    const Outcome good = check({"two.urdf", name});
    EXPECT_EQ(good.exitCode, 0) << name << good.out << good.err;
    EXPECT_THAT(good.out, HasSubstr("all 2 links are covered"));
    write(name, lacking);
    const nlohmann::json found = figures({"two.urdf", name}, 4);
    expectDisks(found["links"][0]);
    EXPECT_EQ(found["links"][1]["verdict"], "covered") << name;
  }
  /// A sphere of radius 1.2 cuts a disk of radius sqrt(0.44) from each face of the cube.
  static void expectDisks(const nlohmann::json& link) {
    EXPECT_EQ(link["name"], "cube");
    EXPECT_EQ(link["verdict"], "uncovered");
    const double share = 1.0 - std::numbers::pi * 0.44 / 4.0, farthest = std::sqrt(3.0) - 1.2;
    EXPECT_NEAR(link["area"], 24.0, 1e-9);
    EXPECT_LE(link["outside_share"][0], share);
    EXPECT_GE(link["outside_share"][1], share);
    EXPECT_NEAR(link["outside_share"][0], share, 2e-3);
    EXPECT_LE(link["farthest"][0], farthest + 1e-9);
    EXPECT_GE(link["farthest"][1], farthest);
    EXPECT_NEAR(link["farthest"][0], farthest, 1e-3);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(std::abs(link["at"][axis].get<double>()), 1.0, 1e-2);
  }

  test::Program program_{NEARMISS_PROGRAM};
};

TEST_F(Audit, EveryFormatIsReadAndItsFiguresAreKnown) {
  const auto csv = [](const char* radius) {
    return std::string("link,x,y,z,radius\ncube,0,0,0,") + radius + "\nball,0,0,3,0.5\n";
  };
  expectCoveredThenNot("a.csv", csv("1.7321"), csv("1.2"));
  const auto yaml = [](const char* radius) {
    return std::string(R"(# a robot's configuration
robot_cfg:
  kinematics:
    urdf_path: "two.urdf"   # not read
    base_link: world
    collision_spheres:
      cube:
        - "center": [0.0, 0.0,
                     0.0]
          "radius": )") +
           radius + R"(
        - center: [0, 0, 0]
          radius: -10.0
      'ball':
      - {center: [0, 0, 3], radius: 0.4}
    collision_sphere_buffer: {ball: 0.1, cube: 0}
    self_collision_ignore: {"cube": ["ball"], world: []}
)";
  };
  expectCoveredThenNot("a.yml", yaml("1.7321"), yaml("1.2"));
  const auto alias = [](const char* radius) {
    return std::string("size: &size ") + radius +
           "\ncollision_spheres:\n  cube: [{center: [0, 0, 0], radius: *size}]\n"
           "  ball: [{center: [0, 0, 3], radius: 0.5}]\n";
  };
  expectCoveredThenNot("alias.yml", alias("1.7321"), alias("1.2"));
  const auto json = [](const char* radius) {
    return std::string(R"({"robot": "two", "links": [{"name": "cube", "spheres":
      [{"center": [0, 0, 0], "radius": )") +
           radius + R"(}]}, {"name": "ball", "spheres": [{"center": [0, 0, 3], "radius": 0.5}]}]})";
  };
  expectCoveredThenNot("a.json", json("1.7321"), json("1.2"));
  const auto map = [](const char* radius) {
    return std::string(R"({"cube": [[0, 0, 0, )") + radius +
           R"(]], "ball": [{"origin": [0, 0, 3], "radius": 0.5}]})";
  };
  expectCoveredThenNot("map.json", map("1.7321"), map("1.2"));
  const auto urdf = [](const char* radius) {
    return std::string(
               R"(<robot name="two"><link name="cube"><collision><geometry><sphere radius=")") +
           radius + R"("/></geometry></collision></link><link name="ball"><collision>
      <origin xyz="0 0 3"/><geometry><sphere radius="0.5"/></geometry></collision></link></robot>)";
  };
  expectCoveredThenNot("a.urdf", urdf("1.7321"), urdf("1.2"));
}

TEST_F(Audit, TheSentencesNameShareAndPlace) {
  write("a.csv", "link,x,y,z,r\ncube,0,0,0,1.2\n");
  const Outcome outcome = check({"two.urdf", "a.csv"});
  EXPECT_EQ(outcome.exitCode, 4);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("cube"), HasSubstr("of its surface outside, by up to 0.532"),
                    HasSubstr("has no spheres"), HasSubstr("0 of 2 links are covered")));
}

TEST_F(Audit, ABoxHalfOfWhichIsBareSaysHalf) {
  // A ball so large that it ends in a plane through the middle of the cube
  write("half.csv", "link,x,y,z,r\ncube,-1000000,0,0,1000000\nball,0,0,3,1\n");
  const auto found = figures({"two.urdf", "half.csv"}, 4);
  EXPECT_NEAR(found["links"][0]["outside_share"][0], 0.5, 2e-3);
  EXPECT_NEAR(found["links"][0]["outside_share"][1], 0.5, 2e-3);
  EXPECT_NEAR(found["links"][0]["farthest"][0], 1.0, 1e-3);
  EXPECT_EQ(found["links"][1]["verdict"], "covered");
}

TEST_F(Audit, WhatTheProgramWritesItselfCoversInEveryFormat) {
  write("arm.urdf", R"(<robot name="arm">
<link name="upper arm"><collision><origin xyz="1 0 0" rpy="0 0.3 1.57"/><geometry><mesh filename="part.obj"
  scale="0.001 -0.001 0.001"/></geometry></collision></link>
<link name="tube"><collision><geometry><cylinder radius="0.05" length="0.3"/></geometry></collision>
  <collision><origin xyz="0 0 0.2"/><geometry><box size="0.1 0.05 0.1"/></geometry></collision></link>
<link name="tip"><collision><origin xyz="0 0 0.5"/><geometry><sphere radius="0.02"/></geometry></collision></link>
</robot>)");
  write("part.obj", test::asObj(test::torus(6, 4, 70.0, 25.0)));
  for (const Words& format :
       {Words{"out.urdf", "urdf"}, {"out.yml", "curobo"}, {"out.json", "json"}}) {
    const Outcome made =
        program_.run({"robot", "arm.urdf", "-o", format[0], "--format", format[1], "--count", "2"});
    ASSERT_EQ(made.exitCode, 0) << made.err;
    const Outcome checked = check({"arm.urdf", format[0]});
    EXPECT_EQ(checked.exitCode, 0) << format[1] << "\n" << checked.out << checked.err;
  }
  // One link's spheres for another's leave something
  std::string swapped = test::readText(program_.home() / "out.json");
  const std::size_t at = swapped.find("\"tube\"");
  ASSERT_NE(at, std::string::npos);
  swapped.replace(at, 6, "\"tubes\"");
  write("swapped.json", swapped);
  const Outcome outcome = check({"arm.urdf", "swapped.json"});
  EXPECT_EQ(outcome.exitCode, 4);
  EXPECT_THAT(outcome.err, HasSubstr("the robot has no link \"tubes\", which has spheres"));
  EXPECT_THAT(outcome.out, HasSubstr("2 of 3 links are covered"));
}

TEST_F(Audit, AMeshIsARobotOfOneLink) {
  write("part.obj", test::asObj(test::torus(6, 4, 70.0, 25.0)));
  for (const char* format : {"csv", "json", "curobo", "foam", "urdf"}) {
    const std::string name =
        std::string("set.") + (format == std::string("curobo") ? "yaml" : format);
    // The others' lists of spheres are those of links of robots
    const bool several = format == std::string("csv") || format == std::string("foam");
    const Outcome made = program_.run(
        {"spheres", "part.obj", "-o", name, "--format", format, "--count", several ? "2" : "1"});
    ASSERT_EQ(made.exitCode, 0) << made.err;
    const Outcome checked = check({"part.obj", name});
    EXPECT_EQ(checked.exitCode, 0) << format << "\n" << checked.out << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("all 1 links are covered"));
  }
  // A tree's levels are no set: its root covers anything
  write("tree.csv", "level,index,parents,cx,cy,cz,r,h\n0,0,,0,0,0,99,1\n1,0,0,0,0,0,50,1\n");
  const Outcome tree = check({"part.obj", "tree.csv"});
  EXPECT_EQ(tree.exitCode, 3);
  EXPECT_THAT(tree.err, HasSubstr("holds a tree"));
}

TEST_F(Audit, RoundShapesAreTakenForWhatTheyAre) {
  // Half a percent more than the radius holds the cylinder but not the polyhedron around it
  write("tube.urdf", R"(<robot name="t"><link name="t"><collision><geometry>
    <cylinder radius="1" length="0.02"/></geometry></collision></link></robot>)");
  write("tight.csv", "x,y,z,radius\n0,0,0,1.0005\n");
  write("loose.csv", "x,y,z,radius\n0,0,0,1.02\n");
  write("small.csv", "x,y,z,radius\n0,0,0,0.9\n");
  EXPECT_EQ(check({"tube.urdf", "loose.csv"}).exitCode, 0);
  const Outcome tight = check({"tube.urdf", "tight.csv"});
  EXPECT_EQ(tight.exitCode, 4);
  EXPECT_THAT(tight.out, AllOf(HasSubstr("not proven to be covered"), HasSubstr("at most")));
  EXPECT_EQ(figures({"tube.urdf", "tight.csv"}, 4)["links"][0]["outside_share"][0], 0.0);
  const auto found = figures({"tube.urdf", "small.csv"}, 4);
  EXPECT_LE(found["links"][0]["farthest"][0], 0.1001);
  EXPECT_GE(found["links"][0]["farthest"][1], 0.1);
  EXPECT_LE(found["links"][0]["farthest"][1], 0.12);
}

TEST_F(Audit, NamesInFilesCommandNoTerminal) {
  write("odd.urdf",
        "<robot name=\"r\"><link name=\"a&#127;[2Jb\"><collision><geometry><sphere radius=\"1\"/>"
        "</geometry></collision></link></robot>");
  write("odd.csv", "link,x,y,z,radius\na\x7f[2Jb,0,0,0,0.5\n");
  const Outcome checked = check({"odd.urdf", "odd.csv"});
  EXPECT_THAT(checked.out, HasSubstr("a?[2Jb"));
  const Outcome covered = program_.run({"robot", "odd.urdf", "-o", "o.urdf", "--count", "4"});
  EXPECT_THAT(covered.out, HasSubstr("a?[2Jb"));
  for (const std::string& text : {checked.out, checked.err, covered.out, covered.err})
    EXPECT_EQ(text.find('\x7f'), std::string::npos) << text;
}

/// What nests is gone through by recursion, and names are looked for one by one.
TEST_F(Audit, LimitsOfNestingAndOfNamesAreKept) {
  const std::size_t deep = 200'000;
  write("deep.json", R"({"links":[{"name":"a","spheres":[)" + std::string(deep, '[') +
                         std::string(deep, ']') + "]}]}");
  std::string names = "{", lines;
  for (int i = 0; i < 5000; ++i) {
    names += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":[]";
    lines += "k" + std::to_string(i) + ": []\n";
  }
  write("names.json", names + "}");
  write("names.yml", lines);
  write("deep.yml", std::string(deep, '['));
  for (const auto& [name, sentence] :
       {std::pair{"deep.json", "nests deeper than 64 levels"},
        std::pair{"names.json", "has an object of too many names"},
        std::pair{"names.yml", "is in a map of more than 4096 names"},
        std::pair{"deep.yml", "not supported YAML"}}) {
    const Outcome outcome = check({"two.urdf", name});
    EXPECT_EQ(outcome.exitCode, 3) << name;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(name), HasSubstr(sentence)));
  }
}

/// The cells of a view that are hatched, and all that show surface, along x.
struct SeenCells {
  double hatched = 0.0, shown = 0.0, leftmost = 1e9;
};

/// Of each view of the first link on a page.
std::vector<SeenCells> seenCells(const std::string& page) {
  std::vector<SeenCells> views;
  std::size_t at = 0;
  while (views.size() < 3) {
    at = page.find("<svg class=\"view\"", at);
    if (at == std::string::npos) break;
    SeenCells& view = views.emplace_back();
    const std::size_t last = page.find("</svg>", at);
    for (; (at = page.find("<path ", at)) < last; ++at) {
      const std::string path = page.substr(at, page.find("/>", at) - at);
      const bool hatched = path.find("url(#uncovered)") != std::string::npos;
      for (std::size_t m = path.find("M"); m != std::string::npos; m = path.find("M", m + 1)) {
        const double length = std::stod(path.substr(path.find("h", m) + 1));
        (hatched ? view.hatched : view.shown) += length;
        if (hatched) view.leftmost = std::min(view.leftmost, std::stod(path.substr(m + 1)));
      }
    }
    at = last;
  }
  return views;
}

TEST_F(Audit, ThePageShowsTheVerdictFirstAndWhatIsOutside) {
  // As above: what is left of the cube is x > 0
  write("half.csv", "link,x,y,z,radius\ncube,-1000000,0,0,1000000\nball,0,0,3,1\nball,0,0,3,2\n");
  const Outcome outcome = check({"two.urdf", "half.csv", "--page", "page.html"});
  EXPECT_EQ(outcome.exitCode, 4) << outcome.err;
  const std::string page = test::readText(program_.home() / "page.html");
  const std::size_t verdict = page.find("1 of 2 links are covered; ");
  EXPECT_LT(verdict, page.find("<table"));
  EXPECT_LT(page.find("<table"), page.find("<svg class=\"link\""));
  EXPECT_THAT(page, HasSubstr("cube: uncovered"));
  EXPECT_THAT(page, HasSubstr("ball: covered"));
  // Nothing is loaded from elsewhere
  EXPECT_THAT(page, Not(testing::ContainsRegex("(src|href)=\"[^#d]")));
  EXPECT_EQ(test::countOf("<svg class=\"link\"", page), 2u);
  EXPECT_EQ(test::countOf("<circle class=\"sphere\" cx=", page), 3u * 3u + 1u);
  EXPECT_EQ(test::countOf("<use href=\"#farthest\" x=", page), 3u + 1u);
}

TEST_F(Audit, ThePicturesHatchWhatIsOutside) {
  // A ball that holds the half of the cube below x = 0, and is as wide as that half allows
  write("half.csv", "link,x,y,z,radius\ncube,-40,0,0,40\nball,0,0,3,1\n");
  EXPECT_EQ(check({"two.urdf", "half.csv", "--page", "page.html"}).exitCode, 4);
  const auto views = seenCells(test::readText(program_.home() / "page.html"));
  ASSERT_EQ(views.size(), 3u);
  // Seen along y and z half of it, from +x all of it
  for (const std::size_t i : {0u, 2u}) {
    EXPECT_NEAR(views[i].hatched / views[i].shown, 0.5, 0.06) << i;
    EXPECT_GT(views[i].leftmost, 0.0);
  }
  EXPECT_EQ(views[1].hatched, views[1].shown);
  write("all.csv", "link,x,y,z,radius\ncube,0,0,0,2\nball,0,0,3,1\n");
  EXPECT_EQ(check({"two.urdf", "all.csv", "--page", "page.html"}).exitCode, 0);
  const std::string page = test::readText(program_.home() / "page.html");
  EXPECT_THAT(page, HasSubstr("all 2 links are covered"));
  for (const SeenCells& view : seenCells(page)) {
    EXPECT_EQ(view.hatched, 0.0);
    EXPECT_GT(view.shown, 1000.0);
  }
  EXPECT_EQ(check({"two.urdf", "all.csv", "--page", "absent/page.html"}).exitCode, 2);
  EXPECT_EQ(check({"two.urdf", "all.csv", "--page", "same", "-o", "same"}).exitCode, 1);
}

TEST_F(Audit, MistakesAreNamed) {
  const auto expectMistake = [this](const std::string& name, const std::string& text,
                                    const char* sentence) {
    write(name, text);
    const Outcome outcome = check({"two.urdf", name});
    EXPECT_EQ(outcome.exitCode, 3) << name << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << name;
  };
  expectMistake("empty.csv", "", "holds no spheres");
  expectMistake("names.csv", "a,b\n1,2\n", "without the columns x, y, z and radius");
  expectMistake("word.csv", "link,x,y,z,radius\ncube,0,0,zero,1\n",
                "no number for \"z\" in line 2");
  expectMistake("short.csv", "link,x,y,z,radius\ncube,0,0\n",
                "has 3 cells in line 2, where its heading has 5");
  expectMistake("nan.csv", "link,x,y,z,radius\ncube,0,0,nan,1\n", "no number for \"z\" in line 2");
  expectMistake("broken.json", "{\"cube\": [", "is not valid JSON");
  expectMistake("wrong.json", R"({"cube": [{"center": [0, 0], "radius": 1}]})",
                "without a centre of three numbers");
  expectMistake("other.json", R"({"cube": 7})", "not a list of spheres");
  expectMistake("file.yml", "collision_spheres: spheres/franka.yml\n",
                "names another file for its spheres, \"spheres/franka.yml\"");
  expectMistake("open.yml", "collision_spheres:\n  cube: [[0, 0, 0, 1]\n", "line 3 is not");
  expectMistake("nameless.yml", "a: 1\n? [b, c]\n: 2\n", "line 2 has an entry without a name");
  expectMistake("levels.yml", "a: " + std::string(60, '[') + std::string(60, ']'),
                "line 1 is nested too deeply");
  // Nine lines that stand for half a billion words
  std::string bomb = "l0: &l0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string below = "*l" + std::to_string(i - 1) + ", ", own = "l" + std::to_string(i);
    bomb += own + ": &" + own + " [";
    for (int k = 0; k < 9; ++k) bomb += below;
    bomb += "]\n";
  }
  expectMistake("bomb.yml", bomb, "holds too many values");
  expectMistake("twice.yml", "collision_spheres:\n  cube: []\n  cube: []\n",
                "line 3 names \"cube\" again");
  expectMistake("deep.yml", "collision_spheres: " + std::string(2000, '[') + std::string(2000, ']'),
                "line 1 is not understood");
  expectMistake("deep.json", std::string(200000, '['), "nests deeper than 64 levels");
  expectMistake("noise.urdf", "<robot><link", "is not valid XML");
  EXPECT_EQ(check({"two.urdf", "absent.csv"}).exitCode, 3);
  EXPECT_EQ(check({"absent.urdf", "a.csv"}).exitCode, 3);
  write("a.csv", "link,x,y,z,radius\ncube,0,0,0,2\nball,0,0,3,1\n");
  EXPECT_EQ(check({"two.urdf"}).exitCode, 1);
  EXPECT_EQ(check({"two.urdf", "a.csv", "-o", "absent/figures.json"}).exitCode, 2);
  // The command itself still needs what it needed
  EXPECT_EQ(program_.run({"spheres"}).exitCode, 1);
  EXPECT_EQ(check({"two.urdf", "a.csv"}).exitCode, 0);
}

}  // namespace
}  // namespace nearmiss
