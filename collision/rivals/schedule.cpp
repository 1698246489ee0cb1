// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/advanced/fallbacks.h>
#include <nearmiss/rivals/broad_phases.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "broad/body_bounds.h"

namespace nearmiss {
namespace {

constexpr Real never = std::numeric_limits<Real>::infinity();
/// The motion bound of a body when it was last examined.
struct Promise {
  Vec3 position{0.0}, velocity{0.0};
  Real start = 0.0, end = 0.0, acceleration = 0.0;
  Real radius = 0.0, tolerance = 0.0;
  std::uint32_t key = 0, epoch = 0, assembly = 0;
};

/// Broad phase with a heap of all pairs by a lower bound on the time at which they can touch.
/// Examines only pairs that are due.
class ScheduleBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "schedule"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    pairs.clear();
    work_ = {};
    bodies_ = bodies;
    const bool whole = whole_;
    whole_ = false;
    if (bodies.size() > maxScheduledBodies) {
      countFallback(Fallback::ScheduleAllPairs);
      return tryEvery(pairs, time);
    }
    const bool fresh = !whole || promises_.size() != bodies.size() || !(time >= time_);
    time_ = time;
    findVoid(fresh);
    if (fresh || void_.size() * 4 > bodies.size())
      lookAtAll(pairs);
    else
      lookAtDue(pairs);
    std::sort(pairs.begin(), pairs.end());
    whole_ = true;
    return heap_.empty() ? never : std::max(time, heap_.front().due);
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  struct Item {
    Real due = never;
    BodyPair pair;
  };

  Real tryEvery(std::vector<BodyPair>& pairs, Real time) {
    for (std::uint32_t b = 1; b < bodies_.size(); ++b)
      for (std::uint32_t a = 0; a < b; ++a) {
        ++work_.boundTests;
        if (boundingSpheresMeet(bodies_[a], bodies_[b])) pairs.push_back({a, b});
      }
    std::sort(pairs.begin(), pairs.end());
    return time;
  }

  /// Returns false also if an unannounced jump breaks the bound.
  [[nodiscard]] bool kept(const BodyState& body, const Promise& promise) const noexcept {
    const Real s = time_ - promise.start;
    const Vec3 off = body.pose.position - (promise.position + promise.velocity * s);
    const Vec3 turn = body.velocity - promise.velocity;
    const Real pace = promise.acceleration * s;
    const Real reach = 0.5 * pace * s + promise.tolerance;
    const Real speed = pace * (1.0 + 1e-6) + 1e-9 * (glm::length(promise.velocity) + 1e-3);
    return glm::dot(off, off) <= reach * reach && glm::dot(turn, turn) <= speed * speed &&
           body.key == promise.key && body.motionEpoch == promise.epoch &&
           body.assembly == promise.assembly && body.shape.radius() == promise.radius;
  }

  void findVoid(bool fresh) {
    void_.clear();
    const auto count = static_cast<std::uint32_t>(bodies_.size());
    promises_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      // After a bound has expired all pairs of the body are due in any case
      const bool runOut = !(time_ < promises_[i].end);
      const bool holds = !fresh && !runOut && kept(bodies_[i], promises_[i]);
      if (holds) continue;
      promise(i);
      void_.push_back(i);
    }
    work_.boundTests += count;
  }

  void promise(std::uint32_t i) {
    const BodyState& body = bodies_[i];
    Promise& made = promises_[i];
    made.position = body.pose.position;
    made.velocity = body.velocity;
    made.start = time_;
    made.end = body.boundHoldsUntil;
    made.acceleration = body.accelerationBound;
    made.radius = body.shape.radius();
    made.tolerance = 1e-11 * (glm::length(body.pose.position) + glm::length(body.velocity) + 1e-3);
    made.key = body.key;
    made.epoch = body.motionEpoch;
    made.assembly = body.assembly;
  }

  /// Returns a lower bound on the first time at which the pair can touch or a bound ends. Uses the
  /// approach speed along the line of centres, d = v t + a t^2 / 2, after erratum E16: the spheres
  /// contain the bodies in every orientation, so rotation does not matter.
  [[nodiscard]] Real dueTime(const BodyPair& pair) const noexcept {
    const BodyState &p = bodies_[pair.a], &q = bodies_[pair.b];
    if (p.assembly != 0 && p.assembly == q.assembly) return never;
    const Vec3 between = q.pose.position - p.pose.position;
    const Real distance = glm::length(between);
    const Real slack = promises_[pair.a].tolerance + promises_[pair.b].tolerance;
    const Real d =
        distance * (1.0 - 1e-9) - (p.shape.radius() + q.shape.radius()) * (1.0 + 1e-9) - slack;
    if (!(d > 0.0)) return time_;
    const Vec3 relative = q.velocity - p.velocity;
    const Real v = -glm::dot(relative, between) / distance + 1e-9 * glm::length(relative);
    const Real a = p.accelerationBound + q.accelerationBound;
    if (!(p.accelerationBound >= 0.0) || !(q.accelerationBound >= 0.0)) return time_;
    const Real root = std::sqrt(v * v + 2.0 * a * d);
    // Two forms of the same root, each without cancellation
    Real wait = 0.0;
    if (v > 0.0)
      wait = 2.0 * d / (v + root);
    else
      wait = a > 0.0 ? (root - v) / a : root == root ? never : 0.0;
    const Real due = time_ + wait * (1.0 - 1e-9);
    const Real end = std::min(p.boundHoldsUntil, q.boundHoldsUntil);
    if (!(due >= time_) || !(end >= time_)) return time_;
    return std::min(due, end);
  }

