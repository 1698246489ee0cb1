// SPDX-License-Identifier: MIT
/// What is asked again and again, mostly by C: each allocation of each question fails once, and the
/// same object then answers as a new one does.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/nearmiss_c.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <new>
#include <ostream>
#include <string>
#include <vector>

#include "support/allocations.h"
#include "support/c_shapes.h"
#include "support/campaign.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using test::Held;
using Figures = std::vector<double>;
constexpr std::size_t mostFigures = 64;

constexpr nearmiss_pose deep{{1.1, 0.3, 0.2}, {1, 0, 0, 0}};
constexpr nearmiss_pose corner{{0.8, 0.7, 0.6}, {1, 0, 0, 0}};
constexpr nearmiss_pose apart{{3.0, 0.2, 0.1}, {1, 0, 0, 0}};
constexpr int places = 150;

/// Read from bytes: what a shape keeps for its queries is made anew.
Held<nearmiss_shape> readFrom(const std::vector<std::byte>& bytes) {
  nearmiss_shape* made = nullptr;
  EXPECT_EQ(nearmiss_shape_read(bytes.data(), bytes.size(), &made), NEARMISS_OK);
  return Held<nearmiss_shape>(made);
}
std::vector<std::byte> bytesOfShape(const TriangleMesh& mesh) {
  ShapeSettings settings;
  settings.tree.levels = 2;
  settings.treeBuilder = "octree";
  return *bytesOf(*makeShape(mesh, settings));
}
Held<nearmiss_shape> ring() {
  static const std::vector<std::byte> bytes = bytesOfShape(test::torus(8, 5));
  return readFrom(bytes);
}
Held<nearmiss_shape> block() {
  static const std::vector<std::byte> bytes =
      bytesOfShape(test::box(Vec3(-0.5, -0.6, -0.7), Vec3(0.5, 0.6, 0.7)));
  return readFrom(bytes);
}

Held<nearmiss_pair> newPair() {
  nearmiss_pair* pair = nullptr;
  EXPECT_EQ(nearmiss_pair_make(&pair), NEARMISS_OK);
  return Held<nearmiss_pair>(pair);
}

/// A question to a pair; what it answers, as numbers.
struct Question {
  const char* name;
  std::function<nearmiss_status(nearmiss_pair*, Figures&)> ask;
};
/// That take no memory once they are there.
Figures room() {
  Figures figures;
  figures.reserve(mostFigures);
  return figures;
}
void PrintTo(const Question& question, std::ostream* out) { *out << question.name; }

nearmiss_status askManifold(nearmiss_pair* pair, std::size_t room, Figures& figures) {
  std::array<nearmiss_manifold_point, 32> points{};
  nearmiss_manifold found{};
  const nearmiss_status status =
      nearmiss_pair_manifold(pair, 0.05, NEARMISS_UNLIMITED, points.data(), room, &found);
  if (status != NEARMISS_OK) return status;
  EXPECT_LE(found.point_count, room) << "more than there is room for";
  figures = {static_cast<double>(found.point_count), static_cast<double>(found.can_refine)};
  for (std::size_t i = 0; i < std::min(found.point_count, room); ++i)
    figures.push_back(points[i].depth);
  return status;
}

nearmiss_status askCollide(nearmiss_pair* pair, Figures& figures) {
  nearmiss_refinement a{};
  const nearmiss_status status = nearmiss_pair_collide(pair, NEARMISS_UNLIMITED, &a);
  figures = {double(a.verdict), double(a.can_refine), double(a.triangle_a), double(a.triangle_b)};
  return status;
}

