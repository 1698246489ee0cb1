// SPDX-License-Identifier: MIT
/// `robot` as a whole: one number of spheres for all links, links alike, allowances, interrupts,
/// and which pairs are ignored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/tools/robot/robot_program.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/program.h"

namespace nearmiss {
namespace {

using test::joined;
using test::Outcome;
using test::readText;
using test::Words;
using test::writeText;
using testing::HasSubstr;
using testing::Not;

/// Two arms, the one the mirror of the other in y, a plate and a ball.
constexpr const char* twoArms = R"(<robot name="pair">
<link name="base"><collision><geometry><box size="0.4 0.3 0.05"/></geometry></collision></link>
<link name="flange"/>
<link name="left"><collision><geometry><mesh filename="arm.obj"/></geometry></collision></link>
<link name="right"><collision><geometry><mesh filename="arm.obj" scale="1 -1 1"/></geometry></collision></link>
<link name="ball"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="a" type="fixed"><parent link="base"/><child link="flange"/></joint>
<joint name="b" type="revolute"><parent link="flange"/><child link="left"/></joint>
<joint name="c" type="revolute"><parent link="base"/><child link="right"/></joint>
<joint name="d" type="revolute"><parent link="left"/><child link="ball"/></joint>
</robot>)";

class RobotBudget : public test::RobotProgram {
 protected:
  RobotBudget() {
    TriangleMesh star = test::spikyStar(5, 5, 7);
    for (Vec3& p : star.positions) p = Vec3(0.1, 0.15, 0.4) * p + Vec3(0.02, 0.1, 0.0);
    writeText(home() / "arm.obj", test::asObj(star));
    writeText(home() / "pair.urdf", twoArms);
  }
  /// Every link but the ball a pair of balls, which two spheres are without a search for them.
  void takeBalls() const {
    std::string text = twoArms;
    for (const char* shape : {R"(<box size="0.4 0.3 0.05"/>)", R"(<mesh filename="arm.obj"/>)",
                              R"(<mesh filename="arm.obj" scale="1 -1 1"/>)"})
      text.replace(text.find(shape), std::string(shape).size(),
                   R"(<sphere radius="0.1"/></geometry></collision>
<collision><origin xyz="0.3 0 0"/><geometry><sphere radius="0.2"/>)");
    writeText(home() / "pair.urdf", text);
  }
  nlohmann::json fitted(const Words& more) const {
    const Outcome outcome = run(joined({"pair.urdf", "-o", "o.json", "--format", "json"}, more));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return nlohmann::json::parse(readText(home() / "o.json"), nullptr, false);
  }
  void expectCovered(const char* spheres) const {
    const Outcome checked = program_.run({"spheres", "check", "pair.urdf", spheres});
    EXPECT_EQ(checked.exitCode, 0) << checked.out << checked.err;
  }
};

TEST_F(RobotBudget, ATotalIsSharedAndMoreIsNeverWorse) {
  double before = 1e300;
  for (const std::size_t total : {4u, 6u, 8u}) {
    const nlohmann::json robot = fitted({"--total", std::to_string(total)});
    std::size_t budgets = 0, spheres = 0;
    double outside = 0.0;
    ASSERT_EQ(robot["links"].size(), 4u);
    for (const auto& link : robot["links"]) {
      const auto budget = link["budget"].get<std::size_t>();
      EXPECT_GE(budget, 1u);
      EXPECT_LE(link["spheres"].size(), budget);
      EXPECT_GE(link["spheres"].size(), 1u);
      budgets += budget;
      spheres += link["spheres"].size();
      const double share = link["outside_share"], whole = link["union_volume"];
      // The union is what is outside and the solid
      outside += whole * share / (1.0 + share);
    }
    EXPECT_EQ(budgets, total);
    EXPECT_LE(spheres, total);
    EXPECT_LE(outside, before * (1.0 + 2e-3)) << total;
    before = outside;
    expectCovered("o.json");
  }
  EXPECT_THAT(run({"pair.urdf", "-o", "o.urdf", "--total", "3"}).err,
              HasSubstr("4 links have shapes, and each needs a sphere: --total 3 is too few"));
  EXPECT_EQ(run({"pair.urdf", "-o", "o.urdf", "--total", "3"}).exitCode, 1);
  EXPECT_EQ(run({"pair.urdf", "-o", "o.urdf", "--total", "9", "--count", "3"}).exitCode, 1);
  EXPECT_EQ(run({"pair.urdf", "-o", "o.urdf", "--total", "0"}).exitCode, 1);
}

TEST_F(RobotBudget, MirroredLinksGetMirroredSpheres) {
  const nlohmann::json robot = fitted({"--count", "3"});
  const auto &left = robot["links"][1], &right = robot["links"][2];
  EXPECT_EQ(right["like"], "left");
  EXPECT_FALSE(left.contains("like"));
  ASSERT_EQ(left["spheres"].size(), right["spheres"].size());
  EXPECT_GT(left["spheres"].size(), 2u);
  for (std::size_t i = 0; i < left["spheres"].size(); ++i) {
    const auto &own = left["spheres"][i], &other = right["spheres"][i];
    for (const int axis : {0, 1, 2}) {
      const double sign = axis == 1 ? -1.0 : 1.0;
      EXPECT_NEAR(own["center"][axis].get<double>(), sign * other["center"][axis].get<double>(),
                  1e-9);
    }
    EXPECT_NEAR(own["radius"].get<double>(), other["radius"].get<double>(), 1e-9);
  }
  expectCovered("o.json");
  const Outcome said = run({"pair.urdf", "-o", "o.json", "--format", "json", "--count", "1"});
  EXPECT_THAT(said.out, HasSubstr("as \"left\", mirrored"));
}

TEST_F(RobotBudget, AnAllowanceIsKeptAndCertified) {
  const nlohmann::json all = fitted({"--count", "2"});
  const nlohmann::json robot = fitted({"--count", "2", "--allow", "10"});
  double less = 0.0, more = 0.0;
  for (std::size_t i = 0; i < robot["links"].size(); ++i) {
    const auto& link = robot["links"][i];
    less += link["union_volume"].get<double>();
    more += all["links"][i]["union_volume"].get<double>();
    EXPECT_FALSE(all["links"][i].contains("uncovered"));
    const auto& farthest = link["uncovered"]["farthest"];
    EXPECT_LE(farthest[0], farthest[1]);
    // Round shapes are measured as polyhedra around them
    EXPECT_LE(farthest[0].get<double>(), 0.010 + 1e-6) << link["name"];
    EXPECT_LE(farthest[1].get<double>(), 0.012) << link["name"];
  }
  EXPECT_LT(less, 0.9 * more);
  const Outcome said = run({"pair.urdf", "-o", "o.urdf", "--count", "1", "--allow", "10"});
  EXPECT_THAT(said.out, HasSubstr("% of its surface is uncovered, nowhere by more than"));
  EXPECT_THAT(said.out, HasSubstr("no point of a link is farther than"));
  EXPECT_EQ(program_.run({"spheres", "check", "pair.urdf", "o.urdf"}).exitCode, 4);
  EXPECT_EQ(run({"pair.urdf", "-o", "o.urdf", "--allow", "-1"}).exitCode, 1);
}

TEST_F(RobotBudget, AnInterruptLeavesNoFileThatLooksWhole) {
  std::string text = R"(<robot name="long">
<link name="first"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>)";
  writeText(home() / "star.obj", test::asObj(test::spikyStar(9, 30, 40)));
  for (int i = 0; i < 3; ++i)
    text += "<link name=\"slow" + std::to_string(i) +
            "\"><collision><geometry><mesh filename=\"star.obj\" scale=\"1 1 " +
            std::to_string(i + 1) + "\"/></geometry></collision></link>";
  writeText(home() / "long.urdf", text + "</robot>");
  writeText(home() / "cut.urdf", "of an earlier run");
  program_.interruptAfter = std::chrono::milliseconds(1500);
  const Outcome cut = program_.runInterrupted(
      {"robot", "long.urdf", "-o", "cut.urdf", "--count", "200", "--jobs", "1"});
  EXPECT_EQ(cut.exitCode, 130) << cut.out << cut.err;
  EXPECT_THAT(cut.err, HasSubstr(" of 4 links are covered; \"cut.urdf\" was not written"));
  EXPECT_THAT(cut.out, HasSubstr("written to cut.urdf.partial"));
  EXPECT_EQ(readText(home() / "cut.urdf"), "of an earlier run");
  const std::string written = readText(home() / "cut.urdf.partial");
  EXPECT_THAT(written, HasSubstr("<sphere radius=\"0.05"));
  EXPECT_THAT(written, HasSubstr("star.obj"));
}

