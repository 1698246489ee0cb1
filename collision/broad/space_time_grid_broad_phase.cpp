// SPDX-License-Identifier: MIT
#include <nearmiss/broad_phase.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <utility>

#include "broad/body_bounds.h"
#include "broad/body_queue.h"
#include "broad/kept_bounds.h"
#include "broad/tick_calendar.h"
#include "broad/wrapped_grid.h"

namespace nearmiss {
namespace {

constexpr Real noTouch = std::numeric_limits<Real>::infinity();

/// How long a bound is made to last, in calls. Longer ones are rebuilt more rarely, and meet more
/// neighbours; the cells of the grid are made to fit.
constexpr Real callsPerBound = 20.0;

/// Bodies whose bounds are rebuilt between two looks at the budget: about a microsecond.
constexpr std::size_t slice = 4;

/// Space-time bounds for crowds. Each body's bound is kept in a grid by the box of its whole
/// duration and is rebuilt alone when it ends, the bodies taking turns. A rebuilt bound is tested
/// against its neighbours in the grid; the pairs that may touch while both bounds last are entered
/// in a calendar at the earliest time they may, and not looked at before.
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

  /// Ticks are as long as that; calls may come at any interval.
  void setResolution(Real seconds) noexcept override { ticks_.setResolution(seconds); }

  WorkCount work() const noexcept override { return work_; }

 private:
  Real find(std::span<const BodyState> bodies, Real time, const TimeBudget& budget,
            std::vector<BodyPair>& pairs) {
    work_ = charged_ = {};
    pairs.clear();
    call_.bodies = bodies;
    call_.pairs = &pairs;
    call_.noContactBefore = noTouch;
    queue_.begin(bodies, time);
    work_.boundTests += kept_.findVoid(bodies, time, queue_, lists_.voided);
    // Without bodies no bound can be void
    const bool otherCount = envelopes_.size() != bodies.size();
    if (otherCount || lists_.voided.size() * 2 > bodies.size() || !ticks_.keepPace(time)) {
      restart(time);
    } else {
      ticks_.goOn(time);
      collectExpired();
    }
    rebuildWithin(budget);
    serveEvents();
    charge(budget);
    if (!queue_.postponed().empty()) return time;
    return std::max(time,
                    std::min(call_.noContactBefore,
                             ticks_.timeOf(std::min(expiries_.nextTick(), events_.nextTick()))));
  }

  /// Reports what was done since the last report; true when no time is left.
  bool charge(const TimeBudget& budget) noexcept {
    const WorkCount more{work_.boundTests - charged_.boundTests, 0};
    charged_ = work_;
    return budget.spend(more);
  }

  void restart(Real time) {
    ticks_.restart(time);
    const auto count = static_cast<std::uint32_t>(call_.bodies.size());
    chooseCell();
    grid_.clear(count, cell_);
    envelopes_.resize(count);
    rebuiltIn_.assign(count, 0);
    batch_ = 0;
    oversize_.clear();
    active_.clear();
    coming_.clear();
    expired_.clear();
    expiries_.clear(0);
    events_.clear(0);

    lists_.voided.clear();
    for (std::uint32_t i = 0; i < count; ++i) lists_.voided.push_back(i);
    staggered_.assign(count, false);
  }

  /// Cells as wide as the boxes of nine bodies in ten.
  void chooseCell() {
    lists_.halves.clear();
    const Real life = callsPerBound * ticks_.length();
    for (const BodyState& body : call_.bodies) {
      const Real half = body.shape.radius() + 0.5 * largestCoordinate(body.velocity) * life +
                        0.5 * body.accelerationBound * life * life;
      if (std::isfinite(half)) lists_.halves.push_back(half);
    }
    cell_ = 1.0;
    if (lists_.halves.empty()) return;
    const auto ninth =
        lists_.halves.begin() + static_cast<std::ptrdiff_t>((lists_.halves.size() - 1) * 9 / 10);
    std::nth_element(lists_.halves.begin(), ninth, lists_.halves.end());
    if (*ninth > 1e-100 && *ninth < 1e100) cell_ = 2.0 * *ninth;
  }

