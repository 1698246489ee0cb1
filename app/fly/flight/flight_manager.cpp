// SPDX-License-Identifier: MIT
#include "fly/flight/flight_manager.h"

#include <engine/base/threads.h>
#include <engine/scene/as_published.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <utility>

#include "running/scene_shapes.h"

namespace nearmiss::app::fly {

namespace {

void addNotes(const engine::ShapeSet& shapes, Change& change) {
  for (const engine::LoadedShape& shape : shapes.shapes())
    change.notes.insert(change.notes.end(), shape.notes.begin(), shape.notes.end());
}

Change failed(const Error& error) {
  Change change;
  if (error.code == ErrorCode::Cancelled)
    change.cancelled = true;
  else
    change.error = error;
  return change;
}

}  // namespace

engine::Scene PublishedSwitch::flip(const engine::Scene& now) {
  engine::Scene from;
  if (now.asPublished) {
    from = std::exchange(before_, std::nullopt).value_or(engine::Scene{});
  } else {
    before_ = now;
    engine::setAsPublished(from, true);
  }
  engine::Scene next = now;
  engine::copyTrees(from, next);
  engine::copyTechnique(from, next);
  return next;
}

FlightManager::FlightManager(const Options& options)
    : options_(options), pool_(engine::workerPool(options.workers)), wanted_(options.scene) {}

void FlightManager::load(const engine::Scene& scene, std::string what) {
  // Files that are read later must not depend on the build time of a tree
  const bool quickFirst = !unattended(options_) && options_.records.calls.empty();
  worker_.load(scene, options_, std::move(what), quickFirst);
}

engine::Scene FlightManager::withModel(const std::filesystem::path& file) const {
  engine::Scene scene = requestedScene();
  if (scene.drones.empty()) scene.drones.emplace_back();
  for (engine::DroneGroup& group : scene.drones) group.model = file.string();
  scene.name = file.stem().string();
  return scene;
}

std::optional<Change> FlightManager::poll() {
  auto outcome = worker_.take();
  if (!outcome) return std::nullopt;
  Result<LoadedScene>& loaded = outcome->loaded;
  if (outcome->rebuilt)
    return loaded ? changeTrees(*std::move(loaded)) : handleBuildFailure(loaded.error());
  if (loaded) return startFlight(*std::move(loaded));
  // A failure to load a model does not end the flight
  if (flight_) startBuild();
  return failed(loaded.error());
}

Change FlightManager::startFlight(LoadedScene loaded) {
  // Apply choices that were made while it was loading
  if (flight_) {
    engine::copyTechnique(flight_->scene(), loaded.scene);
    loaded.scene.seed = flight_->scene().seed;
  }
  auto begun = Flight::begin(std::move(loaded), pool_, session_);
  if (!begun) return failed(begun.error());
  Change change;
  change.flight = true;
  change.first = !flight_;
  const Method method = change.first ? begun->inUse().method : requestedMethod();
  flight_.emplace(*std::move(begun));
  addNotes(flight_->shapes(), change);
  awaited_.reset();
  startBuild();
  if (method != flight_->inUse().method) {
    Change followed = setMethod(method);
    change.error = std::move(followed.error);
  }
  change.method = true;
  return change;
}

Change FlightManager::replay(std::unique_ptr<engine::SessionPlayer> player) {
  flight_.emplace(Flight::replay(std::move(player), pool_, session_));
  Change change;
  change.flight = change.first = true;
  return change;
}

Change FlightManager::endReplay() {
  Change change;
  if (auto taken = flight_->endReplay(); !taken) change.error = taken.error();
  // The replayed scene is wanted, with the trees for other methods
  wanted_ = flight_->scene();
  startBuild();
  change.method = true;
  return change;
}

/// The current scene with the wanted trees.
engine::Scene FlightManager::requestedScene() const {
  engine::Scene scene = flight_->scene();
  engine::copyTrees(wanted_, scene);
  return scene;
}

bool FlightManager::hasRequestedTrees() const {
  return flight_->shapes().allHave(hashOf(wanted_.tree, engine::treeSettings(wanted_)));
}

bool FlightManager::isBuilding() const noexcept {
  return worker_.isBuilding() && !worker_.progress().cancelled;
}

/// Starts to build missing trees; the flight continues with those it has.
void FlightManager::startBuild() {
  // BSP trees first: they take seconds, and a switch to them must not wait for the sphere trees
  const auto expect = [this](std::string builder, const engine::Scene& scene) {
    engine::ShapeOptions shapes = shapeOptions(options_, scene);
    shapes.treeBuilder = builder == BuildEstimates::bsp ? std::string() : builder;
    return estimates_.secondsFor(builder, trianglesToBuild(flight_->shapes(), shapes));
  };
  if (!flight_->shapes().hasBspTrees()) {
    if (isBuilding()) return;
    worker_.startBuild(flight_->scene(), flight_->sharedShapes(), options_, "BSP trees",
                       ModelWorker::BuildKind::BspTrees);
    expected_ = expect(std::string(BuildEstimates::bsp), flight_->scene());
  } else if (!hasRequestedTrees()) {
    const engine::Scene scene = requestedScene();
    worker_.startBuild(scene, flight_->sharedShapes(), options_, wanted_.tree + " trees");
    expected_ = expect(wanted_.tree, scene);
  }
}

/// Remembers what the finished build has taken.
void FlightManager::learnFrom(const LoadedScene& rebuilt) {
  std::vector<std::size_t> spheres, planes;  // triangles of the shapes whose trees were built
  const auto shapes = rebuilt.shapes->shapes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto& mesh = rebuilt.shapes->polyhedron(static_cast<std::uint32_t>(i)).mesh();
    if (shapes[i].treeSeconds > 0.0) spheres.push_back(mesh.triangles.size());
    if (shapes[i].bspSeconds > 0.0) planes.push_back(mesh.triangles.size());
  }
  const double took = worker_.elapsedSeconds();
  if (!spheres.empty())
    estimates_.learn(shapes.front().treeBuilder, spheres, took);
  else
    estimates_.learn(BuildEstimates::bsp, planes, took);
}

