// SPDX-License-Identifier: MIT
/// What is special to sphere trees: the step of [H96 Fig. 3], trees of all shapes, and the budget.
#include <gtest/gtest.h>
#include <nearmiss/narrow_phases.h>
#include <nearmiss/sphere_tree_builder.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/certified.h"
#include "support/meshes.h"
#include "support/narrow.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

/// The children of sphere `id`, or the sphere itself where it is a leaf.
std::vector<SphereId> childrenOf(const SphereTree& tree, SphereId id) {
  const auto& data = tree.data();
  const std::uint32_t pack = data.links[id / SpherePack::width].childPack[id % SpherePack::width];
  if (pack == SphereLinks::none) return {id};
  std::vector<SphereId> children;
  for (std::uint32_t lane = 0; lane < SpherePack::width && data.packs[pack].r[lane] >= 0.0f; ++lane)
    children.push_back(pack * SpherePack::width + lane);
  return children;
}

/// A sphere of the tree under construction below, and where it is in the old one.
struct Kept {
  SphereId old;
  std::size_t pack;
  int lane;
};

/// The triangles below `id`, each once, ascending.
std::vector<std::uint32_t> trianglesBelow(const SphereTree& tree, SphereId id) {
  std::set<std::uint32_t> all;
  std::vector<SphereId> open{id};
  while (!open.empty()) {
    const SphereId at = open.back();
    open.pop_back();
    const auto children = childrenOf(tree, at);
    if (children == std::vector<SphereId>{at}) {
      const auto own = tree.trianglesOf(at);
      all.insert(own.begin(), own.end());
    } else {
      open.insert(open.end(), children.begin(), children.end());
    }
  }
  return {all.begin(), all.end()};
}

/// The same tree with some spheres below the root made leaves, at random: leaves lie on all levels.
SphereTree pruned(const SphereTree& tree, std::uint64_t seed, Real share) {
  Random random(seed);
  const SphereTree::Data& old = tree.data();
  SphereTree::Data data;
  data.coverage = old.coverage;
  data.packs = {old.packs[0]};
  data.links = {old.links[0]};
  data.levelBegin = {0, 1};
  std::vector<Kept> level{{0, 0, 0}};
  std::vector<std::pair<std::size_t, SphereId>> leaves;  // new place, old sphere
  while (!level.empty()) {
    std::vector<Kept> next;
    for (const Kept& sphere : level) {
      std::uint32_t& link = data.links[sphere.pack].childPack[sphere.lane];
      const auto children = childrenOf(tree, sphere.old);
      const bool leaf = link == SphereLinks::none || (sphere.old != 0 && random.chance(share));
      if (leaf) {
        link = SphereLinks::none;
        leaves.emplace_back(sphere.pack * SpherePack::width + static_cast<std::size_t>(sphere.lane),
                            sphere.old);
        continue;
      }
      const std::size_t oldPack = link;
      link = static_cast<std::uint32_t>(data.packs.size());
      for (std::size_t lane = 0; lane < children.size(); ++lane)
        next.push_back({children[lane], data.packs.size(), static_cast<int>(lane)});
      data.packs.push_back(old.packs[oldPack]);
      data.links.push_back(old.links[oldPack]);
    }
    if (!next.empty()) data.levelBegin.push_back(static_cast<std::uint32_t>(data.packs.size()));
    level = std::move(next);
  }
  std::sort(leaves.begin(), leaves.end());
  data.triangleBegin.assign(data.packs.size() * SpherePack::width + 1, 0);
  for (const auto& [place, sphere] : leaves) {
    const auto triangles = trianglesBelow(tree, sphere);
    data.leafTriangles.insert(data.leafTriangles.end(), triangles.begin(), triangles.end());
    data.triangleBegin[place + 1] = static_cast<std::uint32_t>(triangles.size());
  }
  for (std::size_t i = 1; i < data.triangleBegin.size(); ++i)
    data.triangleBegin[i] += data.triangleBegin[i - 1];
  return SphereTree(std::move(data));
}