TEST_F(RobotBudget, AFullDiskLeavesNothing) {
  takeBalls();
  const Outcome full = run({"pair.urdf", "-o", "/dev/full"});
  EXPECT_EQ(full.exitCode, 2) << full.err;
  EXPECT_THAT(full.err, HasSubstr("cannot write \"/dev/full\": No space left on device"));
  EXPECT_FALSE(std::filesystem::exists("/dev/full.partial"));
}

/// Thousands of links get closed covers at once, and equal ones the same spheres.
TEST_F(RobotBudget, ManyPrimitivesAreCoveredWithoutASearch) {
  std::string text = "<robot name=\"many\">";
  for (int i = 0; i < 200; ++i) {
    const std::string size = std::to_string(0.1 + 0.001 * (i % 140));
    const std::string shape = i % 3 == 0   ? "<box size=\"" + size + " 0.2 0.05\"/>"
                              : i % 3 == 1 ? "<cylinder radius=\"" + size + "\" length=\"0.5\"/>"
                                           : "<capsule radius=\"" + size + "\" length=\"0.5\"/>";
    text += "<link name=\"l" + std::to_string(i) +
            "\"><collision><origin xyz=\"1 2 3\" rpy=\"0.1 0.2 0.3\"/><geometry>" + shape +
            "</geometry></collision></link>";
  }
  writeText(home() / "many.urdf", text + "</robot>");
  const Outcome made = run({"many.urdf", "--count", "12"});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("spheres on 200 of 200 links"));
  EXPECT_THAT(made.out, HasSubstr("written to many_spheres.urdf"));
  const Outcome proof = program_.run({"spheres", "check", "many.urdf", "many_spheres.urdf"});
  EXPECT_EQ(proof.exitCode, 0) << proof.out << proof.err;
}