  void collectExpired() {
    const auto add = [this](std::uint32_t i) { lists_.voided.push_back(i); };
    for (const std::uint32_t i : expired_) add(i);
    expired_.clear();
    expiries_.advance(ticks_.present(), [&](const Expiry& expiry) {
      if (grid_[expiry.body].build == expiry.build) add(expiry.body);
    });
  }

  /// Rebuilds what is void: all of it, or what must not wait and then as much as there is time for,
  /// a few at a time. A body that is left out has no bound: nothing is known of its new neighbours.
  void rebuildWithin(const TimeBudget& budget) {
    queue_.add(lists_.voided);
    if (!budget.limited()) {
      queue_.takeAll(lists_.voided);
      rebuild();
    } else {
      queue_.takeForced(lists_.voided);
      rebuild();
      while (!queue_.empty() && !charge(budget)) {
        queue_.take(slice, lists_.voided);
        rebuild();
      }
    }
    queue_.end();
  }

  void rebuild() {
    // All bounds first, then their neighbours, so that none is compared with an old one
    ++batch_;
    for (std::size_t k = 0; k < lists_.voided.size(); ++k) {
      const std::uint32_t ahead = lists_.voided[std::min(k + 4, lists_.voided.size() - 1)];
      grid_.prefetch(ahead);
      __builtin_prefetch(&call_.bodies[ahead]);
      __builtin_prefetch(&call_.bodies[ahead].velocity);
      rebuiltIn_[lists_.voided[k]] = batch_;
      bound(lists_.voided[k]);
    }
    findNeighbours();
  }

  /// The longest duration of a bound whose box fits a cell, `margin` metres aside.
  [[nodiscard]] Real lifeOf(const BodyState& body, Real speed, Real margin) const noexcept {
    const Real longest = callsPerBound * ticks_.length();
    const Real room = 0.5 * cell_ * (1.0 - 1e-6) - body.shape.radius() - margin;
    if (!(room > 0.0)) return longest;
    // radius + speed T / 2 + M T^2 / 2 = cell / 2
    const Real half = 0.5 * speed;
    const Real root = std::sqrt(half * half + 2.0 * body.accelerationBound * room);
    const Real life = 2.0 * room / (half + root);
    // A body too fast for its size is better tested against all than rebuilt at every call
    return life > 4.0 * ticks_.length() ? std::min(life, longest) : longest;
  }

  void bound(std::uint32_t i) {
    const BodyState& body = call_.bodies[i];
    const Real speed = largestCoordinate(body.velocity);
    const Real longest = callsPerBound * ticks_.length();
    const Real size = largestCoordinate(body.pose.position) + body.shape.radius() +
                      (speed + 0.5 * body.accelerationBound * longest) * longest;
    Real life = lifeOf(body, speed, 4e-12 * size);
    const Real end = std::max(ticks_.time(), std::min(ticks_.time() + life, body.boundHoldsUntil));
    life = end - ticks_.time();
    // The first bounds are of all lengths, so that afterwards the bodies take turns
    if (!std::exchange(staggered_[i], true))
      life *= static_cast<Real>(i * 2654435769u >> 8) * 0x1p-24;
    kept_[i] = KeptBound(body, ticks_.time(), life, size);
    envelopes_[i] = {ticks_.time() + life, body.accelerationBound};

    // Into the grid by the middle of its duration
    const Vec3 centre = body.pose.position + body.velocity * (0.5 * life);
    const Real half = body.shape.radius() + 0.5 * speed * life +
                      0.5 * body.accelerationBound * life * life + 4e-12 * size;
    const std::uint32_t build = grid_[i].build + 1;
    grid_[i] = {static_cast<float>(centre.x), static_cast<float>(centre.y),
                static_cast<float>(centre.z),
                static_cast<float>((half + 1e-7 * size) * (1.0 + 1e-6)), build};
    grid_.remove(i);
    if (const auto at = std::find(oversize_.begin(), oversize_.end(), i); at != oversize_.end())
      oversize_.erase(at);
    if (half <= 0.5 * cell_ && grid_.covers(centre, centre))
      grid_.insert(i, centre);
    else
      oversize_.push_back(i);

    const std::int64_t tick = tickBefore(ticks_.time() + life);
    if (tick > ticks_.present())
      expiries_.add(tick, {i, build});
    else
      expired_.push_back(i);
  }