/// Shapes whose trees differ in depth, some with leaves on all levels.
struct Forest {
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> trees;
  Forest() {
    const auto add = [this](TriangleMesh mesh, int levels, Real share) {
      polyhedra.emplace_back(std::move(mesh));
      const SphereTree tree =
          *buildOctreeSphereTree(polyhedra.back(), {.levels = levels, .hausdorffTolerance = 0.1});
      trees.push_back(share > 0.0 ? pruned(tree, polyhedra.size(), share) : tree);
    };
    add(test::spikyStar(1, 7, 9), 4, 0.0);
    add(test::spikyStar(2, 7, 9), 1, 0.0);
    add(test::torus(8, 5), 5, 0.0);
    add(test::torus(12, 6), 4, 0.3);
    add(test::bedOfNails(3), 3, 0.2);
    add(test::comb(), 2, 0.0);
    add(test::cube(0.5), 4, 0.6);
    add(test::sphere(5, 7, 0.2), 3, 0.0);
    // Leaves with more combinations of triangles than one quantum allows
    add(test::spikyStar(3, 14, 18), 1, 0.0);
  }
};

const Forest& forest() {
  static const Forest trees;
  return trees;
}

/// The published method and the search for one pair.
struct Method {
  const char* name;
  std::unique_ptr<NarrowPhase> (*make)(const Shapes&);
};
constexpr std::array methods{Method{"all", makeSphereTreeAllNarrowPhase},
                             Method{"first", makeSphereTreeNarrowPhase}};

class SphereTreePhase : public testing::TestWithParam<Method> {
 protected:
  static const SphereTree& treeOf(const BodyState& body) {
    return forest().trees[static_cast<std::size_t>(body.shape.id())];
  }
  TwoBodies randomPair(Random& random) {
    return test::randomNearMissPair(random, forest().polyhedra);
  }

  std::unique_ptr<NarrowPhase> phase_ =
      GetParam().make(test::borrowed(forest().polyhedra, forest().trees));
  std::unique_ptr<NarrowPhase> reference_ =
      makeBruteForceNarrowPhase(test::borrowed(forest().polyhedra));
};

INSTANTIATE_TEST_SUITE_P(Both, SphereTreePhase, testing::ValuesIn(methods),
                         [](const auto& instance) { return instance.param.name; });

/// What only the published method reports: every pair of a level.
class AllPairsPhase : public SphereTreePhase {};
INSTANTIATE_TEST_SUITE_P(All, AllPairsPhase, testing::Values(methods[0]));

TEST_P(SphereTreePhase, TriesTreesThatAreWhatTheySeem) {
  int early = 0;
  for (std::size_t i = 0; i < forest().trees.size(); ++i) {
    const SphereTree& tree = forest().trees[i];
    test::expectCertified(tree, forest().polyhedra[i]);
    std::vector<SphereId> spheres;
    for (int level = 0; level + 1 < tree.levelCount(); ++level) {
      tree.spheresOf(level, spheres);
      for (const SphereId id : spheres) early += !tree.trianglesOf(id).empty();
    }
  }
  EXPECT_GT(early, 50) << "no leaf stands for itself on deeper levels";
}

TEST_P(SphereTreePhase, AgreesWithBruteForceWhateverTheTrees) {
  Random random(51);
  const int count = cases(1500);
  int contacts = 0, unlike = 0;
  for (int i = 0; i < count; ++i) {
    const TwoBodies bodies =
        i % 3 == 0 ? test::exactPair(random, forest().polyhedra) : randomPair(random);
    const auto levels = test::allLevels(*phase_, bodies);
    const Verdict verdict = test::finalVerdict(*reference_, bodies);
    ASSERT_EQ(levels.back().verdict, verdict) << "pose " << i;
    const int a = treeOf(bodies[0]).levelCount(), b = treeOf(bodies[1]).levelCount();
    ASSERT_LT(levels.back().level, std::max(a, b));
    if (levels.back().triangleA != Refinement::noTriangle) {
      ASSERT_EQ(levels.back().stage, Stage::Exact);
      ASSERT_EQ(levels.back().level, std::max(a, b) - 1);
    }
    unlike += a != b;
    contacts += verdict == Verdict::Contact;
  }
  EXPECT_GT(contacts, count / 5);
  EXPECT_LT(contacts, count * 4 / 5);
  EXPECT_GT(unlike, count / 3);
}

