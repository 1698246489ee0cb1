// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <array>
#include <chrono>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <string_view>

#include "console/gap_text.h"
#include "fly/flight_loop.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/messages.h"
#include "fly/overlay/palette.h"
#include "fly/pace.h"

namespace nearmiss::app {
namespace {

constexpr double hintSeconds = 20.0;

constexpr double slowWarningSeconds = 2.0, slowWarningPause = 60.0;

/// Blending large panels is slow without a GPU; clearing them is not.
void clearGrounds(std::span<const Ground> grounds, int windowHeight) {
  glEnable(GL_SCISSOR_TEST);
  for (const auto& [rect, ground] : grounds) {
    const glm::vec3 colour = srgb(ground);
    glClearColor(colour.x, colour.y, colour.z, 1.0f);
    glScissor(static_cast<int>(std::lround(rect.x)),
              windowHeight - static_cast<int>(std::lround(rect.bottom())),
              static_cast<int>(std::lround(rect.width)),
              static_cast<int>(std::lround(rect.height)));
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace

void FlightLoop::writePanels() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Ink ink(ImGui::GetBackgroundDrawList(), fonts(), fonts().regular->FontSize);
  spots_.clear();
  if (!failure_.empty()) {
    if (drawFailure(ink, size.x, size.y, failure_) == Answer::Yes) stop();
    return;
  }
  toasts_.update(wallSeconds());
  if (flight_) {
    const OverlayView view = overlayView();
    const std::span<const Ground> grounds = overlay_.place(view);
    clearGrounds(grounds, window_.height());
    input_.keepOff(overlay_.layout().controls);
    if (split_)
      labelHalves(ink, {size.x, size.y}, grounds);
    else
      labelScene(ink, {size.x, size.y}, grounds);
    if (const auto pulled = overlay_.replayPulled(view); pulled && *pulled != view.replay->position)
      replayWanted_ = pulled;
    if (ui_.controls) writeControls(ink);
    const Answer answer = overlay_.draw(view, toasts_, wallSeconds(), ui_.scroll, spots_);
    writeHoverWords(ink);
    if (answer == Answer::Yes) stop();
    if (answer == Answer::No) ui_.quitAsked = false;
  }
  if (loadingShown() &&
      drawLoading(ink, size.x, size.y, changeover_.worker().what(), changeover_.worker().progress(),
                  changeover_.worker().elapsedSeconds()) == Answer::No)
    changeover_.cancel();
}

void FlightLoop::labelScene(const Ink& ink, glm::vec2 window, std::span<const Ground> grounds) {
  const auto nearest = inspection_.nearestPoints(*flight_, ui_);
  scene_.label(ink, marks_, ui_, window, grounds, nearest);
  if (nearest && tour_ && tour_->stop().figures == TourFigures::Bound)
    scene_.joinWith(ink, *nearest,
                    "true gap " + gapText(glm::distance((*nearest)[0], (*nearest)[1])), window);
  if (ui_.cues && ui_.overlay != OverlayMode::Off)
    cues_.draw(ink, *flight_, camera_, cameraRig_.looksAhead(), window, overlay_.sceneArea());
  if (const auto& gap = diagram_.gap(); gap && ui_.overlay != OverlayMode::Off)
    scene_.joinWith(
        ink, {gap->a, gap->b},
        fmt::format("{} in this plane, {} at least", gapText(gap->upper), gapText(gap->lower)),
        window);
  if (ghost_) labelGhost(ink, window);
}

void FlightLoop::writeControls(const Ink& ink) {
  const Rect& rect = overlay_.layout().controls;
  // Where it leaves no room beside it, marks of flight were drawn on its ground
  if (overlay_.layout().scene.x < rect.right()) ink.fill(rect, palette::panel);
  const std::vector<Control> now = ui_.keyPage ? keyEditor_.controls() : controls();
  ControlPanel& panel = ui_.keyPage ? keyPanel_ : controlPanel_;
  wish_ = panel.draw(ink, rect, now, !ui_.pageOpen() && !ui_.stickActive, spots_);
}

/// Of what the mouse rests on; a field of the status bar has those of the control that it shows.
void FlightLoop::writeHoverWords(const Ink& ink) {
  const ImGuiIO& io = ImGui::GetIO();
  const HoverSpot* spot = spots_.at({io.MousePos.x, io.MousePos.y});
  if (!spot || ui_.quitAsked || ui_.stickActive) return;
  const std::string_view words = !spot->words.empty() ? spot->words : wordsFor(spot->name);
  if (!words.empty()) drawHoverWords(ink, spot->rect, words, io.DisplaySize.x, io.DisplaySize.y);
}

/// A short build would only flash by.
bool FlightLoop::loadingShown() const noexcept {
  return changeover_.worker().busy() && !changeover_.worker().growing() &&
         changeover_.worker().elapsedSeconds() > 0.25;
}

void FlightLoop::updateTitle() {
  std::string title = ui_.quitAsked ? "Leave Nearmiss?" : "Nearmiss";
  if (flight_ && !ui_.quitAsked) {
    title += fmt::format(" - {}", flight_->methodName());
    if (ui_.method != Method::Bsp) title += fmt::format(", {}", flight_->treeName());
    title += fmt::format(" - {}{}", flight_->scene().name, ui_.paused ? " - paused" : "");
  }
  if (title == title_) return;
  title_ = title;
  window_.setTitle(title_);
}

void FlightLoop::warnIfTooSlow(double frameSeconds) {
  const bool slow = account_.predictedRest() >= flight_->target();
  slowSeconds_ = slow ? slowSeconds_ + frameSeconds : 0.0;
  if (slowSeconds_ < slowWarningSeconds || wallSeconds() < slowToastAt_ + slowWarningPause) return;
  slowToastAt_ = wallSeconds();
  toasts_.add(
      fmt::format("rendering alone takes {:.0f} ms of {:.0f}: lower --size, drones, or "
                  "target",
                  1e3 * seconds(account_.predictedRest()), 1e3 * seconds(flight_->target())),
      wallSeconds(), Toasts::Kind::Warning);
}

OverlayView FlightLoop::overlayView() {
  constexpr std::array<std::string_view, 4> cameras{"chase", "cockpit", "orbit", "free camera"};
  OverlayView view;
  view.ui = &ui_;
  view.history = &history_;
  view.statistics = &statistics_;
  view.method = flight_->methodName();
  view.broad = flight_->broadPhase();
  view.sceneName = flight_->scene().name;
  view.asPublished = !flight_->scene().asPublished ? ""
                     : flight_->asPublished()      ? "as published"
                                                   : "as published, but for the trees";
  view.camera = cameraRig_.looking() ? "looking at the pair"
                                     : cameras[static_cast<std::size_t>(cameraRig_.mode())];
  view.seed = flight_->scene().seed;
  view.simTime = flight_->world().time();
  view.shipRadius = flight_->shipRadius();
  view.recording = recorder_.recording() || changeover_.session().writing();
  if (const engine::SessionPlayer* player = flight_->player())
    view.replay = {player->position(), player->session().frames(), player->session().collisions()};
  if (run_.running()) view.run = run_.view();
  if (ui_.runEnd) view.runEnd = {runTitle_, runPage_};
  view.fixedSteps = !inRealTime();
  view.flown = true;
  if (driver_.software) {
    const std::string_view name = driver_.renderer;
    view.softwareRenderer = name.substr(0, name.find(' '));
    view.coarsened = quality_.quality().mostTriangles != DrawQuality::unlimited;
  }
  if (ghost_) view.ghost = ghost_->view();
  if (split_)
    describeHalves(view);
  else
    view.pair = inspection_.report(*flight_, ui_);
  if (tour_) {
    const bool known = view.pair && view.pair->truth;
    view.tour = tour_->view(*flight_, ui_,
                            known ? std::optional(view.pair->truth->distance.upper) : std::nullopt);
  }
  view.hints = !tour_ && wallSeconds() < hintSeconds;
  view.earliestMeeting = flight_->earliestMeeting();
  view.tree = flight_->treeName();
  const ModelWorker* growing = split_ ? split_->growing() : nullptr;
  if (changeover_.worker().growing()) growing = &changeover_.worker();
  if (growing) view.growing = {growing->what(), &growing->progress(), growing->elapsedSeconds()};
  return view;
}

}  // namespace nearmiss::app
