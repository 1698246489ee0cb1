// SPDX-License-Identifier: MIT
/// A way to fly in the window: the user's own flight, a replay, a split view, a ghost beside it,
/// the tour, a run for points, photo mode, the bench.
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

/// Modes are asked in a fixed order (FlightModes::all()), whether they are on or not. Where one
/// returns true, it has done the thing in place of those that follow.
class Mode {
 public:
  virtual ~Mode() = default;

  /// A key of the user's goes down. True: it has had its effect, or is refused.
  virtual bool handle(FlightContext&, Action) { return false; }
  /// A file is dropped on the window. True: it has been taken, or is refused.
  virtual bool drop(FlightContext&, const std::filesystem::path&) { return false; }
  /// The left button goes down in the picture, at a pixel. True: nothing else is picked there.
  virtual bool grab(FlightContext&, const glm::vec2& /*at*/) { return false; }
  /// With that button held the mouse moves, by pixels; `turns`: with Shift. True: it has moved
  /// something.
  virtual bool pull(FlightContext&, const glm::vec2& /*by*/, bool /*turns*/) { return false; }
  /// That button goes up.
  virtual void letGo(FlightContext&) {}
  /// A turn of the loop. True: the frame has flown, or time stands still.
  virtual bool advance(FlightContext&) { return false; }
  /// Draws what flies.
  virtual bool draw(FlightContext&, Canvas&) { return false; }
  /// Words over the picture, beside the grounds of panels; `window` in pixels.
  virtual bool label(FlightContext&, const Ink&, glm::vec2 /*window*/, std::span<const Ground>) {
    return false;
  }
  /// Fills in what the panels show of it.
  virtual void describe(FlightContext&, OverlayView&) {}
};

}  // namespace nearmiss::app::fly