/// Where a single pair of triangles decides, none of the leaf pairs may be passed over.
TEST_P(SphereTreePhase, AgreesWithBruteForceWhereBodiesGraze) {
  Random random(58);
  test::expectAgreement(
      cases(120), 0.2, 0.8,
      [&] { return test::grazingPair(random, forest().polyhedra, *reference_, 15, 45); }, *phase_,
      *reference_);
}

/// Pairs of spheres, by their ids.
using PairSet = std::set<std::pair<SphereId, SphereId>>;

/// The colliding pairs that the phase reports, found again by their coordinates.
PairSet reportedPairs(const NarrowPhase& phase, const TwoBodies& bodies, const SphereTree& treeA,
                      const SphereTree& treeB, const PairSet& candidates) {
  std::vector<ContactSpheres> spheres;
  phase.contacts(0, static_cast<std::size_t>(-1), spheres);
  EXPECT_EQ(spheres.size(), phase.result(0).collidingSpheres);
  const auto same = [](const Sphere& a, const Sphere& b) {
    return a.centre == b.centre && a.radius == b.radius;
  };
  const auto inWorld = [](const SphereTree& tree, SphereId id, const BodyState& body) {
    Sphere sphere = tree.sphere(id);
    sphere.centre = transformed(body.pose, sphere.centre);
    return sphere;
  };
  PairSet found;
  for (const auto& [a, b] : candidates) {
    const Sphere sphereA = inWorld(treeA, a, bodies[0]);
    const Sphere sphereB = inWorld(treeB, b, bodies[1]);
    for (const ContactSpheres& s : spheres)
      if (same(s.a, sphereA) && same(s.b, sphereB)) found.emplace(a, b);
  }
  EXPECT_EQ(found.size(), spheres.size()) << "a pair is no child of a colliding pair, or repeated";
  return found;
}

