// SPDX-License-Identifier: MIT
#include "fly/modes/tour/tour.h"

#include <algorithm>

namespace nearmiss::app::fly {
namespace {

constexpr double easeSeconds = 1.8;

constexpr auto stops = [] {
  using enum Action;
  return std::array{
      TourStop{.title = "Bounding spheres",
               .sentence = "Two ships cannot touch while the spheres around them are apart; only "
                           "where two spheres meet, as these two do, must one look closer.",
               .stage = TourStage::NearPair,
               .figures = TourFigures::Spheres,
               .keys = {BoundingSpheres},
               .keyCount = 1,
               .distance = 6.8},
      TourStop{.title = "Levels",
               .sentence = "Each ship has a tree of spheres, level under level, each with more and "
                           "smaller spheres that fit it better, so that a test can stop after any "
                           "level.",
               .stage = TourStage::NearPair,
               .figures = TourFigures::Levels,
               .keys = {NextDrawLevel, NextDrawLevel},
               .keyCount = 2,
               .beat = {NextDrawLevel, 5.0, 4.0, 3},
               .distance = 5.5},
      TourStop{.title = "Bound and truth",
               .sentence = "A test that stops at level 2 finds spheres that meet, and says how far "
                           "apart the ships are at most: the bound; the true gap, which takes far "
                           "longer to compute, is never wider.",
               .stage = TourStage::NearPair,
               .figures = TourFigures::Bound,
               .keys = {NextDrawLevel},
               .keyCount = 1,
               .distance = 4.2},
      TourStop{.title = "The budget",
               .sentence = "Each frame has only so much time for these tests, the budget; on a "
                           "machine of 1995, as it "
                           "shrinks, the answers come from coarser levels instead of late.",
               .stage = TourStage::Crowd,
               .figures = TourFigures::Depths,
               .keys = {NextDrawLevel, EraMode},
               .keyCount = 2,
               .beat = {BudgetDown, 4.0, 0.5, 26},
               .distance = 10.0},
      TourStop{.title = "What exactness costs",
               .sentence = "Trees that cut space by planes, BSP trees, give the exact answer or "
                           "none: they cannot stop "
                           "halfway, and take far longer.",
               .stage = TourStage::Crowd,
               .figures = TourFigures::Times,
               .keys = {NextDrawLevel},
               .keyCount = 1,
               .beat = {NextMethod, 7.0, 1.0, 1},
               .distance = 10.0},
      TourStop{.title = "Space-time bounds",
               .sentence = "These boxes hold all places that a ship can reach, however it is "
                           "steered: until two boxes meet, nobody needs to test the two ships.",
               .stage = TourStage::Approach,
               .figures = TourFigures::Meeting,
               .keys = {SpaceTimeBounds},
               .keyCount = 1,
               .distance = 7.0},
  };
}();

}  // namespace

std::span<const TourStop> tourStops() noexcept { return stops; }

bool Tour::next(const Camera& from) noexcept {
  if (at_ + 1 >= tourStops().size()) return false;
  ++at_;
  passed_ = 0.0;
  beats_ = 0;
  held_ = false;
  last_ = from;
  collisions_ = {};
  detection_ = {};
  maxAllowed_ = 0.0;
  return true;
}

std::optional<Action> Tour::pass(double seconds) noexcept {
  passed_ += seconds;
  const TourBeat& beat = stop().beat;
  // Do not press keys while the user does
  if (held_ || beats_ >= beat.times || passed_ < beat.first + beats_ * beat.every)
    return std::nullopt;
  ++beats_;
  return beat.key;
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