  /// The tick to act in so as not to be later than `time`.
  [[nodiscard]] std::int64_t tickBefore(Real time) const noexcept {
    const Real ahead = std::floor(ticks_.since(time) - 1e-9);
    return std::min(static_cast<std::int64_t>(ahead),
                    ticks_.present() + TickCalendar<PairEvent>::reach);
  }

  /// Finds the neighbours of all bounds built in this call. Prefetches for many at once: all cells
  /// first, then all that lies in them, then the pairs that are left.
  void findNeighbours() {
    lists_.found.clear();
    lists_.near.clear();
    for (const std::uint32_t i : lists_.voided) {
      const LifeBox& box = grid_[i];
      const Vec3 centre(box.x, box.y, box.z);
      const Real around = Real{box.half} + 0.5 * cell_;
      const Vec3 low = centre - around, high = centre + around;
      if (grid_.covers(low, high) && around < 4.0 * cell_) {
        grid_.forEachCellIn(low, high, [this, i](std::uint32_t first) {
          grid_.prefetch(first);
          lists_.found.push_back({i, first});
        });
        for (const std::uint32_t j : oversize_) compareBoxes(i, j);
      } else {
        const auto count = static_cast<std::uint32_t>(call_.bodies.size());
        for (std::uint32_t j = 0; j < count; ++j) compareBoxes(i, j);
      }
    }
    for (const auto& [i, first] : lists_.found)
      for (std::uint32_t j = first; j != Grid::none; j = grid_.next(j)) compareBoxes(i, j);
    for (const auto& [i, j] : lists_.near) expect(i, j);
  }

  void compareBoxes(std::uint32_t i, std::uint32_t j) {
    ++work_.boundTests;
    const LifeBox &box = grid_[i], &other = grid_[j];
    const float reach = box.half + other.half;
    // The negation also lets NaN pass
    if (std::abs(box.x - other.x) > reach || std::abs(box.y - other.y) > reach ||
        std::abs(box.z - other.z) > reach)
      return;
    // If two are rebuilt together, the lower one finds the other
    if (j == i || (rebuiltIn_[j] == batch_ && j < i)) return;
    __builtin_prefetch(&call_.bodies[j]);
    __builtin_prefetch(&call_.bodies[j].velocity);
    __builtin_prefetch(&kept_[j]);
    __builtin_prefetch(&envelopes_[j]);
    lists_.near.push_back({i, j});
  }

  /// When the bounding spheres of two bodies may first touch, if that is while both bounds last,
  /// else never. From the present states on, the radii grow along the chords of their horns.
  [[nodiscard]] Real touchTime(std::uint32_t i, std::uint32_t j) const noexcept {
    const BodyState& a = call_.bodies[i];
    const BodyState& b = call_.bodies[j];
    const KeptBound& p = kept_[i];
    const KeptBound& q = kept_[j];
    const Real life = std::min(envelopes_[i].end, envelopes_[j].end) - ticks_.time();
    const Vec3 dc = b.pose.position - a.pose.position;
    const Vec3 dv = b.velocity - a.velocity;
    const Real distance2 = glm::dot(dc, dc);
    const Real g = 0.5 * (envelopes_[i].acceleration + envelopes_[j].acceleration) * life;
    // Widened beyond all rounding: of the positions, and of what is computed here
    const Real touching =
        Real{p.radius} + Real{q.radius} + 2.0 * (Real{p.tolerance} + Real{q.tolerance});
    const Real h = touching + 1e-6 * std::sqrt(distance2);

    // |dc + dv s| = h + g s, that is A s^2 + 2 B s + C = 0
    const Real C = distance2 - h * h;
    if (!(C > 0.0)) return ticks_.time();
    if (!(life > 0.0)) return noTouch;
    const Real A = glm::dot(dv, dv) - g * g;
    const Real B = glm::dot(dc, dv) - h * g;
    const Real root2 = B * B - A * C;
    if (A > 0.0 && (B >= 0.0 || root2 < -1e-14 * (A + 2.0 * g * g) * distance2)) return noTouch;
    const Real s = C / (std::sqrt(std::max(root2, 0.0)) - B) * (1.0 - 1e-9);
    if (s > life) return noTouch;
    // NaN excludes no contact
    return s >= 0.0 ? ticks_.time() + s : ticks_.time();
  }