TEST_P(AllPairsPhase, FindsInOneStepWhatAllChildrenAgainstAllChildrenFind) {
  Random random(52);
  int steps = 0;
  for (int i = 0; i < cases(40) && !HasFailure(); ++i) {
    const TwoBodies bodies = randomPair(random);
    const SphereTree &treeA = treeOf(bodies[0]), &treeB = treeOf(bodies[1]);
    const Pose bToA = relativePose(bodies[0].pose, bodies[1].pose);
    const auto overlapOf = [&](SphereId a, SphereId b) {
      Sphere sphereB = treeB.sphere(b);
      sphereB.centre = transformed(bToA, sphereB.centre);
      return overlap(treeA.sphere(a), sphereB);
    };
    const std::array pairs{BodyPair{0, 1}};
    phase_->begin(bodies, pairs);
    PairSet parents;
    if (overlapOf(0, 0) >= 0.0) parents.emplace(0, 0);
    const int spheresEnd = std::max(treeA.levelCount(), treeB.levelCount());
    // Beyond some thousand pairs the comparison by coordinates takes too long
    while (phase_->result(0).canRefine && phase_->result(0).level + 1 < spheresEnd &&
           parents.size() < 200) {
      ASSERT_TRUE(phase_->refine(0, TimeBudget::unlimited()));
      // The radii are rounded and the arithmetic is float: pairs within a hair may go either way
      constexpr Real hair = 1e-4;
      PairSet surely, perhaps;
      for (const auto& [s1, s2] : parents)
        for (const SphereId c1 : childrenOf(treeA, s1))
          for (const SphereId c2 : childrenOf(treeB, s2)) {
            const Real least = std::min({c1 == s1 ? 1.0 : overlapOf(c1, s2),
                                         c2 == s2 ? 1.0 : overlapOf(s1, c2), overlapOf(c1, c2)});
            if (least >= 0.0) surely.emplace(c1, c2);
            if (least >= -hair) perhaps.emplace(c1, c2);
          }
      if (phase_->result(0).verdict != Verdict::Possible) {
        EXPECT_TRUE(surely.empty());
        break;
      }
      parents = reportedPairs(*phase_, bodies, treeA, treeB, perhaps);
      EXPECT_TRUE(std::includes(parents.begin(), parents.end(), surely.begin(), surely.end()));
      ++steps;

      // The deepest pair is the deepest, and the bound is the least of all
      Real deepest = -1.0, bound = 1e9, estimate = 1e9;
      for (const auto& [a, b] : parents) {
        const Real h = treeA.hausdorff(a) + treeB.hausdorff(b);
        deepest = std::max(deepest, overlapOf(a, b));
        bound = std::min(bound, h);
        estimate = std::min(estimate, h - overlapOf(a, b));
      }
      const Refinement known = phase_->result(0);
      EXPECT_NEAR(overlap(known.deepest.a, known.deepest.b), deepest, 1e-5);
      EXPECT_LE(known.separationBound, bound + 1e-4);
      EXPECT_GE(known.deepest.separationBound, known.separationBound - 1e-6);
      EXPECT_NEAR(known.separationEstimate, std::clamp(estimate, 0.0, known.separationBound), 1e-4);
    }
  }
  EXPECT_GT(steps, 60);
}

TEST_P(AllPairsPhase, WritesNoMoreContactsThanAskedFor) {
  Random random(53);
  TwoBodies bodies = randomPair(random);
  bodies[0].shape = bodies[1].shape = ShapeRef::ofRadius(bodies[1].shape.radius(), ShapeId{0});
  bodies[1].pose.position = bodies[0].pose.position + Vec3(0.3, 0.0, 0.0);
  const std::array pairs{BodyPair{0, 1}};
  phase_->begin(bodies, pairs);
  std::vector<ContactSpheres> spheres(5);
  phase_->contacts(0, 10, spheres);
  EXPECT_EQ(spheres.size(), 1u) << "level 0 is the bounding spheres";
  while (phase_->result(0).level < 3) phase_->refine(0, TimeBudget::unlimited());
  ASSERT_GT(phase_->result(0).collidingSpheres, 100u);
  phase_->contacts(0, 7, spheres);
  EXPECT_EQ(spheres.size(), 7u);
  phase_->contacts(0, 0, spheres);
  EXPECT_TRUE(spheres.empty());
}

/// Time runs out in the middle of many pairs, in any order: nothing is lost and nothing mixed up.
TEST_P(SphereTreePhase, KeepsTheWorkOfPairsThatTakeTurns) {
  Random random(54);
  std::vector<BodyState> bodies;
  std::vector<BodyPair> pairs;
  std::vector<std::vector<Refinement>> expected;
  for (std::uint32_t i = 0; i < 60; ++i) {
    const TwoBodies two = randomPair(random);
    bodies.insert(bodies.end(), two.begin(), two.end());
    pairs.push_back({2 * i, 2 * i + 1});
    expected.push_back(test::allLevels(*phase_, two));
  }
  std::vector<std::size_t> reached(pairs.size(), 0);
  ManualClock clock(Clock::Duration{1});
  phase_->begin(bodies, pairs);
  int cuts = 0;
  for (std::size_t open = pairs.size(); open > 0;) {
    const auto i = static_cast<std::size_t>(random.whole(0, static_cast<int>(pairs.size()) - 1));
    if (!phase_->result(i).canRefine) continue;
    const WorkCount before = phase_->work();
    const bool completed = phase_->refine(i, TimeBudget(clock, Clock::Duration{1}));
    reached[i] += completed;
    cuts += !completed;
    // One quantum, or what two leaves hold
    EXPECT_LT(phase_->work().boundTests - before.boundTests, 3000u);
    EXPECT_LT(phase_->work().triangleTests - before.triangleTests, 50u);
    test::expectSame(phase_->result(i), expected[i][reached[i]]);
    open -= !phase_->result(i).canRefine;
  }
  EXPECT_GT(cuts, 50);
}

