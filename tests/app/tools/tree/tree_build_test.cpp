// SPDX-License-Identifier: MIT
/// `tree build`, `tree check` and `tree info` from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/tools/tree/tree_tools.h"

namespace nearmiss {
namespace {

using test::asObj;
using test::countOf;
using test::joined;
using test::Outcome;
using test::TreeTools;
using test::Words;
using test::writeText;
using testing::HasSubstr;
using testing::Not;

TEST_F(TreeTools, InnerSpheresAreBuiltShownAndCertified) {
  Outcome outcome =
      run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "1", "--inner", "64"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("inside the solid: 1 8 64 spheres by level"));
  outcome = run({"tree", "info", "torus.tree", "torus.obj"});
  EXPECT_THAT(outcome.out, HasSubstr("gap mean"));
  outcome = run({"tree", "check", "torus.tree", "torus.obj"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("3 levels of spheres lie inside the surface"));

  // What is no solid has a tree, but no inside
  torus_.triangles.pop_back();
  writeText(home() / "open.obj", asObj(torus_));
  outcome = run({"tree", "build", "open.obj", "-o", "open.tree", "--levels", "1", "--inner", "64"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_THAT(outcome.err, HasSubstr("no part of open.obj is closed"));
  outcome = run({"tree", "build", "torus.obj", "-o", "no.tree", "--inner", "5000"});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_THAT(outcome.err, HasSubstr("4096"));
}

TEST_F(TreeTools, ATreeIsJudgedByWhatItsModePromises) {
  const auto built = [this](const std::string& coverage) {
    const Outcome outcome =
        run({"tree", "build", "torus.obj", "-o", coverage + ".tree", "--levels", "2", "--method",
             "medial", "--points", "300", "--coverage", coverage});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("coverage " + coverage));
    return *readSphereTree(home() / (coverage + ".tree"));
  };
  const auto checked = [this](const SphereTreeFile& file) {
    EXPECT_TRUE(writeSphereTree(home() / "some.tree", file));
    return run({"tree", "check", "some.tree", "torus.obj"});
  };
  // As a whole, and with siblings shrunk or as good as gone
  for (const std::string coverage : {"guaranteed", "paper"}) {
    SphereTreeFile file = built(coverage);
    Outcome outcome = checked(file);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("coverage  holds"));
    const SphereTree::Data whole = file.tree.data();
    for (const std::uint32_t pack : {1u, whole.levelBegin[2]})
      for (const float share : {0.7f, 0.0f}) {
        SphereTree::Data data = whole;
        for (float& r : data.packs[pack].r)
          if (r > 0.0f) r *= share;  // empty lanes stay as they are
        file.tree = SphereTree(data);
        outcome = checked(file);
        EXPECT_EQ(outcome.exitCode, 4) << coverage << " " << pack << " " << share;
        EXPECT_THAT(outcome.out, HasSubstr("coverage  broken"));
        EXPECT_THAT(outcome.err, HasSubstr("is not proven to"));
      }
  }
}

TEST_F(TreeTools, BoxesAreBuiltShownAndCertified) {
  Outcome outcome =
      run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "2", "--boxes", "0.5"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex("boxes beside spheres: 0 [1-9][0-9]* [1-9][0-9]*"));
  outcome = run({"tree", "check", "torus.tree", "torus.obj"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("coverage  holds"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("with [0-9]+ boxes"));
  outcome = run({"tree", "build", "torus.obj", "-o", "no.tree", "--boxes", "1001"});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_THAT(outcome.err, HasSubstr("number from 0 to 1000, got 1001"));
  outcome =
      run({"tree", "build", "torus.obj", "-o", "low.tree", "--levels", "1", "--boxes", "0.01"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
}

TEST_F(TreeTools, EveryBuilderRefusesWhatIsNoMesh) {
  writeText(home() / "empty.obj", "");
  writeText(home() / "nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  writeText(home() / "huge.obj", "v 1e39 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  writeText(home() / "points.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 1 2\n");
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog())
    for (const char* file : {"empty.obj", "nan.obj", "huge.obj", "points.obj"}) {
      const Outcome outcome =
          run({"tree", "build", file, "-o", "never.tree", "--method", std::string(builder.name)});
      EXPECT_EQ(outcome.exitCode, 3) << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr(file));
      EXPECT_EQ(countOf("\n", outcome.err), 1u) << outcome.err;
      EXPECT_FALSE(std::filesystem::exists(home() / "never.tree"));
    }
}

TEST_F(TreeTools, BuildHeedsEveryOptionOrSaysThatItMeansNothing) {
  const auto spheres = [this](const Words& more) {
    const Outcome outcome =
        run(joined({"tree", "build", "torus.obj", "-o", "t.tree", "--levels", "2"}, more));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_THAT(outcome.err, Not(HasSubstr("means nothing")));
    return outcome.out.substr(outcome.out.find("level "));
  };
  const Words annealed{"--method", "annealed"}, variational{"--method", "variational"},
      medial{"--method", "medial", "--points", "300"};
  const std::string plain = spheres(annealed);
  for (const Words& option : {Words{"--steps", "10"}, Words{"--seed", "7"}, Words{"--heat", "0.5"},
                              Words{"--cooled", "0.5"}})
    EXPECT_NE(spheres(joined(annealed, option)), plain) << option[0];
  const std::string closest = spheres(variational);
  for (const Words& option : {Words{"--objective", "largest"}, Words{"--branching", "4"},
                              Words{"--even-branching"}, Words{"--error-bound", "0.3"}})
    EXPECT_NE(spheres(joined(variational, option)), closest) << option[0];
  if (findSphereTreeBuilder("medial")) {
    const std::string paper = spheres(medial);
    for (const Words& option :
         {Words{"--adjacency", "edge"}, Words{"--coverage", "safest"}, Words{"--coverage", "paper"},
          Words{"--error-bound", "0.3"}, Words{"--drop-redundant"}})
      EXPECT_NE(spheres(joined(medial, option)), paper) << option[0];
    EXPECT_NE(spheres({"--method", "medial", "--points", "200"}), paper);
  }
  const Outcome vain = run({"tree", "build", "cube.obj", "-o", "t.tree", "--method", "octree",
                            "--levels", "1", "--points", "300", "--even-branching", "--coverage",
                            "safest", "--error-bound", "0.1", "--branching", "4"});
  EXPECT_EQ(vain.exitCode, 0);
  EXPECT_THAT(vain.err, HasSubstr("--points means nothing to the octree builder"));
  EXPECT_THAT(vain.err, HasSubstr("--even-branching means nothing to the octree builder"));
  EXPECT_THAT(vain.err, HasSubstr("--error-bound means nothing to the octree builder"));
  EXPECT_THAT(vain.err, HasSubstr("--branching means nothing to the octree builder"));
  EXPECT_THAT(vain.err, HasSubstr("--coverage safest means nothing to the octree builder"));
  const std::string even = spheres({"--method", "variational"});
  EXPECT_EQ(spheres({"--method", "variational", "--spheres", "0"}), even);
  for (const std::string method : {"variational", "dag"}) {
    const std::string few = spheres({"--method", method, "--spheres", "20"});
    EXPECT_THAT(few, testing::ContainsRegex("\n *2 +(1[0-9]|20) "));
  }
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog())
    if (const std::string method(builder.name); method != "variational" && method != "dag") {
      const Outcome none = run({"tree", "build", "cube.obj", "-o", "t.tree", "--method", method,
                                "--levels", "1", "--spheres", "5"});
      EXPECT_EQ(none.exitCode, 0);
      EXPECT_THAT(none.err, HasSubstr("--spheres means nothing to the " + method));
    }
  const Outcome many =
      run({"tree", "build", "cube.obj", "-o", "no.tree", "--levels", "1", "--spheres", "600"});
  EXPECT_EQ(many.exitCode, 1);
  EXPECT_THAT(many.err, HasSubstr("a number of spheres of 0 to 512, not 600"));
  EXPECT_FALSE(std::filesystem::exists(home() / "no.tree"));
}

TEST_F(TreeTools, InfoMeasuresAgainstTheModel) {
  build("torus", "2");
  EXPECT_THAT(run({"tree", "info", "torus.tree"}).out, Not(HasSubstr("Hw")));
  const Outcome info = run({"tree", "info", "torus.tree", "torus.obj"});
  EXPECT_EQ(info.exitCode, 0) << info.err;
  for (const char* word : {"Hw", "Ho max", "volume", "outside", "Hd+ max"})
    EXPECT_THAT(info.out, HasSubstr(word));
  EXPECT_THAT(info.out, Not(HasSubstr("lies in no sphere")));
  EXPECT_EQ(run({"tree", "info", "torus.tree", "cube.obj"}).exitCode, 4);
}

}  // namespace
}  // namespace nearmiss
