// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "console/complaint.h"
#include "fly/flight_loop.h"

namespace nearmiss::app {

bool FlightLoop::picturesRepeat() const noexcept {
  return film_ || flight_->scene().clock == engine::ClockKind::Work;
}

double FlightLoop::pictureSeconds() const noexcept {
  return picturesRepeat() ? flight_->world().time() : wallSeconds();
}

double FlightLoop::pictureStep() noexcept {
  const double now = flight_->world().time();
  const double flown = now - std::exchange(pictureTime_, now);
  // While nothing flies the eye still follows the mouse; a flight that began anew has not gone back
  if (!picturesRepeat() || !advanced_) return double{ImGui::GetIO().DeltaTime};
  return std::max(flown, 0.0);
}

void FlightLoop::beginFilm() {
  if (options_.video.empty()) return;
  auto film = Film::begin(options_.video, window_.width(), window_.height(),
                          engine::frameStep(flight_->scene()));
  if (film)
    film_.emplace(*std::move(film));
  else
    fail(film.error(), Environment);
}

void FlightLoop::endFilm() {
  if (!film_) return;
  if (auto ended = film_->end(); !ended) exitCode_ = complain(ended.error(), Environment);
}

/// Those that show no panel, of what was just drawn.
void FlightLoop::takePictures(const DrawFrame& frame, int width, int height) {
  if (beforePhoto_ && std::exchange(screenshotAsked_, false)) {
    if (auto photo = renderer_.photograph(frame, width, height))
      screenshots_.write(freshFile("nearmiss-photo", ".png"), photo->width, photo->height,
                         std::move(photo->rgb));
    else
      toasts_.add(photo.error().message, wallSeconds(), Toasts::Kind::Warning);
  }
  if (!film_ || !advanced_) return;
  if (auto added = film_->add(width, height, renderer_.readPixels(width, height)); !added) {
    film_.reset();
    fail(added.error(), Environment);
  }
}

/// All that it changes is as it was before once it is left.
void FlightLoop::togglePhoto() {
  if (beforePhoto_) {
    cameraRig_ = beforePhoto_->rig;
    ui_.overlay = beforePhoto_->overlay;
    ui_.paused = beforePhoto_->paused;
    ui_.drawLevel = beforePhoto_->drawLevel;
    beforePhoto_.reset();
    return;
  }
  if (split_) leaveSplit();
  beforePhoto_ = BeforePhoto{cameraRig_, ui_.overlay, ui_.paused, ui_.drawLevel};
  cameraRig_.goFree();
  ui_.overlay = OverlayMode::Off;
  ui_.paused = true;
  ui_.stepsAsked = 0;
  if (ui_.drawLevel <= DrawLevel::Contact) ui_.drawLevel = DrawLevel::Level2;
  say("photo",
      fmt::format("photo mode: the ship's keys fly the eye, {} and {} turn it, the wheel is the "
                  "angle of view; {}: spheres, {}: picture, {}: back",
                  localKeyName(Action::RollLeft), localKeyName(Action::RollRight),
                  localKeyName(Action::NextDrawLevel), localKeyName(Action::Screenshot),
                  localKeyName(Action::Photo)));
}

}  // namespace nearmiss::app