TEST_P(SphereTreePhase, ChargesAllItsWorkToTheClock) {
  Random random(55);
  for (int i = 0; i < cases(50); ++i) {
    WorkClock clock;
    const TimeBudget budget(clock, std::chrono::hours(1));
    const std::array pairs{BodyPair{0, 1}};
    const TwoBodies bodies = randomPair(random);
    phase_->begin(bodies, pairs);
    while (phase_->result(0).canRefine) phase_->refine(0, budget);
    const WorkCount work = phase_->work();
    EXPECT_EQ(clock.now(), WorkClock::boundTestPrice * work.boundTests +
                               WorkClock::triangleTestPrice * work.triangleTests);
  }
}

TEST_P(SphereTreePhase, SaysWhenItsTreesPromiseNothing) {
  std::vector<SphereTree> trees = forest().trees;
  SphereTree::Data data = trees[0].data();
  data.coverage = Coverage::Paper;
  trees[0] = SphereTree(data);
  const auto phase = GetParam().make(test::borrowed(forest().polyhedra, trees));
  Random random(56);
  int unsafe = 0;
  for (int i = 0; i < cases(60); ++i) {
    const TwoBodies bodies = randomPair(random);
    const bool any = bodies[0].shape.id() == ShapeId{0} || bodies[1].shape.id() == ShapeId{0};
    for (const Refinement& level : test::allLevels(*phase, bodies))
      ASSERT_EQ(level.conservative, !any);
    unsafe += any;
  }
  EXPECT_GT(unsafe, 5);
}

/// A tree of a root and eight leaves, made by hand.
SphereTree handmade(const Sphere& root, const std::array<Sphere, 8>& leaves,
                    std::uint32_t trianglesPerLeaf) {
  SphereTree::Data data;
  data.packs.resize(2);
  data.links.resize(2);
  for (int lane = 0; lane < SpherePack::width; ++lane) {
    data.packs[0].r[lane] = -1.0f;
    for (SphereLinks& links : data.links) links.childPack[lane] = SphereLinks::none;
  }
  const auto put = [&data](std::size_t pack, std::size_t lane, const Sphere& sphere) {
    data.packs[pack].x[lane] = static_cast<float>(sphere.centre.x);
    data.packs[pack].y[lane] = static_cast<float>(sphere.centre.y);
    data.packs[pack].z[lane] = static_cast<float>(sphere.centre.z);
    data.packs[pack].r[lane] = static_cast<float>(sphere.radius);
    data.links[pack].hausdorff[lane] = static_cast<float>(2.0 * sphere.radius);
  };
  put(0, 0, root);
  data.links[0].childPack[0] = 1;
  for (std::size_t lane = 0; lane < 8; ++lane) put(1, lane, leaves[lane]);
  data.levelBegin = {0, 1, 2};
  data.triangleBegin.assign(8 + 1, 0);
  for (std::uint32_t leaf = 1; leaf <= 8; ++leaf)
    data.triangleBegin.push_back(leaf * trianglesPerLeaf);
  for (std::uint32_t t = 0; t < 8 * trianglesPerLeaf; ++t) data.leafTriangles.push_back(t);
  return SphereTree(std::move(data));
}

