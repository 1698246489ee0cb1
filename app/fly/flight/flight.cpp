// SPDX-License-Identifier: MIT
#include "fly/flight/flight.h"

#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/scene/as_published.h>
#include <nearmiss/rivals/tree_builders.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace nearmiss::app::fly {
namespace {

constexpr const char* exactMethod = "bsp";

/// The clock that measures the scene's budgets.
std::unique_ptr<Clock> clockOf(const engine::Scene& scene) {
  if (scene.clock == engine::ClockKind::Work) return std::make_unique<WorkClock>();
  return std::make_unique<SteadyClock>();
}

/// Records the builders of all trees, and whether they are as published.
void describeTrees(const engine::ShapeSet& shapes, DetectionInUse& said) {
  std::vector<std::string_view> names;
  for (const engine::LoadedShape& shape : shapes.shapes())
    if (std::ranges::find(names, shape.treeBuilder) == names.end())
      names.push_back(shape.treeBuilder);
  engine::Scene papers;
  engine::setAsPublished(papers, true);
  said.trees = fmt::format("{}", fmt::join(names, " + "));
  said.publishedTrees = shapes.allHave(hashOf(papers.tree, engine::treeSettings(papers)));
}

}  // namespace

Result<Flight> Flight::begin(LoadedScene loaded, std::shared_ptr<WorkerPool> pool,
                             std::shared_ptr<engine::SessionWriter> session) {
  Flight flight;
  flight.pool_ = std::move(pool);
  flight.session_ = std::move(session);
  if (flight.session_) flight.past_ = std::make_unique<engine::FlightPast>();
  flight.loaded_ = std::move(loaded);
  if (flight.scene().narrow == exactMethod)
    flight.inUse_.method = Method::Bsp;
  else if (flight.scene().reference == exactMethod)
    flight.inUse_.method = Method::Both;
  if (auto begun = flight.restart(flight.loaded_.scene.seed); !begun) return begun.error();
  describeTrees(flight.shapes(), flight.inUse_);
  return flight;
}

Result<Success> Flight::changeTrees(LoadedScene rebuilt) {
  if (!rebuilt.shapes->sharesBodiesWith(shapes())) return Success{};
  loaded_.shapes = std::move(rebuilt.shapes);
  engine::copyTrees(rebuilt.scene, loaded_.scene);
  describeTrees(shapes(), inUse_);
  return setMethod(inUse_.method);
}

Result<Success> Flight::restart(std::uint64_t seed) {
  loaded_.scene.seed = seed;
  std::unique_ptr<Clock> clock = clockOf(scene());
  auto simulation = engine::makeSimulation(scene(), shapes(), *clock);
  if (!simulation) return simulation.error();
  simulation_ = *std::move(simulation);
  clock_ = std::move(clock);
  simulation_->setPairCalls(calls_.get());
  simulation_->shareWork(pool_.get());
  output_ = std::make_unique<engine::FrameOutput>();
  output_->bodies = world().states();
  begins_ = true;
  acts_.clear();
  if (past_) past_->clear();
  return setMethod(inUse_.method);
}

Result<Success> Flight::setMethod(Method method) {
  const std::string stepwise = narrowPhaseOf(*this);
  const std::string other = scene().reference == exactMethod ? "" : scene().reference;
  const std::string driver = method == Method::Bsp ? exactMethod : stepwise;
  const std::string watcher = method == Method::Both ? exactMethod : other;
  const std::string broad = engine::broadPhaseOf(scene());
  auto driving = engine::makeDetector(broad, driver, shapes());
  if (!driving) return driving.error();
  std::unique_ptr<Detector> watching;
  if (!watcher.empty()) {
    auto made = engine::makeDetector(broad, watcher, shapes());
    if (!made) return made.error();
    watching = *std::move(made);
  }
  inUse_.method = method;
  inUse_.broad = broad;
  inUse_.narrow = watching ? driver + " + " + watcher : driver;
  simulation_->setDetector(*std::move(driving));
  simulation_->setReference(std::move(watching));
  if (past_)
    past_->setDetector([driver, shapes = loaded_.shapes]() -> std::unique_ptr<Detector> {
      // Repeated work does not depend on the broad phase
      auto again = engine::makeDetector("all-pairs", driver, *shapes);
      return again ? *std::move(again) : nullptr;
    });
  if (session_)
    session_->begin(
        engine::sessionSceneOf(scene(), driver, shapes(), std::exchange(begins_, false)),
        engine::recordHead(engine::commitName(), scene(), shapes(), "window"));
  return Success{};
}