TEST_F(RobotBudget, FoamAndVampGetTheirFiles) {
  takeBalls();
  ASSERT_EQ(run({"pair.urdf", "-o", "foam.urdf", "--format", "foam", "--count", "2"}).exitCode, 0);
  expectCovered("foam.urdf");
  const Outcome made = run({"pair.urdf", "-o", "vamp.urdf", "--format", "vamp", "--count", "2"});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  EXPECT_EQ(readText(home() / "vamp.urdf"), readText(home() / "foam.urdf"));
  for (const char* name : {"vamp.srdf", "vamp.json", "vamp.urdf"})
    EXPECT_THAT(made.out, HasSubstr(std::string("written to ") + name));
  EXPECT_EQ(test::countOf("<disable_collisions ", readText(home() / "vamp.srdf")), 3u);
  const auto config = nlohmann::json::parse(readText(home() / "vamp.json"));
  EXPECT_EQ(config["urdf"], "vamp.urdf");
  EXPECT_EQ(config["srdf"], "vamp.srdf");
  EXPECT_EQ(config["name"], "pair");
}

TEST_F(RobotBudget, WarningsAreSummarised) {
  std::string text = "<robot name=\"open\">";
  for (int i = 0; i < 6; ++i) {
    const std::string name = "open" + std::to_string(i);
    writeText(home() / (name + ".obj"),
              "v 0 0 0\nv 1 0 " + std::to_string(i) + "\nv 0 1 0\nv 1 1 2\nf 1 2 3\nf 3 2 4\n");
    text += "<link name=\"" + name + "\"><collision><geometry><mesh filename=\"" + name +
            ".obj\"/></geometry></collision></link>";
  }
  writeText(home() / "open.urdf", text + "</robot>");
  const Outcome brief = run({"open.urdf", "-o", "o.urdf", "--count", "1"});
  ASSERT_EQ(brief.exitCode, 0) << brief.err;
  EXPECT_THAT(brief.out, HasSubstr("its mesh is open, so no excess volume is known"));
  const Outcome all = run({"open.urdf", "-o", "o.urdf", "--count", "1", "--verbose"});
  const std::size_t warnings = test::countOf("\n", all.err);
  EXPECT_GE(warnings, 6u);
  EXPECT_EQ(test::countOf("\n", brief.err), 3u) << brief.err;
  EXPECT_THAT(brief.err, HasSubstr("and " + std::to_string(warnings - 2) +
                                   " more warnings; --verbose prints all"));
}

