// SPDX-License-Identifier: MIT
#include "contact_piles.h"

#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "contact/rigid_pile.h"
#include "support/bounded_penetration.h"
#include "support/random.h"
#include "support/shapes.h"
#include "thread_clock.h"

namespace nearmiss::bench {
namespace {

using test::RigidBody;
using test::RigidPile;
using Points = std::vector<ManifoldPoint>;

test::SolverSettings solverOf(Real margin, std::size_t points) {
  return {.seconds = 1.0 / hertz,
          .rounds = 15,
          .friction = 0.5,
          .share = 0.2,
          .slop = 0.003,
          .manifold = {margin, points}};
}

/// Compares the manifolds of pairs from step to step.
class Churn {
 public:
  void see(std::size_t i, std::size_t j, const Points& now) {
    const Points& before = last_[{i, j}];
    for (const ManifoldPoint& point : before) {
      ++seen_;
      kept_ += std::ranges::any_of(now, [&](const auto& p) { return p.id == point.id; });
    }
    constexpr Real sameCosine = 0.995;  // a tenth of a radian
    if (!before.empty())
      flips_ += std::ranges::count_if(now, [&](const ManifoldPoint& point) {
        return std::ranges::none_of(before, [&](const ManifoldPoint& old) {
          return glm::dot(old.normal, point.normal) > sameCosine;
        });
      });
    last_[{i, j}] = now;
  }
  void restart() { seen_ = kept_ = flips_ = 0; }
  [[nodiscard]] double kept() const {
    return seen_ == 0 ? 1.0 : static_cast<double>(kept_) / static_cast<double>(seen_);
  }
  [[nodiscard]] std::ptrdiff_t flips() const { return flips_; }

