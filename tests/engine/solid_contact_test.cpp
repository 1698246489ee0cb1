// SPDX-License-Identifier: MIT
/// Contacts of solids as the response finds them: of poses alone, by any number of threads, and
/// what it does where there is no manifold.
#include <engine/flight/collisions.h>
#include <engine/flight/solid_contact.h>
#include <engine/flight/world.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/worker_pool.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/two_ships.h"
#include "support/borrowed.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using test::Random;

std::vector<Polyhedron> solidBodies() {
  std::vector<Polyhedron> all;
  all.emplace_back(test::cube(0.7));
  all.emplace_back(test::torus(14, 8));
  all.emplace_back(test::spikyStar(3, 6, 9, 0.4));
  return all;
}

bool same(const SolidContact& a, const SolidContact& b) {
  if (a.count != b.count || a.mean.normal != b.mean.normal || a.mean.position != b.mean.position)
    return false;
  for (std::size_t i = 0; i < a.count; ++i)
    if (a.manifold[i].onA != b.manifold[i].onA || a.manifold[i].onB != b.manifold[i].onB ||
        a.manifold[i].normal != b.manifold[i].normal || a.manifold[i].id != b.manifold[i].id ||
        a.manifold[i].depth != b.manifold[i].depth)
      return false;
  return true;
}

TEST(SolidContact, HasPointsOfTheManifoldAndTheirMean) {
  const auto bodies = solidBodies();
  const Shapes shapes = test::borrowed(bodies);
  Random random(31);
  SolidContactQuery query;
  int found = 0, full = 0;
  for (int i = 0; i < 300; ++i) {
    const auto pair = test::randomNearMissPair(random, bodies, 0.3);
    const auto contact = query.find(pair, {0, 1}, shapes);
    const Polyhedron& a = bodies[pair[0].shape.index()];
    const Polyhedron& b = bodies[pair[1].shape.index()];
    if (distanceBetween(a, b, relativePose(pair[0].pose, pair[1].pose)) > 0.0) {
      ASSERT_FALSE(contact) << "case " << i;
      continue;
    }
    if (!contact) continue;
    ++found;
    full += contact->count == SolidContact::maxPoints;
    ASSERT_GE(contact->count, 1u);
    ASSERT_LE(contact->count, SolidContact::maxPoints);
    Vec3 sum(0.0);
    for (const ManifoldPoint& point : contact->points()) {
      ASSERT_NEAR(glm::length(point.normal), 1.0, 1e-9);
      ASSERT_GE(point.depth, -1e-9);
      ASSERT_LE(point.depth, contact->points().front().depth);
      sum += point.depth * point.normal;
    }
    ASSERT_NEAR(glm::length(contact->mean.normal), 1.0, 1e-9);
    ASSERT_GT(glm::dot(contact->mean.normal, sum), 0.999 * glm::length(sum) - 1e-9);
  }
  EXPECT_GT(found, 60);
  EXPECT_GT(full, found / 10);
}

/// Ships that share their meshes would otherwise inherit points from each other.
TEST(SolidContact, DoesNotDependOnEarlierCalls) {
  const auto bodies = solidBodies();
  const Shapes shapes = test::borrowed(bodies);
  Random random(32);
  SolidContactQuery used;
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    // Cubes only, or all: most calls then follow one of the same two meshes
    const auto of = std::span(bodies).first(i % 2 == 0 ? 1 : bodies.size());
    const auto pair = test::randomNearMissPair(random, of, 0.3);
    SolidContactQuery fresh;
    const auto expected = fresh.find(pair, {0, 1}, shapes), again = used.find(pair, {0, 1}, shapes);
    ASSERT_EQ(expected.has_value(), again.has_value());
    if (!expected) continue;
    ++found;
    ASSERT_TRUE(same(*expected, *again)) << "case " << i;
  }
  EXPECT_GT(found, 100);
}

/// A heap of ships, all pairs of which are said to be in contact.
struct Heap {
  World world;
  Detection found;
};

