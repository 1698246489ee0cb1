// SPDX-License-Identifier: MIT
/// The files that a flight in the window leaves behind: profiles, its session, pictures, a film.
#pragma once

#include <filesystem>
#include <optional>

#include "fly/film.h"
#include "fly/recorder.h"

namespace nearmiss::app {

class Canvas;
struct FlightContext;

struct FlightRecords {
  Recorder recorder;
  std::optional<Film> film;
  ScreenshotWorker screenshots;
  std::filesystem::path sessionFile;  ///< that a key began last
  bool screenshotAsked = false;       ///< by a key
  bool pictureTaken = false;          ///< that an option names
};

/// Begins what the options name, with the first flight; what cannot be written ends the flight.
void beginRecords(FlightContext& context);
/// Ends all of it, with a complaint and an exit code where something could not be written.
void endRecords(FlightContext& context);

/// The effects of keys: begin, or end what was begun.
void toggleRecording(FlightContext& context);
void toggleSession(FlightContext& context);

/// The frame just drawn, without panels.
void addToFilm(FlightContext& context, const Canvas& canvas);
/// The frame just drawn, with panels, if a key or an option asks for it.
void takeScreenshot(FlightContext& context, const Canvas& canvas);
/// Tells of a picture that has been written meanwhile.
void tellScreenshots(FlightContext& context);

}  // namespace nearmiss::app
