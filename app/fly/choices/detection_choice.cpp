// SPDX-License-Identifier: MIT
#include "fly/choices/detection_choice.h"

#include <engine/flight/depth.h>
#include <engine/scene/as_published.h>
#include <fmt/format.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fly/flight/flight.h"
#include "fly/flight_context.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

/// Returns true and shows a message if pair timings are being written to a file, which a change of
/// trees or methods would invalidate.
bool refusedWhileTiming(FlightContext& context, std::string_view what) {
  if (!context.flight().calls()) return false;
  context.say("timing", fmt::format("pairs are being timed into a file: {}", what));
  return true;
}

/// What the status bar says of a flight as published in which a setting differs, by its key. The
/// first one that differs counts, so what a user may have chosen comes before what U cannot change.
constexpr std::string_view except = "as published, except for ";
constexpr std::pair<std::string_view, std::string_view> publishedSettings[] = {
    {"broad", "as published, except for the broad phase"},
    {"narrow", "as published, except for the narrow phase"},
    {"max_level", "as published, except for the levels"},
    {"order", "as published, except for the order of pairs"},
    {"response", "as published, except for the response"},
    {"instants", "as published, except for the instants"},
    {"tighten", "as published, except for tightened bounds"},
    {"coherence", "as published, except for coherence"},
    {"full_within", "as published, except for pairs that may wait"},
    {"dt_render", "as published, except for the time step"},
    {"dt_detect", "as published, except for the detection step"},
    {"step", "as published, except for frames of varying length"},
    {"frame_ms", "as published, except for the target frame time"},
    {"pace", "as published, except for the pace of ships"},
    {"mass", "as published, except for the mass of your ship"},
    {"temper", "as published, except for the temper of drones"},
    {"marks", "as published, except for the marks"},
};
constexpr std::string_view anotherSetting = "as published, except for a setting";

/// The keys of the settings that differ from the papers', apart from the trees.
std::vector<std::string_view> unpublishedKeys(const Flight& flight, const DetectionChoice& choice) {
  engine::Scene now = flight.scene();
  // The trees in use may have been replaced by the cache's; they are compared by themselves
  static const engine::Scene papers = [] {
    engine::Scene scene;
    engine::setAsPublished(scene, true);
    return scene;
  }();
  engine::copyTrees(papers, now);
  now.broad = flight.inUse().broad;
  // Levels that a choice leaves out are not an addition to the papers
  now.maxLevel = choice.levelCap > levelCapOf(papers) ? choice.levelCap : papers.maxLevel;
  now.order = choice.order;
  now.response = choice.response;
  std::vector<std::string_view> keys = engine::unpublishedSettings(std::move(now));
  if (std::ranges::any_of(flight.world().states(), &BodyState::unimportant))
    keys.push_back("marks");
  return keys;
}

}  // namespace

std::string_view responseWords(engine::Response response) noexcept {
  switch (response) {
    case engine::Response::Bounce:
      return "ships bounce";
    case engine::Response::Tumble:
      return "ships bounce and tumble, by where they are hit";
    case engine::Response::PublishedBounce:
      return "ships bounce as published, along their deepest spheres";
    case engine::Response::Teleport:
      break;
  }
  return "ships return to where they started";
}

std::string_view publishedWords(const Flight& flight, const DetectionChoice& choice) {
  if (!flight.scene().asPublished) return {};
  if (!flight.inUse().publishedTrees) return "as published, except for the trees";
  if (flight.inUse().method == Method::Bsp) return "as published, except for the narrow phase";
  const std::vector<std::string_view> keys = unpublishedKeys(flight, choice);
  for (const auto& [key, words] : publishedSettings)
    if (std::ranges::find(keys, key) != keys.end()) return words;
  return keys.empty() ? "as published" : anotherSetting;
}

std::string unpublishedWords(const Flight& flight, const DetectionChoice& choice) {
  const std::vector<std::string_view> keys = unpublishedKeys(flight, choice);
  std::vector<std::string_view> names;
  for (const auto& [key, words] : publishedSettings)
    if (std::ranges::find(keys, key) != keys.end()) names.push_back(words.substr(except.size()));
  if (names.size() < keys.size()) names.push_back(anotherSetting.substr(except.size()));
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list.append(i == 0 ? "" : i + 1 < names.size() ? ", " : " and ").append(names[i]);
  return list;
}

void changeSpeed(FlightContext& context, int exponent) {
  if (context.modes.countsPoints()) {
    context.say("run", "a run for points keeps its speed");
    return;
  }
  context.ui.pace.speedExponent = std::clamp(exponent, slowestSpeed, fastestSpeed);
  context.say("speed",
              context.ui.pace.speedExponent < 0
                  ? fmt::format("1/{} of normal speed", 1 << -context.ui.pace.speedExponent)
              : context.ui.pace.speedExponent > 0
                  ? fmt::format("{} times normal speed", 1 << context.ui.pace.speedExponent)
                  : std::string("normal speed"));
}

void selectMethod(FlightContext& context, Method method) {
  context.show(context.flightManager.setMethod(method));
  context.say("method",
              context.flightManager.isMethodPending()
                  ? fmt::format("building the BSP trees takes {}; the method changes when they "
                                "are ready. {} cancels",
                                estimateText(context.flightManager.expectedSeconds()),
                                localKeyName(Action::Back))
                  : methodWords(context.flight()));
}

