// SPDX-License-Identifier: MIT
#include <nearmiss/contact_manifold.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include "geometry/closest_points.h"
#include "query/contact_candidates.h"
#include "query/surface_edges.h"
#include "query/two_bodies.h"

namespace nearmiss {
namespace {

constexpr std::string_view cannotTouch = "cannot find the contact manifold";

/// What a point that was there before is worth, so that equal ones do not take turns.
constexpr Real loyalty = 1.2;

/// Keeps the deepest, then always the one that is the farthest from all that are kept, in place or
/// in direction.
void reduce(std::vector<ManifoldPoint>& points, std::size_t maxPoints,
            std::span<const std::uint64_t> before) {
  std::ranges::sort(points, {}, &ManifoldPoint::id);
  const auto twice = std::ranges::unique(points, {}, &ManifoldPoint::id);
  points.erase(twice.begin(), twice.end());
  Box box;
  for (const ManifoldPoint& point : points) box.include(point.onA);
  const Vec3 extent = points.empty() ? Vec3(0.0) : box.extent();
  const Real size = glm::dot(extent, extent);
  const auto known = [&](const ManifoldPoint& point) {
    return std::ranges::binary_search(before, point.id) ? loyalty : 1.0;
  };
  std::size_t kept = 0;
  for (; kept < std::min(maxPoints, points.size()); ++kept) {
    const auto worth = [&](const ManifoldPoint& point) {
      if (kept == 0) return point.depth > 0.0 ? point.depth * known(point) : point.depth;
      Real least = std::numeric_limits<Real>::infinity();
      for (const ManifoldPoint& other : std::span(points).first(kept))
        least = std::min(least, squaredDistance(point.onA, other.onA) +
                                    0.1 * size * (1.0 - glm::dot(point.normal, other.normal)));
      return least * known(point);
    };
    const auto rest = std::span(points).subspan(kept);
    std::iter_swap(rest.begin(), std::ranges::max_element(rest, {}, worth));
  }
  points.resize(kept);
  std::ranges::sort(points, [](const ManifoldPoint& p, const ManifoldPoint& q) {
    return p.depth != q.depth ? p.depth > q.depth : p.id < q.id;
  });
}

}  // namespace

struct ManifoldQuery::Parts {
  TwoBodies bodies;
  ManifoldSettings settings;
  ContactCandidates candidates;
  std::vector<std::uint64_t> before;  ///< the ids of the manifold before, sorted
  std::vector<std::uint64_t> now;     ///< likewise of this one, for the next
  ContactManifold known;

  void remember() {
    now.clear();
    for (const ManifoldPoint& point : known.points) now.push_back(point.id);
    std::ranges::sort(now);
  }

  void look(const TimeBudget& budget) {
    const bool complete = candidates.refine(budget);
    const auto& found = candidates.points();
    known.points.assign(found.begin(), found.end());
    reduce(known.points, settings.maxPoints, before);
    const Pose& pose = bodies.poseA();
    for (ManifoldPoint& point : known.points) {
      point.onA = transformed(pose, point.onA);
      point.onB = transformed(pose, point.onB);
      point.normal = pose.rotation * point.normal;
    }
    known.canRefine = !complete;
  }
};

ManifoldQuery::ManifoldQuery() : parts_(std::make_unique<Parts>()) {}
ManifoldQuery::ManifoldQuery(ManifoldQuery&&) noexcept = default;
ManifoldQuery& ManifoldQuery::operator=(ManifoldQuery&&) noexcept = default;
ManifoldQuery::~ManifoldQuery() = default;

void ManifoldQuery::begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                          const ManifoldSettings& settings) {
  NEARMISS_DEMAND(settings.margin >= 0.0 && settings.maxPoints > 0);
  Parts& p = *parts_;
  // Allocate first: an error leaves the previous pair
  const SurfaceEdges &edgesA = surfaceEdgesOf(a), &edgesB = surfaceEdgesOf(b);
  p.remember();
  p.before.swap(p.now);
  p.bodies.take(a, poseA, b, poseB);
  p.settings = settings;
  p.candidates.begin(p.bodies, edgesA, edgesB, settings.margin);
  p.known.points.clear();
  p.known.canRefine = true;
}

Result<Success> ManifoldQuery::beginChecked(const Shape& a, const Pose& poseA, const Shape& b,
                                            const Pose& poseB, const ManifoldSettings& settings) {
  return checked(a, poseA, b, poseB, cannotTouch, [&]() -> Result<Success> {
    if (!(settings.margin >= 0.0) || !std::isfinite(settings.margin))
      return Error{ErrorCode::Unsupported, "the margin must be finite and at least 0"};
    if (settings.maxPoints == 0)
      return Error{ErrorCode::Unsupported, "a manifold must have room for a point"};
    begin(a, poseA, b, poseB, settings);
    return Success{};
  });
}

const ContactManifold& ManifoldQuery::refine(const TimeBudget& budget) {
  Parts& p = *parts_;
  NEARMISS_DEMAND(p.bodies.taken());
  if (!p.known.canRefine) return p.known;
  resetOnThrow(p, [&] { p.look(budget); });
  return p.known;
}

ContactManifold contactManifold(const Shape& a, const Pose& poseA, const Shape& b,
                                const Pose& poseB, const ManifoldSettings& settings,
                                const TimeBudget& budget) {
  ManifoldQuery query;
  query.begin(a, poseA, b, poseB, settings);
  return query.refine(budget);
}

Result<ContactManifold> contactManifoldChecked(const Shape& a, const Pose& poseA, const Shape& b,
                                               const Pose& poseB, const ManifoldSettings& settings,
                                               const TimeBudget& budget) {
  return checked(a, poseA, b, poseB, cannotTouch, [&]() -> Result<ContactManifold> {
    ManifoldQuery query;
    const auto begun = query.beginChecked(a, poseA, b, poseB, settings);
    if (!begun) return begun.error();
    return query.refine(budget);
  });
}

}  // namespace nearmiss
