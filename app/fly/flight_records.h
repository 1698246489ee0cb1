// SPDX-License-Identifier: MIT
/// The files that a flight in the window leaves behind: profiles, summary, trace, its session,
/// pictures, a film.
#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "console/output_files.h"
#include "fly/film.h"
#include "fly/flight.h"
#include "fly/host/window.h"

namespace nearmiss::app::fly {

class Canvas;
struct FlightContext;

/// "nearmiss-profile-20260131-174501.csv" in the working folder; a number is added where that is
/// taken.
[[nodiscard]] std::filesystem::path freshFile(const std::string& stem, const std::string& suffix);

/// Why such a file could not be written, with where it goes and what to do: another folder cannot
/// be chosen while a window is open.
[[nodiscard]] std::string withRemedy(const std::string& fault);

/// The profile that a key starts and stops, beside the one of the command line.
class Recorder {
 public:
  /// Opens what the options name. Errors: Unreadable.
  Result<Success> begin(const Options& options, const engine::RecordHead& head);
  /// `calls`: those of the frame, if any are made; they are forgotten then.
  void add(const engine::FrameProfile& frame, engine::PairCalls* calls = nullptr);
  /// Writes what the options name, whatever of it fails. Errors: the first, Unreadable.
  Result<Success> finish(const Options& options, const engine::RecordHead& head,
                         std::uint64_t stateHash);

  /// Starts a recording, or stops the one under way; returns its file. Errors: Unreadable,
  /// with a remedy.
  Result<std::filesystem::path> toggle(const engine::RecordHead& head);
  [[nodiscard]] bool recording() const noexcept { return byKey_.has_value(); }
  /// True if frames go into a file, by a key or by an option.
  [[nodiscard]] bool takesFrames() const noexcept {
    return byKey_ || byOption_.profile || byOption_.trace || summary_;
  }

 private:
  OpenRecords byOption_;
  std::optional<engine::ProfileWriter> byKey_;
  std::optional<engine::RunSummary> summary_;
  std::filesystem::path file_;
};

/// Encodes pictures while flying goes on.
class ScreenshotWorker {
 public:
  struct Outcome {
    std::filesystem::path file;
    std::string error;  ///< empty: written
  };
  /// Waits for the last picture first, if that is still being written.
  void write(std::filesystem::path file, int width, int height, std::vector<std::uint8_t> rgb);
  /// The same to a freshFile(): no two have the same, however soon they follow each other.
  void writeFresh(const std::string& stem, int width, int height, std::vector<std::uint8_t> rgb);
  /// The outcome of one that is done, once; in the order of the pictures.
  std::optional<Outcome> take();
  void wait();

 private:
  void collect();
  Outcome outcome_;
  std::deque<Outcome> ended_;  ///< not taken yet
  std::vector<std::uint8_t> rgb_;
  std::atomic<bool> done_{false};
  std::jthread thread_;
};

struct FlightRecords {
  Recorder recorder;
  std::optional<Film> film;
  ScreenshotWorker screenshots;
  std::filesystem::path sessionFile;  ///< the last one begun by a key
  bool screenshotAsked = false;       ///< by a key
  bool pictureTaken = false;          ///< of the name given by an option
};

/// Begins what the options name, with the first flight; what cannot be written ends the flight.
void beginRecords(FlightContext& context);
/// Ends all of it, with a complaint and an exit code where something could not be written.
void endRecords(FlightContext& context);

/// Tells where a file is, with a button that opens its folder.
void noteFile(FlightContext& context, std::string_view words, const std::filesystem::path& file);
/// The effects of keys: begin, or end what was begun.
void toggleRecording(FlightContext& context);
void toggleSession(FlightContext& context);

/// Before frames of a flight are taken back: ends the file that its session is written to, whole as
/// it is. Returns whether there was one.
bool setSessionAside(FlightContext& context);
/// After that: another file has the flight from its start, and goes on with it.
void takeSessionUp(FlightContext& context);

/// The frame just drawn, without panels.
void addToFilm(FlightContext& context, const Canvas& canvas);
/// True if takeScreenshot() will take one of this frame.
[[nodiscard]] bool screenshotIsDue(const FlightContext& context);
/// The frame just drawn, with panels, if a key or an option asks for it.
void takeScreenshot(FlightContext& context, const Canvas& canvas);
/// True if flying on without drawing leaves out a picture: of a film, or one that an option asks
/// for.
[[nodiscard]] bool awaitsPictures(const FlightContext& context) noexcept;
/// Tells of a picture that has been written meanwhile.
void tellScreenshots(FlightContext& context);

}  // namespace nearmiss::app::fly