  void expect(std::uint32_t i, std::uint32_t j) {
    const Real touch = touchTime(i, j);
    if (touch == noTouch) return;
    const auto [a, b] = pairOf(i, j);
    const PairEvent event{a, b, grid_[a].build, grid_[b].build};
    const std::int64_t tick = tickBefore(touch);
    if (tick > ticks_.present())
      events_.add(tick, event);
    else
      coming_.push_back(event);
  }

  /// Looks at a pair now. Returns whether it must be looked at again at the next call.
  bool serve(const PairEvent& event) {
    if (grid_[event.a].build != event.buildOfA || grid_[event.b].build != event.buildOfB)
      return false;
    ++work_.boundTests;
    if (boundingSpheresMeet(call_.bodies[event.a], call_.bodies[event.b])) {
      call_.pairs->push_back({event.a, event.b});
      return true;
    }
    const Real touch = touchTime(event.a, event.b);
    if (touch == noTouch) return false;
    const std::int64_t tick = tickBefore(touch);
    if (tick > ticks_.present()) {
      events_.add(tick, event);
      return false;
    }
    call_.noContactBefore = std::min(call_.noContactBefore, touch);
    return true;
  }

  void serveEvents() {
    events_.advance(ticks_.present(), [this](const PairEvent& event) { coming_.push_back(event); });
    // In the order of pairs; those that stay keep it
    std::sort(coming_.begin(), coming_.end());
    lists_.merged.resize(active_.size() + coming_.size());
    std::merge(active_.begin(), active_.end(), coming_.begin(), coming_.end(),
               lists_.merged.begin());
    coming_.clear();
    active_.clear();
    for (const PairEvent& event : lists_.merged)
      if (serve(event)) active_.push_back(event);
    if (!expired_.empty()) call_.noContactBefore = ticks_.time();
  }

  struct Expiry {
    std::uint32_t body = 0, build = 0;
  };

  /// The call under way.
  struct Call {
    std::span<const BodyState> bodies;
    std::vector<BodyPair>* pairs = nullptr;
    Real noContactBefore = noTouch;
  };

  /// Filled and read within a call; kept for their memory.
  struct Lists {
    std::vector<Real> halves;
    std::vector<std::uint32_t> voided;                           ///< bodies whose bound is void
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;  ///< a body, the first of a cell
    std::vector<std::pair<std::uint32_t, std::uint32_t>> near;   ///< boxes that overlap
    std::vector<PairEvent> merged;
  };

  Call call_;
  Lists lists_;
  WorkCount work_, charged_;
  TickClock ticks_;

  // By index in the span
  KeptBounds kept_;
  std::vector<Envelope> envelopes_;
  std::vector<std::uint64_t> rebuiltIn_;  ///< the batch of the last rebuild
  std::uint64_t batch_ = 0;
  std::vector<char> staggered_;  ///< has had its first bound since the start
  BodyQueue queue_;              ///< of those whose bound is void

  using Grid = WrappedGrid<LifeBox>;
  Grid grid_;
  Real cell_ = 1.0;
  std::vector<std::uint32_t> oversize_;  ///< bodies too large or fast for a cell
  std::vector<std::uint32_t> expired_;   ///< bodies whose bound ends before the next tick
  TickCalendar<Expiry> expiries_;
  TickCalendar<PairEvent> events_;
  std::vector<PairEvent> active_;  ///< pairs that may touch before the next tick, sorted
  std::vector<PairEvent> coming_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeSpaceTimeGridBroadPhase() {
  return std::make_unique<SpaceTimeGridBroadPhase>();
}

}  // namespace nearmiss