/// Small triangles far apart, each in one leaf only, and leaves so large that all pairs of them
/// collide, some deeply and some hardly: whichever two triangles meet, their leaves must be found.
TEST(SphereTreeLeaves, AreAllComparedDownToTheLastTriangle) {
  Random random(59);
  int tried = 0;
  for (const std::uint32_t perLeaf : {1u, 60u}) {
    TriangleMesh mesh;
    for (std::uint32_t t = 0; t < 8 * perLeaf; ++t) {
      const Vec3 at = 10.0 * random.inCube(1.0);
      for (std::uint32_t corner = 0; corner < 3; ++corner)
        mesh.positions.push_back(at + 0.01 * random.direction());
      mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    std::array<Sphere, 8> leaves;
    for (Sphere& leaf : leaves) leaf = {random.inCube(2.0), random.between(25.0, 60.0)};
    const std::vector<SphereTree> trees{handmade({Vec3(0.0), 70.0}, leaves, perLeaf)};
    ASSERT_EQ(SphereTree::validate(trees[0].data(), 8 * perLeaf), nullptr);
    std::vector<Polyhedron> polyhedra;
    polyhedra.emplace_back(mesh);
    const auto all = makeSphereTreeAllNarrowPhase(test::borrowed(polyhedra, trees));
    const auto first = makeSphereTreeNarrowPhase(test::borrowed(polyhedra, trees));
    const auto reference = makeBruteForceNarrowPhase(test::borrowed(polyhedra));
    for (std::uint32_t i = 0; i < 64; ++i) {
      // Bring one triangle of the first leaf named by i upon one of the second
      const auto a = i / 8 * perLeaf +
                     static_cast<std::uint32_t>(random.whole(0, static_cast<int>(perLeaf) - 1));
      const auto b = i % 8 * perLeaf +
                     static_cast<std::uint32_t>(random.whole(0, static_cast<int>(perLeaf) - 1));
      const auto middle = [&mesh](std::uint32_t t) {
        const auto corners = mesh.corners(t);
        return (corners[0] + corners[1] + corners[2]) / 3.0;
      };
      const Vec3 by = middle(a) - middle(b);
      const TwoBodies bodies{test::bodyOf(1, 0, polyhedra[0], {}),
                             test::bodyOf(2, 0, polyhedra[0], {by, {1, 0, 0, 0}})};
      if (test::finalVerdict(*reference, bodies) != Verdict::Contact) continue;
      ++tried;
      ASSERT_EQ(test::finalVerdict(*all, bodies), Verdict::Contact) << "leaves " << i;
      ASSERT_EQ(test::finalVerdict(*first, bodies), Verdict::Contact) << "leaves " << i;
    }
  }
  EXPECT_GT(tried, 100);
}

/// The tips of two triangles cross by a billionth, where the spheres around them only just touch,
/// and where a rotation that is not of unit length stretches one beyond its sphere.
TEST(SphereTreeLeaves, AreNotLostByRounding) {
  Random random(60);
  std::vector<Polyhedron> polyhedra;
  polyhedra.emplace_back(TriangleMesh{{{1, 0, 0}, {-0.5, 0.5, 0}, {-0.5, -0.5, 0}}, {{0, 1, 2}}});
  polyhedra.emplace_back(TriangleMesh{{{1, 0, 0}, {-0.5, 0, 0.5}, {-0.5, 0, -0.5}}, {{0, 1, 2}}});
  std::array<Sphere, 8> leaves;
  leaves.fill({Vec3(-0.75, 0, 0), 0.0});
  leaves[0] = {Vec3(0.0), 1.0};
  SphereTree::Data data = handmade({Vec3(0.0), 1.0}, leaves, 0).data();
  for (std::size_t id = 9; id < data.triangleBegin.size(); ++id) data.triangleBegin[id] = 1;
  data.leafTriangles = {0};
  ASSERT_EQ(SphereTree::validate(data, 1), nullptr);
  const std::vector<SphereTree> trees{SphereTree(data), SphereTree(data)};
  const auto all = makeSphereTreeAllNarrowPhase(test::borrowed(polyhedra, trees));
  const auto first = makeSphereTreeNarrowPhase(test::borrowed(polyhedra, trees));
  const auto reference = makeBruteForceNarrowPhase(test::borrowed(polyhedra));
  const int count = cases(400);
  int contacts = 0;
  for (int i = 0; i < count; ++i) {
    const Real off = i % 2 == 0 ? 0.0 : 1e-4 * random.unit();
    const Pose poseA{random.inCube(3.0), random.rotation()};
    // Half a turn about a random axis across the line of the tips
    const Real angle = random.between(0.0, 1.5);
    const Quat turn = Quat(0.0, 0.0, std::sin(angle), std::cos(angle)) * (1.0 + off);
    const Vec3 tip = turn * Vec3(1, 0, 0);
    const Pose poseB{transformed(poseA, Vec3(1.0 - 1e-9, 0, 0) - tip), poseA.rotation * turn};
    const TwoBodies bodies{test::bodyOf(1, 0, polyhedra[0], poseA),
                           test::bodyOf(2, 1, polyhedra[1], poseB)};
    if (test::finalVerdict(*reference, bodies) != Verdict::Contact) continue;
    ++contacts;
    ASSERT_EQ(test::finalVerdict(*all, bodies), Verdict::Contact) << "pose " << i;
    ASSERT_EQ(test::finalVerdict(*first, bodies), Verdict::Contact) << "pose " << i;
  }
  EXPECT_GT(contacts, count / 2);
}

/// Two beds of nails, teeth between teeth: the spheres overlap by more than H1 + H2, the nails do
/// not touch (erratum E3).
class SphereTreeBounds : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Both, SphereTreeBounds, testing::ValuesIn(methods),
                         [](const auto& instance) { return instance.param.name; });
