// SPDX-License-Identifier: MIT
/// Names of links on their way through `robot`: every format holds them as they are, or they are
/// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/tools/robot/robot_program.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/program.h"

namespace nearmiss {
namespace {

using test::Outcome;
using test::readText;
using test::writeText;
using testing::HasSubstr;

class RobotNames : public test::RobotProgram {
 protected:
  static std::string ball(const std::string& name) {
    return "<link name=\"" + name +
           "\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>\n";
  }
  Outcome covered(const std::string& urdf, const std::string& format) const {
    writeText(home() / "in.urdf", urdf);
    return run({"in.urdf", "-o", "out." + format, "--format", format, "--count", "1"});
  }
  void expectRefusal(const std::string& urdf, const std::string& sentence) const {
    for (const char* format : {"urdf", "srdf", "curobo"}) {
      const Outcome outcome = covered(urdf, format);
      EXPECT_EQ(outcome.exitCode, 3) << urdf << outcome.out;
      EXPECT_THAT(outcome.err, HasSubstr(sentence));
      EXPECT_FALSE(std::filesystem::exists(home() / (std::string("out.") + format)));
    }
  }
};

TEST_F(RobotNames, ThatYamlCouldMisreadComeBackAsTheyWere) {
  const std::vector<std::string> names{"true", "null", "no",         "~",           "inf",
                                       "1e3",  "0x10", "2001-01-01", "a: b",        "#a",
                                       "[a]",  "*a",   "a'b",        "caf\xc3\xa9", "true "};
  std::string links, joints;
  for (std::size_t i = 0; i < names.size(); ++i) {
    links += ball(names[i]);
    if (i > 0)
      joints += "<joint name=\"j\" type=\"fixed\"><parent link=\"" + names[i - 1] +
                "\"/><child link=\"" + names[i] + "\"/></joint>\n";
  }
  const std::string all = "all " + std::to_string(names.size()) + " links are covered";
  for (const auto& [format, name] : {std::pair{"curobo", "o.yml"}, std::pair{"xrdf", "o.xrdf"}}) {
    const Outcome made = covered("<robot name=\"r\">" + links + joints + "</robot>", format);
    ASSERT_EQ(made.exitCode, 0) << made.err;
    writeText(home() / name, readText(home() / (std::string("out.") + format)));
    const Outcome checked = program_.run({"spheres", "check", "in.urdf", name});
    EXPECT_EQ(checked.exitCode, 0) << format << checked.out << checked.err;
    EXPECT_THAT(checked.out, HasSubstr(all));
    EXPECT_EQ(checked.err, "");
  }
  // Without joints the pairs are those of the file alone
  writeText(home() / "bare.urdf", "<robot name=\"r\">" + links + "</robot>");
  const Outcome ignored =
      run({"bare.urdf", "-o", "i.srdf", "--format", "srdf", "--count", "1", "--ignore", "o.yml"});
  EXPECT_EQ(ignored.exitCode, 0) << ignored.err;
  EXPECT_EQ(ignored.err, "");
  EXPECT_EQ(test::countOf("<disable_collisions ", readText(home() / "i.srdf")), names.size() - 1);
}

TEST_F(RobotNames, OfModelsAreInQuotesToo) {
  for (const char* name : {"true", "null", "inf"}) {
    writeText(home() / (std::string(name) + ".obj"),
              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const Outcome made = program_.run({"spheres", std::string(name) + ".obj", "-o", "s.yml",
                                       "--format", "curobo", "--count", "1"});
    ASSERT_EQ(made.exitCode, 0) << made.err;
    EXPECT_THAT(readText(home() / "s.yml"), HasSubstr("\n  \"" + std::string(name) + "\":\n"));
    EXPECT_EQ(program_.run({"spheres", "check", std::string(name) + ".obj", "s.yml"}).exitCode, 0);
  }
}

TEST_F(RobotNames, AreThereAndNotTwice) {
  expectRefusal("<robot name=\"r\">" + ball("a") + ball("b") + ball("a") + "</robot>",
                "in.urdf\", line 3: two links are named \"a\"");
  expectRefusal("<robot name=\"r\">" + ball("a") + ball("") + "</robot>",
                "a <link> in line 2 has no name");
  expectRefusal("<robot name=\"r\"><link/></robot>", "a <link> in line 1 has no name");
}

TEST_F(RobotNames, AreUtf8ThatXmlCanHold) {
  const std::string latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!-- caf\xe9 -->\n";
  const auto named = [&latin](const std::string& robot, const std::string& link) {
    return latin + "<robot name=\"" + robot + "\">" + ball(link) + "</robot>";
  };
  expectRefusal(named("r", "a\xe9"), "in.urdf\": the name of a link, \"a?\", is not UTF-8");
  expectRefusal(named("r\xe9", "a"), "in.urdf\": the name of the robot, \"r?\", is not UTF-8");
  // Too long, half of a pair, cut off, beyond the last character
  for (const char* bytes : {"\xc0\xaf", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80", "\x80"})
    expectRefusal(named("r", bytes), "is not UTF-8");
  for (const char* barred : {"a&#27;[2Jb", "a&#x1;", "a&#xFFFF;", "a&#xFFFE;"})
    expectRefusal(named("r", barred), "holds a character that XML forbids");
  for (const char* sound : {"caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\xa4\x96", "a&#9;b"})
    for (const char* format : {"urdf", "srdf", "xrdf"}) {
      const Outcome outcome = covered(named("r", sound), format);
      EXPECT_EQ(outcome.exitCode, 0) << sound << outcome.err;
    }
  writeText(home() / "m.xml",
            "<mujoco><worldbody><body name=\"b\xe9\"><geom size=\"1\"/></body></worldbody>"
            "</mujoco>");
  const Outcome mjcf = run({"m.xml", "-o", "o.xml"});
  EXPECT_EQ(mjcf.exitCode, 3) << mjcf.out;
  EXPECT_THAT(mjcf.err, HasSubstr("m.xml\": the name of a link, \"b?\", is not UTF-8"));
}

TEST_F(RobotNames, OfFilesThatXmlCannotHoldAreNotTheRobots) {
  writeText(home() / "n\xff.urdf", "<robot>" + ball("a") + ball("b") + "</robot>");
  const Outcome outcome = run({"n\xff.urdf", "-o", "o.srdf", "--format", "srdf"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(readText(home() / "o.srdf"), HasSubstr("<robot name=\"robot\">"));
  writeText(
      home() / "why.srdf",
      "<robot name=\"r\"><disable_collisions link1=\"a\" link2=\"b\" reason=\"\xe9\"/></robot>");
  const Outcome ignored =
      run({"n\xff.urdf", "-o", "p.srdf", "--format", "srdf", "--ignore", "why.srdf"});
  EXPECT_EQ(ignored.exitCode, 3);
  EXPECT_THAT(ignored.err, HasSubstr("why.srdf\" has a <disable_collisions> in line 1 whose reason "
                                     "is not UTF-8"));
}

}  // namespace
}  // namespace nearmiss
