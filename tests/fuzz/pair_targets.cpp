// SPDX-License-Identifier: MIT
/// Differential targets: every method against the simplest one and against rationals, on bodies
/// that the bytes describe.
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <optional>

#include "fuzz/target.h"
#include "oracle/solid.h"

namespace nearmiss::fuzz {
namespace {

Vec3 latticePoint(Draw& draw, Real step) {
  const Real x = draw.lattice(step), y = draw.lattice(step), z = draw.lattice(step);
  return {x, y, z};
}

/// A small mesh on a lattice: what the bytes make of it, or a closed one with a vertex moved, so
/// that solids occur. Nothing where nothing with an area is left.
std::optional<Shape> drawnShape(Draw& draw) {
  TriangleMesh mesh;
  const bool closed = draw.below(2) == 0;
  const int vertices = closed ? 4 + draw.below(3) : 3 + draw.below(6);
  for (int i = 0; i < vertices; ++i) mesh.positions.push_back(latticePoint(draw, 1.0 / 16.0));
  if (closed) {
    auto hull = convexHullMesh(mesh.positions);
    if (!hull) return std::nullopt;
    mesh = *std::move(hull);
    if (draw.below(2) == 0)
      mesh.positions[static_cast<std::size_t>(
          draw.below(static_cast<int>(mesh.positions.size())))] = latticePoint(draw, 1.0 / 16.0);
  } else {
    const int triangles = 1 + draw.below(6);
    for (int t = 0; t < triangles; ++t) {
      const auto corner = [&] { return static_cast<std::uint32_t>(draw.below(vertices)); };
      const std::uint32_t a = corner(), b = corner(), c = corner();
      mesh.triangles.push_back({a, b, c});
    }
  }
  if (!cleanMesh(mesh, 0.0) || mesh.triangles.empty()) return std::nullopt;
  auto polyhedron = makePolyhedron(std::move(mesh));
  if (!polyhedron) return std::nullopt;
  auto tree = buildOctreeSphereTree(*polyhedron, {.levels = 2, .hausdorffTolerance = 0.5});
  auto planes = buildBspTree(*polyhedron);
  demand(tree && planes, "trees can be built around every cleaned mesh");
  auto shape = Shape::of(*std::move(polyhedron)).with(*std::move(tree));
  demand(bool(shape), "a built tree fits its mesh");
  auto whole = shape->with(*std::move(planes));
  demand(bool(whole), "a built BSP tree fits its mesh");
  return *std::move(whole);
}

/// A multiple of a sixteenth, and one of the rotations that map the lattice onto itself without
/// rounding: what touches touches exactly.
Pose latticePose(Draw& draw) {
  constexpr Real half = 0.5;
  const Vec3 position = latticePoint(draw, 1.0 / 16.0);
  const int which = draw.below(12);
  if (which < 4) {
    std::array<Real, 4> q{};
    q[static_cast<std::size_t>(which)] = 1.0;
    return {position, {q[0], q[1], q[2], q[3]}};
  }
  const int signs = which - 4;
  return {position,
          {half, signs & 1 ? half : -half, signs & 2 ? half : -half, signs & 4 ? half : -half}};
}

Verdict finalVerdict(NarrowPhase& phase, std::span<const BodyState> bodies) {
  const std::array pairs{BodyPair{0, 1}};
  phase.begin(bodies, pairs);
  Refinement last = phase.result(0);
  for (int steps = 0; last.canRefine; ++steps) {
    demand(steps < 100, "refinement comes to an end");
    (void)phase.refine(0, TimeBudget::unlimited());
    const Refinement next = phase.result(0);
    demand(next.verdict == Verdict::Separate || next.separationBound <= last.separationBound,
           "bounds only fall");
    last = next;
  }
  demand(last.verdict != Verdict::Possible, "the last verdict is final");
  return last.verdict;
}

bool surfacesMeet(const TriangleMesh& a, const Pose& poseA, const TriangleMesh& b,
                  const Pose& poseB) {
  const auto moved = [](const TriangleMesh& mesh, std::size_t t, const Pose& pose) {
    Triangle corners = mesh.corners(t);
    for (Vec3& corner : corners) corner = transformed(pose, corner);
    return corners;
  };
  for (std::size_t s = 0; s < a.triangles.size(); ++s)
    for (std::size_t t = 0; t < b.triangles.size(); ++t)
      if (test::meetExactly(moved(a, s, poseA), moved(b, t, poseB))) return true;
  return false;
}

void compareNarrowPhases(Bytes bytes) {
  Draw draw(bytes);
  const auto a = drawnShape(draw), b = drawnShape(draw);
  if (!a || !b) return;
  Shapes shapes;
  std::array<BodyState, 2> bodies;
  for (std::uint32_t i = 0; i < 2; ++i) {
    bodies[i].key = i;
    bodies[i].shape = shapes.add(i == 0 ? *a : *b);
    bodies[i].pose = latticePose(draw);
  }
  const auto reference = makeBruteForceNarrowPhase(shapes);
  const Verdict truth = finalVerdict(*reference, bodies);
  const bool meet =
      surfacesMeet(a->polyhedron().mesh(), bodies[0].pose, b->polyhedron().mesh(), bodies[1].pose);
  demand(!meet || truth == Verdict::Contact, "brute force finds what rationals find");
  const bool solid = a->solid() || b->solid();
  demand(meet || solid || truth == Verdict::Separate, "brute force invents no contact");
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog()) {
    auto phase = makeNarrowPhase(entry, shapes);
    if (phase) demand(finalVerdict(**phase, bodies) == truth, entry.name);
  }
}

void drawBody(Draw& draw, BodyState& body) {
  body.pose.position = latticePoint(draw, 0.25);
  body.velocity = latticePoint(draw, 0.5);
  body.shape = ShapeRef::ofRadius(draw.below(16) * 0.25);
  body.accelerationBound = draw.below(4);
  body.boundHoldsUntil = 1e6;
}

void compareBroadPhases(Bytes bytes) {
  const auto reference = makeAllPairsBroadPhase();
  std::vector<std::unique_ptr<BroadPhase>> tried;
  for (const BroadPhaseEntry& entry : broadPhaseCatalog()) tried.push_back(entry.make());
  Draw draw(bytes);
  std::vector<BodyState> bodies(static_cast<std::size_t>(draw.below(14)));
  std::uint32_t key = 0;
  for (BodyState& body : bodies) {
    body.key = key++;
    drawBody(draw, body);
    body.assembly = static_cast<std::uint32_t>(draw.below(3));
  }
  std::vector<BodyPair> expected, found;
  Real time = 0.0;
  for (int frame = 0; frame < 24 && !(draw.empty() && frame > 4); ++frame) {
    reference->findPairs(bodies, time, expected);
    for (const auto& phase : tried) {
      const Real silentUntil = phase->findPairs(bodies, time, found);
      demand(found == expected, phase->name());
      demand(silentUntil >= time, "a promise is not of the past");
    }
    // Fly on as promised, and let the bytes end the promise now and then
    const Real step = 0.01 * (1 + draw.below(50));
    time += step;
    for (BodyState& body : bodies) body.pose.position += step * body.velocity;
    const int event = draw.below(6);
    const auto any = bodies.empty() ? 0u : static_cast<std::size_t>(draw.byte()) % bodies.size();
    if (event == 1 && !bodies.empty()) {
      drawBody(draw, bodies[any]);
      ++bodies[any].motionEpoch;
    }
    if (event == 2 && !bodies.empty())
      bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(any));
    if (event == 3 && bodies.size() < 20) {
      BodyState more;
      more.key = key++;
      drawBody(draw, more);
      bodies.insert(bodies.begin() + static_cast<std::ptrdiff_t>(any), more);
    }
    if (event == 4) std::ranges::reverse(bodies);
  }
}

/// Bytes that say something from the beginning to the end.
std::vector<std::string> busySeeds() {
  std::vector<std::string> seeds;
  for (int s = 0; s < 4; ++s) {
    std::string seed;
    for (int i = 0; i < 160; ++i)
      seed += static_cast<char>((i * (37 + 12 * s) + i * i * 11) % 61 - 30);
    seeds.push_back(seed);
  }
  return seeds;
}

}  // namespace

std::vector<Target> pairTargets() {
  return {{"narrow-phases", compareNarrowPhases, busySeeds},
          {"broad-phases", compareBroadPhases, busySeeds}};
}

}  // namespace nearmiss::fuzz
