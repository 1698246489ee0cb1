// SPDX-License-Identifier: MIT
/// The combined settings of command line, scene file and user.
#pragma once

#include <engine/scene/scene.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "options/palette_choice.h"
#include "options/split_choice.h"

namespace nearmiss::app {

/// Exit codes of all subcommands.
enum ExitCode : int {
  Ok = 0,
  Usage = 1,
  Environment = 2,
  BadModelOrScene = 3,
  ValidationFailed = 4,
  Interrupted = 130  ///< by ctrl-C, before the work was finished; partial results may be kept
};

/// The output files of a flight; an empty name: not written.
struct RecordFiles {
  std::filesystem::path profile, summary, trace, calls, session;
  std::filesystem::path screenshot;  ///< written at frame screenshotFrame
  std::uint64_t screenshotFrame = 0;
  std::string video;  ///< a film of every frame, see fly/film.h
};

/// The window that `fly` opens.
struct WindowOptions {
  bool headless = false;  ///< SDL's offscreen driver
  int width = 1280, height = 720;
  int msaa = 0;
  bool vsync = false;
  bool fullscreen = false;
  bool mute = false;
  float uiScale = 0.0f;                 ///< 0: from the display's density
  std::optional<fly::Palette> palette;  ///< unset: as remembered
};

/// Options of `fly` and `run`, after applying command line > scene > user's settings > defaults.
struct Options {
  engine::Scene scene;
  std::optional<std::uint64_t>
      frames;             ///< stop after this many frames; scene.simSeconds is the other limit
  bool realtime = false;  ///< run: wait until the end of each frame's target time
  RecordFiles records;
  std::vector<std::filesystem::path> inputs;  ///< the files that the scene was read from
  std::filesystem::path cacheFolder;          ///< empty: the default one
  bool rebuildTrees = false;
  int jobs = 0;     ///< threads that build trees; 0: one per core
  int workers = 1;  ///< threads that move ships and detect contacts; 0: one per core

  // fly only
  WindowOptions window;
  bool tour = false;                   ///< starts with the tour
  std::filesystem::path script;        ///< commands at set times; empty: none
  std::vector<std::string> bench;      ///< two models: starts with them on the bench
  std::filesystem::path benchPose;     ///< of the bench; empty: the default file
  std::optional<HalfChoice> leftHalf;  ///< flies next to the scene's own detection, in a split view
};

/// Returns true if the options end the flight without the user.
[[nodiscard]] inline bool unattended(const Options& options) noexcept {
  return options.frames.has_value() || options.scene.simSeconds.has_value();
}

/// Location of the window's saved settings.
struct SettingsMemory {
  /// Empty: the user's own file, or none for unattended runs.
  std::filesystem::path file;
  bool restoresDefaults = false;  ///< starts with the defaults and saves them
};

}  // namespace nearmiss::app