TEST_F(RobotBudget, RingsOfJointsAreRefused) {
  std::string text = "<robot name=\"ring\">";
  for (const char* name : {"a", "b", "c"})
    text += std::string("<link name=\"") + name +
            "\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>";
  const auto joint = [](const char* from, const char* to) {
    return std::string("<joint name=\"") + from + to + "\" type=\"fixed\"><parent link=\"" + from +
           "\"/><child link=\"" + to + "\"/></joint>\n";
  };
  writeText(home() / "ring.urdf",
            text + joint("a", "b") + joint("b", "c") + joint("c", "a") + "</robot>");
  const Outcome ring = run({"ring.urdf", "-o", "o.urdf"});
  EXPECT_EQ(ring.exitCode, 3);
  EXPECT_THAT(ring.err, HasSubstr("its joints form a ring through the link"));
  writeText(home() / "two.urdf", text + joint("a", "c") + joint("b", "c") + "</robot>");
  EXPECT_THAT(run({"two.urdf", "-o", "o.urdf"}).err, HasSubstr("its child has another parent"));
  writeText(home() / "tree.urdf", text + joint("a", "b") + joint("b", "c") + "</robot>");
  EXPECT_EQ(run({"tree.urdf", "-o", "o.urdf"}).exitCode, 0);
}

TEST_F(RobotBudget, APackageWithoutTheFileIsNamed) {
  std::filesystem::create_directories(home() / "arm_description" / "meshes");
  writeText(home() / "arm.urdf",
            "<robot name=\"arm\"><link name=\"a\"><collision><geometry><mesh "
            "filename=\"package://arm_description/meshes/a.stl\"/></geometry></collision></link>"
            "</robot>");
  const Outcome missing = run({"arm.urdf", "-o", "o.urdf"});
  EXPECT_EQ(missing.exitCode, 3);
  EXPECT_THAT(missing.err, HasSubstr("arm_description\", and that has no file \"meshes/a.stl\""));
}

TEST_F(RobotBudget, JointsAreIgnoredInPlannersFiles) {
  takeBalls();
  const Outcome made = run({"pair.urdf", "-o", "o.xrdf", "--format", "xrdf", "--count", "2"});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("3 pairs of links are ignored"));
  const std::string xrdf = readText(home() / "o.xrdf");
  EXPECT_THAT(xrdf, HasSubstr("format: xrdf\nformat_version: 1.0\n"));
  EXPECT_THAT(
      xrdf,
      HasSubstr("  ignore:\n    \"ball\": [\"left\"]\n    \"base\": [\"left\", \"right\"]\n"));
  expectCovered("o.xrdf");
  ASSERT_EQ(run({"pair.urdf", "-o", "o.srdf", "--format", "srdf", "--count", "2"}).exitCode, 0);
  const std::string srdf = readText(home() / "o.srdf");
  EXPECT_EQ(test::countOf("<disable_collisions ", srdf), 3u);
  EXPECT_THAT(srdf, HasSubstr(R"(link1="base" link2="left" reason="Adjacent")"));
  expectCovered("o.srdf");

  // What was read is written again, in either format
  writeText(home() / "more.srdf", R"(<robot name="pair"><group name="g"/>
<disable_collisions link1="right" link2="left" reason="Never"/>
<disable_collisions link1="base" link2="ghost" reason="Never"/>
<disable_collisions link1="left" link2="ghost" reason="Never"/></robot>)");
  const Outcome more = run(
      {"pair.urdf", "-o", "m.xrdf", "--format", "xrdf", "--count", "2", "--ignore", "more.srdf"});
  ASSERT_EQ(more.exitCode, 0) << more.err;
  EXPECT_EQ(test::countOf("the robot has no link \"ghost\", which \"more.srdf\" names", more.err),
            1u);
  EXPECT_THAT(readText(home() / "m.xrdf"), HasSubstr("    \"left\": [\"right\"]\n"));
  ASSERT_EQ(
      run({"pair.urdf", "-o", "m.srdf", "--format", "srdf", "--count", "2", "--ignore", "m.xrdf"})
          .exitCode,
      0);
  EXPECT_EQ(test::countOf("<disable_collisions ", readText(home() / "m.srdf")), 4u);
  writeText(home() / "all.srdf", R"(<robot name="pair"><disable_default_collisions link="right"/>
<enable_collisions link1="ball" link2="right"/></robot>)");
  ASSERT_EQ(run({"pair.urdf", "-o", "a.yml", "--format", "curobo", "--count", "2", "--ignore",
                 "all.srdf"})
                .exitCode,
            0);
  const std::string yaml = readText(home() / "a.yml");
  EXPECT_THAT(yaml, HasSubstr("  \"left\": [\"right\"]\n"));
  EXPECT_THAT(yaml, HasSubstr("  \"ball\": [\"left\"]\n"));
}

