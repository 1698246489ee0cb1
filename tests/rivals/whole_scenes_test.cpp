// SPDX-License-Identifier: MIT
/// Whole sets of bodies in motion, through every broad phase with all narrow phases in turn: the
/// same pairs touch in a mirror, with axes renamed, bodies renumbered, lengths times a power of two
/// and everything moved far away; and they are those of every triangle against every triangle.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "rivals/views.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/test_name.h"

namespace nearmiss {

/// For names of tests and messages.
static void PrintTo(const BroadPhaseEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

using test::cases;
using test::Random;
using test::seenShapes;
using test::usualShapes;
using test::views;

constexpr int instants = 4;
constexpr Real step = 0.25;
/// The number of a body that is not of the scene, and far from all others.
constexpr std::uint32_t stranger = 0xffffffff;

/// Bodies whose places are multiples of 1/8 at every instant, so that no sum of places is rounded.
struct Scene {
  std::vector<BodyState> bodies;
  bool onLattice = false;  ///< nothing is rounded at all
};

Scene sceneOf(std::uint64_t seed) {
  Random random(7000 + seed);
  Scene scene{std::vector<BodyState>(static_cast<std::size_t>(random.whole(20, 60))),
              random.chance(0.5)};
  const int room = static_cast<int>(8.0 * 1.1 * std::cbrt(scene.bodies.size()));
  for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
    const auto any = static_cast<std::uint32_t>(
        random.whole(0, static_cast<int>(usualShapes().polyhedra.size()) - 1));
    const std::uint32_t shape =
        scene.onLattice ? test::latticeShapes[any % test::latticeShapes.size()] : any;
    const Quat rotation = scene.onLattice ? test::exactRotation(random) : random.rotation();
    BodyState& body = scene.bodies[i];
    body = test::bodyOf(i, shape, usualShapes().polyhedra[shape],
                        {random.onLattice(room) / 8.0, rotation});
    body.velocity = random.onLattice(4) / 2.0;
    body.accelerationBound = random.whole(0, 2);
  }
  return scene;
}

/// One look at a scene: which shapes, and where each body stands in the list.
struct Look {
  const char* name = "as it is";
  std::size_t view = views.size();  ///< of views; their number: none
  Vec3 shift{0.0};
  std::vector<std::uint32_t> order;  ///< of bodies, and strangers; empty: as they are
  /// The digits of every number are the same, so that all levels of spheres answer alike.
  bool sameDigits = false;

  [[nodiscard]] Shapes shapes() const {
    return view < views.size() ? seenShapes(view).tables() : usualShapes().tables();
  }
  [[nodiscard]] BodyState seen(BodyState body) const {
    if (view < views.size()) {
      const auto shape = static_cast<std::uint32_t>(body.shape.index());
      const test::View& by = views[view];
      body.shape = ShapeRef::ofRadius(seenShapes(view).polyhedra[shape].radius(), shape);
      body.pose = {by.point(body.pose.position), by.rotation(body.pose.rotation)};
      body.velocity = by.point(body.velocity);
      body.accelerationBound *= by.scale;
    }
    body.pose.position += shift;
    return body;
  }
};

std::vector<Look> looksAt(const Scene& scene, Random& random) {
  std::vector<Look> looks{Look{}};
  for (std::size_t v = 0; v < views.size(); ++v)
    if (scene.onLattice || views[v].ofAnyPose)
      looks.push_back({views[v].name, v, Vec3(0.0), {}, views[v].scale != 1.0});
  Look far;
  far.name = "far away";
  far.sameDigits = true;
  far.shift = random.onLattice(10'000'000);
  looks.push_back(far);
  Look mixed;
  mixed.name = "renumbered";
  Look spread;
  spread.name = "with strangers between";
  spread.sameDigits = true;
  for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
    mixed.order.push_back(i);
    for (int k = random.whole(0, 2); k > 0; --k) spread.order.push_back(stranger);
    spread.order.push_back(i);
  }
  looks.push_back(spread);
  for (std::size_t i = mixed.order.size() - 1; i > 0; --i)
    std::swap(mixed.order[i],
              mixed.order[static_cast<std::size_t>(random.whole(0, static_cast<int>(i)))]);
  looks.push_back(mixed);
  return looks;
}

/// By the numbers that bodies have in the scene; pairs that are not here are apart.
using Verdicts = std::map<std::pair<std::uint32_t, std::uint32_t>, Verdict>;

