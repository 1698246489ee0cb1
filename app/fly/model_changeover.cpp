// SPDX-License-Identifier: MIT
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
  // Pairs of other models would not belong into the same table
  if (!first) writeCalls();
  flight_.emplace(*std::move(flight));
  ui_.method = flight_->method();
  renderer_.setShapes(flight_->shapes());
  updateTitle();
  for (const engine::Shape& shape : flight_->shapes().shapes())
    for (const std::string& note : shape.notes)
      toasts_.add(note, wallSeconds(), Toasts::Kind::Warning);
  ui_.picked = {};
  resetMeasurements();
  if (first) {
    if (auto begun = recorder_.begin(options_, recordHead()); !begun)
      fail(begun.error(), Environment);
    if (!options_.calls.empty()) flight_->timePairs();
  }
  awaitedMethod_.reset();
  growTrees();
  if (!first && method != ui_.method) wantMethod(method);
  frameBegan_ = std::chrono::steady_clock::now();
  if (first) firstFrameBegan_ = frameBegan_;
}

engine::Scene FlightLoop::sceneWith(const std::string& tree) const {
  engine::Scene scene = flight_->scene();
  scene.tree = tree;
  return scene;
}

/// Whether all ships have the trees of that builder with all that the scene gives them.
bool FlightLoop::flies(const std::string& tree) const {
  return flight_->shapes().allHave(hashOf(tree, engine::treeSettings(sceneWith(tree))));
}

void FlightLoop::growTrees() {
  // BSP trees first: a switch to them waits for seconds, and not for the sphere trees
  const bool waiting = models_.growing() && !models_.progress().cancelled;
  if (!flight_->shapes().hasBspTrees()) {
    if (!waiting)
      models_.grow(flight_->scene(), flight_->sharedShapes(), options_, "BSP trees",
                   ModelWorker::Growth::BspTrees);
  } else if (!flies(wantedTree_)) {
    models_.grow(sceneWith(wantedTree_), flight_->sharedShapes(), options_, wantedTree_ + " trees");
  }
}

void FlightLoop::nextTree() {
  if (flight_->calls()) {
    toasts_.say("tree", "pairs are being timed into a file: the trees stay", wallSeconds());
    return;
  }
  const auto builders = sphereTreeBuilderCatalog();
  std::size_t next = 0;
  while (next < builders.size() && builders[next].name != wantedTree_) ++next;
  wantedTree_ = builders[(next + 1) % builders.size()].name;
  if (models_.busy() && !models_.growing()) return;  // begins once the models are there

  const bool there = flies(wantedTree_);
  toasts_.say("tree",
              there ? fmt::format("tree builder: {}, flying already", wantedTree_)
                    : fmt::format("tree builder: {}", wantedTree_),
              wallSeconds());
  if (there && models_.growing() && flight_->shapes().hasBspTrees()) models_.cancel();
  growTrees();
}

void FlightLoop::changeTrees(LoadedScene grown) {
  const bool others = !std::ranges::equal(grown.shapes->shapes(), flight_->shapes().shapes(), {},
                                          &engine::Shape::treeHash, &engine::Shape::treeHash);
  const bool first = !flight_->shapes().hasBspTrees();
  double seconds = 0.0;
  for (const engine::Shape& shape : grown.shapes->shapes()) {
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
    // What was measured with other trees says nothing of these
    statistics_.reset();
  }
  if (awaitedMethod_ && flight_->shapes().hasBspTrees())
    useMethod(*std::exchange(awaitedMethod_, std::nullopt));
  else
    updateTitle();
  // With the BSP trees in place, on to the sphere trees
  if (first && flight_->shapes().hasBspTrees()) growTrees();
}

void FlightLoop::growthFailed(const Error& error) {
  awaitedMethod_.reset();
  wantedTree_ = flight_->shapes().shapes().front().treeBuilder;
  if (error.code == ErrorCode::Cancelled)
    toasts_.say("tree", fmt::format("{} trees stay", flight_->treeName()), wallSeconds());
  else
    toasts_.add(error.message, wallSeconds(), Toasts::Kind::Warning);
}

}  // namespace nearmiss::app
