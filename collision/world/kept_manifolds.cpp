// SPDX-License-Identifier: MIT
#include "world/kept_manifolds.h"

#include <nearmiss/detail/bare_machine.h>

#include <algorithm>
#include <chrono>
#include <glm/geometric.hpp>
#include <tuple>
#include <utility>

namespace nearmiss {
namespace {

/// Pairs that are no longer near are discarded after this many calls.
constexpr std::uint64_t callsKept = 30;
/// Minimum time of a search, if that much is left: in less it would find nothing.
constexpr Clock::Duration minShare = std::chrono::microseconds(100);
/// Maximum number of rounds that give remaining time to searches that were cut short.
constexpr int extraRounds = 4;
/// A pair that may touch but has no points to move along counts as having waited for this many
/// calls.
constexpr std::uint32_t headStart = 256;
/// A point is dropped if its two sides slid apart by more than this share of the smaller body, plus
/// the margin.
constexpr Real maxSlip = 0.05;

BodyHandle handleOf(const BodyState& state) noexcept { return BodyHandle{state.key}; }

bool isAmong(std::span<const BodyState> states, BodyHandle body) noexcept {
  const auto key = static_cast<std::uint32_t>(body);
  const auto at = std::ranges::lower_bound(states, key, {}, &BodyState::key);
  return at != states.end() && at->key == key;
}

/// The motion of a body, applied to its points.
class Motion {
 public:
  Motion(const Pose& from, const Pose& to) noexcept
      : from_(from.position),
        to_(to.position),
        turn_(to.rotation * glm::conjugate(from.rotation)) {}
  [[nodiscard]] Vec3 point(const Vec3& p) const noexcept { return turn_ * (p - from_) + to_; }
  [[nodiscard]] Vec3 direction(const Vec3& v) const noexcept { return glm::normalize(turn_ * v); }