std::vector<Question> questions() {
  return {{"collide", askCollide},
          {"distance",
           [](nearmiss_pair* pair, Figures& figures) {
             nearmiss_distance_bounds d{};
             const nearmiss_status status = nearmiss_pair_distance(pair, NEARMISS_UNLIMITED, &d);
             figures = {d.lower, d.upper, double(d.can_refine), double(d.triangle_a)};
             return status;
           }},
          {"penetration",
           [](nearmiss_pair* pair, Figures& figures) {
             nearmiss_penetration_bounds p{};
             const nearmiss_status status = nearmiss_pair_penetration(pair, 0.0, &p);
             figures = {p.lower, p.upper, p.direction[0], p.direction[1], double(p.can_refine)};
             return status;
           }},
          {"protrusion",
           [](nearmiss_pair* pair, Figures& figures) {
             nearmiss_protruding p{};
             const nearmiss_status status = nearmiss_pair_protrusion(pair, NEARMISS_UNLIMITED, &p);
             figures = {p.depth, double(p.vertex), double(p.can_refine)};
             return status;
           }},
          {"manifold",
           [](nearmiss_pair* pair, Figures& figures) { return askManifold(pair, 16, figures); }}};
}

/// Calls lack(after) for the places of `count` where memory runs out, and says that it did.
void atEveryPlace(std::size_t count, const auto& lack) {
  const std::size_t most = static_cast<std::size_t>(test::cases(places));
  for (std::size_t after = 0; after < count; after += std::max<std::size_t>(1, count / most)) {
    SCOPED_TRACE(testing::Message() << "allocation " << after << " of " << count);
    lack(after);
  }
}

class EveryQuestion : public testing::TestWithParam<Question> {
 protected:
  const std::function<nearmiss_status(nearmiss_pair*, Figures&)>& ask = GetParam().ask;
};

