// SPDX-License-Identifier: MIT
/// The published driver of space-time bounds [H93, "Detecting collisions"]: all bounds are built at
/// once, searched for their earliest intersection, and rebuilt when it occurs.
#include <nearmiss/rivals/broad_phases.h>
#include <nearmiss/rivals/meeting_search.h>

#include <utility>

#include "broad/projection_sweep.h"
#include "broad/space_time_broad_phase.h"
#include "rivals/subdivision.h"

namespace nearmiss {
namespace {

/// Relative to the lifetime of a bound: halving stops at this length even if the resolution is
/// shorter.
constexpr Real finestInterval = 0x1p-8;

/// Starts a projection. It requires bounds that are apart at the start, as they are if the previous
/// bounds just met. Otherwise all pairs are tested first.
void begin(ProjectionSweep& search, std::span<const SpaceTimeBound> bounds,
           std::span<const Real> radii, std::span<const std::uint32_t> assemblies, Real from,
           Real until, Real, bool mayOverlap) {
  if (mayOverlap)
    search.start(bounds, assemblies, from, until);
  else
    search.startApart(bounds, radii, assemblies, from, until);
}

/// Starts a subdivision. It finds initial overlaps in its first interval and needs no such test.
void begin(Subdivision& search, std::span<const SpaceTimeBound> bounds, std::span<const Real>,
           std::span<const std::uint32_t> assemblies, Real from, Real until, Real resolution,
           bool) {
  search.start(bounds, assemblies, from, until,
               std::max(resolution, (until - from) * finestInterval));
}

/// One call is one round of the published loop, at t_build = `time`. DetectionDriver does the rest
/// of the loop: it makes the next call at t_i, or after the resolution if a pair is immediate.
template <class Search>
class PublishedSpaceTime final : public BroadPhase {
 public:
  PublishedSpaceTime(std::string_view name, Promises promises, BodyForm form, Search search = {})
      : name_(name), promises_(promises), form_(form), search_(std::move(search)) {}

  std::string_view name() const noexcept override { return name_; }

  void setResolution(Real seconds) noexcept override {
    if (seconds > 0.0 && std::isfinite(seconds)) resolution_ = seconds;
  }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    work_ = {};
    pairs.clear();
    if (time > called_) shortestStep_ = std::min(shortestStep_, time - called_);
    called_ = time;
    // All bounds are invalid if a body jumped, was added or removed, or if time decreased
    const bool kept = time >= built_ && bodies.size() == kept_.size() && allKept(bodies, time);
    if (kept && time < next_) return next_;
    if (!kept || time > next_) overlap_ = true;
    build(bodies, time);
    const Real firstMeeting = findImmediate(time);

    // Their bounds intersect within the resolution: the bodies' own spheres or cubes decide
    const auto meet = form_ == BodyForm::Cubes ? boundingCubesMeet : boundingSpheresMeet;
    for (const BodyPair& pair : immediate_) {
      ++work_.boundTests;
      if (meet(bodies[pair.a], bodies[pair.b])) pairs.push_back(pair);
    }
    lookAtLoose(bodies, loose_, isLoose_, work_, pairs, meet);
    std::sort(pairs.begin(), pairs.end());

    // After the resolution, bounds may overlap from the start. If planes kept them apart, the next
    // cubes may overlap at any time
    overlap_ = !immediate_.empty() || !loose_.empty() || hasPlanes_;
    next_ = loose_.empty() ? std::max(time, firstMeeting) : time;
    return next_;
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  [[nodiscard]] Real resolution() const noexcept {
    if (resolution_ > 0.0) return resolution_;
    return std::isfinite(shortestStep_) ? shortestStep_ : 0.01;
  }

  [[nodiscard]] bool allKept(std::span<const BodyState> bodies, Real time) {
    if (promises_ == Promises::Believed) return true;
    work_.boundTests += bodies.size();
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
      if (!isLoose_[i] && !keepsPromise(bodies[i], kept_[i], bounds_[i], time)) return false;
    return true;
  }

