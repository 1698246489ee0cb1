// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/broad_phase.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <utility>

#include "broad/body_bounds.h"
#include "broad/body_queue.h"
#include "broad/cell_plan.h"
#include "broad/kept_bounds.h"
#include "broad/neighbour_search.h"
#include "broad/present_meetings.h"
#include "broad/shared_parts.h"
#include "broad/tick_calendar.h"
#include "broad/touch_forecast.h"

namespace nearmiss {
namespace {

/// Number of bodies whose bounds are rebuilt between two checks of the budget: about a microsecond.
constexpr std::size_t slice = 4;

/// Mean number of bounds built per body before the cells are planned again.
constexpr std::size_t boundsPerPlan = 2;

/// Number of bodies whose neighbours one worker finds, and of pairs it looks at, per part.
constexpr std::size_t bodiesPerPart = 16, pairsPerPart = 128;

/// Space-time bounds for crowds. Each body's bound is kept in a grid as the box of its whole
/// lifetime. Bounds end at different times and are rebuilt one by one. A rebuilt bound is tested
/// against its neighbours in the grid. Pairs that may touch while both bounds are valid are entered
/// in a calendar at the earliest time of contact, and are not looked at before.
class SpaceTimeGridBroadPhase final : public StoppableBroadPhase {
 public:
  std::string_view name() const noexcept override { return "space-time-grid"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    return find(bodies, time, TimeBudget::unlimited(), pairs);
  }

  Real findPairsWithin(std::span<const BodyState> bodies, Real time, const TimeBudget& budget,
                       std::vector<BodyPair>& pairs) override {
    return find(bodies, time, budget, pairs);
  }

  void announceJumps(std::span<const std::uint32_t> bodies) override { kept_.announce(bodies); }

  std::span<const PostponedBody> postponedBodies() const noexcept override {
    return queue_.postponed();
  }
  Wait waitBefore(std::uint32_t body) const noexcept override { return queue_.waitBefore(body); }

  /// Sets the length of ticks; calls may come at any interval.
  void setResolution(Real seconds) noexcept override { ticks_.setResolution(seconds); }

  WorkCount work() const noexcept override { return work_; }

  void shareWork(WorkerPool* pool) noexcept override { pool_ = pool; }

 private:
  /// The current call.
  struct Call {
    std::span<const BodyState> bodies;
    std::vector<BodyPair>* pairs = nullptr;
    WorkerPool* pool = nullptr;
    Real noContactBefore = noTouch;
  };

  struct Look {
    enum As : std::uint8_t { Outdated, Meets, Apart } as = Outdated;
    Real touch = noTouch;  ///< earliest contact time, if the pair is apart
  };
  struct Events {
    std::vector<PairEvent> merged;
    std::vector<Look> looks;  ///< by event of `merged`
  };

  /// Buffers used within a call, kept to reuse their memory.
  struct Lists {
    std::vector<std::uint32_t> voided;  ///< bodies whose bound is void
    /// bodies that keep waiting; bodies that were rebuilt
    std::vector<std::uint32_t> waiting, taken;
    Events events;
  };

  Real find(std::span<const BodyState> bodies, Real time, const TimeBudget& budget,
            std::vector<BodyPair>& pairs) {
    work_ = charged_ = {};
    pairs.clear();
    call_.bodies = bodies;
    call_.pairs = &pairs;
    // With a budget, never wait for a thread that may be preempted
    call_.pool = budget.limited() ? nullptr : pool_;
    call_.noContactBefore = noTouch;
    queue_.begin(bodies, time);
    work_.boundTests += kept_.findVoid(bodies, time, call_.pool, lists_.voided);
    // Without bodies no bound can be void
    const bool otherCount = envelopes_.size() != bodies.size();
    if (otherCount || newlyVoid() * 2 > bodies.size() || !ticks_.keepPace(time)) {
      restart(time);
    } else {
      ticks_.goOn(time);
      collectDue();
      if (rebuilt_ > boundsPerPlan * bodies.size()) followCrowd();
    }
    rebuildWithin(budget);
    serveEvents();
    charge(budget);
    if (!queue_.postponed().empty()) return time;
    return std::max(time,
                    std::min(call_.noContactBefore,
                             ticks_.timeOf(std::min(expiries_.nextTick(), events_.nextTick()))));
  }