void FlightManager::updateTreeBuild() {
  if (worker_.busy() && !worker_.isBuilding())
    return;  // otherwise starts after the models are loaded
  if (hasRequestedTrees() && worker_.isBuilding() && flight_->shapes().hasBspTrees())
    worker_.cancel();
  startBuild();
}

void FlightManager::requestTrees(const engine::Scene& wanted) {
  engine::copyTrees(wanted, wanted_);
  updateTreeBuild();
}

Result<engine::Scene> FlightManager::toggleAsPublished(engine::Response response,
                                                       RefinementOrder order, int maxLevel) {
  engine::Scene now = requestedScene();
  now.response = response;
  now.order = order;
  now.maxLevel = maxLevel;
  PublishedSwitch flipped = published_;
  engine::Scene wanted = flipped.flip(now);
  if (const auto conflict = engine::conflictIn(wanted))
    return Error{ErrorCode::Unsupported, *conflict};
  if (auto changed = flight_->setTechnique(wanted); !changed) return changed.error();
  published_ = flipped;
  engine::copyTrees(wanted, wanted_);
  updateTreeBuild();
  return wanted;
}

Change FlightManager::changeTrees(LoadedScene rebuilt) {
  Change change;
  learnFrom(rebuilt);
  const bool others =
      !std::ranges::equal(rebuilt.shapes->shapes(), flight_->shapes().shapes(), {},
                          &engine::LoadedShape::treeHash, &engine::LoadedShape::treeHash);
  for (const engine::LoadedShape& shape : rebuilt.shapes->shapes())
    change.treeSeconds += shape.treeSeconds;
  addNotes(*rebuilt.shapes, change);
  if (auto changed = flight_->changeTrees(std::move(rebuilt)); !changed) {
    change.error = changed.error();
    return change;
  }
  change.trees = others;
  if (!flight_->shapes().hasBspTrees()) return change;
  if (awaited_) useMethod(*std::exchange(awaited_, std::nullopt), change);
  // Next, build the sphere trees, including those requested meanwhile
  startBuild();
  return change;
}

Change FlightManager::handleBuildFailure(const Error& error) {
  awaited_.reset();
  // The builder of the stand-in may differ from the scene's
  engine::copyTrees(flight_->scene(), wanted_);
  wanted_.tree = flight_->shapes().shapes().front().treeBuilder;
  return failed(error);
}

Method FlightManager::requestedMethod() const noexcept {
  return awaited_.value_or(flight_->inUse().method);
}

Change FlightManager::setMethod(Method method) {
  Change change;
  awaited_.reset();
  if (method == Method::SphereTree || flight_->shapes().hasBspTrees()) {
    useMethod(method, change);
    return change;
  }
  awaited_ = method;
  // Restart a build that was cancelled
  if (!worker_.busy() || worker_.progress().cancelled) startBuild();
  return change;
}

void FlightManager::useMethod(Method method, Change& change) {
  if (auto changed = flight_->setMethod(method); !changed)
    change.error = changed.error();
  else
    change.method = true;
}

}  // namespace nearmiss::app::fly
