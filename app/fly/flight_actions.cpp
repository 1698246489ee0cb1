// SPDX-License-Identifier: MIT
#include <engine/as_published.h>
#include <engine/record_head.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fly/flight_loop.h"

namespace nearmiss::app {
namespace {

constexpr double doublePressSeconds = 0.4;
constexpr float pageLines = 6.0f;
constexpr int slowest = -5, fastest = 4;  // powers of two
constexpr double defaultEraScale = 250.0;

template <class Enum>
Enum next(Enum value, Enum last) noexcept {
  return value == last ? Enum{} : static_cast<Enum>(static_cast<int>(value) + 1);
}

std::string_view responseWords(engine::Response response) noexcept {
  switch (response) {
    case engine::Response::Bounce:
      return "ships bounce";
    case engine::Response::PublishedBounce:
      return "ships bounce as published, along their deepest spheres";
    case engine::Response::Teleport:
      break;
  }
  return "ships return to where they started";
}

}  // namespace

void FlightLoop::apply(Action action) {
  using enum Action;
  // Questions first: while one is open, the other keys do nothing
  if (!failure_.empty()) {
    if (action == Confirm || action == Back) stop();
    return;
  }
  if (ui_.quitAsked && action != Confirm && action != Back) return;
  if (!flight_ && action != Back && action != FullScreen && action != Confirm) return;

  switch (action) {
    case StopRotation:
      ui_.stick = glm::vec2(0.0f);
      stopShip_ = wallSeconds() - lastStopKey_ < doublePressSeconds;
      lastStopKey_ = stopShip_ ? -1.0 : wallSeconds();
      break;
    case FineControl:
      ui_.fineControl = !ui_.fineControl;
      break;
    case MouseSteering:
      ui_.mouseSteering = !ui_.mouseSteering;
      break;
    case Pause:
      ui_.paused = !ui_.paused;
      ui_.stepsAsked = 0;
      break;
    case Step:
      ui_.stepsAsked += ui_.paused ? 1 : 0;
      ui_.paused = true;
      break;
    case Slower:
      ui_.speedExponent = std::max(ui_.speedExponent - 1, slowest);
      break;
    case Faster:
      ui_.speedExponent = std::min(ui_.speedExponent + 1, fastest);
      break;
    case NormalSpeed:
      ui_.speedExponent = 0;
      break;
    case Restart:
      restart(flight_->scene().seed);
      break;
    case NewSeed:
      restart(SplitMix(flight_->scene().seed).bits() % 1000000);
      break;
    case NextMethod:
      changeMethod();
      break;
    case NextBroadPhase:
      nextBroadPhase();
      break;
    case NextTree:
      nextTree();
      break;
    case CapNone:
      ui_.levelCap = Detector::noLevelCap;
      break;
    case Cap1:
    case Cap2:
    case Cap3:
    case Cap4:
    case Cap5:
      ui_.levelCap = 1 + static_cast<int>(action) - static_cast<int>(Cap1);
      break;
    case BudgetDown:
      lowerBudget(ui_, automaticBudget());
      break;
    case BudgetUp:
      raiseBudget(ui_, automaticBudget());
      break;
    case EraMode:
      ui_.eraMode = !ui_.eraMode;
      if (ui_.eraScale == 1.0) ui_.eraScale = defaultEraScale;
      break;
    case AsPublished:
      toggleAsPublished();
      break;
    case NextResponse:
      ui_.response = next(ui_.response, engine::Response::Teleport);
      toasts_.say("response", fmt::format("response: {}", responseWords(ui_.response)),
                  wallSeconds());
      break;
    case NextCamera:
      cameraRig_.cycleMode();
      break;
    case ResetCamera:
      cameraRig_.reset();
      break;
    case NextDrawLevel:
      ui_.drawLevel = next(ui_.drawLevel, DrawLevel::Level4);
      toasts_.say("spheres",
                  ui_.drawLevel == DrawLevel::Off ? "spheres: off"
                  : ui_.drawLevel == DrawLevel::Contact
                      ? "spheres: of contacts"
                      : fmt::format("spheres: level {}", static_cast<int>(ui_.drawLevel) - 1),
                  wallSeconds());
      break;
    case Wireframe:
      ui_.wireframe = !ui_.wireframe;
      break;
    case BoundingSpheres:
      ui_.boundingSpheres = !ui_.boundingSpheres;
      break;
    case SpaceTimeBounds: {
      ui_.spaceTimeBounds = !ui_.spaceTimeBounds;
      const std::string broad = flight_->broadPhase();
      toasts_.say(
          "bounds",
          !ui_.spaceTimeBounds ? std::string("space-time bounds: off")
          : flight_->looksAhead()
              ? fmt::format("space-time bounds, which {} detects by", broad)
              : fmt::format("space-time bounds, from the ships' promises; {} uses none", broad),
          wallSeconds());
      break;
    }
    case NextPair:
      ui_.picked = nextPair(*flight_, marks_, ui_.picked);
      if (ui_.picked.pair())
        cameraRig_.beginLook();
      else
        toasts_.add("no contact is in sight, and no two ships are near each other", wallSeconds());
      break;
    case NextOverlay:
      ui_.overlay = next(ui_.overlay, OverlayMode::Off);
      break;
    case ReduceFlashing:
      ui_.reduceFlashing = !ui_.reduceFlashing;
      break;
    default:
      applyProgramAction(action);
      break;
  }
}

void FlightLoop::applyProgramAction(Action action) {
  using enum Action;
  switch (action) {
    case Help:
      ui_.help = !ui_.help;
      ui_.scroll = 0.0f;
      break;
    case Numbers:
      ui_.numbers = !ui_.numbers;
      ui_.scroll = 0.0f;
      break;
    case RecordProfile: {
      const auto file = recorder_.toggle(recordHead());
      if (!file)
        toasts_.add(file.error().message, wallSeconds(), Toasts::Kind::Warning);
      else
        toasts_.add((recorder_.recording() ? "recording " : "recorded ") + file->string(),
                    wallSeconds());
      break;
    }
    case Screenshot:
      screenshotAsked_ = true;
      break;
    case PageUp:
    case PageDown:
      ui_.scroll += action == PageUp ? -pageLines : pageLines;
      break;
    case FullScreen:
      window_.toggleFullScreen();
      break;
    case Back:
      // Close what is open, the uppermost first; then ask
      if (loadingShown())
        models_.cancel();
      else if (ui_.quitAsked)
        ui_.quitAsked = false;
      else if (ui_.help)
        ui_.help = false;
      else if (ui_.numbers)
        ui_.numbers = false;
      else if (ui_.picked.a != 0)
        ui_.picked = {};
      else if (ui_.mouseSteering)
        ui_.mouseSteering = false;
      else if (models_.growing() && !models_.progress().cancelled && overlay_.showsGrowing())
        models_.cancel();
      else
        ui_.quitAsked = true;
      break;
    case Confirm:
      if (ui_.quitAsked) stop();
      break;
    default:
      break;
  }
}

void FlightLoop::restart(std::uint64_t seed) {
  if (auto restarted = flight_->restart(seed); !restarted) {
    toasts_.add(restarted.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  resetMeasurements();
  ui_.picked = {};
}

void FlightLoop::changeMethod() {
  wantMethod(next(awaitedMethod_.value_or(ui_.method), Method::Both));
}

void FlightLoop::wantMethod(Method method) {
  awaitedMethod_.reset();
  if (method != Method::SphereTree && !flight_->shapes().hasBspTrees()) {
    awaitedMethod_ = method;
    toasts_.say("method", "the BSP trees are being built; the switch follows", wallSeconds());
    // A cancelled build is no longer one to wait for
    if (!models_.busy() || models_.progress().cancelled) growTrees();
    return;
  }
  useMethod(method);
}

void FlightLoop::useMethod(Method method) {
  if (auto changed = flight_->setMethod(method); !changed) {
    toasts_.add(changed.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  ui_.method = method;
  // What was measured with another method does not count for this one
  statistics_.reset();
  updateTitle();
}

void FlightLoop::nextBroadPhase() {
  const auto phases = broadPhaseCatalog();
  std::size_t at = 0;
  while (at < phases.size() && phases[at].name != flight_->broadPhase()) ++at;
  const BroadPhaseEntry& chosen = phases[(at + 1) % phases.size()];
  if (auto changed = flight_->setBroadPhase(std::string(chosen.name)); !changed) {
    toasts_.add(changed.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  toasts_.say("broad", fmt::format("broad phase: {}; {}", chosen.name, chosen.summary),
              wallSeconds());
  statistics_.reset();
}

/// Trees, broad phase, instants and response change together; steps and pace go on as they were.
void FlightLoop::toggleAsPublished() {
  if (flight_->calls()) {
    toasts_.say("published", "pairs are being timed into a file: the trees stay", wallSeconds());
    return;
  }
  engine::Scene now = wantedScene();
  now.response = ui_.response;
  PublishedSwitch flipped = publishedSwitch_;
  const engine::Scene wanted = flipped.flip(now);
  if (const auto conflict = engine::conflictIn(wanted)) {
    toasts_.add(*conflict, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  if (auto changed = flight_->setTechnique(wanted); !changed) {
    toasts_.add(changed.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  publishedSwitch_ = flipped;
  ui_.response = wanted.response;
  engine::takeTrees(wanted, wantedTrees_);
  // What was measured with another technique does not count for this one
  statistics_.reset();
  toasts_.say("published",
              fmt::format("{}: {} trees{}, broad phase {}, {}; time steps and pace stay",
                          wanted.asPublished ? "as published" : "no longer as published",
                          wanted.tree, fliesWantedTrees() ? "" : " as soon as they are there",
                          engine::broadPhaseOf(wanted), responseWords(wanted.response)),
              wallSeconds());
  pursueWantedTrees();
}

void FlightLoop::dropModel(const std::filesystem::path& file) {
  if (!flight_) return;
  engine::Scene scene = wantedScene();
  if (scene.drones.empty()) scene.drones.emplace_back();
  for (engine::DroneGroup& group : scene.drones) group.model = file.string();
  scene.name = file.stem().string();
  load(scene, "Loading " + file.filename().string());
}

engine::RecordHead FlightLoop::recordHead() const {
  return engine::recordHead(flight_->scene(), flight_->shapes(), driver_.renderer);
}

}  // namespace nearmiss::app