  /// Charges the work done since the last charge; returns true if no time is left.
  bool charge(const TimeBudget& budget) noexcept {
    const WorkCount more{work_.boundTests - charged_.boundTests, 0};
    charged_ = work_;
    return budget.spend(more);
  }

  /// Returns the number of bodies whose bound became void in this call.
  [[nodiscard]] std::size_t newlyVoid() const noexcept {
    const auto inForce = [this](std::uint32_t i) { return !queue_.contains(i); };
    return static_cast<std::size_t>(std::ranges::count_if(lists_.voided, inForce));
  }

  void restart(Real time) {
    ticks_.restart(time);
    const auto count = static_cast<std::uint32_t>(call_.bodies.size());
    plan_ = planner_.plan(call_.bodies, ticks_.length());
    rebuilt_ = 0;
    grid_.clear(count, plan_.cell);
    envelopes_.resize(count);
    rebuiltIn_.assign(count, 0);
    batch_ = 0;
    outside_.clear();
    active_.clear();
    coming_.clear();
    expired_.clear();
    expiries_.clear(0);
    events_.clear(0);

    lists_.voided.clear();
    for (std::uint32_t i = 0; i < count; ++i) lists_.voided.push_back(i);
    staggered_.assign(count, false);
  }

  /// Adapts the cells to the current motion of the bodies. Bounds and known pairs stay.
  void followCrowd() {
    rebuilt_ = 0;
    // While time stands still no entry comes due, so outdated entries would pile up
    const auto isOver = [this](const auto& entry) { return isOutdated(grid_, entry); };
    expiries_.forgetIf(isOver);
    events_.forgetIf(isOver);
    const CellPlan next = planner_.plan(call_.bodies, ticks_.length());
    const Real wider = next.cell / plan_.cell;
    if (wider < 1.5 && wider > 1.0 / 1.5) return;
    plan_ = next;
    grid_.setCell(next.cell);
    outside_.clear();
    for (std::uint32_t i = 0; i < envelopes_.size(); ++i) {
      const LifeBox& box = grid_[i];
      place(i, Vec3(box.x, box.y, box.z), Real{box.half});
    }
  }

  /// Collects due entries. Must come before any entry is added: a new one may be too far ahead of
  /// the tick of the last call.
  void collectDue() {
    const auto add = [this](std::uint32_t i) { lists_.voided.push_back(i); };
    for (const std::uint32_t i : expired_) add(i);
    expired_.clear();
    expiries_.advance(ticks_.present(), [&](const BoundExpiry& expiry) {
      if (!isOutdated(grid_, expiry)) add(expiry.body);
    });
    events_.advance(ticks_.present(), [this](const PairEvent& event) { coming_.push_back(event); });
  }

  /// Rebuilds void bounds. Without a time limit, all of them; otherwise those that must not wait
  /// and then, a few at a time, as many as time allows.
  void rebuildWithin(const TimeBudget& budget) {
    queue_.add(lists_.voided);
    lists_.waiting.swap(lists_.voided);
    lists_.taken.clear();
    if (budget.limited())
      queue_.takeForced(lists_.voided);
    else
      queue_.takeAll(lists_.voided);
    rebuildTaken();
    while (!queue_.empty() && !charge(budget)) {
      queue_.take(slice, lists_.voided);
      rebuildTaken();
    }
    queue_.end();
    queue_.keepWaiting(lists_.waiting);
    if (!lists_.waiting.empty()) provideForWaiting();
  }

  void rebuildTaken() {
    rebuild();
    lists_.taken.insert(lists_.taken.end(), lists_.voided.begin(), lists_.voided.end());
  }

  /// No new neighbours are searched for a waiting body. But bodies that are taken must find it;
  /// otherwise a pair whose bodies wait alternately would never be found. So it also gets a bound,
  /// for bodies taken in later calls, and is compared now with the bodies taken in this call.
  void provideForWaiting() {
    if (!lists_.taken.empty()) {
      const auto found = present_.find(call_.bodies, lists_.taken, lists_.waiting, plan_.cell);
      work_.boundTests += present_.tests();
      for (const auto& [a, b] : found) coming_.push_back({a, b, grid_[a].build, grid_[b].build});
    }
    boundAll(lists_.waiting, false);
  }