Result<Success> setBroadPhase(Flight& flight, const std::string& name) {
  engine::Scene wanted = flight.scene();
  wanted.broad = name;
  return flight.setTechnique(wanted);
}

Result<Success> Flight::setNarrowPhase(const std::string& name) {
  const Method method = inUse_.method == Method::Bsp ? Method::SphereTree : inUse_.method;
  std::string before = std::exchange(loaded_.scene.narrow, name);
  auto changed = setMethod(method);
  if (!changed) loaded_.scene.narrow = std::move(before);
  return changed;
}

Result<Success> detectBy(Flight& flight, const std::string& narrow) {
  return narrow == exactMethod ? flight.setMethod(Method::Bsp) : flight.setNarrowPhase(narrow);
}

Result<Flight> Flight::branch(const std::string& narrow) const {
  LoadedScene loaded = loaded_;
  loaded.scene.narrow = narrow;
  loaded.scene.reference.clear();
  auto other = begin(std::move(loaded), pool_);
  if (!other) return other.error();
  other->simulation_->restore(simulation().snapshot());
  other->output_->bodies = other->world().states();
  // New detectors, which have no state of this flight
  if (auto made = other->setMethod(other->inUse_.method); !made) return made.error();
  return other;
}

std::string narrowPhaseOf(const Flight& flight) {
  const std::string& narrow = flight.scene().narrow;
  return narrow == exactMethod ? "sphere-tree" : narrow;
}

Result<Success> Flight::setTechnique(const engine::Scene& from) {
  const engine::Scene before = scene();
  engine::copyTechnique(from, loaded_.scene);
  auto changed = setMethod(inUse_.method);
  if (!changed) engine::copyTechnique(before, loaded_.scene);
  return changed;
}

Result<Success> Flight::setTarget(double frameMs) {
  const double before = std::exchange(loaded_.scene.frameMs, frameMs);
  auto changed = setMethod(inUse_.method);
  if (!changed) loaded_.scene.frameMs = before;
  return changed;
}

bool looksAhead(const Flight& flight) noexcept {
  const BroadPhaseEntry* broad = findBroadPhase(flight.inUse().broad);
  return broad && broad->looksAhead;
}

std::optional<Real> earliestMeeting(const Flight& flight) noexcept {
  const engine::FrameOutput& output = flight.output();
  const Detection* found = output.detection;
  if (!looksAhead(flight) || !found) return std::nullopt;
  if (!found->pairs.empty() || !found->postponed.empty()) return 0.0;
  return std::max(0.0, flight.simulation().noContactBefore() - flight.world().time());
}

const engine::FrameOutput& Flight::advance(const engine::FrameInput& given) {
  engine::FrameInput input = given;
  input.acts = acts_.take();
  if (past_) past_->before(*simulation_);
  *output_ = simulation_->advance(input);
  if (past_) past_->add(input, *output_);
  if (session_) session_->add(input, *output_, world().ships());
  if (inUse_.method == Method::Both) output_->profile.detector = "both";
  return *output_;
}

Result<Success> Flight::timePairs() {
  auto made = engine::makePairCalls(scene(), shapes());
  if (!made) return made.error();
  calls_ = *std::move(made);
  simulation_->setPairCalls(calls_.get());
  return Success{};
}

std::span<const BodyState> shipsOf(const Flight& flight) noexcept {
  const auto bodies = flight.output().bodies;
  return bodies.first(bodies.size() - flight.simulation().shots().count());
}

