// SPDX-License-Identifier: MIT
#include <engine/scene/as_published.h>
#include <fmt/format.h>
#include <nearmiss/tree_builders.h>

#include <algorithm>

#include "fly/flight_loop.h"

namespace nearmiss::app {

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

void FlightLoop::changeSpeed(int exponent) {
  if (run_.running()) {
    say("run", "a run for points keeps its speed");
    return;
  }
  ui_.speedExponent = std::clamp(exponent, slowestSpeed, fastestSpeed);
  say("speed", ui_.speedExponent < 0
                   ? fmt::format("time passes at 1/{} of its speed", 1 << -ui_.speedExponent)
               : ui_.speedExponent > 0
                   ? fmt::format("time passes {} times as fast", 1 << ui_.speedExponent)
                   : std::string("time passes as usual"));
}

void FlightLoop::wantMethod(Method method) {
  show(changeover_.setMethod(method));
  say("method", changeover_.awaitsMethod() ? "the BSP trees are being built; the switch follows"
                                           : methodWords(*flight_));
}

/// Whether pairs are being timed into a file, which other trees or methods would spoil; then the
/// user is told.
bool FlightLoop::refusedWhileTiming(std::string_view what) {
  if (!flight_->calls()) return false;
  say("timing", fmt::format("pairs are being timed into a file: {}", what));
  return true;
}

void FlightLoop::wantTrees(const engine::Scene& wanted) {
  if (refusedWhileTiming("the trees stay")) return;
  changeover_.wantTrees(wanted);
  const SphereTreeSettings settings = engine::treeSettings(wanted);
  say("tree",
      fmt::format("{} trees{}{}{}: {}", wanted.tree,
                  settings.nodeBoxRatio > 0.0 ? ", with boxes" : "",
                  settings.innerSpheres > 0 ? ", with inner spheres" : "",
                  changeover_.fliesWantedTrees() ? "" : " are being built, the others fly on",
                  findSphereTreeBuilder(wanted.tree)->summary));
}

void FlightLoop::wantBroadPhase(const BroadPhaseEntry& chosen) {
  if (auto changed = flight_->setBroadPhase(std::string(chosen.name)); !changed) {
    toasts_.add(changed.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  say("broad", fmt::format("broad phase: {}; {}", chosen.name, chosen.summary));
  statistics_.reset();
}

void FlightLoop::wantNarrowPhase(const NarrowPhaseEntry& chosen) {
  if (refusedWhileTiming("the method stays")) return;
  if (auto changed = flight_->setNarrowPhase(std::string(chosen.name)); !changed) {
    toasts_.add(changed.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  say("narrow", fmt::format("narrow phase: {}; {}", chosen.name, chosen.summary));
  statistics_.reset();
}

/// Trees, broad phase, instants and response change together; steps and pace go on as they were.
void FlightLoop::toggleAsPublished() {
  if (refusedWhileTiming("the trees stay")) return;
  const auto wanted = changeover_.toggleAsPublished(ui_.response, ui_.order);
  if (!wanted) {
    toasts_.add(wanted.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  ui_.response = wanted->response;
  ui_.order = wanted->order;
  // What was measured with another technique does not count for this one
  statistics_.reset();
  say("published",
      fmt::format("{}: {} trees{}, {} over {}, {}; time steps and pace stay",
                  wanted->asPublished ? "as published" : "no longer as published", wanted->tree,
                  changeover_.fliesWantedTrees() ? "" : " as soon as they are there",
                  wanted->narrow, engine::broadPhaseOf(*wanted), responseWords(wanted->response)));
}

void FlightLoop::wantScene(const std::string& name) {
  const auto file = engine::findScene(name);
  auto scene = file ? engine::readScene(*file) : Result<engine::Scene>(file.error());
  if (!scene) {
    toasts_.add(scene.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  changeover_.load(*scene, "Loading " + name);
}

void FlightLoop::dropModel(const std::filesystem::path& file) {
  if (!flight_) return;
  if (tour_) endTour();
  changeover_.load(changeover_.withModel(file), "Loading " + file.filename().string());
}

}  // namespace nearmiss::app
