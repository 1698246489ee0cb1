// SPDX-License-Identifier: MIT
/// Trees with boxes beside their spheres: the same answers, with fewer false alarms on the way.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <utility>
#include <vector>

#include "narrow/compared_trees.h"
#include "support/builders.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

/// Trees of all kinds, with boxes wherever they fit half as well as the sphere.
test::ComparedTrees shapesWithBoxes() {
  test::ComparedTrees trees;
  const char* builders[] = {"octree", "variational", "dag"};
  std::vector<TriangleMesh> meshes = test::solidAndOpenMeshes();
  meshes.push_back(test::box(Vec3(-1.0, -0.8, -0.01), Vec3(1.0, 0.8, 0.01)));
  meshes.push_back(test::box(Vec3(-0.02, -0.02, -1.0), Vec3(0.02, 0.02, 1.0)));
  for (TriangleMesh& mesh : meshes) {
    const auto& builder = *findSphereTreeBuilder(builders[trees.polyhedra.size() % 3]);
    trees.polyhedra.emplace_back(std::move(mesh));
    SphereTreeSettings settings{.levels = test::fewLevels(builder.name), .hausdorffTolerance = 0.3};
    // Some trees of a pair without boxes
    settings.nodeBoxRatio = trees.polyhedra.size() % 4 == 0 ? 0.0 : 0.5;
    trees.special.push_back(*buildSphereTree(builder, trees.polyhedra.back(), settings));
    // The very same spheres
    SphereTree::Data alone = trees.special.back().data();
    alone.boxes = {};
    trees.plain.emplace_back(std::move(alone));
  }
  return trees;
}

const test::ComparedTrees& shapes() {
  static const test::ComparedTrees all = shapesWithBoxes();
  return all;
}

class NodeBoxContact : public test::ComparedPhases {
 protected:
  NodeBoxContact() : ComparedPhases(shapes()) {}
};

TEST_F(NodeBoxContact, AgreesWithBruteForceAndHasFewerFalseAlarms) {
  Random random(94);
  const int count = cases(600);
  int contacts = 0;
  std::size_t pairsWith = 0, pairsWithout = 0, sooner = 0;
  for (int i = 0; i < count; ++i) {
    const TwoBodies bodies = i % 3 == 0 ? test::exactPair(random, shapes().polyhedra)
                                        : test::randomNearMissPair(random, shapes().polyhedra);
    const auto with = test::allLevels(*special_, bodies);
    const auto without = test::allLevels(*plain_, bodies);
    const Verdict verdict = test::finalVerdict(*reference_, bodies);
    ASSERT_EQ(with.back().verdict, verdict) << "pose " << i;
    contacts += verdict == Verdict::Contact;
    // Where one solid holds the other, boxes may send for the test of that sooner
    ASSERT_LE(with.size(), without.size()) << "pose " << i;
    if (verdict == Verdict::Contact) continue;
    sooner += with.size() < without.size();
    for (std::size_t k = 1; k < with.size(); ++k) {
      ASSERT_LE(with[k].collidingSpheres, without[k].collidingSpheres);
      pairsWith += with[k].collidingSpheres;
      pairsWithout += without[k].collidingSpheres;
    }
  }
  EXPECT_GT(contacts, count / 5);
  EXPECT_LT(contacts, count * 4 / 5);
  EXPECT_LT(20 * pairsWith, 19 * pairsWithout);
  EXPECT_GT(sooner, static_cast<std::size_t>(count) / 25);
}

TEST_F(NodeBoxContact, AgreesWithBruteForceWhereBodiesGraze) {
  Random random(95);
  test::expectAgreement(
      cases(150), 0.2, 0.8,
      [&] { return test::grazingPair(random, shapes().polyhedra, *reference_, 15, 45); }, *special_,
      *reference_);
}

}  // namespace
}  // namespace nearmiss
