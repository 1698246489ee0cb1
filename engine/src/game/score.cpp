// SPDX-License-Identifier: MIT
#include <engine/game/score.h>

#include <algorithm>
#include <cmath>

namespace nearmiss::engine {
namespace {

std::int64_t book(ScoreLine& tally, std::int64_t points) {
  ++tally.count;
  tally.points += points;
  return points;
}

}  // namespace

std::uint32_t Score::times() const noexcept { return std::min(streak_ + 1, maxTimes); }

std::int64_t Score::take(const NearMiss& miss, Real radius) {
  const Real limit = NearMisses::nearShare * radius;
  const Real closeness = limit > 0.0 ? std::clamp(1.0 - miss.distance / limit, 0.0, 1.0) : 0.0;
  const Real speed = std::max(miss.ownSpeed, 0.0) / plainSpeed;
  const Real exact =
      (static_cast<Real>(minPoints) + static_cast<Real>(maxForCloseness) * closeness) * speed *
      times();
  const std::int64_t points = std::llround(exact);
  if (points == 0) return 0;
  ++streak_;
  longest_ = std::max(longest_, streak_);
  return book(nearMisses_, points);
}

std::int64_t Score::take(const Hit& hit) {
  streak_ = 0;
  const std::int64_t cost = std::min(points(), hit.falseHit() ? falseHitCost : hitCost);
  return book(hit.falseHit() ? falseHits_ : hits_, -cost);
}

}  // namespace nearmiss::engine