Real shipRadius(const Flight& flight) noexcept {
  return flight.world().states()[flight.simulation().userIndex()].shape.radius();
}

std::chrono::nanoseconds targetOf(const Flight& flight) noexcept {
  return std::chrono::nanoseconds(std::llround(flight.scene().frameMs * 1e6));
}

std::string methodWords(const Flight& flight) {
  const std::string stepwise = narrowPhaseOf(flight);
  switch (flight.inUse().method) {
    case Method::SphereTree:
      return fmt::format("{}: each pair level by level, until the frame's time for it is over",
                         stepwise);
    case Method::Bsp:
      return "bsp: each pair exactly; pairs that the budget does not reach wait";
    case Method::Both:
      break;
  }
  return fmt::format(
      "both: {} decides, bsp looks at the same states; its time, the reference's, is outside the "
      "frame",
      stepwise);
}

Flight Flight::replay(std::unique_ptr<engine::SessionPlayer> player,
                      std::shared_ptr<WorkerPool> pool,
                      std::shared_ptr<engine::SessionWriter> session) {
  Flight flight;
  flight.pool_ = std::move(pool);
  flight.session_ = std::move(session);
  flight.player_ = std::move(player);
  flight.player_->scoutAhead();
  flight.output_ = std::make_unique<engine::FrameOutput>();
  flight.followPlayer();
  flight.output_->bodies = flight.world().states();
  return flight;
}

/// Adopts the player's flight, whose scene may have changed since the previous frame.
void Flight::followPlayer() {
  const bool others = loaded_.shapes != player_->shapes();
  loaded_ = {player_->scene(), player_->shapes()};
  inUse_.method = scene().narrow == "bsp" ? Method::Bsp : Method::SphereTree;
  inUse_.narrow = scene().narrow;
  inUse_.broad = engine::broadPhaseOf(scene());
  if (others) describeTrees(shapes(), inUse_);
}

Result<Success> Flight::replayTo(std::uint64_t frames) {
  const auto output = player_->seek(frames);
  if (!output) {
    // Objects of the last frame may have been destroyed
    *output_ = {};
    output_->bodies = world().states();
    return output.error();
  }
  if (*output) *output_ = **output;
  followPlayer();
  return Success{};
}

Result<Success> Flight::endReplay() {
  // The replayed part becomes the start of the recording
  if (session_) {
    engine::RecordedSession& past = player_->session();
    auto next = past.scenes().begin();
    for (std::uint64_t n = 0; n < player_->position(); ++n) {
      for (; next != past.scenes().end() && next->frame == n; ++next)
        session_->begin(next->scene, past.head());
      session_->add(past.frame(n));
    }
  }
  // Before the first frame, setMethod() records the scene itself
  begins_ = player_->position() == 0;
  // The player repeats work, so its clock cannot measure budgets
  clock_ = clockOf(scene());
  simulation_ = player_->release();
  simulation_->setBudgetClock(*clock_);
  player_.reset();
  simulation_->shareWork(pool_.get());
  if (session_) past_ = std::make_unique<engine::FlightPast>();
  return setMethod(inUse_.method);
}

void Flight::show(const engine::Rewinder& at) {
  acts_.clear();
  simulation_->restore(at.simulation().snapshot());
  // The last output is of another time
  *output_ = {};
  output_->bodies = world().states();
}

Result<Success> Flight::resumeFrom(std::uint64_t position) {
  const std::uint64_t gone = past_->end() - position;
  // A snapshot includes ships placed for the next frame; the recording does not yet. Other acts are
  // performed within their frame, which is dropped
  if (gone > 0 && past_->hasSnapshot(position))
    for (const engine::HandAct& act : past_->frame(position).acts)
      if (act.kind == engine::HandAct::Kind::Put) acts_.add(act);
  past_->cut(position);
  if (session_) {
    session_->dropLast(gone);
    // If no frame is left, the scene must be recorded again
    begins_ = begins_ || session_->framesKept() == 0;
  }
  // Detectors with state of later frames must not be used
  return setMethod(inUse_.method);
}

}  // namespace nearmiss::app::fly
