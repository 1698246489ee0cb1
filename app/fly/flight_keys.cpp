// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include "fly/flight_loop.h"

namespace nearmiss::app {

void FlightLoop::heedPanel(const InputEvents& events) {
  if (const auto wish = std::exchange(wish_, std::nullopt)) actOnPanel(*wish);
  if (events.given) heedGivenKey(*events.given);
  for (const PanelKey key : events.panelKeys) {
    if (!flight_) return;
    const auto wish = ui_.keyPage ? keyPanel_.press(key, keyEditor_.controls())
                                  : controlPanel_.press(key, controls());
    if (wish) actOnPanel(*wish);
  }
}

void FlightLoop::openKeyPage() {
  ui_.keyPage = true;
  keyEditor_.begin();
  keyPanel_.show(keyEditor_.controls(), 0);
}

void FlightLoop::closeKeyPage() noexcept {
  ui_.keyPage = ui_.asksForKey = false;
  keyEditor_.stopAsking();
}

void FlightLoop::actOnPanel(const ControlWish& wish) {
  if (!ui_.keyPage) {
    act(wish);
    return;
  }
  if (const std::string words = keyEditor_.act(wish); !words.empty()) say("keys", words);
  ui_.asksForKey = keyEditor_.asks();
  if (keyEditor_.left()) closeKeyPage();
}

void FlightLoop::heedGivenKey(KeyPress key) {
  ui_.asksForKey = false;
  if (!keyEditor_.asks()) return;
  if (const std::string words = keyEditor_.give(key); !words.empty()) say("keys", words);
}

}  // namespace nearmiss::app