TEST_P(SphereTreeBounds, HoldWhereTheEstimateOfThePaperDoesNot) {
  std::vector<Polyhedron> nails;
  nails.emplace_back(test::bedOfNails(5, 3.0));
  const std::vector<SphereTree> trees{*buildOctreeSphereTree(nails[0], {.levels = 2})};
  const auto phase = GetParam().make(test::borrowed(nails, trees));
  int broken = 0;
  for (int i = 0; i < 60; ++i) {
    // The second bed upside down, shifted by one nail, sunk by i of 60 parts
    BodyState below = test::bodyOf(1, 0, nails[0], {});
    BodyState above = test::bodyOf(2, 0, nails[0], {{0.2, 0.0, 0.75 - 0.0024 * i}, {0, 1, 0, 0}});
    const TwoBodies bodies{below, above};
    const Real truth = distanceBetween(nails[0], nails[0], relativePose(below.pose, above.pose));
    for (const Refinement& level : test::allLevels(*phase, bodies)) {
      ASSERT_GE(level.separationBound, truth);
      broken += level.separationEstimate < truth * 0.999;
    }
  }
  EXPECT_GT(broken, 30);
}

TEST_P(SphereTreePhase, AgreesWithBruteForceFarFromTheOriginAndWithRoundedRotations) {
  Random random(57);
  const int count = cases(400);
  int contacts = 0;
  for (int i = 0; i < count; ++i) {
    TwoBodies bodies = randomPair(random);
    const Vec3 far = 1e7 * random.direction();
    for (BodyState& body : bodies) {
      if (i % 2 == 0) body.pose.position += far;
      // As much off unit length as single precision would leave
      if (i % 4 < 2) body.pose.rotation *= 1.0 + 1e-7 * random.between(-1.0, 1.0);
    }
    const Verdict verdict = test::finalVerdict(*reference_, bodies);
    ASSERT_EQ(test::finalVerdict(*phase_, bodies), verdict) << "pose " << i;
    contacts += verdict == Verdict::Contact;
  }
  EXPECT_GT(contacts, count / 5);
  EXPECT_LT(contacts, count * 4 / 5);
}

}  // namespace
}  // namespace nearmiss
