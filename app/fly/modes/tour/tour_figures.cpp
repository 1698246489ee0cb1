// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nearmiss/advanced/sphere_tree.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "console/text.h"
#include "fly/loop/frame_times.h"
#include "fly/modes/tour/tour.h"
#include "fly/modes/tour/tour_stage.h"
#include "fly/overlay/ink.h"
#include "fly/view/bound_drawing.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {

void Tour::watch(const Flight& flight, const engine::FrameProfile& profile) noexcept {
  constexpr double fading = 0.99, smoothing = 0.05;
  for (double& count : collisions_) count *= fading;
  for (const engine::Collision& collision : flight.output().collisions) {
    const Refinement& known = collision.refinement;
    const bool final = known.verdict == Verdict::Contact;
    collisions_[static_cast<std::size_t>(final ? engine::exactDepth : engine::depthOf(known))] +=
        1.0;
  }
  const bool limited = profile.budget != engine::FrameProfile::Duration::max();
  if (limited) maxAllowed_ = std::max(maxAllowed_, milliseconds(profile.budget));
  double& mean = detection_[flight.inUse().method == Method::Bsp ? 1 : 0];
  const double now = 1e3 * seconds(profile.narrow);
  mean = mean == 0.0 ? now : mean + smoothing * (now - mean);
}

TourView Tour::view(const Flight& flight, const UiState& ui, std::optional<Real> gap,
                    const ShownNumbers& shown) {
  figures_.clear();
  switch (stop().figures) {
    case TourFigures::Spheres:
      countSpheres(flight);
      break;
    case TourFigures::Levels:
      listLevels(flight, ui);
      break;
    case TourFigures::Bound:
      compareBound(flight, ui, gap);
      break;
    case TourFigures::Depths:
      listDepths(shown);
      break;
    case TourFigures::Times:
      compareTimes();
      break;
    case TourFigures::Meeting:
      warnAboutCollision(flight, ui);
      break;
  }
  return {stop().title, stop().sentence, at_ + 1, tourStops().size(), passed_ / stop().seconds,
          held_,        figures_};
}

/// Counts the pairs of ships whose bounding spheres meet.
void Tour::countSpheres(const Flight& flight) {
  const auto bodies = flight.output().bodies;
  std::size_t all = 0, meeting = 0;
  for (std::size_t a = 0; a < bodies.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      ++all;
      const Vec3 apart = bodies[a].pose.position - bodies[b].pose.position;
      const Real reach = bodies[a].shape.radius() + bodies[b].shape.radius();
      if (glm::dot(apart, apart) <= reach * reach) ++meeting;
    }
  figures_.push_back({"pairs of ships", fmt::format("{}", all), 1.0, palette::dim});
  figures_.push_back(
      {"of which spheres meet", fmt::format("{}", meeting),
       static_cast<double>(meeting) / static_cast<double>(std::max<std::size_t>(all, 1)),
       palette::own});
}

void Tour::listLevels(const Flight& flight, const UiState& ui) {
  const auto index = indexOf(flight, ui.view.picked.a);
  if (!index) return;
  const Link first = linkOf(flight.output().bodies[*index], 0);
  const SphereTree& tree = flight.shapes().sphereTree(first.shape.index());
  const int shown = static_cast<int>(ui.view.drawLevel) - static_cast<int>(DrawLevel::Contact);
  std::vector<SphereId> ids;
  double longest = 0.0;
  for (int level = 1; level < std::min(tree.levelCount(), engine::exactDepth); ++level) {
    tree.spheresOf(level, ids);
    double sum = 0.0;
    for (const SphereId id : ids) sum += tree.hausdorff(id);
    const double mean = sum / static_cast<double>(std::max<std::size_t>(ids.size(), 1));
    longest = std::max(longest, mean);
    figures_.push_back(
        {fmt::format("{}level {}: {} spheres", level == shown ? "> " : "", level, ids.size()),
         "off by " + gapText(mean), mean, levelColour(level)});
  }
  for (TourFigure& figure : figures_) figure.share /= std::max(longest, 1e-9);
}

void Tour::compareBound(const Flight& flight, const UiState& ui, std::optional<Real> gap) {
  const auto a = indexOf(flight, ui.view.picked.a), b = indexOf(flight, ui.view.picked.b);
  if (!a || !b || !flight.output().detection) return;
  const auto& pairs = flight.output().detection->pairs;
  const auto pair = std::ranges::find(pairs, pairOf(*a, *b), &DetectedPair::bodies);
  if (pair == pairs.end()) return;
  const double bound = pair->refinement.separationBound;
  figures_.push_back({"bound: apart at most", gapText(bound), 1.0, levelColour(tourLevel)});
  if (gap)
    figures_.push_back({"true gap", gapText(*gap), *gap / std::max(bound, 1e-9), palette::white});
}

void Tour::listDepths(const ShownNumbers& shown) {
  const double most = std::max(maxAllowed_, 1e-9);
  figures_.push_back({"budget of a frame", shown.allowed ? formatTime(*shown.allowed) : "no limit",
                      shown.allowed ? std::min(1.0, *shown.allowed / most) : 1.0, palette::own});
  double all = 0.0;
  for (const double count : collisions_) all += count;
  for (int depth = engine::exactDepth; depth >= 1; --depth) {
    const double share = all > 0.0 ? collisions_[static_cast<std::size_t>(depth)] / all : 0.0;
    const std::string name = depth == engine::exactDepth ? "exact" : fmt::format("level {}", depth);
    figures_.push_back({name, fmt::format("{:.0f} %", 100.0 * share), share, levelColour(depth)});
  }
}

void Tour::compareTimes() {
  const double longest = std::max({detection_[0], detection_[1], 1e-9});
  const auto add = [&](const char* name, double milliseconds, Rgb colour) {
    const std::string text = milliseconds > 0.0 ? formatTime(milliseconds) : "...";
    figures_.push_back({name, text, milliseconds / longest, colour});
  };
  add("sphere trees, mean per frame", detection_[0], palette::swap);
  add("BSP trees, mean per frame", detection_[1], palette::narrow);
}

void Tour::warnAboutCollision(const Flight& flight, const UiState& ui) {
  const auto a = indexOf(flight, ui.view.picked.a), b = indexOf(flight, ui.view.picked.b);
  if (!a || !b) return;
  const BodyState &first = flight.output().bodies[*a], &second = flight.output().bodies[*b];
  const Real now = flight.world().time();
  const double horizon = jointHorizon(first, second, now);
  const double meeting = secondsToMeeting(first, second, now).value_or(horizon);
  figures_.push_back({"the boxes hold for", fmt::format("{:.2f} s", horizon), 1.0, palette::swap});
  figures_.push_back({"no test needed for", fmt::format("{:.2f} s", meeting),
                      meeting / std::max(horizon, 1e-9), palette::response});
}

}  // namespace nearmiss::app::fly
