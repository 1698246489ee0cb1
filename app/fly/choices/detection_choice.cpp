// SPDX-License-Identifier: MIT
#include "fly/choices/detection_choice.h"

#include <engine/flight/depth.h>
#include <engine/scene/as_published.h>
#include <fmt/format.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <string>
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
  static const engine::Scene papers = [] {
    engine::Scene scene;
    engine::setAsPublished(scene, true);
    return scene;
  }();
  const engine::Scene& scene = flight.scene();
  if (!scene.asPublished) return {};
  if (!flight.inUse().publishedTrees) return "as published, except for the trees";
  if (flight.inUse().broad != papers.broad) return "as published, except for the broad phase";
  if (flight.inUse().method == Method::Bsp || scene.narrow != papers.narrow)
    return "as published, except for the narrow phase";
  if (choice.levelCap > levelCapOf(papers)) return "as published, except for the levels";
  if (choice.order != papers.order) return "as published, except for the order of pairs";
  if (choice.response != papers.response) return "as published, except for the response";
  return "as published";
}

void changeSpeed(FlightContext& context, int exponent) {
  if (context.modes.run.on()) {
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
                  ? "the BSP trees are being built; the method changes when they are ready"
                  : methodWords(context.flight()));
}

void requestTrees(FlightContext& context, const engine::Scene& wanted) {
  if (refusedWhileTiming(context, "the trees stay")) return;
  context.flightManager.requestTrees(wanted);
  const SphereTreeSettings settings = engine::treeSettings(wanted);
  context.say("tree", fmt::format("{} trees{}{}{}: {}", wanted.tree,
                                  settings.nodeBoxRatio > 0.0 ? ", with boxes" : "",
                                  settings.innerSpheres > 0 ? ", with inner spheres" : "",
                                  context.flightManager.hasRequestedTrees()
                                      ? ""
                                      : " are being built; the flight keeps the others until then",
                                  findSphereTreeBuilder(wanted.tree)->summary));
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
  context.say(
      "published",
      fmt::format("{}: {} trees{}, {} over {}, {}; time steps and pace stay",
                  wanted->asPublished ? "as published" : "no longer as published", wanted->tree,
                  context.flightManager.hasRequestedTrees() ? "" : " as soon as they are there",
                  wanted->narrow, engine::broadPhaseOf(*wanted), responseWords(wanted->response)));
}

void selectScene(FlightContext& context, const std::string& name) {
  const auto file = engine::findScene(name);
  auto scene = file ? engine::readScene(*file) : Result<engine::Scene>(file.error());
  if (context.warnIfFailed(scene)) return;
  context.modes.tour.leave(context);
  scene->arena.flown = context.flight().scene().arena.flown;
  scene->playerShots = context.flight().scene().playerShots;
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
