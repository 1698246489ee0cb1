// SPDX-License-Identifier: MIT
/// One property over every narrow phase: the verdict on a pair does not depend on how one looks at
/// it. A scene in a mirror, with its axes renamed or with all lengths times a power of two is made
/// of the same digits, so that the same verdict is due, bit for bit.
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <nearmiss/methods/catalog.h>

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "support/campaign.h"
#include "support/narrow.h"
#include "support/shapes.h"
#include "support/test_name.h"

namespace nearmiss {

/// For names of tests and messages.
static void PrintTo(const NarrowPhaseEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

/// Another look at the same scene.
struct View {
  const char* name;
  Vec3 (*point)(const Vec3&);
  Quat (*rotation)(const Quat&);
  bool mirrored = false;
  bool ofAnyPose = true;  ///< else only of poses without rounding: sums have another order
};

Quat unchanged(const Quat& q) { return q; }

constexpr std::array views{
    View{"in a mirror", [](const Vec3& p) { return Vec3(-p.x, p.y, p.z); },
         [](const Quat& q) { return Quat(q.w, q.x, -q.y, -q.z); }, true},
    View{"with its axes renamed", [](const Vec3& p) { return Vec3(p.z, p.x, p.y); },
         [](const Quat& q) { return Quat(q.w, q.z, q.x, q.y); }, false, false},
    View{"a million times as large", [](const Vec3& p) { return 0x1p20 * p; }, unchanged},
    View{"a billionth as large", [](const Vec3& p) { return 0x1p-30 * p; }, unchanged}};

std::vector<TriangleMesh> seenMeshes(const View& view) {
  std::vector<TriangleMesh> meshes = test::solidAndOpenMeshes();
  for (TriangleMesh& mesh : meshes) {
    for (Vec3& p : mesh.positions) p = view.point(p);
    if (view.mirrored) test::flip(mesh);
  }
  return meshes;
}

const test::ShapeKit& usualShapes() {
  static const test::ShapeKit kit(test::solidAndOpenMeshes(), 3);
  return kit;
}

const test::ShapeKit& seenShapes(std::size_t view) {
  static std::array<std::unique_ptr<test::ShapeKit>, views.size()> kits;
  if (!kits[view]) kits[view] = std::make_unique<test::ShapeKit>(seenMeshes(views[view]), 3);
  return *kits[view];
}

TwoBodies seen(const View& view, const test::ShapeKit& shapes, const TwoBodies& bodies) {
  TwoBodies result;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto shape = static_cast<std::uint32_t>(bodies[i].shape.id());
    const Pose pose{view.point(bodies[i].pose.position), view.rotation(bodies[i].pose.rotation)};
    result[i] = test::bodyOf(bodies[i].key, shape, shapes.polyhedra[shape], pose);
  }
  return result;
}

class EveryView : public testing::TestWithParam<NarrowPhaseEntry> {
 protected:
  Verdict verdictOf(const TwoBodies& bodies) { return test::finalVerdict(*usual_, bodies); }

  /// The verdict of all views on `count` drawn pairs, of which a fair share touch.
  void expectOneVerdict(int count, bool posedExactly, const auto& draw) {
    std::vector<std::unique_ptr<NarrowPhase>> phases;
    for (std::size_t v = 0; v < views.size(); ++v)
      phases.push_back(GetParam().make(seenShapes(v).tables()));
    test::checkPairs(count, 0.1, 0.9, draw, [&](const TwoBodies& bodies) {
      const Verdict verdict = verdictOf(bodies);
      for (std::size_t v = 0; v < views.size(); ++v) {
        if (!posedExactly && !views[v].ofAnyPose) continue;
        const TwoBodies looked = seen(views[v], seenShapes(v), bodies);
        EXPECT_EQ(test::finalVerdict(*phases[v], looked), verdict) << views[v].name;
      }
      return verdict;
    });
  }

  const std::vector<Polyhedron>& polyhedra_ = usualShapes().polyhedra;
  std::unique_ptr<NarrowPhase> usual_ = GetParam().make(usualShapes().tables());
};

TEST_P(EveryView, GivesTheSameVerdictOfAnyPose) {
  Random random(41);
  expectOneVerdict(cases(200), false, [&] { return test::randomNearMissPair(random, polyhedra_); });
}

TEST_P(EveryView, GivesTheSameVerdictOfWhatTouchesByAHair) {
  Random random(42);
  const auto judge = makeBruteForceNarrowPhase(usualShapes().tables());
  expectOneVerdict(cases(40), false,
                   [&] { return test::grazingPair(random, polyhedra_, *judge, 20, 52); });
}

/// Shapes that lie on the lattice: of spheres and tori, other digits are rounded.
TEST_P(EveryView, GivesTheSameVerdictOfWhatTouchesExactly) {
  Random random(43);
  constexpr std::array<std::uint32_t, 5> lattice{0, 5, 7, 8, 9};
  const auto any = [&] { return lattice[static_cast<std::size_t>(random.whole(0, 4))]; };
  expectOneVerdict(cases(300), true, [&] {
    TwoBodies bodies = test::exactPair(random, polyhedra_);
    for (BodyState& body : bodies) {
      const std::uint32_t shape = any();
      body = test::bodyOf(body.key, shape, polyhedra_[shape], body.pose);
    }
    return bodies;
  });
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryView, testing::ValuesIn(narrowPhaseCatalog()),
                         [](const auto& tested) { return test::testName(tested.param.name); });

}  // namespace
}  // namespace nearmiss
