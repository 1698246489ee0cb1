// SPDX-License-Identifier: MIT
#include "fly/flight_loop.h"

#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <engine/flight/depth.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "fly/overlay/ink.h"
#include "fly/pace.h"
#include "preemptions.h"

namespace nearmiss::app {
namespace {

using engine::FrameProfile;
using SteadyTime = std::chrono::steady_clock;

constexpr double glowSeconds = 0.5, glowFrames = 3.0;
constexpr std::chrono::milliseconds idleFrame{16};

}  // namespace

FlightLoop::FlightLoop(const Options& options, Window window, Renderer renderer,
                       std::unique_ptr<engine::SessionPlayer> player, SettingsMemory memory)
    : options_(options),
      window_(std::move(window)),
      renderer_(std::move(renderer)),
      driver_(driverInfo()),
      changeover_(options_),
      memory_(std::move(memory)),
      player_(std::move(player)),
      started_(SteadyTime::now()),
      account_(started_) {
  const engine::Scene& scene = options_.scene;
  using Kind = engine::BudgetRule::Kind;
  ui_.budgetMode = scene.budget.kind == Kind::Unlimited ? BudgetMode::Unlimited
                   : scene.budget.kind == Kind::Fixed   ? BudgetMode::Fixed
                                                        : BudgetMode::Auto;
  ui_.fixedBudget = scene.budget.fixed;
  ui_.eraMode = scene.budget.eraScale != 1.0;
  if (ui_.eraMode) ui_.eraScale = scene.budget.eraScale;
  ui_.order = scene.order;
  ui_.levelCap = scene.maxLevel >= engine::exactDepth ? Detector::noLevelCap : scene.maxLevel;
  ui_.response = scene.response;
  recall();
  // Pictures and measurements need neither
  if (options_.headless) return;
  sound_.open();
  input_.startGamepad();
}

int FlightLoop::run() {
  if (player_)
    show(changeover_.replay(std::move(player_)));
  else
    changeover_.load(options_.scene, "Loading the scene");
  while (running_) {
    advanced_ = false;
    readInput();
    collectWorkers();
    if (tour_ && running_) followTour();
    if (flight_ && running_) {
      passMarkTime();
      advance();
    }
    draw();
    finishFrame();
    if (reachedEnd()) stop();
  }
  return end();
}

void FlightLoop::readInput() {
  const bool steeredBefore = ui_.stickActive;
  const InputEvents& events = input_.poll(ui_);
  if (events.quit || interrupted()) stop();
  if (ui_.stickActive != steeredBefore)
    SDL_SetRelativeMouseMode(ui_.stickActive ? SDL_TRUE : SDL_FALSE);
  for (const Action action : events.pressed) apply(action);
  heedGamepad(events);
  const bool wished = wish_.has_value();
  heedPanel(events);
  if (wished || !events.pressed.empty() || !events.panelKeys.empty() || events.click) updateTitle();
  if (!events.dropped.empty()) dropModel(events.dropped);

  if (tour_ && (events.wheel != 0.0f || events.drag != glm::vec2(0.0f) || events.click))
    tour_->hold();
  cameraRig_.drag(double{events.drag.x}, double{events.drag.y});
  const ImVec2& pointer = ImGui::GetIO().MousePos;
  if (ui_.pageOpen())
    ui_.scroll -= 2.0f * events.wheel;
  else if (meets(overlay_.layout().controls, {pointer.x, pointer.y, 1.0f, 1.0f}))
    (ui_.keyPage ? keyPanel_ : controlPanel_).scroll(2.0f * events.wheel);
  else if (events.wheel != 0.0f && beforePhoto_)
    cameraRig_.widen(double{-events.wheel});
  else if (events.wheel != 0.0f)
    cameraRig_.zoom(double{events.wheel});
  if (flight_ && events.click) click(*events.click);

  // The same keys fly the camera while it is free
  control_ = input_.control(ui_);
  if (cameraRig_.mode() == CameraMode::Free && !cameraRig_.looking()) {
    const double passed = std::min(turnSeconds_, longestRealFrame);
    cameraRig_.moveFree({-control_.yaw, control_.pitch, control_.thrust}, passed);
    cameraRig_.turnFree(-control_.roll, passed);
    control_ = {};
  }
}

void FlightLoop::collectWorkers() {
  if (auto shot = screenshots_.take()) {
    if (shot->error.empty())
      toasts_.add("screenshot: " + shot->file.string(), wallSeconds());
    else
      toasts_.add(shot->file == options_.screenshot ? shot->error : withRemedy(shot->error),
                  wallSeconds(), Toasts::Kind::Warning);
  }
  if (const auto change = changeover_.poll()) show(*change);
  if (splitAwaited_) pursueSplit();
}

/// Tells what has changed, and lets go of what was measured before.
void FlightLoop::show(const Change& change) {
  for (const std::string& note : change.notes)
    toasts_.add(note, wallSeconds(), Toasts::Kind::Warning);
  if (!flight_) {
    if (change.error) fail(*change.error);
    if (change.cancelled) stop();
    return;
  }
  if (change.error) toasts_.add(change.error->message, wallSeconds(), Toasts::Kind::Warning);
  if (change.cancelled) say("tree", "cancelled: models and trees stay");
  ui_.method = flight_->method();
  if (change.flight) {
    renderer_.setShapes(flight_->shapes());
    ui_.picked = {};
    if (run_.running()) toggleRun();  // it was of another flight
    resetMeasurements();
    account_.beginAt(SteadyTime::now());
    // The other half needs its trees again
    if (split_) {
      leaveSplit();
      splitAwaited_ = true;
    }
    if (ghost_) beginGhost();
  }
  if (change.first) {
    splitAwaited_ = options_.leftHalf.has_value();
    if (auto begun = recorder_.begin(options_, recordHead()); !begun)
      fail(begun.error(), Environment);
    if (!options_.session.empty())
      if (auto kept = changeover_.session().keepIn(options_.session); !kept)
        fail(kept.error(), Environment);
    beginFilm();
    // Pairs of models that follow would not belong into the same table
    if (!options_.calls.empty())
      if (auto timed = flight_->timePairs(); !timed) fail(timed.error());
  }
  if (change.trees) {
    const std::string cost = change.treeSeconds > 0.0
                                 ? fmt::format(", built in {:.1f} s", change.treeSeconds)
                                 : std::string(", from the cache");
    say("tree", fmt::format("{} trees fly now{}", flight_->treeName(), cost));
  }
  // What was measured with other trees or another method does not count for these
  if (change.trees || change.method) statistics_.reset();
  updateTitle();
  // What a stop shows was found with the trees before
  if (tour_ && change.trees && !tour_->held()) beginStop();
  if (change.first && options_.tour) toggleTour();
}

void FlightLoop::advance() {
  if (flight_->player()) {
    advanceReplay();
    return;
  }
  if (ui_.paused && ui_.stepsAsked == 0) return;
  if (ui_.paused) --ui_.stepsAsked;
  if (split_) {
    advanceSplit();
    return;
  }
  const engine::Scene& scene = flight_->scene();
  const auto target = flight_->target();

  // Single steps are all alike
  const bool measured = inRealTime() && !ui_.paused;
  engine::FrameInput input =
      frameInput(nextStep(scene, ui_.speed(), measured ? frameSeconds_ : std::optional<double>()));
  input.detectionBudget = account_.allowance(userBudget(), scene.clock, target);

  account_.book(&FrameProfile::input, SteadyTime::now());
  const std::uint64_t preemptionsBefore = preemptions();
  profile_ = flight_->advance(input).profile;
  profile_.preemptions = static_cast<std::uint32_t>(preemptions() - preemptionsBefore);
  account_.simulated(profile_, target, SteadyTime::now());
  if (ghost_) ghost_->follow(*flight_, input);
  account_.book(&FrameProfile::other, SteadyTime::now());
  if (tour_) tour_->watch(*flight_, profile_);
  statistics_.missedContacts += flight_->output().missedByDriver.size();
  marks_.update(*flight_, markSeconds_, markLifetime());
  followRun(input.detectionBudget);
  feelHits();
  advanced_ = true;
}

/// Sparks and sound of every hit of the frame; those of the user's ship shake the eye and a
/// controller as well.
void FlightLoop::feelHits() {
  constexpr double fullSpeed = 4.0, mostKick = 0.35;  // m/s, ship radii
  const std::size_t user = flight_->simulation().userIndex();
  const Vec3& place = flight_->output().bodies[user].pose.position;
  for (const Impact& impact : impacts_.take(flight_->output(), pictureSeconds())) {
    const bool own = impact.a == user || impact.b == user;
    const Vec3 apart = impact.place - place;
    if (!ui_.muted) sound_.play(impact.speed, own ? 1.0 : 0.4 / (1.0 + glm::dot(apart, apart)));
    if (!own) continue;
    const double strength = std::clamp(impact.speed / fullSpeed, 0.1, 1.0);
    input_.gamepad().shake(strength);
    if (!ui_.reduceFlashing)
      cameraRig_.kick((impact.a == user ? mostKick : -mostKick) * strength * impact.normal);
  }
}

void FlightLoop::draw() {
  if (window_.minimised()) {
    SDL_Delay(10);
    return;
  }
  const int width = window_.width(), height = window_.height();
  glViewport(0, 0, width, height);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplSDL2_NewFrame();
  ImGui::NewFrame();
  if (flight_ && split_) {
    drawHalves(width, height);
  } else if (flight_) {
    const BodyState& ship = flight_->output().bodies[flight_->simulation().userIndex()];
    cameraRig_.lookAt(focusOf(*flight_, ui_.picked));
    const double step = pictureStep();
    camera_ = cameraRig_.update(ship.pose, ship.shape.radius(), step);
    if (tour_) camera_ = tour_->eased(camera_);
    if (const auto error = diagram_.update(*flight_, ui_, camera_)) {
      ui_.nearestShips = false;
      toasts_.add(error->message, wallSeconds(), Toasts::Kind::Warning);
    }
    DrawFrame frame = scene_.compose(*flight_, marks_, impacts_, ui_, camera_, cameraRig_.seenBy(),
                                     pictureSeconds());
    frame.plane = diagram_.plane();
    const auto eyeBefore = eyeTrail_.before(camera_.pose, step);
    if (ui_.cues) frame.eyeBefore = eyeBefore;
    if (ghost_) frame.ghosts = ghost_->shipsBeside(*flight_);
    renderer_.draw(frame, width, height, drawQuality());
    takePictures(frame, width, height);
  } else {
    glClearColor(0.02f, 0.025f, 0.035f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  }
  writePanels();
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());

  // This frame's drawing must not delay the next frame's detection
  glFinish();
  const bool byOption =
      advanced_ && !options_.screenshot.empty() && profile_.frame == options_.screenshotFrame;
  pictureTaken_ = pictureTaken_ || byOption;
  if (byOption)
    screenshots_.write(options_.screenshot, width, height, renderer_.readPixels(width, height));
  else if (std::exchange(screenshotAsked_, false))
    screenshots_.write(freshFile("nearmiss", ".png"), width, height,
                       renderer_.readPixels(width, height));
}

void FlightLoop::finishFrame() {
  account_.book(&FrameProfile::render, SteadyTime::now());
  window_.swap();
  // With vsync the driver does the waiting
  account_.book(window_.vsync() ? &FrameProfile::slack : &FrameProfile::swap, SteadyTime::now());
  const auto watching = advanced_ ? profile_.watching : FrameProfile::Duration{};
  // Watching is not part of the frame: the wait begins later by as much
  const auto target = flight_ ? flight_->target() : FrameProfile::Duration(idleFrame);
  if (paced() && !window_.vsync()) engine::idleUntil(account_.began() + target + watching);
  const Time began = account_.began(), end = SteadyTime::now();
  account_.book(&FrameProfile::slack, end);
  const FrameProfile* ended = account_.end(end);
  turnSeconds_ = seconds(end - began);
  frameSeconds_ = turnSeconds_ - seconds(watching);
  if (!ended) return;

  profile_ = *ended;
  history_.push(profile_);
  statistics_.add(profile_);
  recorder_.add(profile_, flight_->calls());
  ++framesFlown_;
  fitQuality();
  warnIfTooSlow(seconds(profile_.frameTime));
}

/// Gives drawing what the rest of the frame leaves of the target, or of 30 frames a second where
/// more are wanted: the picture is not made coarser for more than that.
void FlightLoop::fitQuality() {
  constexpr double slowest = 1.0 / 30.0, reserve = 0.05;
  // Pictures of repeatable flights are repeatable
  if (flight_->scene().clock != engine::ClockKind::Wall) return;
  const bool smooth = drawQuality().scale > 1.0;
  edges_.drew(seconds(profile_.render), seconds(flight_->target()));
  // What smooth edges took is no reason to draw less
  if (smooth) return;
  const double most = (1.0 - reserve) * std::max(seconds(flight_->target()), slowest);
  const double rest = seconds(profile_.frameTime - profile_.render - profile_.slack);
  quality_.drew(renderer_.shipTriangles(), seconds(profile_.render), most - rest);
}

DrawQuality FlightLoop::drawQuality() const noexcept {
  DrawQuality quality = quality_.quality();
  const bool full = quality.scale == 1.0 && quality.mostTriangles == DrawQuality::unlimited;
  if (edges_.on() && full && !split_) quality.scale = EdgeSmoothing::scale;
  return quality;
}

bool FlightLoop::reachedEnd() const noexcept {
  if (!flight_) return false;
  if (options_.frames && framesFlown_ >= *options_.frames) return true;
  if (const engine::SessionPlayer* player = flight_->player())
    return options_.headless && player->atEnd();
  const auto& limit = flight_->scene().simSeconds;
  // Half a step forgives the rounding of many steps
  return limit && flight_->world().time() + 0.5 * engine::frameStep(flight_->scene()) > *limit;
}

double FlightLoop::markLifetime() const noexcept {
  return std::max(glowSeconds, glowFrames * seconds(flight_->target()));
}

/// Single steps and frames of pictures that repeat last as long as they are meant to.
void FlightLoop::passMarkTime() noexcept {
  if (ui_.paused && ui_.stepsAsked == 0) return;
  const bool meant = ui_.paused || picturesRepeat();
  markSeconds_ += meant ? seconds(flight_->target()) : std::min(turnSeconds_, longestRealFrame);
}

/// Whether frames come at the pace of a clock or a display, and not as fast as they can.
bool FlightLoop::paced() const noexcept {
  return window_.vsync() || !options_.headless || !unattended(options_);
}

/// Whether a frame advances by what the last one took. Repeatable and unpaced runs use the scene's
/// own steps.
bool FlightLoop::inRealTime() const noexcept {
  const engine::Scene& scene = flight_->scene();
  return !scene.fixedStep && !film_ && scene.clock == engine::ClockKind::Wall && paced();
}

Clock::Duration FlightLoop::automaticBudget() const noexcept {
  return account_.allowance({}, flight_->scene().clock, flight_->target());
}

double FlightLoop::wallSeconds() const noexcept {
  return std::chrono::duration<double>(SteadyTime::now() - started_).count();
}

void FlightLoop::resetMeasurements() {
  marks_.clear();
  run_.watchAnew();
  impacts_.clear();
  account_.forget();
  history_.clear();
  statistics_.reset();
  frameSeconds_.reset();
}

void FlightLoop::fail(const Error& error, ExitCode code) {
  exitCode_ = complain(error, code);
  // No one would read it without a window
  if (options_.headless || unattended(options_))
    stop();
  else
    failure_ = error.message;
}

int FlightLoop::end() {
  screenshots_.wait();
  if (auto shot = screenshots_.take(); shot && !shot->error.empty()) {
    complain(shot->error);
    exitCode_ = Environment;
  }
  if (!flight_) {
    // There is nothing to keep, and whatever loads may take minutes to look up
    if (interrupted()) std::_Exit(Interrupted);
    return exitCode_;
  }
  if (!options_.screenshot.empty() && !pictureTaken_)
    complain(fmt::format("the flight ended before frame {}: \"{}\" is not written",
                         options_.screenshotFrame, options_.screenshot.string()));
  if (tour_) endTour();
  if (!memory_.file.empty() && !(settings() == recalled_))
    if (auto kept = keepSettings(memory_.file, settings()); !kept)
      complain("the settings are not remembered: " + kept.error().message);
  const std::uint64_t hash = engine::stateHash(flight_->world());
  if (auto written = recorder_.finish(options_, recordHead(), hash); !written) {
    complain(written.error().message);
    exitCode_ = Environment;
  }
  endFilm();
  if (auto closed = changeover_.session().close(); !closed) {
    complain(closed.error().message);
    exitCode_ = Environment;
  }
  if (options_.headless) fmt::print("state 0x{:016x}\n", hash);
  return exitCode_;
}

}  // namespace nearmiss::app