/// What a detector finds at every instant.
std::array<Verdicts, instants> found(const Scene& scene, const Look& look,
                                     const BroadPhaseEntry& broad, const NarrowPhaseEntry& narrow,
                                     int levelCap) {
  const Shapes shapes = look.shapes();
  Detector detector(makeBroadPhase(broad, shapes), narrow.make(shapes));
  detector.setLevelCap(levelCap);
  std::vector<std::uint32_t> numbers = look.order;
  for (std::uint32_t i = 0; look.order.empty() && i < scene.bodies.size(); ++i)
    numbers.push_back(i);
  std::vector<BodyState> bodies(numbers.size());
  std::array<Verdicts, instants> result;
  for (int k = 0; k < instants; ++k) {
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      BodyState body = scene.bodies[numbers[i] == stranger ? 0 : numbers[i]];
      if (numbers[i] == stranger) body.pose.position = Vec3(1000.0 * (i + 1), 0.0, 0.0);
      body.pose.position += body.velocity * (k * step);
      bodies[i] = look.seen(body);
      bodies[i].key = 3 * i + 1;
    }
    const Detection& detection = detector.detect(bodies, k * step, TimeBudget::unlimited());
    for (const DetectedPair& pair : detection.pairs) {
      if (pair.refinement.verdict == Verdict::Separate) continue;
      const auto [low, high] = std::minmax(numbers[pair.bodies.a], numbers[pair.bodies.b]);
      result[static_cast<std::size_t>(k)][{low, high}] = pair.refinement.verdict;
    }
  }
  return result;
}

/// Every pair whose spheres meet, by every triangle against every triangle.
const std::array<Verdicts, instants>& truthOf(std::uint64_t seed, const Scene& scene) {
  static std::map<std::uint64_t, std::array<Verdicts, instants>> known;
  const auto [at, isNew] = known.try_emplace(seed);
  if (!isNew) return at->second;
  const auto judge = makeBruteForceNarrowPhase(usualShapes().tables());
  for (int k = 0; k < instants; ++k)
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i)
      for (std::uint32_t j = i + 1; j < scene.bodies.size(); ++j) {
        test::TwoBodies two{scene.bodies[i], scene.bodies[j]};
        for (BodyState& body : two) body.pose.position += body.velocity * (k * step);
        const Real reach = two[0].shape.radius() + two[1].shape.radius();
        const Real apart = glm::distance(two[0].pose.position, two[1].pose.position);
        if (apart > 1.000001 * reach || test::finalVerdict(*judge, two) != Verdict::Contact)
          continue;
        at->second[static_cast<std::size_t>(k)][{i, j}] = Verdict::Contact;
      }
  return at->second;
}

class WholeScenes : public testing::TestWithParam<BroadPhaseEntry> {
 protected:
  /// Narrow phases in turn, each broad phase beginning with another one.
  [[nodiscard]] static const NarrowPhaseEntry& narrowOf(std::uint64_t seed) {
    const auto all = narrowPhaseCatalog();
    return all[(seed + GetParam().name.size()) % all.size()];
  }
};

TEST_P(WholeScenes, TouchAlikeFromEveryView) {
  std::size_t contacts = 0, bodies = 0;
  const auto count = static_cast<std::uint64_t>(cases(8));
  for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    const Scene scene = sceneOf(seed);
    const auto& truth = truthOf(seed, scene);
    const NarrowPhaseEntry& narrow = narrowOf(seed);
    Random random(8000 + seed);
    for (const Look& look : looksAt(scene, random))
      EXPECT_EQ(found(scene, look, GetParam(), narrow, Detector::noLevelCap), truth)
          << "seed " << seed << ' ' << narrow.name << ' ' << look.name;
    for (const Verdicts& touching : truth) contacts += touching.size();
    bodies += instants * scene.bodies.size();
  }
  // Neither apart nor a heap: between a fourth of a contact for each body and four
  EXPECT_GT(4 * contacts, bodies);
  EXPECT_LT(contacts, 4 * bodies);
}

TEST_P(WholeScenes, AnswerAlikeAtEveryLevel) {
  std::size_t possible = 0;
  const auto count = static_cast<std::uint64_t>(cases(4));
  for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    const Scene scene = sceneOf(seed);
    const auto& truth = truthOf(seed, scene);
    // Of sphere trees in every other scene: boxes and swept balls have margins of their own
    const bool ofSpheres = seed % 2 == 0;
    const NarrowPhaseEntry& narrow =
        ofSpheres ? *findNarrowPhase(seed % 4 ? "sphere-tree" : "sphere-tree-all") : narrowOf(seed);
    Random random(8000 + seed);
    const int cap = random.whole(0, 2);
    const auto looks = looksAt(scene, random);
    const auto usual = found(scene, looks[0], GetParam(), narrow, cap);
    for (const Look& look : looks) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ' ' << narrow.name << ' ' << look.name);
      const auto seen = found(scene, look, GetParam(), narrow, cap);
      if (look.sameDigits && ofSpheres) {
        EXPECT_EQ(seen, usual);
      }
      for (std::size_t k = 0; k < instants; ++k)
        for (const auto& [pair, verdict] : truth[k])
          EXPECT_TRUE(seen[k].contains(pair)) << pair.first << " and " << pair.second;
      for (const Verdicts& some : seen)
        for (const auto& [pair, verdict] : some) possible += verdict == Verdict::Possible;
    }
  }
  EXPECT_GT(possible, 20u);
}

INSTANTIATE_TEST_SUITE_P(Catalog, WholeScenes, testing::ValuesIn(broadPhaseCatalog()),
                         [](const auto& tested) { return test::testName(tested.param.name); });

}  // namespace
}  // namespace nearmiss