  /// All bounds end when the first acceleration bound expires; bounds that never expire end after a
  /// while.
  [[nodiscard]] static Real expiryOf(std::span<const BodyState> bodies, Real time) noexcept {
    Real expire = std::numeric_limits<Real>::infinity();
    for (const BodyState& body : bodies)
      if (body.boundHoldsUntil > time) expire = std::min(expire, body.boundHoldsUntil);
    if (!(expire <= time + longestHorizon)) expire = time + firstHorizon;
    return std::max(expire, time);
  }

  void build(std::span<const BodyState> bodies, Real time) {
    built_ = time;
    expire_ = expiryOf(bodies, time);
    kept_.resize(bodies.size());
    planes_.resize(bodies.size());
    bounds_.resize(bodies.size());
    isLoose_.assign(bodies.size(), false);
    loose_.clear();
    radii_.clear();
    assemblies_.clear();
    hasPlanes_ = false;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      assemblies_.push_back(bodies[i].assembly);
      radii_.push_back(bodies[i].shape.radius());
      const bool sound = buildBound(bodies[i], time, expire_, kept_[i], planes_[i], bounds_[i]);
      // A plane touches the sphere, but a cube's corners lie beyond it
      if (form_ == BodyForm::Cubes) bounds_[i].planes = {};
      hasPlanes_ = hasPlanes_ || (sound && !bounds_[i].planes.empty());
      if (sound) continue;
      // Keep it out of the search
      bounds_[i] = {time, expire_, Vec3(0.0), Vec3(0.0), 0.0, 0.0, {}};
      radii_[i] = 0.0;
      isLoose_[i] = true;
      loose_.push_back(i);
    }
  }

  /// Lists the pairs whose bounds overlap, or else the first to intersect if that is within the
  /// resolution; later ones have spheres that are apart now. Returns when the first bounds
  /// intersect, or when all expire.
  Real findImmediate(Real time) {
    immediate_.clear();
    begin(search_, bounds_, radii_, assemblies_, time, expire_, resolution(), overlap_);
    for (const BodyPair& pair : search_.overlapping())
      if (!isLoose_[pair.a] && !isLoose_[pair.b]) immediate_.push_back(pair);
    Real first = time;
    if (immediate_.empty()) {
      const auto meeting = nextMeeting();
      first = meeting ? meeting->time : expire_;
      if (meeting && first - time <= resolution()) immediate_.push_back(meeting->pair);
    }
    const MeetingCounts& counts = search_.counts();
    work_.boundTests += counts.crossings + counts.pairTests + counts.programs;
    return first;
  }

  std::optional<BoundMeeting> nextMeeting() {
    for (;;) {
      const auto meeting = search_.next();
      if (!meeting || (!isLoose_[meeting->pair.a] && !isLoose_[meeting->pair.b])) return meeting;
    }
  }

  std::string_view name_;
  Promises promises_;
  BodyForm form_;
  Search search_;
  Real built_ = std::numeric_limits<Real>::infinity();  ///< t_build
  Real next_ = 0.0;                                     ///< t_i: the bounds are apart until then
  bool overlap_ = true;  ///< in the next round, bounds may overlap from the start
  Real expire_ = 0.0;
  Real resolution_ = 0.0;                                      ///< 0: not set
  Real called_ = std::numeric_limits<Real>::infinity();        ///< time of the last call
  Real shortestStep_ = std::numeric_limits<Real>::infinity();  ///< between two calls
  std::vector<KeptBody> kept_;
  std::vector<std::array<CuttingPlane, keptPlanes>> planes_;
  std::vector<SpaceTimeBound> bounds_;
  bool hasPlanes_ = false;
  std::vector<Real> radii_;
  std::vector<std::uint32_t> assemblies_, loose_;
  std::vector<char> isLoose_;
  std::vector<BodyPair> immediate_;
  WorkCount work_;
};

}  // namespace

std::unique_ptr<BroadPhase> makePublishedSpaceTimeBroadPhase(Promises promises, BodyForm form) {
  return std::make_unique<PublishedSpaceTime<ProjectionSweep>>("space-time", promises, form);
}

std::unique_ptr<BroadPhase> makePublishedSubdivisionBroadPhase(Promises promises, BodyForm form) {
  return std::make_unique<PublishedSpaceTime<Subdivision>>("space-time-subdivision", promises, form,
                                                           Subdivision(PairLists::None));
}

}  // namespace nearmiss
