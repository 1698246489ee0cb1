// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nearmiss/advanced/sphere_tree.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "console/text.h"
#include "fly/modes/tour/tour.h"
#include "fly/modes/tour/tour_stage.h"
#include "fly/overlay/ink.h"
#include "fly/view/bound_drawing.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {
namespace {

constexpr double tiny = 1e-9;

TourSlider sliderOf(const TourStop& stop, double place, Real apart) {
  switch (stop.variable) {
    case TourVariable::Distance:
      return {"distance of the centres", gapText(apart), place};
    case TourVariable::Level:
      return {"level", std::string(engine::nameOfDepth(tourLevelAt(place))), place};
    case TourVariable::Budget:
      break;
  }
  return {stop.split() ? "budget, right" : "budget", formatTime(milliseconds(tourBudgetAt(place))),
          place};
}

}  // namespace

void Tour::watch(const Flight& flight, const PickedShips& pair, std::size_t half) noexcept {
  constexpr double fading = 0.99;
  for (double& count : collisions_) count *= fading;
  for (const engine::Collision& collision : flight.output().collisions) {
    const Refinement& known = collision.refinement;
    const bool final = known.verdict == Verdict::Contact;
    const int depth = final ? engine::exactDepth : engine::depthOf(known);
    collisions_[static_cast<std::size_t>(depth)] += 1.0;
    const auto bodies = flight.output().bodies;
    const std::uint32_t a = bodies[collision.a].key, b = bodies[collision.b].key;
    if ((a == pair.a && b == pair.b) || (a == pair.b && b == pair.a)) hits_.depth[half] = depth;
  }
}

TourView Tour::view(const Flight& flight, const UiState& ui, const ShownNumbers& shown) {
  figures_.clear();
  const auto a = indexOf(flight, ui.view.picked.a), b = indexOf(flight, ui.view.picked.b);
  Real apart = 0.0;
  if (a && b) {
    const auto bodies = flight.output().bodies;
    apart = glm::distance(bodies[*a].pose.position, bodies[*b].pose.position);
    switch (stop().figures) {
      case TourFigures::Spheres:
        compareSpheres(flight, *a, *b);
        break;
      case TourFigures::Levels:
        listLevels(flight, *a);
        break;
      case TourFigures::Bound:
        compareBound(flight, *a, *b);
        break;
      case TourFigures::Depths:
        listDepths(shown);
        break;
      case TourFigures::Exact:
        compareHits();
        break;
      case TourFigures::Meeting:
        warnAboutCollision(flight, *a, *b);
        break;
    }
  }
  return {stop().title,
          stop().sentence,
          at_ + 1,
          tourStops().size(),
          passed_ / stop().seconds,
          held_,
          figures_,
          sliderOf(stop(), place_, apart)};
}

/// Compares the centres' distance with the radii, and counts the pairs whose spheres meet.
void Tour::compareSpheres(const Flight& flight, std::size_t a, std::size_t b) {
  const auto bodies = flight.output().bodies;
  const Real apart = glm::distance(bodies[a].pose.position, bodies[b].pose.position);
  const Real reach = bodies[a].shape.radius() + bodies[b].shape.radius();
  const Real whole = std::max(apart, reach);
  figures_.push_back({"distance of the centres", gapText(apart), apart / whole, palette::white,
                      "the two ships, at this moment"});
  figures_.push_back({"both radii", gapText(reach), reach / whole, palette::swap});
  figures_.push_back({"spheres", apart > reach ? "apart: no test" : "meet: look closer", 0.0});
  std::size_t all = 0, meeting = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      ++all;
      const Vec3 way = bodies[i].pose.position - bodies[k].pose.position;
      const Real radii = bodies[i].shape.radius() + bodies[k].shape.radius();
      if (glm::dot(way, way) <= radii * radii) ++meeting;
    }
  figures_.push_back(
      {"pairs of ships", fmt::format("{}", all), 1.0, palette::dim, "all ships, at this moment"});
  figures_.push_back(
      {"of which spheres meet", fmt::format("{}", meeting),
       static_cast<double>(meeting) / static_cast<double>(std::max<std::size_t>(all, 1)),
       palette::own});
}

void Tour::listLevels(const Flight& flight, std::size_t a) {
  const Link first = linkOf(flight.output().bodies[a], 0);
  const SphereTree& tree = flight.shapes().sphereTree(first.shape.index());
  const int shown = tourLevelAt(place_);
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
         "off by " + gapText(mean), mean, levelColour(level),
         level == 1 ? "the tree of a ship; mean error of a sphere" : std::string_view()});
  }
  for (TourFigure& figure : figures_) figure.share /= std::max(longest, tiny);
}

void Tour::compareBound(const Flight& flight, std::size_t a, std::size_t b) {
  const int level = tourLevelAt(place_);
  const PairGap pair = gapOf(flight, a, b, level);
  const bool meet = std::isfinite(pair.bound);
  const double whole = std::max({meet ? pair.bound : 0.0, pair.gap, tiny});
  figures_.push_back({fmt::format("bound from level {}", level),
                      meet ? "≤ " + gapText(pair.bound) : "spheres apart",
                      meet ? pair.bound / whole : 0.0, levelColour(level),
                      "the two ships, at this moment"});
  figures_.push_back({"true gap", gapText(pair.gap), pair.gap / whole, palette::white});
}

void Tour::listDepths(const ShownNumbers& shown) {
  const double whole = std::max({shown.allowed.value_or(0.0), shown.detect, tiny});
  figures_.push_back({"budget", shown.allowed ? formatTime(*shown.allowed) : "no limit",
                      shown.allowed ? *shown.allowed / whole : 1.0, palette::own, "this frame"});
  figures_.push_back(
      {"detection", formatTime(shown.detect), shown.detect / whole, palette::narrow});
  double all = 0.0;
  for (const double count : collisions_) all += count;
  for (int depth = engine::exactDepth; depth >= 1; --depth) {
    const double share = all > 0.0 ? collisions_[static_cast<std::size_t>(depth)] / all : 0.0;
    const std::string name = depth == engine::exactDepth ? "exact" : fmt::format("level {}", depth);
    figures_.push_back(
        {name, fmt::format("{:.0f} %", 100.0 * share), share, levelColour(depth),
         depth == engine::exactDepth ? "collisions of the last seconds" : std::string_view()});
  }
}

/// Times of both halves stand in their own panels.
void Tour::compareHits() {
  constexpr std::array<std::string_view, 2> names{"left, exact", "right, by spheres"};
  for (std::size_t half = 0; half < names.size(); ++half) {
    const std::optional<int>& depth = hits_.depth[half];
    figures_.push_back(
        {std::string(names[half]),
         depth ? fmt::format("hit ({})", engine::nameOfDepth(*depth)) : std::string("no hit"),
         depth ? 1.0 : 0.0, depth ? levelColour(*depth) : palette::dim,
         half == 0 ? "the two ships, in this round" : std::string_view()});
  }
}

void Tour::warnAboutCollision(const Flight& flight, std::size_t a, std::size_t b) {
  const BodyState &first = flight.output().bodies[a], &second = flight.output().bodies[b];
  const Real now = flight.world().time();
  const double horizon = jointHorizon(first, second, now);
  const double meeting = secondsToMeeting(first, second, now).value_or(horizon);
  figures_.push_back({"the boxes hold for", fmt::format("{:.2f} s", horizon), 1.0, palette::swap,
                      "from this moment on"});
  figures_.push_back({"no test needed for", fmt::format("{:.2f} s", meeting),
                      meeting / std::max(horizon, tiny), palette::response});
}

}  // namespace nearmiss::app::fly