  void rebuild() {
    // Build all bounds before searching for neighbours, so that none is compared with an old bound
    ++batch_;
    rebuilt_ += lists_.voided.size();
    boundAll(lists_.voided, true);
    findNeighbours();
  }

  void boundAll(std::span<const std::uint32_t> some, bool taken) {
    for (std::size_t k = 0; k < some.size(); ++k) {
      const std::uint32_t ahead = some[std::min(k + 4, some.size() - 1)];
      grid_.prefetch(ahead);
      __builtin_prefetch(&call_.bodies[ahead]);
      __builtin_prefetch(&call_.bodies[ahead].velocity);
      bound(some[k], taken);
    }
  }

  /// If `taken`, a new search for the body's neighbours follows; otherwise its known pairs remain
  /// valid.
  void bound(std::uint32_t i, bool taken) {
    if (taken) rebuiltIn_[i] = batch_;
    const BodyState& body = call_.bodies[i];
    const Real speed = largestCoordinate(body.velocity);
    const Real longest = plan_.longest;
    const Real size = largestCoordinate(body.pose.position) + body.shape.radius() +
                      (speed + 0.5 * body.accelerationBound * longest) * longest;
    Real life = plan_.lifeOf(body, speed, 4e-12 * size);
    const Real end = std::max(ticks_.time(), std::min(ticks_.time() + life, body.boundHoldsUntil));
    life = end - ticks_.time();
    // The first bounds have different lifetimes, so that later rebuilds are spread over time
    if (taken && !std::exchange(staggered_[i], true))
      life *= static_cast<Real>(i * 2654435769u >> 8) * 0x1p-24;
    kept_[i] = KeptBound(body, ticks_.time(), life, size);
    envelopes_[i] = {ticks_.time() + life, body.accelerationBound};

    // Enter the body into the grid at its position in the middle of the bound's lifetime
    const Vec3 centre = body.pose.position + body.velocity * (0.5 * life);
    const Real half = body.shape.radius() + 0.5 * speed * life +
                      0.5 * body.accelerationBound * life * life + 4e-12 * size;
    const std::uint32_t build = grid_[i].build + (taken ? 1 : 0);
    grid_[i] = LifeBox(centre, half, size, build);
    if (grid_.contains(i))
      grid_.remove(i);
    else
      std::erase(outside_, i);
    place(i, centre, half);

    const std::int64_t tick = ticks_.tickBefore(ticks_.time() + life);
    if (tick > ticks_.present())
      expiries_.add(tick, {i, build});
    else
      expired_.push_back(i);
  }

  /// @pre the body is neither in the grid nor in outside_
  void place(std::uint32_t i, const Vec3& centre, Real half) {
    const int level = grid_.levelFor(2.0 * half, centre);
    if (level == LifeGrid::noLevel)
      outside_.push_back(i);
    else
      grid_.insert(i, centre, level);
  }

  /// Finds the neighbours of all bounds built in this call, part by part.
  void findNeighbours() {
    const auto& voided = lists_.voided;
    const std::size_t parts = partCount(voided.size(), bodiesPerPart);
    if (near_.size() < parts) near_.resize(parts);
    const NeighbourSearch search{grid_, outside_, rebuiltIn_, batch_, forecast()};
    forEachPart(call_.pool, voided.size(), bodiesPerPart,
                [&](std::size_t part, std::size_t first, std::size_t end) {
                  search.find(std::span(voided).subspan(first, end - first), near_[part]);
                });
    for (const Neighbours& some : std::span(near_).first(parts)) {
      work_.boundTests += some.tests;
      for (const auto& [i, j, touch] : some.touches) expect(i, j, touch);
    }
  }

  [[nodiscard]] TouchForecast forecast() const noexcept {
    return {call_.bodies, kept_, envelopes_, ticks_.time()};
  }

