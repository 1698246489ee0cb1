// SPDX-License-Identifier: MIT
/// The files written by a flight in the window: profiles, summary, trace, session, pictures, film.
#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "console/output_files.h"
#include "fly/flight/flight.h"
#include "fly/host/window.h"
#include "fly/records/film.h"

namespace nearmiss::app::fly {

class Canvas;
struct FlightContext;

/// Returns "nearmiss-profile-20260131-174501.csv" in the working folder; appends a number if that
/// exists.
[[nodiscard]] std::filesystem::path freshFile(const std::string& stem, const std::string& suffix);

/// Completes the message of a failed write with the location and a remedy: the folder cannot be
/// changed while the window is open.
[[nodiscard]] std::string withRemedy(const std::string& fault);

/// The profile that a key starts and stops, in addition to the files of the command line.
class Recorder {
 public:
  /// Opens the files named by options. Errors: Unreadable.
  Result<Success> begin(const Options& options, const engine::RecordHead& head);
  /// Adds a frame. `calls` are the pair calls of the frame, if any; they are cleared.
  void add(const engine::FrameProfile& frame, engine::PairCalls* calls = nullptr);
  /// Writes all files named by options, even if one fails. Errors: the first failure, Unreadable.
  Result<Success> finish(const Options& options, const engine::RecordHead& head,
                         std::uint64_t stateHash);

  /// Starts or stops a recording and returns its file. Errors: Unreadable, with a remedy.
  Result<std::filesystem::path> toggle(const engine::RecordHead& head);
  [[nodiscard]] bool recording() const noexcept { return byKey_.has_value(); }
  /// Returns true if frames are written to a file, due to a key or an option.
  [[nodiscard]] bool recordsFrames() const noexcept {
    return byKey_ || byOption_.profile || byOption_.trace || summary_;
  }

 private:
  OpenRecords byOption_;
  std::optional<engine::ProfileWriter> byKey_;
  std::optional<engine::RunSummary> summary_;
  std::filesystem::path file_;
};

/// Encodes pictures in the background.
class ScreenshotWorker {
 public:
  struct Outcome {
    std::filesystem::path file;
    std::string error;  ///< empty: written
  };
  /// Starts writing a picture. Waits if the previous one is still being written.
  void write(std::filesystem::path file, int width, int height, std::vector<std::uint8_t> rgb);
  /// Writes to a freshFile(). Names are unique even for pictures in quick succession.
  void writeFresh(const std::string& stem, int width, int height, std::vector<std::uint8_t> rgb);
  /// Returns the result of each finished picture once, in order.
  std::optional<Outcome> take();
  void wait();

 private:
  void collect();
  Outcome outcome_;
  std::deque<Outcome> ended_;  ///< results not yet taken
  std::vector<std::uint8_t> rgb_;
  std::atomic<bool> done_{false};
  std::jthread thread_;
};

struct FlightRecords {
  Recorder recorder;
  std::optional<Film> film;
  ScreenshotWorker screenshots;
  std::filesystem::path sessionFile;  ///< the last one started by a key
  bool screenshotRequested = false;   ///< requested by a key
  bool pictureTaken = false;          ///< the picture requested by an option
};

/// Opens the files named by options at the first flight. A failure ends the flight.
void beginRecords(FlightContext& context);
/// Finishes all files. On failure prints a complaint and sets the exit code.
void endRecords(FlightContext& context);

/// Shows the location of a file, with a button that opens its folder.
void noteFile(FlightContext& context, std::string_view words, const std::filesystem::path& file);
/// Commands of keys: start or stop recording.
void toggleRecording(FlightContext& context);
void toggleSession(FlightContext& context);

/// Call before rewinding: ends the file of the current session, which stays complete. Returns
/// whether there was one.
bool closeSessionFile(FlightContext& context);
/// Call after rewinding: starts another file with the whole flight and continues in it.
void reopenSessionFile(FlightContext& context);

/// Returns true if a film of the scene without panels is being made. A script's film shows the
/// whole window.
[[nodiscard]] bool filmsScene(const FlightContext& context) noexcept;
/// Adds the last drawn frame to the film. `withPanels`: they have been drawn as well.
void addToFilm(FlightContext& context, const Canvas& canvas, bool withPanels);
/// Returns true if takeScreenshot() will capture this frame.
[[nodiscard]] bool screenshotIsDue(const FlightContext& context);
/// Captures the last drawn frame with panels if a key or an option requested it.
void takeScreenshot(FlightContext& context, const Canvas& canvas);
/// Returns true if a frame that is not drawn would be missing in a film or in the picture of an
/// option.
[[nodiscard]] bool needsEveryPicture(const FlightContext& context) noexcept;
/// Reports pictures that have been written.
void reportScreenshots(FlightContext& context);

}  // namespace nearmiss::app::fly
