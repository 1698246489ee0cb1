// SPDX-License-Identifier: MIT
/// A mode of the window: the user's own flight, a replay, a split view, a ghost, the tour, a scored
/// run, photo mode, the bench.
#pragma once

#include <filesystem>
#include <glm/vec2.hpp>
#include <span>

#include "fly/command/command.h"
#include "fly/overlay/overlay.h"

namespace nearmiss::app::fly {

class Canvas;
class Ink;
struct FlightContext;

/// Events are passed to the modes in a fixed order (FlightModes::all()), whether they are on or
/// off. A mode that returns true has handled the event; later modes do not get it.
class Mode {
 public:
  virtual ~Mode() = default;

  /// A key is pressed. True: handled or refused.
  virtual bool handle(FlightContext&, Action) { return false; }
  /// A file is dropped on the window. True: handled or refused.
  virtual bool drop(FlightContext&, const std::filesystem::path&) { return false; }
  /// The left button is pressed in the picture, at a pixel. True: nothing else is picked there.
  virtual bool grab(FlightContext&, const glm::vec2& /*at*/) { return false; }
  /// The mouse moves with that button held, by pixels; `turns`: with Shift. True: something was
  /// moved.
  virtual bool pull(FlightContext&, const glm::vec2& /*by*/, bool /*turns*/) { return false; }
  /// The button is released.
  virtual void letGo(FlightContext&) {}
  /// One turn of the loop. True: the frame was simulated, or time stands still.
  virtual bool advance(FlightContext&) { return false; }
  /// Draws the flight.
  virtual bool draw(FlightContext&, Canvas&) { return false; }
  /// Draws labels over the picture, outside the panels; `window` in pixels.
  virtual bool label(FlightContext&, const Ink&, glm::vec2 /*window*/, std::span<const Ground>) {
    return false;
  }
  /// Fills in its part of the panels.
  virtual void describe(FlightContext&, OverlayView&) {}
};

}  // namespace nearmiss::app::fly
