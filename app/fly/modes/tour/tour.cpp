// SPDX-License-Identifier: MIT
#include "fly/modes/tour/tour.h"

#include <algorithm>
#include <cmath>

namespace nearmiss::app::fly {
namespace {

constexpr double easeSeconds = 1.8;
// The slider rests so long at both ends of a stop
constexpr double restSeconds = 4.0;
constexpr double budgetSteps = 18.0, roundsPerStop = 4.0;
constexpr double shortestBudget = 1e3, longestBudget = 1e6;  // nanoseconds

constexpr auto stops = [] {
  using enum Action;
  return std::array{
      TourStop{.title = "Bounding spheres",
               .sentence = "Two ships cannot touch while the spheres around them are apart. Only "
                           "where two spheres meet must one look closer.",
               .figures = TourFigures::Spheres,
               .variable = TourVariable::Distance,
               .keys = {BoundingSpheres},
               .keyCount = 1,
               .distance = 6.8},
      TourStop{.title = "Levels",
               .sentence = "Each ship has a tree of spheres. Level by level they are more and "
                           "smaller and fit better, so that a test can stop after any level.",
               .figures = TourFigures::Levels,
               .distance = 5.5},
      TourStop{.title = "Bound and truth",
               .sentence = "If a test stops at a level whose spheres meet, it knows how far apart "
                           "the ships are at most: the bound. The true gap, which takes far longer "
                           "to compute, is never wider.",
               .figures = TourFigures::Bound,
               .distance = 4.2},
      TourStop{.title = "The budget",
               .sentence = "Each frame has only so much time for these tests, the budget. As it "
                           "shrinks, answers come from coarser levels instead of late. The two "
                           "ships pass each other again and again.",
               .figures = TourFigures::Depths,
               .variable = TourVariable::Budget,
               .from = 1.0,
               .to = 0.0,
               .distance = 5.5},
      TourStop{.title = "What exactness shows",
               .sentence = "Left, exact tests let the two ships pass, however long that takes. "
                           "Right, spheres have only the budget: if it is short, the ships bounce "
                           "off a gap.",
               .figures = TourFigures::Exact,
               .variable = TourVariable::Budget,
               .from = 1.0,
               .to = 0.0,
               .distance = 7.5},
      TourStop{.title = "Space-time bounds",
               .sentence = "These boxes hold all places that a ship can reach, however it is "
                           "steered. Until two boxes meet, nobody needs to test the two ships.",
               .figures = TourFigures::Meeting,
               .variable = TourVariable::Distance,
               .keys = {SpaceTimeBounds},
               .keyCount = 1,
               .distance = 7.0},
  };
}();

}  // namespace

std::span<const TourStop> tourStops() noexcept { return stops; }

int tourLevelAt(double place) noexcept {
  constexpr int finest = engine::exactDepth - 1;
  return 1 + static_cast<int>(std::lround(std::clamp(place, 0.0, 1.0) * (finest - 1)));
}

Clock::Duration tourBudgetAt(double place) noexcept {
  // In steps, so that a budget can be read before it changes
  const double step = std::round(std::clamp(place, 0.0, 1.0) * budgetSteps) / budgetSteps;
  return Clock::Duration(
      std::llround(shortestBudget * std::pow(longestBudget / shortestBudget, step)));
}

bool Tour::next(const Camera& from) noexcept {
  if (at_ + 1 >= tourStops().size()) return false;
  ++at_;
  passed_ = 0.0;
  place_ = stop().from;
  rounds_ = 0;
  held_ = false;
  last_ = from;
  collisions_ = {};
  hits_ = {};
  return true;
}

void Tour::pass(double seconds) noexcept {
  passed_ += seconds;
  if (held_ || stop().variable == TourVariable::Budget) return;
  const double part =
      std::clamp((passed_ - restSeconds) / (stop().seconds - 2.0 * restSeconds), 0.0, 1.0);
  place_ = std::lerp(stop().from, stop().to, part);
}

void Tour::beginRound() noexcept {
  hits_ = {};
  if (!held_)
    place_ = std::lerp(stop().from, stop().to, std::min(1.0, rounds_ / (roundsPerStop - 1.0)));
  ++rounds_;
}

void Tour::slideTo(double place) noexcept {
  hold();
  place_ = std::clamp(place, 0.0, 1.0);
}

Camera Tour::eased(const Camera& wanted) const noexcept {
  const double part = std::clamp(passed_ / easeSeconds, 0.0, 1.0);
  const double smooth = part * part * (3.0 - 2.0 * part);
  Camera camera = wanted;
  camera.pose.position = glm::mix(last_.pose.position, wanted.pose.position, smooth);
  camera.pose.rotation = glm::slerp(last_.pose.rotation, wanted.pose.rotation, smooth);
  return camera;
}

}  // namespace nearmiss::app::fly