  /// Examines a pair and returns when to examine it again. A touching pair is examined in every
  /// call.
  [[nodiscard]] Real look(const BodyPair& pair, std::vector<BodyPair>& pairs) {
    ++work_.boundTests;
    if (!boundingSpheresMeet(bodies_[pair.a], bodies_[pair.b])) return dueTime(pair);
    pairs.push_back(pair);
    touching_.push_back(pair);
    return never;
  }

  void lookAtAll(std::vector<BodyPair>& pairs) {
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) promise(i);
    const std::size_t count = bodies_.size();
    const std::size_t pairCount = count * (count - std::min<std::size_t>(count, 1)) / 2;
    heap_.clear();
    // Reserve everything at once: growing would need half as much again
    heap_.reserve(pairCount);
    touching_.clear();
    heapIndices_.resize(pairCount);
    for (std::uint32_t b = 1; b < count; ++b)
      for (std::uint32_t a = 0; a < b; ++a) {
        const BodyPair pair{a, b};
        heap_.push_back({look(pair, pairs), pair});
        heapIndices_[indexOf(pair)] = static_cast<std::uint32_t>(heap_.size() - 1);
      }
    for (std::size_t at = heap_.size() / 2; at-- > 0;) sink(at);
  }

  void lookAtDue(std::vector<BodyPair>& pairs) {
    // Pairs that touched or lost their bounds are due
    for (const BodyPair& pair : touching_) hasten(pair);
    touching_.clear();
    for (const std::uint32_t i : void_)
      for (std::uint32_t j = 0; j < bodies_.size(); ++j)
        if (j != i) hasten(pairOf(i, j));

    // All due pairs are connected below the root of the heap
    due_.clear();
    if (!heap_.empty()) due_.push_back(0);
    for (std::size_t i = 0; i < due_.size();) {
      const std::size_t at = due_[i];
      if (!(heap_[at].due <= time_)) {
        due_[i] = due_.back();
        due_.pop_back();
        continue;
      }
      ++i;
      for (std::size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap_.size(); ++child)
        if (heap_[child].due <= time_) due_.push_back(static_cast<std::uint32_t>(child));
    }
    for (const std::uint32_t at : due_) heap_[at].due = look(heap_[at].pair, pairs);
    // Lowest first, as when a heap is built
    std::sort(due_.begin(), due_.end());
    for (auto at = due_.rbegin(); at != due_.rend(); ++at) sink(*at);
  }

  [[nodiscard]] static std::size_t indexOf(const BodyPair& pair) noexcept {
    return std::size_t{pair.b} * (pair.b - 1) / 2 + pair.a;
  }
  void put(std::size_t at, const Item& item) noexcept {
    heap_[at] = item;
    heapIndices_[indexOf(item.pair)] = static_cast<std::uint32_t>(at);
  }

  /// Makes a pair due now.
  void hasten(const BodyPair& pair) noexcept {
    std::size_t at = heapIndices_[indexOf(pair)];
    Item item = heap_[at];
    if (item.due <= time_) return;
    item.due = time_;
    for (; at > 0 && item.due < heap_[(at - 1) / 2].due; at = (at - 1) / 2)
      put(at, heap_[(at - 1) / 2]);
    put(at, item);
  }

  void sink(std::size_t at) noexcept {
    const Item item = heap_[at];
    for (;;) {
      std::size_t child = 2 * at + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && heap_[child + 1].due < heap_[child].due) ++child;
      if (!(heap_[child].due < item.due)) break;
      put(at, heap_[child]);
      at = child;
    }
    put(at, item);
  }

  std::span<const BodyState> bodies_;  ///< of the current call
  Real time_ = 0.0;
  WorkCount work_;

  /// True if the last call completed all of the following. It did not with too many bodies, or if
  /// memory ran out.
  bool whole_ = false;
  std::vector<Promise> promises_;  ///< by index in the span
  std::vector<std::uint32_t> void_;
  std::vector<Item> heap_;                  ///< all pairs; touching ones at `never`
  std::vector<std::uint32_t> heapIndices_;  ///< for every pair, its index in the heap
  std::vector<BodyPair> touching_;
  std::vector<std::uint32_t> due_;  ///< indices in the heap
};

}  // namespace

std::unique_ptr<BroadPhase> makeScheduleBroadPhase() {
  return std::make_unique<ScheduleBroadPhase>();
}

}  // namespace nearmiss