/// Says how long the requested trees will take to build, and how to cancel that.
std::string buildWords(const FlightContext& context) {
  const FlightManager& manager = context.flightManager;
  if (manager.hasRequestedTrees()) return {};
  const std::string_view now = context.flight().inUse().trees;
  // The estimate is of the current build; BSP trees come first
  if (!manager.worker().isBuilding() || manager.worker().what() == "BSP trees")
    return fmt::format(". They are built after the BSP trees; {} trees fly until then", now);
  const double expected = manager.expectedSeconds();
  if (expected == 0.0) return ", from the cache";
  return fmt::format(". Building them takes {}; {} trees fly until then. {} cancels",
                     estimateText(expected), now, localKeyName(Action::Back));
}

void requestTrees(FlightContext& context, const engine::Scene& wanted) {
  if (refusedWhileTiming(context, "the trees stay")) return;
  context.flightManager.requestTrees(wanted);
  const SphereTreeSettings settings = engine::treeSettings(wanted);
  context.say(
      "tree",
      fmt::format("{} trees{}{}{}", wanted.tree, settings.nodeBoxRatio > 0.0 ? " with boxes" : "",
                  settings.innerSpheres > 0 ? " with inner spheres" : "", buildWords(context)));
}

void selectBroadPhase(FlightContext& context, const BroadPhaseEntry& chosen) {
  if (context.warnIfFailed(setBroadPhase(context.flight(), std::string(chosen.name)))) return;
  context.say("broad", fmt::format("broad phase: {}; {}", chosen.name, chosen.summary));
  context.times.statistics.reset();
}

void selectNarrowPhase(FlightContext& context, const NarrowPhaseEntry& chosen) {
  if (refusedWhileTiming(context, "the method stays")) return;
  if (context.warnIfFailed(context.flight().setNarrowPhase(std::string(chosen.name)))) return;
  context.say("narrow", fmt::format("narrow phase: {}; {}", chosen.name, chosen.summary));
  context.times.statistics.reset();
}

void toggleUnimportant(FlightContext& context, std::span<const std::uint32_t> keys) {
  if (ReplayMode::refuses(context)) return;
  if (context.modes.split.on()) {
    context.say("importance",
                "ships cannot be marked in split view: the mark would apply to one flight only");
    return;
  }
  Flight& flight = context.flight();
  std::vector<std::size_t> ships;
  for (const std::uint32_t key : keys)
    if (const auto index = indexOf(flight, key); index && *index != flight.simulation().userIndex())
      ships.push_back(*index);
  if (ships.empty()) {
    context.say("importance", "pick another ship first: your own is always important");
    return;
  }
  // Ships that are picked together get the same mark
  const bool mark = !std::ranges::all_of(
      ships, [&](std::size_t i) { return flight.world().states()[i].unimportant; });
  std::string names;
  for (const std::size_t i : ships) {
    flight.simulation().setUnimportant(i, mark);
    names += fmt::format("{}ship {}", names.empty() ? "" : " and ", flight.world().states()[i].key);
  }
  context.say(
      "importance",
      mark ? fmt::format("{}: unimportant, waits before all others when time is short", names)
           : fmt::format("{}: no longer unimportant", names));
}

void toggleAsPublished(FlightContext& context) {
  if (refusedWhileTiming(context, "the trees stay")) return;
  const auto wanted = context.flightManager.toggleAsPublished(
      context.ui.detection.response, context.ui.detection.order,
      std::min(context.ui.detection.levelCap, engine::exactDepth));
  if (context.warnIfFailed(wanted)) return;
  context.ui.detection.response = wanted->response;
  context.ui.detection.order = wanted->order;
  context.ui.detection.levelCap = levelCapOf(*wanted);
  // Statistics of another technique do not apply
  context.times.statistics.reset();
  std::string words = fmt::format(
      "{}: {} over {}, {} trees{}", wanted->asPublished ? "as published" : "your settings again",
      wanted->narrow, engine::broadPhaseOf(*wanted), wanted->tree, buildWords(context));
  const std::string kept = unpublishedWords(context.flight(), context.ui.detection);
  if (wanted->asPublished && !kept.empty())
    words += fmt::format(". A flight keeps {}; nearmiss fly --as-published sets them too", kept);
  context.say("tree", words);
}

void selectScene(FlightContext& context, const std::string& name) {
  const auto file = engine::findScene(name);
  auto scene = file ? engine::readScene(*file) : Result<engine::Scene>(file.error());
  if (context.warnIfFailed(scene)) return;
  context.modes.tour.leave(context);
  scene->arena.flown = context.flight().scene().arena.flown;
  scene->playerShots = scene->playerShots || context.flight().scene().playerShots;
  if (isHeavy(context.flight().scene())) makeHeavy(*scene);
  context.flightManager.load(*scene, "Loading " + name);
}

void selectTarget(FlightContext& context, double milliseconds) {
  if (ReplayMode::refuses(context)) return;
  if (context.modes.run.on()) {
    context.say("run", "a run for points keeps its target");
    return;
  }
  if (context.warnIfFailed(context.flight().setTarget(milliseconds))) return;
  context.times.statistics.reset();
  context.say("target", "target: " + formatTime(milliseconds));
}

void selectDroneCount(FlightContext& context, int count) {
  engine::Scene scene = context.flight().scene();
  engine::distributeDrones(count, scene.drones);
  context.modes.tour.leave(context);
  context.flightManager.load(scene, fmt::format("Loading {} drones", count));
}

void selectArena(FlightContext& context, double wall) {
  engine::Scene scene = context.flight().scene();
  scene.arena.wall = wall;
  scene.arena.flown = true;
  context.modes.tour.leave(context);
  context.flightManager.load(scene, fmt::format("Loading {}", scene.name));
}

void dropModel(FlightContext& context, const std::filesystem::path& file) {
  if (!context.hasFlight()) return;
  context.modes.tour.leave(context);
  context.flightManager.load(context.flightManager.withModel(file),
                             "Loading " + file.filename().string());
}

}  // namespace nearmiss::app::fly