 private:
  Vec3 from_, to_;
  Quat turn_;
};

/// Moves the known points along with their bodies. Recomputes depths along the moved normals. Drops
/// points that separated by more than the margin or slid apart.
void follow(KeptManifold& kept, const BodyState& a, const BodyState& b,
            const ManifoldSettings& settings) {
  kept.moved.clear();
  kept.hasMoved = true;
  const Motion ofA(kept.knownA, a.pose), ofB(kept.knownB, b.pose);
  const Real slipLimit = settings.margin + maxSlip * std::min(a.shape.radius(), b.shape.radius());
  for (ManifoldPoint point : kept.known.points) {
    point.onA = ofA.point(point.onA);
    point.onB = ofB.point(point.onB);
    point.normal = ofA.direction(point.normal);
    const Vec3 between = point.onB - point.onA;
    point.depth = kept.known.depthKnown ? glm::dot(between, point.normal) : 0.0;
    const Vec3 slip = between - point.depth * point.normal;
    if (point.depth < -settings.margin || glm::length(slip) > slipLimit) continue;
    point.onA += 0.5 * slip;
    point.onB -= 0.5 * slip;
    kept.moved.push_back(point);
  }
  std::ranges::sort(kept.moved, [](const ManifoldPoint& p, const ManifoldPoint& q) {
    return p.depth != q.depth ? p.depth > q.depth : p.id < q.id;
  });
  if (kept.moved.size() > settings.maxPoints) kept.moved.resize(settings.maxPoints);
}

/// Continues the search of a pair, or starts one at the current poses.
void refine(KeptManifold& kept, const Shapes& shapes, const BodyState& a, const BodyState& b,
            const ManifoldSettings& settings, const TimeBudget& budget) {
  if (!kept.begun) {
    kept.query.begin(shapes[a.shape.index()], a.pose, shapes[b.shape.index()], b.pose, settings);
    kept.poseA = a.pose;
    kept.poseB = b.pose;
    kept.settings = settings;
  }
  // After an allocation failure the query must begin again
  kept.begun = kept.done = false;
  const ContactManifold& found = kept.query.refine(budget);
  kept.begun = true;
  kept.done = !found.canRefine;
  if (!kept.done) {
    if (found.points.empty() && !kept.isKnown) return;
    if (kept.isKnown) follow(kept, a, b, settings);
    if (kept.isKnown && found.points.size() < kept.moved.size()) return;
  }
  kept.known.points.assign(found.points.begin(), found.points.end());
  kept.known.depthKnown = found.depthKnown;
  kept.knownA = a.pose;
  kept.knownB = b.pose;
  kept.isKnown = true;
  kept.hasMoved = false;
}

}  // namespace

void KeptManifolds::update(std::span<const BodyState> states, const Shapes& shapes,
                           std::span<const BodyPair> pairs, const ManifoldSettings& settings,
                           const TimeBudget& budget) {
  NEARMISS_TRY {
    ++call_;
    match(states, pairs);
    search(states, shapes, pairs, settings, budget);
  }
  NEARMISS_CATCH(...) {
    active_.clear();
    kept_.clear();
    next_.clear();
    NEARMISS_RETHROW;
  }
}

/// Finds or makes the manifold of each pair. Both lists are sorted by handle.
void KeptManifolds::match(std::span<const BodyState> states, std::span<const BodyPair> pairs) {
  active_.clear();
  active_.reserve(pairs.size());
  next_.clear();
  next_.reserve(kept_.size() + pairs.size());
  auto old = kept_.begin();
  for (const BodyPair& pair : pairs) {
    const HandlePair bodies{handleOf(states[pair.a]), handleOf(states[pair.b])};
    for (; old != kept_.end() && (*old)->bodies < bodies; ++old) keepIfRecent(*old, states);
    if (old != kept_.end() && (*old)->bodies == bodies)
      next_.push_back(std::move(*old++));
    else
      next_.push_back(std::make_unique<KeptManifold>(bodies));
    next_.back()->lastNear = call_;
    active_.push_back(next_.back().get());
  }
  for (; old != kept_.end(); ++old) keepIfRecent(*old, states);
  kept_.swap(next_);
  next_.clear();
}

void KeptManifolds::keepIfRecent(std::unique_ptr<KeptManifold>& old,
                                 std::span<const BodyState> states) {
  const bool recent = call_ - old->lastNear <= callsKept;
  if (recent && isAmong(states, old->bodies.a) && isAmong(states, old->bodies.b))
    next_.push_back(std::move(old));
}

void KeptManifolds::search(std::span<const BodyState> states, const Shapes& shapes,
                           std::span<const BodyPair> pairs, const ManifoldSettings& settings,
                           const TimeBudget& budget) {
  todo_.clear();
  for (std::uint32_t i = 0; i < active_.size(); ++i) {
    KeptManifold& kept = *active_[i];
    kept.begun = kept.begun && kept.settings == settings && kept.poseA == states[pairs[i].a].pose &&
                 kept.poseB == states[pairs[i].b].pose;
    if (!kept.begun || !kept.done) todo_.push_back(i);
  }
  if (budget.limited()) {
    const auto turn = [&](std::uint32_t i) {
      const KeptManifold& kept = *active_[i];
      const std::uint32_t waited = kept.waited + (kept.isKnown ? 0 : headStart);
      return std::tuple(~waited, kept.done, i);
    };
    std::ranges::sort(todo_, [&](std::uint32_t i, std::uint32_t j) { return turn(i) < turn(j); });
  }
  const auto refineSome = [&](std::size_t k) {
    const BodyPair& pair = pairs[todo_[k]];
    KeptManifold& kept = *active_[todo_[k]];
    refine(kept, shapes, states[pair.a], states[pair.b], settings,
           budget.share(todo_.size() - k, minShare));
    // A search that was cut short must continue soon. Otherwise the last pair of a call would be
    // cut short again and again
    kept.waited = kept.done ? 0 : kept.waited + 1;
  };
  bool late = false;
  for (std::size_t k = 0; k < todo_.size(); ++k) {
    late = late || (k > 0 && budget.exhausted());
    if (!late) {
      refineSome(k);
      continue;
    }
    KeptManifold& kept = *active_[todo_[k]];
    const BodyPair& pair = pairs[todo_[k]];
    if (kept.isKnown) follow(kept, states[pair.a], states[pair.b], settings);
    kept.done = false;
    ++kept.waited;
  }
  // The last pairs also got what earlier shares left over; give the remaining time to the others
  for (int round = 0; budget.limited() && round < extraRounds && !budget.exhausted(); ++round) {
    std::erase_if(todo_, [&](std::uint32_t i) { return active_[i]->done; });
    for (std::size_t k = 0; k < todo_.size() && !budget.exhausted(); ++k) refineSome(k);
  }
}

}  // namespace nearmiss
