// SPDX-License-Identifier: MIT
#include <nearmiss/broad_phases.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "broad/bounding_spheres.h"
#include "broad/tick_calendar.h"
#include "broad/wrapped_grid.h"

namespace nearmiss {
namespace {

constexpr Real never = std::numeric_limits<Real>::infinity();

/// How long a bound is made to last, in calls. Longer ones are rebuilt more rarely, and meet more
/// neighbours; the cells of the grid are made to fit.
constexpr Real callsPerBound = 20.0;
/// The call length assumed before the second call, seconds.
constexpr Real firstTick = 0.05;

/// What a body has promised, and where that leaves its centre: within `growth` * s + `tolerance`
/// of `position` + `velocity` * s on every axis, s seconds after `start`.
struct KeptBound {
  Vec3 position{0.0}, velocity{0.0};
  Real start = 0.0, growth = 0.0, tolerance = 0.0;
  Real radius = -1.0;
  std::uint32_t key = 0, epoch = 0;
  Real end = 0.0;
  Real acceleration = 0.0;
};

/// Holds all cubes of a bound: everything within `half` of the centre on every axis.
struct LifeBox {
  float x = 0.0f, y = 0.0f, z = 0.0f, half = 0.0f;
};

/// A pair to look at, unless either body's bound has been rebuilt since.
struct PairEvent {
  std::uint32_t a = 0, b = 0;
  std::uint32_t buildOfA = 0, buildOfB = 0;
};

Real largest(const Vec3& v) noexcept {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// Space-time bounds for crowds. Each body's bound lives in a grid by the box of its whole life and
/// is rebuilt alone when it ends, the bodies taking turns. A rebuilt bound is tested against its
/// neighbours in the grid; the pairs that may touch while both bounds last are entered in a
/// calendar at the earliest time they may, and not looked at before.
class SpaceTimeGridBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "space-time-grid"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    work_ = {};
    pairs.clear();
    bodies_ = bodies;
    pairs_ = &pairs;
    quiet_ = never;
    findVoid(time);
    if (void_.size() * 2 > bodies.size() || !keepsPace(time)) {
      restart(time);
    } else {
      time_ = time;
      present_ = tickOf(time);
      collectExpired();
      rebuild();
    }
    serveEvents();
    sortPairs();
    return std::max(time,
                    std::min(quiet_, timeOf(std::min(expiries_.nextTick(), events_.nextTick()))));
  }