Heap heapOf(const std::vector<Polyhedron>& bodies, std::uint64_t seed) {
  Heap heap;
  Random random(seed);
  const std::uint32_t count = 12;
  for (std::uint32_t i = 0; i < count; ++i) {
    ShipDef def;
    const std::size_t shape = i % bodies.size();
    def.shape = ShapeRef::ofRadius(bodies[shape].radius(), i % 3);
    def.pose = {random.inCube(1.6), random.rotation()};
    def.velocity = random.inCube(1.0);
    def.inverseInertia = test::randomInertia(random);
    EXPECT_TRUE(heap.world.ships().create(def));
  }
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = a + 1; b < count; ++b) {
      DetectedPair pair;
      pair.bodies = {a, b};
      pair.refinement.verdict = Verdict::Contact;
      heap.found.pairs.push_back(pair);
    }
  return heap;
}

/// Responds to all of them; returns the states' hash.
std::uint64_t respondTo(Heap& heap, Collisions& collisions, Response kind, WorkerPool* pool,
                        std::uint32_t* responses = nullptr) {
  std::vector<BodyPair> struck;
  FrameProfile profile;
  Touches touches;
  touches.take(heap.found);
  collisions.clear();
  collisions.respond(heap.world.ships(), heap.found, touches, kind, struck, pool, profile);
  if (responses) *responses = profile.responses;
  return stateHash(heap.world.ships());
}

TEST(SolidContact, RespondsAlikeOnAnyNumberOfThreads) {
  const auto bodies = solidBodies();
  for (const Response kind : {Response::Bounce, Response::Tumble})
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      std::optional<std::uint64_t> expected;
      for (const int workers : {0, 2, 5}) {
        const auto pool = workers > 0 ? std::make_unique<WorkerPool>(workers) : nullptr;
        // One that has answered before knows no more than a new one
        Collisions collisions(test::borrowed(bodies));
        for (const std::uint64_t before : {std::uint64_t{9}, seed}) {
          Heap heap = heapOf(bodies, before);
          std::uint32_t responses = 0;
          const std::uint64_t hash = respondTo(heap, collisions, kind, pool.get(), &responses);
          EXPECT_GT(responses, 5u);
          if (before != seed) continue;
          if (!expected) expected = hash;
          EXPECT_EQ(hash, *expected) << workers << " workers";
        }
      }
    }
}

TEST(SolidContact, TellsTheManifoldOfACollision) {
  const auto bodies = solidBodies();
  Collisions collisions(test::borrowed(bodies));
  Heap heap = heapOf(bodies, 4);
  SolidContactQuery query;
  const Shapes shapes = test::borrowed(bodies);
  std::vector<std::optional<SolidContact>> expected;
  for (const DetectedPair& pair : heap.found.pairs)
    expected.push_back(query.find(heap.world.states(), pair.bodies, shapes));
  (void)respondTo(heap, collisions, Response::Tumble, nullptr);
  ASSERT_EQ(collisions.begun().size(), expected.size());
  int told = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& contact = collisions.begun()[i].contact;
    ASSERT_EQ(contact.has_value(), expected[i].has_value());
    if (contact) {
      EXPECT_TRUE(same(*contact, *expected[i]));
    }
    told += contact.has_value();
  }
  EXPECT_GT(told, 10);
  // As published nobody asks for one
  Heap published = heapOf(bodies, 4);
  (void)respondTo(published, collisions, Response::PublishedBounce, nullptr);
  ASSERT_FALSE(collisions.begun().empty());
  for (const Collision& collision : collisions.begun()) EXPECT_FALSE(collision.contact);
}

/// Two ships of one mesh, the second above the first by `above`; they approach along y.
Heap twoShips(const Polyhedron& body, const Vec3& between) {
  Heap heap;
  for (std::uint32_t i = 0; i < 2; ++i) {
    ShipDef def;
    def.shape = ShapeRef::ofRadius(body.radius());
    if (i == 1) def.pose.position = between;
    def.velocity = {0.0, i == 0 ? 1.0 : -1.0, 0.0};
    def.inverseInertia = inverseInertiaOf(body);
    EXPECT_TRUE(heap.world.ships().create(def));
  }
  DetectedPair pair;
  pair.bodies = {0, 1};
  pair.refinement.verdict = Verdict::Contact;
  heap.found.pairs = {pair};
  return heap;
}

