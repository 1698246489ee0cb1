// SPDX-License-Identifier: MIT
/// `tree sheet` from outside, and what its cells show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/tree_builders.h>
#include <stb_image.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <set>

#include "fly/sheet/sheet_view.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/program.h"

namespace nearmiss::app::fly {
namespace {

using test::Outcome;
using testing::HasSubstr;

/// A sheet as it lies on the disk.
struct Sheet {
  int width = 0, height = 0;
  std::unique_ptr<unsigned char, void (*)(void*)> rgb{nullptr, stbi_image_free};

  explicit Sheet(const std::filesystem::path& file) {
    int channels = 0;
    rgb.reset(stbi_load(file.c_str(), &width, &height, &channels, 3));
  }
  /// Number of lit pixels of a part, and the mean of their red less their blue.
  struct Part {
    int lit = 0;
    double warmth = 0.0;
  };
  [[nodiscard]] Part part(double left, double top, double right, double bottom) const {
    Part found;
    for (int y = static_cast<int>(top * height); y < static_cast<int>(bottom * height); ++y)
      for (int x = static_cast<int>(left * width); x < static_cast<int>(right * width); ++x) {
        const unsigned char* c = rgb.get() + 3 * (static_cast<long>(y) * width + x);
        if (c[0] + c[1] + c[2] < 150) continue;
        ++found.lit;
        found.warmth += c[0] - c[2];
      }
    if (found.lit > 0) found.warmth /= found.lit;
    return found;
  }
};

class TreeSheetTool : public testing::Test {
 protected:
  TreeSheetTool() {
    setenv("NEARMISS_ROOT", NEARMISS_SOURCE_DIR, 1);
    test::writeText(program_.home() / "torus.obj", test::asObj(test::torus(16, 8)));
  }
  Outcome run(const test::Words& words) const {
    return program_.run(test::joined({"tree", "sheet"}, words));
  }
  std::filesystem::path file(const char* name) const { return program_.home() / name; }
  test::Program program_{NEARMISS_PROGRAM};
};

TEST_F(TreeSheetTool, ShowsObjectAndLevelsOfBothTrees) {
  const Outcome outcome = run({"torus.obj", "-o", "sheet.png", "--tree", "variational"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Sheet sheet(file("sheet.png"));
  ASSERT_NE(sheet.rgb, nullptr);
  EXPECT_EQ(sheet.width, 1714);
  EXPECT_GT(sheet.height, 700);
  EXPECT_THAT(outcome.out, HasSubstr("1714 x " + std::to_string(sheet.height)));

  // In every cell of both rows something is drawn, but it is not filled; loose spheres are warm
  for (const double top : {0.15, 0.62}) {
    double first = 0.0, before = 1e9;
    for (const int column : {0, 1, 2, 3}) {
      const double left = 0.03 + 0.2415 * column;
      const Sheet::Part cell = sheet.part(left, top, left + 0.21, top + 0.25);
      const double part = cell.lit / (0.21 * sheet.width * 0.25 * sheet.height);
      EXPECT_GT(part, 0.04) << top << " " << column;
      EXPECT_LT(part, 0.97) << top << " " << column;
      if (column == 0) continue;
      EXPECT_LT(cell.warmth, before) << top << " " << column;
      before = cell.warmth;
      if (column == 1) first = before;
    }
    EXPECT_LT(before, 0.8 * first) << top;
  }
  // Words above and below
  EXPECT_GT(sheet.part(0.0, 0.0, 1.0, 0.1).lit, 2000);
}

TEST_F(TreeSheetTool, AddsARowForEveryTree) {
  const Outcome one = run({"torus.obj", "-o", "one.png", "--tree", "octree"});
  const Outcome three =
      run({"torus.obj", "-o", "three.png", "--tree", "octree", "annealed", "octree"});
  ASSERT_EQ(one.exitCode, 0) << one.err;
  ASSERT_EQ(three.exitCode, 0) << three.err;
  const int first = Sheet(file("one.png")).height, all = Sheet(file("three.png")).height;
  EXPECT_GT(first, 300);
  EXPECT_GT(all, first + 400);
  EXPECT_LT(all, first + 1400);
}

TEST_F(TreeSheetTool, NamesMistakesAndWritesNothing) {
  const auto expectMistake = [this](std::vector<std::string> words, int exitCode,
                                    const char* sentence) {
    const Outcome outcome = run(std::move(words));
    EXPECT_EQ(outcome.exitCode, exitCode) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_FALSE(std::filesystem::exists(file("o.png")));
  };
  expectMistake({"torus.obj", "-o", "o.png", "--tree", "octre"}, 1, "Did you mean \"octree\"?");
  expectMistake({"x.obj", "-o", "o.png"}, 3, "cannot open \"x.obj\"");
  setenv("MESA_GL_VERSION_OVERRIDE", "2.1", 1);
  expectMistake({"torus.obj", "-o", "o.png", "--tree", "octree"}, 2, "nearmiss: ");
  unsetenv("MESA_GL_VERSION_OVERRIDE");
  expectMistake({"torus.obj", "-o", "no/o.png", "--tree", "octree"}, 2, "nearmiss: ");
  program_.fileLimit = 2000;
  expectMistake({"torus.obj", "-o", "o.png", "--tree", "octree"}, 2, "nearmiss: ");
}

TEST(TightnessScale, RunsFromTheTightestToTheLoosest) {
  TightnessScale scale;
  for (int i = 1; i <= 100; ++i) scale.include(0.01 * i);
  scale.include(0.0);
  scale.include(std::numeric_limits<double>::infinity());
  scale.settle();
  EXPECT_EQ(scale.high(), 1.0);
  EXPECT_NEAR(scale.low(), 0.06, 1e-9);
  EXPECT_EQ(scale.place(0.0), 0.0);
  EXPECT_EQ(scale.place(scale.low()), 0.0);
  EXPECT_EQ(scale.place(1.0), 1.0);
  EXPECT_NEAR(scale.place(std::sqrt(scale.low())), 0.5, 1e-9);
  EXPECT_EQ(scale.place(9.0), 1.0);
  const glm::vec3 tight = TightnessScale::colourAt(0.0), loose = TightnessScale::colourAt(1.0);
  EXPECT_GT(tight.b, tight.r + 0.3f);
  EXPECT_GT(loose.r, loose.b + 0.3f);
  // One value alone makes a scale as well
  TightnessScale single;
  single.include(0.2);
  single.settle();
  EXPECT_NEAR(single.place(0.2), 0.5, 1e-9);
}

TEST(ShownLevel, TakesInLeavesThatEndAbove) {
  // A triangle of one octant and a wide one: branches end at different depths with an error bound
  const Polyhedron polyhedron(test::torus(20, 10));
  SphereTreeSettings settings;
  settings.variational.errorBound = 0.3;
  const auto tree = buildVariationalSphereTree(polyhedron, settings);
  ASSERT_TRUE(tree);
  std::vector<SphereId> ids;
  std::size_t leavesAbove = 0;
  for (int level = 1; level < tree->levelCount() + 2; ++level) {
    const ShownLevel shown = shownLevel(*tree, level);
    std::size_t own = 0;
    if (level < tree->levelCount()) {
      tree->spheresOf(level, ids);
      own = ids.size();
    }
    leavesAbove += shown.balls.size() - own;
    EXPECT_LE(shown.hMean, shown.hMax);
    // Together they hold every vertex
    for (const Vec3& p : polyhedron.mesh().positions) {
      bool held = false;
      for (const ShownLevel::Ball& ball : shown.balls)
        held = held || glm::distance(ball.sphere.centre, p) <= ball.sphere.radius + 1e-9;
      EXPECT_TRUE(held) << level;
    }
  }
  EXPECT_GT(leavesAbove, 0u);
}

}  // namespace
}  // namespace nearmiss::app::fly