  /// Ticks are as long as that; calls may come at any pace.
  void setResolution(Real seconds) noexcept override {
    if (seconds > 0.0 && std::isfinite(seconds)) resolution_ = seconds;
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  [[nodiscard]] std::int64_t tickOf(Real time) const noexcept {
    return static_cast<std::int64_t>(std::floor((time - origin_) / tick_));
  }
  /// Never after the first moment of the tick, whatever the rounding.
  [[nodiscard]] Real timeOf(std::int64_t tick) const noexcept {
    return origin_ + static_cast<Real>(tick) * tick_ * (1.0 - 1e-12) - 1e-12 * std::abs(origin_);
  }

  /// Whose state contradicts the bound kept for that place: another body, an announced or an
  /// unannounced jump, a changed size.
  void findVoid(Real time) {
    void_.clear();
    const std::size_t count = bodies_.size();
    if (kept_.size() != count) {
      kept_.assign(count, KeptBound{});
      for (std::uint32_t i = 0; i < count; ++i) void_.push_back(i);
      return;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const BodyState& body = bodies_[i];
      const KeptBound& kept = kept_[i];
      const Real s = time - kept.start;
      const Vec3& p = body.pose.position;
      const Real dx = std::abs(p.x - (kept.position.x + kept.velocity.x * s));
      const Real dy = std::abs(p.y - (kept.position.y + kept.velocity.y * s));
      const Real dz = std::abs(p.z - (kept.position.z + kept.velocity.z * s));
      const Real allowed = kept.growth * s + kept.tolerance;
      const bool holds = (dx <= allowed) & (dy <= allowed) & (dz <= allowed) &
                         (body.boundingRadius == kept.radius) & (body.key == kept.key) &
                         (body.motionEpoch == kept.epoch);
      if (!holds) void_.push_back(i);
    }
    work_.boundTests += count;
  }

  /// Whether the calendar's ticks still suit the calls.
  bool keepsPace(Real time) noexcept {
    const Real step = time - time_;
    if (!(step >= 0.0) || !(time - origin_ < 1e6 * tick_)) return false;
    if (resolution_ > 0.0) return tick_ == resolution_;
    if (step == 0.0) return true;
    // The second call tells how long calls are; later ones may vary a good deal
    const Real most = secondCall_ ? 1.25 : 4.0;
    secondCall_ = false;
    return step < most * tick_ && step > tick_ / most;
  }

  void restart(Real time) {
    const Real step = time - time_;
    secondCall_ = !started_;
    if (started_ && step > 0.0 && std::isfinite(step)) tick_ = step;
    if (resolution_ > 0.0) tick_ = resolution_;
    started_ = true;
    time_ = origin_ = time;
    present_ = 0;
    const auto count = static_cast<std::uint32_t>(bodies_.size());
    chooseCell();
    grid_.clear(count, cell_);
    boxes_.resize(count);
    builds_.resize(count, 0);
    rebuiltIn_.assign(count, 0);
    call_ = 0;
    oversize_.clear();
    active_.clear();
    expired_.clear();
    expiries_.clear(0);
    events_.clear(0);

    // The first bounds are of all lengths, so that afterwards the bodies take turns
    void_.clear();
    for (std::uint32_t i = 0; i < count; ++i) void_.push_back(i);
    staggered_ = true;
    rebuild();
    staggered_ = false;
  }

  /// Cells as wide as the life boxes of nine bodies in ten.
  void chooseCell() {
    halves_.clear();
    const Real life = callsPerBound * tick_;
    for (const BodyState& body : bodies_) {
      const Real half = body.boundingRadius + 0.5 * largest(body.velocity) * life +
                        0.5 * body.accelerationBound * life * life;
      if (std::isfinite(half)) halves_.push_back(half);
    }
    cell_ = 1.0;
    if (halves_.empty()) return;
    const auto ninth = halves_.begin() + static_cast<std::ptrdiff_t>((halves_.size() - 1) * 9 / 10);
    std::nth_element(halves_.begin(), ninth, halves_.end());
    if (*ninth > 1e-100 && *ninth < 1e100) cell_ = 2.0 * *ninth;
  }

  void collectExpired() {
    const auto add = [this](std::uint32_t i) { void_.push_back(i); };
    for (const std::uint32_t i : expired_) add(i);
    expired_.clear();
    expiries_.advance(present_, [&](const Expiry& expiry) {
      if (builds_[expiry.body] == expiry.build) add(expiry.body);
    });
  }

  void rebuild() {
    // All bounds first, then their neighbours, so that none is compared with an old one
    ++call_;
    std::size_t kept = 0;
    for (const std::uint32_t i : void_) {
      if (rebuiltIn_[i] == call_) continue;
      rebuiltIn_[i] = call_;
      void_[kept++] = i;
      bound(i);
    }
    void_.resize(kept);
    for (const std::uint32_t i : void_) findNeighbours(i);
  }

  /// The longest life whose box fits a cell, `margin` metres aside.
  [[nodiscard]] Real lifeOf(const BodyState& body, Real speed, Real margin) const noexcept {
    const Real longest = callsPerBound * tick_;
    const Real room = 0.5 * cell_ * (1.0 - 1e-6) - body.boundingRadius - margin;
    if (!(room > 0.0)) return longest;
    // radius + speed T / 2 + M T^2 / 2 = cell / 2
    const Real half = 0.5 * speed;
    const Real root = std::sqrt(half * half + 2.0 * body.accelerationBound * room);
    const Real life = 2.0 * room / (half + root);
    // A body too fast for its size is better tested against all than rebuilt at every call
    return life > 4.0 * tick_ ? std::min(life, longest) : longest;
  }

  void bound(std::uint32_t i) {
    const BodyState& body = bodies_[i];
    const Real speed = largest(body.velocity);
    const Real longest = callsPerBound * tick_;
    const Real size = largest(body.pose.position) + body.boundingRadius +
                      (speed + 0.5 * body.accelerationBound * longest) * longest;
    const Real tolerance = 1e-12 * size;
    Real life = lifeOf(body, speed, 4.0 * tolerance);
    if (staggered_) life *= static_cast<Real>(i * 2654435769u >> 8) * 0x1p-24;
    const Real end = std::max(time_, std::min(time_ + life, body.boundHoldsUntil));
    life = end - time_;
    const Real growth = 0.5 * body.accelerationBound * life;
    kept_[i] = {body.pose.position,
                body.velocity,
                time_,
                growth,
                tolerance,
                body.boundingRadius,
                body.key,
                body.motionEpoch,
                end,
                body.accelerationBound};
    ++builds_[i];

    // To the grid by the middle of its life
    const Vec3 centre = body.pose.position + body.velocity * (0.5 * life);
    const Real half = body.boundingRadius + 0.5 * speed * life + growth * life + 4.0 * tolerance;
    boxes_[i] = {static_cast<float>(centre.x), static_cast<float>(centre.y),
                 static_cast<float>(centre.z),
                 static_cast<float>((half + 1e-7 * size) * (1.0 + 1e-6))};
    grid_.remove(i);
    if (const auto at = std::find(oversize_.begin(), oversize_.end(), i); at != oversize_.end())
      oversize_.erase(at);
    if (half <= 0.5 * cell_ && grid_.covers(centre, centre))
      grid_.insert(i, centre);
    else
      oversize_.push_back(i);

    const std::int64_t tick = tickBefore(end);
    if (tick > present_)
      expiries_.add(tick, {i, builds_[i]});
    else
      expired_.push_back(i);
  }

  /// The tick to act in so as not to be later than `time`.
  [[nodiscard]] std::int64_t tickBefore(Real time) const noexcept {
    const Real ahead = std::floor((time - origin_) / tick_ - 1e-9);
    return std::min(static_cast<std::int64_t>(ahead), present_ + TickCalendar<PairEvent>::reach);
  }

  void findNeighbours(std::uint32_t i) {
    const KeptBound& kept = kept_[i];
    const LifeBox box = boxes_[i];
    const auto tried = [&](std::uint32_t j) {
      ++work_.boundTests;
      const LifeBox& other = boxes_[j];
      const float reach = box.half + other.half;
      // The negation also lets pass what is not a number
      if (std::abs(box.x - other.x) > reach || std::abs(box.y - other.y) > reach ||
          std::abs(box.z - other.z) > reach)
        return;
      // Of two that are rebuilt together the lower one finds the other
      if (j == i || (rebuiltIn_[j] == call_ && j < i)) return;
      expect(i, j);
    };
    const Vec3 centre = kept.position + kept.velocity * (0.5 * (kept.end - kept.start));
    const Real around = static_cast<Real>(box.half) + 0.5 * cell_;
    const Vec3 low = centre - around, high = centre + around;
    if (grid_.covers(low, high) && around < 4.0 * cell_) {
      grid_.forEachIn(low, high, tried);
      for (const std::uint32_t j : oversize_) tried(j);
    } else {
      const auto count = static_cast<std::uint32_t>(bodies_.size());
      for (std::uint32_t j = 0; j < count; ++j) tried(j);
    }
  }

  /// When the bounding spheres of two bodies may first touch, if that is while both bounds last,
  /// else never. From the present states on, the radii grow along the chords of their horns.
  [[nodiscard]] Real touchTime(std::uint32_t i, std::uint32_t j) const noexcept {
    const BodyState& a = bodies_[i];
    const BodyState& b = bodies_[j];
    const KeptBound& p = kept_[i];
    const KeptBound& q = kept_[j];
    const Real life = std::min(p.end, q.end) - time_;
    const Vec3 dc = b.pose.position - a.pose.position;
    const Vec3 dv = b.velocity - a.velocity;
    const Real distance2 = glm::dot(dc, dc);
    const Real g = 0.5 * (p.acceleration + q.acceleration) * life;
    // Widened beyond all rounding: of the places, and of what is computed here
    const Real touching = a.boundingRadius + b.boundingRadius + 2.0 * (p.tolerance + q.tolerance);
    const Real h = touching + 1e-6 * std::sqrt(distance2);

    // |dc + dv s| = h + g s, that is A s^2 + 2 B s + C = 0
    const Real C = distance2 - h * h;
    if (!(C > 0.0)) return time_;
    if (!(life > 0.0)) return never;
    const Real A = glm::dot(dv, dv) - g * g;
    const Real B = glm::dot(dc, dv) - h * g;
    const Real root2 = B * B - A * C;
    if (A > 0.0 && (B >= 0.0 || root2 < -1e-14 * (A + 2.0 * g * g) * distance2)) return never;
    const Real s = C / (std::sqrt(std::max(root2, 0.0)) - B) * (1.0 - 1e-9);
    if (s > life) return never;
    // What is not a number promises nothing
    return s >= 0.0 ? time_ + s : time_;
  }

  void expect(std::uint32_t i, std::uint32_t j) {
    const Real touch = touchTime(i, j);
    if (touch == never) return;
    const PairEvent event{std::min(i, j), std::max(i, j), builds_[std::min(i, j)],
                          builds_[std::max(i, j)]};
    const std::int64_t tick = tickBefore(touch);
    if (tick > present_)
      events_.add(tick, event);
    else
      active_.push_back(event);
  }

  /// Looks at a pair now. Returns whether it must be looked at again at the next call.
  bool serve(const PairEvent& event) {
    if (builds_[event.a] != event.buildOfA || builds_[event.b] != event.buildOfB) return false;
    ++work_.boundTests;
    if (boundingSpheresMeet(bodies_[event.a], bodies_[event.b])) {
      pairs_->push_back({event.a, event.b});
      return true;
    }
    const Real touch = touchTime(event.a, event.b);
    if (touch == never) return false;
    const std::int64_t tick = tickBefore(touch);
    if (tick > present_) {
      events_.add(tick, event);
      return false;
    }
    quiet_ = std::min(quiet_, touch);
    return true;
  }

  void serveEvents() {
    events_.advance(present_, [this](const PairEvent& event) { active_.push_back(event); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      const PairEvent event = active_[i];
      if (serve(event)) active_[kept++] = event;
    }
    active_.resize(kept);
    if (!expired_.empty()) quiet_ = time_;
  }

  void sortPairs() { std::sort(pairs_->begin(), pairs_->end()); }

  struct Expiry {
    std::uint32_t body = 0, build = 0;
  };

  // The call at hand
  std::span<const BodyState> bodies_;
  std::vector<BodyPair>* pairs_ = nullptr;
  Real quiet_ = never;
  WorkCount work_;

  // Time: ticks of about a call's length since origin_
  Real time_ = 0.0, origin_ = 0.0, tick_ = firstTick;
  Real resolution_ = 0.0;  ///< 0 until it is told
  std::int64_t present_ = 0;
  bool started_ = false, secondCall_ = false, staggered_ = false;

  // By place in the span
  std::vector<KeptBound> kept_;
  std::vector<LifeBox> boxes_;
  std::vector<std::uint32_t> builds_;     ///< how often the bound was rebuilt
  std::vector<std::uint64_t> rebuiltIn_;  ///< the call of the last rebuild
  std::uint64_t call_ = 0;

  WrappedGrid grid_;
  Real cell_ = 1.0;
  std::vector<std::uint32_t> oversize_;  ///< bodies too large or fast for a cell
  std::vector<Real> halves_;
  std::vector<std::uint32_t> void_;
  std::vector<std::uint32_t> expired_;  ///< bodies whose bound ends before the next tick
  TickCalendar<Expiry> expiries_;
  TickCalendar<PairEvent> events_;
  std::vector<PairEvent> active_;  ///< pairs that may touch before the next tick
};

}  // namespace

std::unique_ptr<BroadPhase> makeSpaceTimeGridBroadPhase() {
  return std::make_unique<SpaceTimeGridBroadPhase>();
}

}  // namespace nearmiss