TEST_F(RobotBudget, WhatAFileHasCheckedIsNotIgnoredForAJoint) {
  takeBalls();
  writeText(home() / "on.srdf", R"(<robot name="pair"><disable_default_collisions link="ghost"/>
<enable_collisions link1="left" link2="base"/><enable_collisions link1="ball" link2="spirit"/></robot>)");
  const Outcome made = run(
      {"pair.urdf", "-o", "o.yml", "--format", "curobo", "--count", "2", "--ignore", "on.srdf"});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("2 pairs of links are ignored"));
  EXPECT_THAT(readText(home() / "o.yml"), HasSubstr("  \"base\": [\"right\"]\n"));
  for (const char* name : {"ghost", "spirit"})
    EXPECT_THAT(made.err, HasSubstr("no link \"" + std::string(name) + "\""));
}

/// A link without shapes joins all that it carries to each other.
TEST_F(RobotBudget, MorePairsThanMemoryHoldsAreRefused) {
  std::string star = "<robot name=\"star\"><link name=\"hub\"/>", alone = "<robot name=\"star\">";
  std::string loose = star;
  for (int i = 0; i < 3000; ++i) {
    const std::string name = "\"l" + std::to_string(i) + "\"";
    const std::string link = "<link name=" + name +
                             "><collision><geometry><sphere radius=\"1\"/></geometry></collision>"
                             "</link>";
    loose += link;
    star += link + "<joint name=" + name +
            " type=\"fixed\"><parent link=\"hub\"/><child link=" + name + "/></joint>";
    alone += "<disable_default_collisions link=" + name + "/>";
  }
  writeText(home() / "star.urdf", star + "</robot>");
  writeText(home() / "loose.urdf", loose + "</robot>");
  writeText(home() / "alone.srdf", alone + "</robot>");
  const Outcome joints = run({"star.urdf", "-o", "o.xrdf", "--format", "xrdf"});
  EXPECT_EQ(joints.exitCode, 3) << joints.out;
  EXPECT_THAT(joints.err, HasSubstr("\"star.urdf\": more than 4194304 pairs of links are ignored"));
  const Outcome file =
      run({"loose.urdf", "-o", "o.xrdf", "--format", "xrdf", "--ignore", "alone.srdf"});
  EXPECT_EQ(file.exitCode, 3) << file.out;
  EXPECT_THAT(file.err, HasSubstr("\"alone.srdf\": more than 4194304 pairs of links are ignored"));
}

