// SPDX-License-Identifier: MIT
#include <nearmiss/contact_manifold.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "query/contact_candidates.h"
#include "query/inner_balls.h"
#include "query/surface_edges.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// Chooses points one after the other: the deepest, then always the one that is the farthest from
/// all before, in place or in direction. Keeps its memory.
class PointChoice {
 public:
  /// The points must outlive the last choice.
  /// @param slack metres: depths that differ by less are the same
  void begin(std::span<ManifoldPoint> points, std::span<const std::uint64_t> before, Real slack) {
    points_ = points;
    slack_ = slack;
    chosen_ = 0;
    away_.assign(points.size(), std::numeric_limits<Real>::infinity());
    loyalty_.clear();
    Box box;
    for (const ManifoldPoint& point : points) {
      box.include(point.onA);
      loyalty_.push_back(std::ranges::binary_search(before, point.id) ? loyalty : 1.0);
    }
    const Vec3 extent = box.extent();
    size_ = glm::dot(extent, extent);
    middle_ = box.centre();
  }

  /// Puts the next one behind those that were chosen.
  void choose() {
    std::size_t best = chosen_;
    Real most = -std::numeric_limits<Real>::infinity();
    for (std::size_t i = chosen_; i < points_.size(); ++i) {
      const Real worth = worthOf(i);
      if (!(worth > most)) continue;
      most = worth;
      best = i;
    }
    if (chosen_ == 0) best = outermost(best, most);
    std::swap(points_[chosen_], points_[best]);
    std::swap(away_[chosen_], away_[best]);
    std::swap(loyalty_[chosen_], loyalty_[best]);
    ++chosen_;
  }

 private:
  Real worthOf(std::size_t i) {
    const ManifoldPoint& point = points_[i];
    if (chosen_ == 0) return loyalty_[i] > 1.0 ? point.depth + slack_ : point.depth;
    // Only the last is new: a search through all that were chosen would cost their square
    const ManifoldPoint& last = points_[chosen_ - 1];
    away_[i] = std::min(away_[i], squaredDistance(point.onA, last.onA) +
                                      0.1 * size_ * (1.0 - glm::dot(point.normal, last.normal)));
    return away_[i] * loyalty_[i];
  }

  /// Of those as deep as `best` within rounding: a corner of the patch, not the middle of a side.
  std::size_t outermost(std::size_t best, Real most) {
    const auto outwards = [&](std::size_t i) { return squaredDistance(points_[i].onA, middle_); };
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (worthOf(i) >= most - 0.5 * slack_ && outwards(i) > 1.01 * outwards(best)) best = i;
    return best;
  }

  /// What a point that was there before is worth, so that equal ones do not take turns.
  static constexpr Real loyalty = 1.2;

  std::span<ManifoldPoint> points_;
  std::vector<Real> away_;     ///< by point, from the nearest that was chosen
  std::vector<Real> loyalty_;  ///< likewise: the factor of its worth
  std::size_t chosen_ = 0;
  Real size_ = 0.0;
  Vec3 middle_{0.0};
  Real slack_ = 0.0;
};

namespace {

constexpr std::string_view cannotTouch = "cannot find the contact manifold";

/// Keeps the deepest, and those that keep the patch as wide as it is.
void reduce(std::vector<ManifoldPoint>& points, std::size_t maxPoints,
            std::span<const std::uint64_t> before, Real slack, PointChoice& choice) {
  std::ranges::sort(points, {}, &ManifoldPoint::id);
  // clang 14 does not compile std::ranges::unique
  const auto twice =
      std::unique(points.begin(), points.end(),
                  [](const ManifoldPoint& p, const ManifoldPoint& q) { return p.id == q.id; });
  points.erase(twice, points.end());
  if (points.size() > maxPoints) {
    choice.begin(points, before, slack);
    for (std::size_t kept = 0; kept < maxPoints; ++kept) choice.choose();
    points.resize(maxPoints);
  }
  std::ranges::sort(points, [](const ManifoldPoint& p, const ManifoldPoint& q) {
    return p.depth != q.depth ? p.depth > q.depth : p.id < q.id;
  });
}

}  // namespace

struct ManifoldQuery::Parts {
  TwoBodies bodies;
  ManifoldSettings settings;
  ContactCandidates candidates;
  std::vector<std::uint64_t> before;   ///< the ids of the meshes' manifold before, sorted
  std::vector<std::uint64_t> now;      ///< likewise of this one, for the next
  std::vector<std::uint64_t> deepest;  ///< some of these, sorted: the next search begins with them
  PointChoice choice;
  ContactManifold known;
  bool looked = false;  ///< known.points are those of the two bodies

  /// Keeps the names of the points for the next manifold of the same two meshes. False if these are
  /// others.
  bool remember(const Shape& a, const Shape& b) {
    const bool same =
        bodies.taken() && a.sharesMeshWith(bodies.shapeA()) && b.sharesMeshWith(bodies.shapeB());
    if (!same) {
      before.clear();
      deepest.clear();
    }
    if (!same || !looked) return same;
    now.clear();
    for (const ManifoldPoint& point : known.points) now.push_back(point.id);
    // Few, to leave time for other features
    constexpr std::size_t most = 8;
    deepest.assign(now.begin(),
                   now.begin() + static_cast<std::ptrdiff_t>(std::min(most, now.size())));
    std::ranges::sort(deepest);
    std::ranges::sort(now);
    before.swap(now);
    return true;
  }

  void look(const TimeBudget& budget) {
    looked = true;
    const bool complete = candidates.refine(budget);
    candidates.copyTo(known.points);
    reduce(known.points, settings.maxPoints, before, slackOf(bodies.a(), bodies.b(), bodies.bToA()),
           choice);
    const Pose& pose = bodies.poseA();
    for (ManifoldPoint& point : known.points) {
      point.onA = transformed(pose, point.onA);
      point.onB = transformed(pose, point.onB);
      point.normal = pose.rotation * point.normal;
    }
    known.canRefine = !complete;
  }
};

void prepare(const Shape& shape) {
  (void)surfaceEdgesOf(shape);
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
  // Allocate first: an error leaves the previous pair
  const SurfaceEdges &edgesA = surfaceEdgesOf(a), &edgesB = surfaceEdgesOf(b);
  const bool again = p.remember(a, b);
  p.bodies.take(a, poseA, b, poseB);
  p.looked = false;
  p.settings = settings;
  if (again)
    p.candidates.beginAgain(p.bodies, edgesA, edgesB, settings.margin, p.deepest);
  else
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