  void expect(std::uint32_t i, std::uint32_t j, Real touch) {
    const auto [a, b] = pairOf(i, j);
    const PairEvent event{a, b, grid_[a].build, grid_[b].build};
    const std::int64_t tick = ticks_.tickBefore(touch);
    if (tick > ticks_.present())
      events_.add(tick, event);
    else
      coming_.push_back(event);
  }

  /// Tests a pair now.
  [[nodiscard]] Look lookAt(const PairEvent& event, const TouchForecast& ahead) const noexcept {
    if (isOutdated(grid_, event)) return {Look::Outdated};
    if (boundingSpheresMeet(call_.bodies[event.a], call_.bodies[event.b])) return {Look::Meets};
    return {Look::Apart, ahead.touchTime(event.a, event.b)};
  }

  /// Returns whether a pair must be looked at again at the next call.
  bool serve(const PairEvent& event, const Look& look) {
    if (look.as == Look::Outdated) return false;
    ++work_.boundTests;
    if (look.as == Look::Meets) {
      call_.pairs->push_back({event.a, event.b});
      return true;
    }
    if (look.touch == noTouch) return false;
    const std::int64_t tick = ticks_.tickBefore(look.touch);
    if (tick > ticks_.present()) {
      events_.add(tick, event);
      return false;
    }
    // Parts of one assembly are watched too, because they may be separated from it
    if (!sameAssembly(call_.bodies[event.a], call_.bodies[event.b]))
      call_.noContactBefore = std::min(call_.noContactBefore, look.touch);
    return true;
  }

  void serveEvents() {
    // Sorted by pair; active pairs stay in order. Waiting bodies may be found twice
    std::sort(coming_.begin(), coming_.end());
    coming_.erase(std::unique(coming_.begin(), coming_.end()), coming_.end());
    std::vector<PairEvent>& merged = lists_.events.merged;
    std::vector<Look>& looks = lists_.events.looks;
    merged.resize(active_.size() + coming_.size());
    const auto mergedEnd = std::set_union(active_.begin(), active_.end(), coming_.begin(),
                                          coming_.end(), merged.begin());
    const auto count = static_cast<std::size_t>(mergedEnd - merged.begin());
    coming_.clear();
    active_.clear();
    looks.resize(count);
    forEachPart(call_.pool, count, pairsPerPart,
                [&, ahead = forecast()](std::size_t, std::size_t first, std::size_t end) {
                  for (std::size_t k = first; k < end; ++k) looks[k] = lookAt(merged[k], ahead);
                });
    for (std::size_t k = 0; k < count; ++k)
      if (serve(merged[k], looks[k])) active_.push_back(merged[k]);
    if (!expired_.empty()) call_.noContactBefore = ticks_.time();
  }

  WorkerPool* pool_ = nullptr;
  Call call_;
  Lists lists_;
  std::vector<Neighbours> near_;  ///< by part; never shrinks
  WorkCount work_, charged_;
  TickClock ticks_;

  // Indexed like the span of bodies
  KeptBounds kept_;
  std::vector<Envelope> envelopes_;
  std::vector<std::uint64_t> rebuiltIn_;  ///< by body: batch of its last rebuild
  std::uint64_t batch_ = 0;
  std::vector<char> staggered_;  ///< by body: has had its first bound since the start
  BodyQueue queue_;              ///< bodies whose bound is void
  PresentMeetings present_;

  LifeGrid grid_;
  CellPlanner planner_;
  CellPlan plan_;
  std::size_t rebuilt_ = 0;             ///< bounds built since the plan was made
  std::vector<std::uint32_t> outside_;  ///< bodies too large, fast or far away for any cell
  std::vector<std::uint32_t> expired_;  ///< bodies whose bound ends before the next tick
  TickCalendar<BoundExpiry> expiries_;
  TickCalendar<PairEvent> events_;
  std::vector<PairEvent> active_;  ///< pairs that may touch before the next tick, sorted
  std::vector<PairEvent> coming_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeSpaceTimeGridBroadPhase() {
  return std::make_unique<SpaceTimeGridBroadPhase>();
}

}  // namespace nearmiss
