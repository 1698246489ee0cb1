// SPDX-License-Identifier: MIT
#include <engine/as_published.h>
#include <fmt/format.h>
#include <nearmiss/sphere_tree_builder.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "fly/flight_loop.h"

namespace nearmiss::app {

void FlightLoop::load(const engine::Scene& scene, std::string what) {
  // Files that are read afterwards must not depend on when a tree was ready
  const bool atOnce = !unattended() && options_.calls.empty();
  models_.load(scene, options_, std::move(what), atOnce);
}

void FlightLoop::takeOver(LoadedScene loaded) {
  // What was chosen while it loaded holds for it as well
  if (flight_) {
    engine::takeTechnique(flight_->scene(), loaded.scene);
    loaded.scene.seed = flight_->scene().seed;
  }
  auto flight = Flight::begin(std::move(loaded));
  if (!flight) {
    if (flight_)
      toasts_.add(flight.error().message, wallSeconds(), Toasts::Kind::Warning);
    else
      fail(flight.error());
    return;
  }
  const bool first = !flight_;
  const Method method = awaitedMethod_.value_or(ui_.method);
  flight_.emplace(*std::move(flight));
  ui_.method = flight_->method();
  renderer_.setShapes(flight_->shapes());
  updateTitle();
  for (const engine::LoadedShape& shape : flight_->shapes().shapes())
    for (const std::string& note : shape.notes)
      toasts_.add(note, wallSeconds(), Toasts::Kind::Warning);
  ui_.picked = {};
  resetMeasurements();
  if (first) {
    if (auto begun = recorder_.begin(options_, recordHead()); !begun)
      fail(begun.error(), Environment);
    // Pairs of models that follow would not belong into the same table
    if (!options_.calls.empty())
      if (auto timed = flight_->timePairs(); !timed) fail(timed.error());
  }
  awaitedMethod_.reset();
  growTrees();
  if (!first && method != ui_.method) wantMethod(method);
  account_.beginAt(std::chrono::steady_clock::now());
}

/// The scene that flies, with the trees that it will have.
engine::Scene FlightLoop::wantedScene() const {
  engine::Scene scene = flight_->scene();
  engine::takeTrees(wantedTrees_, scene);
  return scene;
}

bool FlightLoop::fliesWantedTrees() const {
  return flight_->shapes().allHave(hashOf(wantedTrees_.tree, engine::treeSettings(wantedTrees_)));
}

void FlightLoop::growTrees() {
  // BSP trees first: a switch to them waits for seconds, and not for the sphere trees
  const bool waiting = models_.growing() && !models_.progress().cancelled;
  if (!flight_->shapes().hasBspTrees()) {
    if (!waiting)
      models_.grow(flight_->scene(), flight_->sharedShapes(), options_, "BSP trees",
                   ModelWorker::Growth::BspTrees);
  } else if (!fliesWantedTrees()) {
    models_.grow(wantedScene(), flight_->sharedShapes(), options_, wantedTrees_.tree + " trees");
  }
}

void FlightLoop::nextTree() {
  if (flight_->calls()) {
    toasts_.say("tree", "pairs are being timed into a file: the trees stay", wallSeconds());
    return;
  }
  const auto builders = sphereTreeBuilderCatalog();
  std::size_t next = 0;
  while (next < builders.size() && builders[next].name != wantedTrees_.tree) ++next;
  wantedTrees_.tree = builders[(next + 1) % builders.size()].name;
  toasts_.say("tree",
              fmt::format("tree builder: {}{}", wantedTrees_.tree,
                          fliesWantedTrees() ? ", flying already" : ""),
              wallSeconds());
  pursueWantedTrees();
}

void FlightLoop::pursueWantedTrees() {
  if (models_.busy() && !models_.growing()) return;  // begins once the models are there
  if (fliesWantedTrees() && models_.growing() && flight_->shapes().hasBspTrees()) models_.cancel();
  growTrees();
}

void FlightLoop::changeTrees(LoadedScene grown) {
  const bool others =
      !std::ranges::equal(grown.shapes->shapes(), flight_->shapes().shapes(), {},
                          &engine::LoadedShape::treeHash, &engine::LoadedShape::treeHash);
  double seconds = 0.0;
  for (const engine::LoadedShape& shape : grown.shapes->shapes()) {
    seconds += shape.treeSeconds;
    for (const std::string& note : shape.notes)
      toasts_.add(note, wallSeconds(), Toasts::Kind::Warning);
  }
  if (auto changed = flight_->changeTrees(std::move(grown)); !changed) {
    toasts_.add(changed.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  if (others) {
    const std::string cost = seconds > 0.0 ? fmt::format(", built in {:.1f} s", seconds)
                                           : std::string(", from the cache");
    toasts_.say("tree", fmt::format("{} trees fly now{}", flight_->treeName(), cost),
                wallSeconds());
    // What was measured with other trees does not count for these
    statistics_.reset();
  }
  if (awaitedMethod_ && flight_->shapes().hasBspTrees())
    useMethod(*std::exchange(awaitedMethod_, std::nullopt));
  else
    updateTitle();
  // With the BSP trees in place, on to the sphere trees, and to those that were chosen meanwhile
  if (flight_->shapes().hasBspTrees()) growTrees();
}

void FlightLoop::growthFailed(const Error& error) {
  awaitedMethod_.reset();
  // The stand-in's builder need not be the scene's
  engine::takeTrees(flight_->scene(), wantedTrees_);
  wantedTrees_.tree = flight_->shapes().shapes().front().treeBuilder;
  if (error.code == ErrorCode::Cancelled)
    toasts_.say("tree", fmt::format("{} trees stay", flight_->treeName()), wallSeconds());
  else
    toasts_.add(error.message, wallSeconds(), Toasts::Kind::Warning);
}

}  // namespace nearmiss::app