/// A box that lies flat on another, by its manifold.
TEST(SolidContact, ABoxThatLandsFlatDoesNotTurn) {
  const Polyhedron box(test::box({-1.0, -0.5, -0.8}, {1.0, 0.5, 0.8}));
  for (const Response kind : {Response::Bounce, Response::Tumble})
    for (const Vec3 between : {Vec3(0.0, 0.99, 0.0), Vec3(1e-9, 0.9999, 0.0)}) {
      Collisions collisions(test::borrowed(box));
      Heap heap = twoShips(box, between);
      std::uint32_t responses = 0;
      (void)respondTo(heap, collisions, kind, nullptr, &responses);
      EXPECT_EQ(responses, 1u);
      EXPECT_LT(glm::distance(heap.world.states()[0].velocity, Vec3(0.0, -1.0, 0.0)), 1e-9);
      EXPECT_LT(glm::distance(heap.world.states()[1].velocity, Vec3(0.0, 1.0, 0.0)), 1e-9);
      for (std::size_t i = 0; i < 2; ++i)
        EXPECT_LT(glm::length(heap.world.ships().angularVelocity(i)), 1e-8);
    }
}

/// Without a manifold ships are thrown apart by their middles, and do not turn.
TEST(SolidContact, WithoutPointsFollowsTheShips) {
  const Polyhedron box(test::cube(0.5));
  // Apart, whatever was detected
  for (const Response kind : {Response::Bounce, Response::Tumble}) {
    Collisions collisions(test::borrowed(box));
    const Vec3 between(0.6, 1.2, 0.0);
    Heap heap = twoShips(box, between);
    std::uint32_t responses = 0;
    (void)respondTo(heap, collisions, kind, nullptr, &responses);
    EXPECT_EQ(responses, 1u);
    ASSERT_EQ(collisions.begun().size(), 1u);
    EXPECT_FALSE(collisions.begun()[0].contact);
    const Vec3 line = glm::normalize(-between), before(0.0, 1.0, 0.0);
    const Vec3 expected = before - glm::dot(Vec3(0.0, 2.0, 0.0), line) * line;
    EXPECT_LT(glm::distance(heap.world.states()[0].velocity, expected), 1e-12);
    EXPECT_EQ(heap.world.ships().angularMomentum(0), Vec3(0.0));
  }
  // In the same place: against the approach
  const Polyhedron sheet(TriangleMesh{{{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, {{0, 1, 2}}});
  Collisions collisions(test::borrowed(sheet));
  Heap heap = twoShips(sheet, Vec3(0.0));
  (void)respondTo(heap, collisions, Response::Bounce, nullptr);
  EXPECT_LT(glm::distance(heap.world.states()[0].velocity, Vec3(0.0, -1.0, 0.0)), 1e-12);
}

/// Two sheets that cross are in contact, but nobody knows how deep.
TEST(SolidContact, OfUnknownDepthFollowsTheShips) {
  std::vector<Polyhedron> sheets;
  sheets.emplace_back(TriangleMesh{{{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, {{0, 1, 2}}});
  const Shapes shapes = test::borrowed(sheets);
  std::array<BodyState, 2> bodies{test::bodyOf(1, 0, sheets[0], {}),
                                  test::bodyOf(2, 0, sheets[0], {{0.1, 0.2, 0.0}, {}})};
  bodies[1].pose.rotation = Quat(std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0);
  const ContactManifold manifold =
      contactManifold(shapes[0], bodies[0].pose, shapes[0], bodies[1].pose);
  ASSERT_FALSE(manifold.points.empty());
  EXPECT_FALSE(manifold.depthKnown);
  SolidContactQuery query;
  EXPECT_FALSE(query.find(bodies, {0, 1}, shapes));
}

}  // namespace
}  // namespace nearmiss::engine