TEST_P(EveryQuestion, AnswersAsANewOneAfterItLackedMemory) {
  for (const nearmiss_pose& pose : {deep, apart}) {
    const auto begun = [&](const Held<nearmiss_shape>& shape) {
      Held<nearmiss_pair> pair = newPair();
      EXPECT_EQ(nearmiss_pair_begin(pair.get(), shape.get(), &test::atOrigin, shape.get(), &pose),
                NEARMISS_OK);
      return pair;
    };
    Figures truth = room();
    std::size_t count = 0;
    {
      // What shapes keep is made anew each time
      const auto shape = ring();
      const auto pair = begun(shape);
      count = test::allocationsIn([&] { ASSERT_EQ(ask(pair.get(), truth), NEARMISS_OK); });
    }
    int refused = 0;
    atEveryPlace(count, [&](std::size_t after) {
      const auto shape = ring();
      const auto pair = begun(shape);
      Figures figures = room();
      const nearmiss_status status =
          test::shortOfMemory(after, 1, [&] { return ask(pair.get(), figures); });
      if (status != NEARMISS_OK) {
        ++refused;
        EXPECT_EQ(status, NEARMISS_OUT_OF_MEMORY);
        ASSERT_EQ(ask(pair.get(), figures), NEARMISS_OK);
      }
      EXPECT_EQ(figures, truth);
    });
    // Protrusion takes no memory
    EXPECT_TRUE(refused > 0 || count == 0);
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryQuestion, testing::ValuesIn(questions()),
                         [](const auto& tested) { return tested.param.name; });

TEST(KeptPair, StaysWhereMemoryLacksForTheNext) {
  const auto one = ring(), other = block();
  const auto begin = [&](nearmiss_pair* pair, const Held<nearmiss_shape>& shape) {
    return nearmiss_pair_begin(pair, shape.get(), &test::atOrigin, shape.get(), &deep);
  };
  Figures ofOne = room(), ofOther = room();
  const auto first = newPair();
  ASSERT_EQ(begin(first.get(), one), NEARMISS_OK);
  ASSERT_EQ(askCollide(first.get(), ofOne), NEARMISS_OK);
  ASSERT_EQ(begin(first.get(), other), NEARMISS_OK);
  ASSERT_EQ(askCollide(first.get(), ofOther), NEARMISS_OK);
  ASSERT_NE(ofOne, ofOther);
  int refused = 0;
  // What the first call of all makes is made now
  atEveryPlace(16, [&](std::size_t after) {
    const auto pair = newPair();
    ASSERT_EQ(begin(pair.get(), one), NEARMISS_OK);
    const nearmiss_status status =
        test::shortOfMemory(after, 1, [&] { return begin(pair.get(), other); });
    Figures figures = room();
    ASSERT_EQ(askCollide(pair.get(), figures), NEARMISS_OK);
    EXPECT_EQ(figures, status == NEARMISS_OK ? ofOther : ofOne);
    refused += status == NEARMISS_OUT_OF_MEMORY;
    ASSERT_EQ(begin(pair.get(), other), NEARMISS_OK);
    ASSERT_EQ(askCollide(pair.get(), figures), NEARMISS_OK);
    EXPECT_EQ(figures, ofOther);
  });
  EXPECT_GT(refused, 5);
}

TEST(KeptPair, WritesNoMorePointsThanThereIsRoomForAfterAnotherRoomWasRefused) {
  int refused = 0;
  for (std::size_t after = 0; after < 60; ++after) {
    SCOPED_TRACE(after);
    const auto shape = block();
    const auto pair = newPair();
    ASSERT_EQ(nearmiss_pair_begin(pair.get(), shape.get(), &test::atOrigin, shape.get(), &corner),
              NEARMISS_OK);
    Figures one = room(), many = room(), again = room();
    ASSERT_EQ(askManifold(pair.get(), 1, one), NEARMISS_OK);
    ASSERT_EQ(one[0], 1.0);
    const nearmiss_status status =
        test::shortOfMemory(after, 1, [&] { return askManifold(pair.get(), 32, many); });
    if (status != NEARMISS_OK) {
      ++refused;
    } else {
      EXPECT_GT(many[0], 1.0);
    }
    ASSERT_EQ(askManifold(pair.get(), 1, again), NEARMISS_OK);
    EXPECT_EQ(again, one);
  }
  EXPECT_GT(refused, 0);
}

TEST(KeptWorld, ListsTheLastWholeDetectionWhereTheNextLacksMemory) {
  const auto shape = ring();
  const auto listed = [](const nearmiss_world* world) {
    std::array<nearmiss_touching_pair, 64> pairs{};
    const std::size_t count = nearmiss_world_pairs(world, pairs.data(), pairs.size());
    std::vector<std::pair<nearmiss_body, nearmiss_body>> handles;
    for (std::size_t i = 0; i < count; ++i) handles.emplace_back(pairs[i].a, pairs[i].b);
    return handles;
  };
  const auto made = [&](Held<nearmiss_world>& world) {
    nearmiss_world* fresh = nullptr;
    ASSERT_EQ(nearmiss_world_make(&fresh), NEARMISS_OK);
    world.reset(fresh);
    nearmiss_body body{};
    nearmiss_collisions found{};
    // Few touch at first, many after all have come
    for (int i = 0; i < 4; ++i) {
      nearmiss_pose at{{1.1 * i, 0.3, 0.2}, {1, 0, 0, 0}};
      ASSERT_EQ(nearmiss_world_add(fresh, shape.get(), &at, nullptr, &body), NEARMISS_OK);
    }
    ASSERT_EQ(nearmiss_world_collisions(fresh, NEARMISS_UNLIMITED, &found), NEARMISS_OK);
    for (int i = 0; i < 8; ++i) {
      nearmiss_pose at{{1.1 * i, 0.5, 0.1}, {1, 0, 0, 0}};
      ASSERT_EQ(nearmiss_world_add(fresh, shape.get(), &at, nullptr, &body), NEARMISS_OK);
    }
  };
  const auto detect = [](nearmiss_world* world) {
    nearmiss_collisions found{};
    return nearmiss_world_collisions(world, NEARMISS_UNLIMITED, &found);
  };
  Held<nearmiss_world> first;
  ASSERT_NO_FATAL_FAILURE(made(first));
  const auto before = listed(first.get());
  const std::size_t count =
      test::allocationsIn([&] { ASSERT_EQ(detect(first.get()), NEARMISS_OK); });
  const auto truth = listed(first.get());
  ASSERT_GT(truth.size(), before.size());
  int refused = 0;
  atEveryPlace(count, [&](std::size_t after) {
    Held<nearmiss_world> world;
    ASSERT_NO_FATAL_FAILURE(made(world));
    const nearmiss_status status =
        test::shortOfMemory(after, 1, [&] { return detect(world.get()); });
    EXPECT_EQ(listed(world.get()), status == NEARMISS_OK ? truth : before);
    refused += status != NEARMISS_OK;
    ASSERT_EQ(detect(world.get()), NEARMISS_OK);
    EXPECT_EQ(listed(world.get()), truth);
  });
  EXPECT_GT(refused, 5);
}

/// Rings that cross and rings that are linked, and bars whose inner spheres meet.
class KeptNarrowPhase : public testing::Test {
 protected:
  KeptNarrowPhase() {
    ShapeSettings small;
    small.treeBuilder = "octree";
    small.tree.levels = 2;
    small.tree.innerSpheres = 16;
    const ShapeRef ring = shapes_.add(*makeShape(test::torus(8, 5), small));
    const ShapeRef bar =
        shapes_.add(*makeShape(test::box(Vec3(-1, -0.1, -0.1), Vec3(1, 0.1, 0.1)), small));
    const Quat upright = glm::angleAxis(1.5, Vec3(1, 0, 0)),
               across = glm::angleAxis(1.5, Vec3(0, 0, 1));
    put(ring, ring, {{0.4, 0.1, 0.05}, glm::identity<Quat>()});
    put(ring, ring, {{0.7, 0.0, 0.0}, upright});
    put(bar, bar, {{0.05, 0.04, 0.03}, across});
  }
  void put(ShapeRef a, ShapeRef b, const Pose& pose) {
    const auto first = static_cast<std::uint32_t>(bodies_.size());
    for (const ShapeRef shape : {a, b}) {
      BodyState& body = bodies_.emplace_back();
      body.shape = shape;
      body.key = static_cast<std::uint32_t>(bodies_.size());
    }
    bodies_.back().pose = pose;
    pairs_.push_back({first, first + 1});
  }

  /// All pairs to the end, a step of each in turn; how many steps lacked memory.
  int finish(NarrowPhase& phase) {
    int lacked = 0;
    for (bool all = false; !all;) {
      all = true;
      for (std::size_t i = 0; i < pairs_.size(); ++i) {
        if (!phase.result(i).canRefine) continue;
        all = false;
        try {
          phase.refine(i, TimeBudget::unlimited());
        } catch (const std::bad_alloc&) {
          ++lacked;
        }
      }
    }
    return lacked;
  }

  Shapes shapes_;
  std::vector<BodyState> bodies_;
  std::vector<BodyPair> pairs_;
};

TEST_F(KeptNarrowPhase, GoesOnToTheSameAnswersWithoutBeginning) {
  const auto truth = makeSphereTreeNarrowPhase(shapes_);
  truth->begin(bodies_, pairs_);
  const std::size_t count = test::allocationsIn([&] { ASSERT_EQ(finish(*truth), 0); });
  ASSERT_EQ(truth->verdict(0), Verdict::Contact);
  ASSERT_EQ(truth->verdict(1), Verdict::Separate);
  ASSERT_EQ(truth->verdict(2), Verdict::Contact);
  int lacked = 0;
  for (std::size_t after = 0; after < count; ++after) {
    SCOPED_TRACE(after);
    const auto phase = makeSphereTreeNarrowPhase(shapes_);
    phase->begin(bodies_, pairs_);
    lacked += test::shortOfMemory(after, 1, [&] { return finish(*phase); });
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Refinement expected = truth->result(i), found = phase->result(i);
      EXPECT_EQ(found.verdict, expected.verdict) << i;
      EXPECT_EQ(found.level, expected.level) << i;
      EXPECT_EQ(found.triangleA, expected.triangleA) << i;
      EXPECT_EQ(found.triangleB, expected.triangleB) << i;
    }
  }
  EXPECT_GT(lacked, 5);
}

}  // namespace
}  // namespace nearmiss
