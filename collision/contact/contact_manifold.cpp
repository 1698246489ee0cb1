// SPDX-License-Identifier: MIT
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "contact/contact_candidates.h"
#include "contact/contact_reduction.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/solid_cells.h"
#include "pair/inner_balls.h"
#include "pair/two_bodies.h"

namespace nearmiss {

struct ManifoldQuery::Parts {
  TwoBodies bodies;
  ManifoldSettings settings;
  ContactCandidates candidates;
  std::vector<std::uint64_t> before;   ///< ids of the previous manifold of the same meshes, sorted
  std::vector<std::uint64_t> deepest;  ///< some of these, sorted; compared first in the next search
  HeldPoints held;                     ///< points of the previous manifold
  Pose heldPose;                       ///< pose of b in the frame of a at that time
  Real certain = 0.0;                  ///< metres: no shorter translation separates two solids
  ContactReduction reduction;
  std::vector<ManifoldPoint> points;  ///< of the two bodies, frame of a
  ContactManifold known;              ///< the same in the world frame
  /// The caller calls forget() for each pair: nothing is listed for later.
  bool once = false;
  bool looked = false;  ///< `points` are those of the current bodies
  /// `known.points` are in the world frame of the current poses.
  bool placed = false;

  /// Keeps the points and their ids for the next manifold of the same two meshes.
  /// @param pose of b in the frame of a
  void remember(const Pose& pose) {
    if (!looked) return;
    held.keep(points, pose, certain);
    heldPose = pose;
    before.clear();
    for (const ManifoldPoint& point : points) before.push_back(point.id);
    // Only a few, to leave time for other features
    constexpr std::size_t most = 8;
    deepest.assign(before.begin(),
                   before.begin() + static_cast<std::ptrdiff_t>(std::min(most, before.size())));
    std::ranges::sort(deepest);
    std::ranges::sort(before);
  }

  void look(const TimeBudget& budget) {
    // Share of the smaller body: points replace previous ones only if they are deeper by more
    constexpr Real share = 1e-4;
    looked = true;
    placed = false;
    const bool complete = candidates.refine(budget);
    candidates.copyTo(points);
    certain = candidates.certainDepth();
    if (!complete) hold();
    reduction.reduce(points, settings.maxPoints, before,
                     slackOf(bodies.a(), bodies.b(), bodies.bToA()),
                     share * std::min(bodies.a().radius(), bodies.b().radius()));
    known.canRefine = !complete;
    known.depthKnown = candidates.depthKnown();
  }

  /// Adds points of the previous manifold that the search has not reached, and limits depths to the
  /// proven ones.
  void hold() {
    // Relative to the smaller body
    constexpr Real slides = 0.05, slidesAlone = 0.25;
    const Pose& pose = bodies.bToA();
    const Real radius = std::min(bodies.a().radius(), bodies.b().radius());
    held.addTo(points, pose, settings.margin, std::max(settings.margin, slides * radius),
               [&](std::uint64_t id) { return candidates.isOpen(id); });
    // Some points are found only in the last stages of a search
    if (points.empty())
      held.addTo(points, pose, settings.margin, std::max(settings.margin, slidesAlone * radius),
                 [](std::uint64_t) { return true; });
    const Real moved = motionBetween(bodies.a(), bodies.b(), heldPose, pose);
    certain = candidates.makeCertain(points, held.certainAfter(moved), held.deepestAfter(moved));
  }

  /// Transforms the points to the world frame. The depth is computed from the rounded points, so
  /// that the signs agree.
  void place() {
    if (std::exchange(placed, true)) return;
    const Pose& pose = bodies.poseA();
    known.points.clear();
    for (const ManifoldPoint& point : points) {
      ManifoldPoint& there = known.points.emplace_back(point);
      there.onA = transformed(pose, point.onA);
      there.onB = transformed(pose, point.onB);
      there.normal = pose.rotation * point.normal;
      there.depth = glm::dot(there.onB - there.onA, there.normal);
    }
    std::ranges::sort(known.points, [](const ManifoldPoint& p, const ManifoldPoint& q) {
      return p.depth != q.depth ? p.depth > q.depth : p.id < q.id;
    });
  }
};

Result<Success> check(const ManifoldSettings& settings) {
  return orOutOfMemory("cannot check the settings of a manifold", [&]() -> Result<Success> {
    if (!(settings.margin >= 0.0) || !std::isfinite(settings.margin))
      return Error{ErrorCode::Unsupported, "the margin must be finite and at least 0"};
    if (settings.maxPoints == 0)
      return Error{ErrorCode::Unsupported, "a manifold must have room for a point"};
    return Success{};
  });
}

void prepare(const Shape& shape) {
  if (shape.solid()) SolidCells::prepare(shape.polyhedron());
  (void)ContactBody(shape);
  (void)innerBallsOf(shape, TimeBudget::unlimited());
}

ManifoldQuery::ManifoldQuery() : parts_(std::make_unique<Parts>()) {}
ManifoldQuery::ManifoldQuery(ManifoldQuery&&) noexcept = default;
ManifoldQuery& ManifoldQuery::operator=(ManifoldQuery&&) noexcept = default;
ManifoldQuery::~ManifoldQuery() = default;

void ManifoldQuery::begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                          const ManifoldSettings& settings) {
  NEARMISS_DEMAND(settings.margin >= 0.0 && settings.maxPoints > 0);
  Parts& p = *parts_;
  const bool again = p.bodies.taken() && a.sharesMeshWith(p.bodies.shapeA()) &&
                     b.sharesMeshWith(p.bodies.shapeB());
  if (!again) {
    // Allocate first, so that on an error the previous pair stays
    (void)ContactBody(a);
    (void)ContactBody(b);
  }
  const Pose previous = again ? p.bodies.bToA() : Pose{};
  const Pose place = again ? p.bodies.poseA() : Pose{};
  p.bodies.take(a, poseA, b, poseB);
  const bool done = again && p.looked && !p.known.canRefine && p.settings == settings;
  if (done && previous == p.bodies.bToA()) {
    p.placed = p.placed && place == p.bodies.poseA();
    return;
  }
  p.settings = settings;
  if (again) {
    p.remember(previous);
    p.candidates.beginAgain(p.bodies, settings.margin, p.deepest);
  } else {
    p.before.clear();
    p.deepest.clear();
    p.held.forget();
    p.candidates.begin(p.bodies, settings.margin, p.once);
  }
  p.looked = p.placed = false;
  p.points.clear();
  p.known.points.clear();
  p.known.canRefine = true;
}

const ContactManifold& ManifoldQuery::refine(const TimeBudget& budget) {
  Parts& p = *parts_;
  NEARMISS_DEMAND(p.bodies.taken());
  resetOnThrow(p, [&] {
    if (p.known.canRefine) p.look(budget);
    p.place();
  });
  return p.known;
}

const ContactManifold& ManifoldQuery::known() const noexcept {
  static const ContactManifold nothing;
  NEARMISS_DEMAND(parts_->bodies.taken());
  return parts_->placed ? parts_->known : nothing;
}

void ManifoldQuery::forget() noexcept {
  Parts& p = *parts_;
  p.bodies = TwoBodies();
  p.once = true;
  p.looked = p.placed = false;
}

ContactManifold contactManifold(const Shape& a, const Pose& poseA, const Shape& b,
                                const Pose& poseB, const ManifoldSettings& settings,
                                const TimeBudget& budget) {
  ManifoldQuery query;
  query.begin(a, poseA, b, poseB, settings);
  return query.refine(budget);
}

}  // namespace nearmiss