 private:
  std::map<std::pair<std::size_t, std::size_t>, Points> last_;
  std::ptrdiff_t seen_ = 0, kept_ = 0, flips_ = 0;
};

/// The lower corners of a box, and the points of the box below them.
ContactManifold cornersOn(const RigidBody& below, const RigidBody& above, Real top, Real margin) {
  ContactManifold corners;
  const Vec3 up = below.pose.rotation * Vec3(0.0, 1.0, 0.0);
  const Vec3 onTop = transformed(below.pose, Vec3(0.0, top, 0.0));
  for (std::uint64_t k = 0; k < 4; ++k) {
    const Vec3 corner = transformed(above.pose, Vec3(k & 1 ? 0.5 : -0.5, -0.5, k & 2 ? 0.5 : -0.5));
    const Real depth = glm::dot(onTop - corner, up);
    if (depth < -margin) continue;
    // Normals point from b, above, to a
    corners.points.push_back({corner + depth * up, corner, -up, depth, k});
  }
  return corners;
}

RigidBody bodyOf(const Shape& shape, MeshKind kind, const Pose& pose) {
  return test::ofMass(
      kind == MeshKind::Open ? test::shellBody(shape, pose) : test::solidBody(shape, pose), 1.0);
}

const TriangleMesh& floorMesh() {
  static const TriangleMesh mesh = test::box({-20, -1, -20}, {20, 0, 20});
  return mesh;
}

/// Metres that a body reaches below the floor.
Real belowFloor(const RigidBody& body) {
  Real lowest = 0.0;
  for (const Vec3& p : body.shape->polyhedron().mesh().positions)
    lowest = std::min(lowest, transformed(body.pose, p).y);
  return -lowest;
}

/// Of two solids the way that parts them; else what their manifold says.
Real overlapOf(const RigidBody& a, const RigidBody& b) {
  if (a.shape->solid() && b.shape->solid())
    return test::boundedPenetration(*a.shape, a.pose, *b.shape, b.pose).lower;
  Real deepest = 0.0;
  for (const ManifoldPoint& point :
       contactManifold(*a.shape, a.pose, *b.shape, b.pose, {0.0, 16}).points)
    deepest = std::max(deepest, point.depth);
  return deepest;
}

Real deepestOf(const RigidPile& pile) {
  Real deepest = 0.0;
  for (std::size_t i = 1; i < pile.bodies.size(); ++i) {
    const RigidBody& a = pile.bodies[i];
    deepest = std::max(deepest, belowFloor(a));
    for (std::size_t j = i + 1; j < pile.bodies.size(); ++j) {
      const RigidBody& b = pile.bodies[j];
      if (glm::distance(a.pose.position, b.pose.position) <= a.shape->radius() + b.shape->radius())
        deepest = std::max(deepest, overlapOf(a, b));
    }
  }
  return deepest;
}

/// Microseconds of one more call at the pose of the last.
double unchangedCall(RigidPile& pile, std::size_t i, std::size_t j) {
  const RigidBody &a = pile.bodies[i], &b = pile.bodies[j];
  ManifoldQuery query;
  const auto ask = [&] {
    query.begin(*a.shape, a.pose, *b.shape, b.pose, pile.settings.manifold);
    return query.refine().points.size();
  };
  if (ask() == 0) return -1.0;
  const ThreadClock clock;
  constexpr int calls = 50;
  const auto began = clock.now();
  for (int k = 0; k < calls; ++k) ask();
  return microsOf(clock.now() - began) / calls;
}

}  // namespace

StackResult stackOfBoxes(Real margin, std::size_t points, bool ideal) {
  const Shape floor = test::treelessShape(floorMesh()), box = test::treelessShape(test::cube(0.5));
  RigidPile pile;
  pile.settings = solverOf(margin, points);
  pile.bodies.push_back({&floor, {}});
  for (int i = 0; i < 8; ++i)
    pile.bodies.push_back(test::ofMass(
        test::solidBody(box, {{1e-4 * (i % 3), 0.5 + i, 1e-4 * (i % 2)}, glm::identity<Quat>()}),
        1.0));
  Churn churn;
  ContactManifold corners;
  pile.watch = [&](std::size_t i, std::size_t j, const ContactManifold& found, auto) {
    churn.see(i, j, found.points);
  };
  if (ideal) {
    pile.source = [&](std::size_t i, std::size_t j) -> const ContactManifold& {
      corners = {};
      if (j == i + 1)
        corners = cornersOn(pile.bodies[i], pile.bodies[j], i == 0 ? 0.0 : 0.5, margin);
      pile.watch(i, j, corners, {});
      return corners;
    };
  }
  pile.fall(5 * hertz);
  churn.restart();
  StackResult result;
  for (int step = 0; step < hertz; ++step) {
    pile.fall(1);
    result.energy = std::max(result.energy, pile.energyOfMotion());
    for (const RigidBody& body : pile.bodies)
      result.fastest = std::max(result.fastest, glm::length(body.velocity));
  }
  result.flips = static_cast<double>(churn.flips());
  result.kept = churn.kept();
  return result;
}

std::vector<Dropped> droppedBodies(std::span<const ContactMesh> meshes) {
  test::Random random(4711);
  std::vector<Dropped> dropped;
  for (int k = 0; k < 30; ++k) {
    // Six columns of five, so that they heap up
    const int column = k % 6, layer = k / 6;
    const Vec3 at(1.15 * (column % 3) - 1.15 + random.between(-0.1, 0.1), 1.0 + 1.2 * layer,
                  1.15 * (column / 3) - 0.6 + random.between(-0.1, 0.1));
    dropped.push_back(
        {&meshes[static_cast<std::size_t>(k) % meshes.size()].mesh, {at, random.rotation()}});
  }
  return dropped;
}

HeapResult heapOf(std::span<const ContactMesh> meshes, double seconds,
                  std::chrono::microseconds allowed) {
  const Shape floor = test::treelessShape(floorMesh());
  std::vector<Shape> shapes;
  std::map<const TriangleMesh*, std::size_t> indices;
  for (const ContactMesh& mesh : meshes) {
    indices[&mesh.mesh] = shapes.size();
    shapes.push_back(test::treelessShape(mesh.mesh));
    prepare(shapes.back());
  }
  RigidPile pile;
  pile.settings = solverOf(0.01, 4);
  pile.bodies.push_back({&floor, {}});
  for (const Dropped& dropped : droppedBodies(meshes)) {
    const std::size_t index = indices[dropped.mesh];
    pile.bodies.push_back(bodyOf(shapes[index], meshes[index].kind, dropped.pose));
  }
  SteadyClock limit;
  ThreadClock clock;
  if (allowed.count() > 0) {
    pile.clock = &limit;
    pile.allowed = allowed;
  } else {
    pile.allowed = std::chrono::hours(1);
  }
  pile.watchClock = &clock;
  HeapResult result;
  Churn churn;
  const int steps = static_cast<int>(seconds * hertz);
  bool last = false;
  pile.watch = [&](std::size_t i, std::size_t j, const ContactManifold& found, auto time) {
    result.calls.push_back(microsOf(time));
    if (last) churn.see(i, j, found.points);
  };
  std::vector<double> millis;
  int rest = 0;  // the step after the last that moved
  for (int step = 0; step < steps; ++step) {
    last = step >= steps - hertz;
    const auto began = clock.now();
    pile.fall(1);
    millis.push_back(microsOf(clock.now() - began) / 1000.0);
    result.energy = pile.energyOfMotion();
    if (!(result.energy < 1e-3)) rest = step + 1;
  }
  if (rest < steps) result.restAfter = static_cast<double>(rest) / hertz;
  result.falling.assign(millis.begin(), millis.begin() + rest);
  result.resting.assign(millis.begin() + rest, millis.end());
  std::ranges::sort(result.falling);
  std::ranges::sort(result.resting);
  std::ranges::sort(result.calls);
  result.kept = churn.kept();
  result.cut = allowed.count() > 0 ? pile.cut : 0;
  result.deepest = deepestOf(pile);
  for (std::size_t i = 1; i < pile.bodies.size(); ++i) {
    result.fallen += pile.bodies[i].middle().y < -0.3;
    const double micros = unchangedCall(pile, 0, i);
    if (micros >= 0.0) result.unchanged.push_back(micros);
  }
  std::ranges::sort(result.unchanged);
  return result;
}

BoxCalls boxCalls(int rounds) {
  const Shape lower = test::treelessShape(test::cube(0.5)), upper = lower;
  prepare(lower);
  test::Random random(12);
  const ThreadClock clock;
  const ManifoldSettings settings{0.01, 4};
  std::vector<Pose> poses;
  for (int k = 0; k < rounds; ++k)
    poses.push_back({{random.between(-0.3, 0.3), random.between(-0.3, 0.3), 0.999},
                     glm::angleAxis(random.between(-3.0, 3.0), Vec3(0.0, 0.0, 1.0))});
  std::size_t points = 0;
  const auto per = [&](const auto& call) {
    const auto began = clock.now();
    for (int k = 0; k < rounds; ++k) call(k);
    return 1000.0 * microsOf(clock.now() - began) / rounds;
  };
  BoxCalls calls;
  std::vector<ManifoldQuery> queries(static_cast<std::size_t>(rounds));
  calls.first = per([&](int k) {
    const auto index = static_cast<std::size_t>(k);
    queries[index].begin(lower, {}, upper, poses[index], settings);
    points += queries[index].refine().points.size();
  });
  ManifoldQuery query;
  const auto ask = [&](const Pose& pose) {
    query.begin(lower, {}, upper, pose, settings);
    points += query.refine().points.size();
  };
  // A body at rest, which a solver moves by a tenth of a millimetre at most
  calls.next = per([&](int k) {
    Pose pose = poses.front();
    pose.position += 1e-4 * poses[static_cast<std::size_t>(k)].position;
    ask(pose);
  });
  calls.unchanged = per([&](int) { ask(poses.front()); });
  return points == 0 ? BoxCalls{} : calls;
}

}  // namespace nearmiss::bench
