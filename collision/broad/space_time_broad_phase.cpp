// SPDX-License-Identifier: MIT
#include <nearmiss/broad_phases.h>
#include <nearmiss/space_time_bound.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "broad/bounding_spheres.h"
#include "broad/projection_sweep.h"
#include "broad/subdivision.h"

namespace nearmiss {
namespace {

constexpr Real never = std::numeric_limits<Real>::infinity();

/// Planes of one body that are kept between calls; fewer only widen its bound.
constexpr std::size_t mostPlanes = 4;

/// How long bounds are made to last when bodies promise for ever: at first, and at most, seconds.
constexpr Real firstHorizon = 1.0;
constexpr Real longestHorizon = 1e3;

/// The bound of the body at one place, and what makes it void.
struct KeptBody {
  std::uint32_t key = 0, epoch = 0;
  Real radius = -1.0;  ///< of the body; the bound's is wider by twice the tolerance
  Real tolerance = 0.0;
  std::array<CuttingPlane, mostPlanes> planes;
  std::size_t planeCount = 0;
};

Real largest(const Vec3& v) noexcept {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// Whether a state is where its bound said that it would be.
bool keepsPromise(const BodyState& body, const KeptBody& kept, const SpaceTimeBound& bound,
                  Real time) noexcept {
  if (body.key != kept.key || body.motionEpoch != kept.epoch || body.boundingRadius != kept.radius)
    return false;
  const Real s = time - bound.start;
  const Real life = bound.end - bound.start;
  const Vec3 off = body.pose.position - (bound.position + bound.velocity * s);
  if (!(largest(off) <= 0.5 * bound.acceleration * life * s + kept.tolerance)) return false;
  return std::all_of(bound.planes.begin(), bound.planes.end(), [&](const CuttingPlane& plane) {
    return glm::dot(plane.direction, off) >= -0.5 * plane.reverse * life * s - kept.tolerance;
  });
}

void begin(ProjectionSweep& search, std::span<const SpaceTimeBound> bounds,
           std::span<const std::uint32_t> assemblies, Real from, Real until, Real) {
  search.start(bounds, assemblies, from, until);
}

void begin(Subdivision& search, std::span<const SpaceTimeBound> bounds,
           std::span<const std::uint32_t> assemblies, Real from, Real until, Real step) {
  search.start(bounds, assemblies, from, until, std::max(step, (until - from) * 0x1p-16));
}

/// The driver [H93, "Detecting collisions"]: all bounds are built at once and searched for the
/// earliest intersection, and until then there is nothing to do. A pair whose bounds meet is taken
/// out of the search and watched on its own: its bounds are built afresh, as tight as they get,
/// and it is left alone until those meet. So the others need not be built again before they expire
/// or one of them is void.
template <class Search>
class SpaceTimeBroadPhase final : public BroadPhase {
 public:
  explicit SpaceTimeBroadPhase(std::string_view name) noexcept : name_(name) {}

  std::string_view name() const noexcept override { return name_; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    work_ = {};
    pairs.clear();
    if (time > time_ && std::isfinite(time - time_)) step_ = time - time_;
    time_ = time;
    if (!allHold(bodies)) rebuild(bodies);

    // Whose time has come is watched from now on
    while (upcoming_ && upcoming_->time <= time) {
      watched_.push_back({upcoming_->pair, time});
      upcoming_ = nextMeeting();
    }
    Real quiet = std::min(expire_, upcoming_ ? upcoming_->time : never);

    std::size_t kept = 0;
    for (Watched& watched : watched_) {
      if (!look(bodies, watched, pairs)) continue;
      if (watched.next > time || !meets_) quiet = std::min(quiet, watched.next);
      watched_[kept++] = watched;
    }
    watched_.resize(kept);

    if (!loose_.empty()) {
      lookAtLoose(bodies, pairs);
      quiet = time;
    }
    std::sort(pairs.begin(), pairs.end());
    return std::max(time, quiet);
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  /// A pair whose bounds have met, and when it must be looked at next.
  struct Watched {
    BodyPair pair;
    Real next = 0.0;
  };

  bool allHold(std::span<const BodyState> bodies) noexcept {
    if (bodies.size() != kept_.size() || !(time_ < expire_) || time_ < built_) return false;
    work_.boundTests += bodies.size();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (!isLoose_[i] && !keepsPromise(bodies[i], kept_[i], bounds_[i], time_)) return false;
    return true;
  }

  void rebuild(std::span<const BodyState> bodies) {
    chooseExpiry(bodies);
    built_ = time_;
    kept_.resize(bodies.size());
    bounds_.resize(bodies.size());
    isLoose_.assign(bodies.size(), false);
    assemblies_.clear();
    loose_.clear();
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      keep(i, bodies[i]);
      assemblies_.push_back(bodies[i].assembly);
      if (!isLoose_[i]) continue;
      // What makes no bound takes no part in the search, far away in time
      loose_.push_back(i);
      bounds_[i] = {time_, expire_, Vec3(0.0), Vec3(0.0), 0.0, 0.0, {}};
    }
    begin(search_, bounds_, assemblies_, time_, expire_, step_);
    watched_.clear();
    for (const BodyPair& pair : search_.overlapping())
      if (!isLoose_[pair.a] && !isLoose_[pair.b]) watched_.push_back({pair, time_});
    counted_ = {};
    metSinceRebuild_ = 0;
    upcoming_ = nextMeeting();
  }

  /// All bounds end together, at the first end of a promise; twice as late as last time if nothing
  /// met in that time, half as late if much did.
  void chooseExpiry(std::span<const BodyState> bodies) {
    const bool lastedOut = bodies.size() == kept_.size() && !(time_ < expire_);
    if (lastedOut && metSinceRebuild_ == 0) horizon_ = std::min(2.0 * horizon_, longestHorizon);
    if (metSinceRebuild_ * 4 > bodies.size()) horizon_ = std::max(0.5 * horizon_, 4.0 * step_);
    expire_ = time_ + horizon_;
    for (const BodyState& body : bodies)
      if (body.boundHoldsUntil > time_) expire_ = std::min(expire_, body.boundHoldsUntil);
    // A clock that is so late that the horizon vanishes in it makes every body loose
    if (!(expire_ > time_)) expire_ = time_;
  }

  void keep(std::uint32_t i, const BodyState& body) {
    KeptBody& kept = kept_[i];
    kept.key = body.key;
    kept.epoch = body.motionEpoch;
    kept.radius = body.boundingRadius;
    kept.planeCount = std::min(body.planes.size(), mostPlanes);
    std::copy_n(body.planes.begin(), kept.planeCount, kept.planes.begin());

    SpaceTimeBound& bound = bounds_[i];
    bound = spaceTimeBound(body, time_, expire_);
    bound.planes = std::span(kept.planes).first(kept.planeCount);
    const Real life = bound.end - bound.start;
    kept.tolerance = 1e-12 * (largest(bound.position) + bound.radius +
                              (largest(bound.velocity) + bound.acceleration * life) * life);
    const bool sound = !faultOf(bound) && kept.tolerance < never && bound.end >= expire_;
    bound.radius += 2.0 * kept.tolerance;
    isLoose_[i] = !sound;
  }

  std::optional<BoundMeeting> nextMeeting() {
    for (;;) {
      const auto meeting = search_.next();
      const MeetingCounts& counts = search_.counts();
      work_.boundTests += counts.crossings + counts.pairTests + counts.programs -
                          (counted_.crossings + counted_.pairTests + counted_.programs);
      counted_ = counts;
      if (!meeting) return std::nullopt;
      if (isLoose_[meeting->pair.a] || isLoose_[meeting->pair.b]) continue;
      ++metSinceRebuild_;
      return meeting;
    }
  }

  /// Returns whether the pair may meet before its bounds expire.
  bool look(std::span<const BodyState> bodies, Watched& watched, std::vector<BodyPair>& pairs) {
    meets_ = false;
    if (watched.next > time_) return true;
    ++work_.boundTests;
    const auto [a, b] = watched.pair;
    if (boundingSpheresMeet(bodies[a], bodies[b])) {
      pairs.push_back(watched.pair);
      meets_ = true;
      return true;
    }
    // Bounds from the present state on, as short as they may be
    const auto meeting = retightenedMeeting(boundNow(bodies, a), boundNow(bodies, b), 0.5 * step_);
    ++work_.boundTests;
    if (!meeting) return false;
    watched.next = *meeting;
    return true;
  }

  [[nodiscard]] SpaceTimeBound boundNow(std::span<const BodyState> bodies,
                                        std::uint32_t i) const noexcept {
    SpaceTimeBound bound = bounds_[i];
    bound.start = time_;
    bound.position = bodies[i].pose.position;
    bound.velocity = bodies[i].velocity;
    return bound;
  }

  /// Bodies that promise nothing sound are tested against all, at every call.
  void lookAtLoose(std::span<const BodyState> bodies, std::vector<BodyPair>& pairs) {
    for (const std::uint32_t i : loose_)
      for (std::uint32_t j = 0; j < bodies.size(); ++j) {
        if (j == i || (isLoose_[j] && j < i)) continue;
        ++work_.boundTests;
        if (boundingSpheresMeet(bodies[i], bodies[j]))
          pairs.push_back({std::min(i, j), std::max(i, j)});
      }
  }

  std::string_view name_;
  Search search_;
  Real time_ = 0.0, built_ = 0.0, expire_ = -never;
  Real step_ = 0.01;  ///< between the last two calls
  Real horizon_ = firstHorizon;
  std::size_t metSinceRebuild_ = 0;
  std::vector<KeptBody> kept_;
  std::vector<SpaceTimeBound> bounds_;
  std::vector<std::uint32_t> assemblies_;
  std::vector<char> isLoose_;
  std::vector<std::uint32_t> loose_;
  std::optional<BoundMeeting> upcoming_;
  std::vector<Watched> watched_;
  bool meets_ = false;  ///< what the last look() saw
  MeetingCounts counted_;
  WorkCount work_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeSpaceTimeBroadPhase() {
  return std::make_unique<SpaceTimeBroadPhase<ProjectionSweep>>("space-time");
}

std::unique_ptr<BroadPhase> makeSpaceTimeSubdivisionBroadPhase() {
  return std::make_unique<SpaceTimeBroadPhase<Subdivision>>("space-time-subdivision");
}

}  // namespace nearmiss