TEST_F(RobotBudget, MistakesInThoseFilesAreNamed) {
  takeBalls();
  const auto expectMistake = [this](const std::string& name, const std::string& text,
                                    const char* sentence) {
    writeText(home() / name, text);
    const Outcome outcome =
        run({"pair.urdf", "-o", "o", "--format", "xrdf", "--count", "2", "--ignore", name});
    EXPECT_EQ(outcome.exitCode, 3) << name << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << name;
    EXPECT_FALSE(std::filesystem::exists(home() / "o"));
  };
  expectMistake("a.srdf", "<robot><disable_collisions", "is not valid XML");
  expectMistake("b.srdf", "<model/>", "is not SRDF: its root is <model>");
  expectMistake("c.srdf", "<robot>\n<disable_collisions link1=\"left\"/></robot>",
                "has a <disable_collisions> without link2 in line 2");
  expectMistake("d.srdf", "<robot><disable_collisions link1=\"left\" link2=\"left\"/></robot>",
                "ignores collisions of \"left\" with itself");
  expectMistake("a.xrdf", "format: xrdf\n", "has no self_collision with ignore");
  expectMistake("b.xrdf", "self_collision:\n  ignore: [left, right]\n", "by no map of links");
  expectMistake("c.xrdf", "self_collision:\n  ignore:\n    left: right\n",
                "has an ignore entry of \"left\" that is not a list of links");
  expectMistake("d.xrdf", "self_collision: {ignore: [\n", "is neither SRDF nor supported YAML");
  EXPECT_EQ(run({"pair.urdf", "-o", "o", "--format", "xrdf", "--ignore", "gone.srdf"}).exitCode, 3);
  const Outcome wrong = run({"pair.urdf", "-o", "o", "--ignore", "a.xrdf"});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_THAT(wrong.err, HasSubstr("urdf does not say which pairs are ignored"));

  const auto expectUnread = [this](const std::string& name, const std::string& text,
                                   const char* sentence) {
    writeText(home() / name, text);
    const Outcome outcome = program_.run({"spheres", "check", "pair.urdf", name});
    EXPECT_EQ(outcome.exitCode, 3) << name << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << name;
  };
  expectUnread("s.srdf", "<robot><link_sphere_approximation/></robot>", "without link in line 1");
  expectUnread("t.srdf",
               "<robot><link_sphere_approximation link=\"left\">\n<sphere center=\"0 0\" "
               "radius=\"1\"/></link_sphere_approximation></robot>",
               "without a center of three numbers and a radius in line 2");
  const std::string head = "format: xrdf\nformat_version: 1.0\n";
  expectUnread("s.xrdf", head, "has no geometry");
  expectUnread("t.xrdf", head + "collision: {geometry: g}\ngeometry: {h: {spheres: {}}}\n",
               "has no geometry \"g\", which its collision names");
  expectUnread("u.xrdf", head + "geometry: {g: {spheres: {}}, h: {spheres: {}}}\n",
               "several groups of geometry");
  expectUnread("v.xrdf", head + "geometry: {g: {}}\n", "\"g\" without a map of spheres");
  expectUnread("w.xrdf",
               head +
                   "collision: {geometry: g, buffer_distance: {left: wide}}\n"
                   "geometry: {g: {spheres: {left: [{center: [0, 0, 0], radius: 1}]}}}\n",
               "has a buffer_distance of \"left\" that is not a number");
}

TEST_F(RobotBudget, AnXrdfIsCheckedWithItsBuffers) {
  const auto write = [this](const char* buffer) {
    writeText(home() / "b.xrdf",
              std::string("format: \"xrdf\"\nformat_version: 1.0\ncollision:\n  geometry: own\n") +
                  buffer + R"(
geometry:
  other: {spheres: {}}
  own:
    spheres:
      base: [{center: [0, 0, 0], radius: 0.2}]
      left: [{center: [0, 0, 0], radius: 0.2}]
      right: [{center: [0, 0, 0], radius: 0.2}]
      ball: [{center: [0, 0, 0], radius: 0.2}]
)");
    return program_.run({"spheres", "check", "pair.urdf", "b.xrdf"});
  };
  EXPECT_EQ(write("").exitCode, 4);
  EXPECT_EQ(write("  buffer_distance: {base: 1, left: 1, right: 1}").exitCode, 0);
}

}  // namespace
}  // namespace nearmiss
