// SPDX-License-Identifier: MIT
/// The options of `fly` and `run`: a scene, a detector, files, a window.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "options/options.h"

namespace nearmiss::app {

/// The options typed for `fly` or `run`, before they are applied to the scene. Filled by CLI11.
struct Typed {
  std::string scene, sceneOption;
  std::optional<int> drones;
  struct Change {
    std::string_view option;
    std::function<void(engine::Scene&)> apply;
  };
  std::vector<Change> settings;  ///< in the order of the scene's settings
  std::optional<std::string> size, palette, screenshot, split;
  std::filesystem::path config;
  bool printConfig = false, fixedStep = false;
  Options options;
  SettingsMemory memory;
};

// Each function adds options that fill `typed`, which must outlive the parsing.
void addSceneOptions(CLI::App& app, Typed& typed);
void addDetectorOptions(CLI::App& app, Typed& typed);
void addFileOptions(CLI::App& app, Typed& typed);
void addWindowOptions(CLI::App& app, Typed& typed);
void addFixedStepOption(CLI::App& app, Typed& typed);
/// Call after the others, because it excludes some of them.
void addSplitOption(CLI::App& app, Typed& typed);
void addMemoryOptions(CLI::App& app, Typed& typed);
void addTourOption(CLI::App& app, Typed& typed);
void addBenchOptions(CLI::App& app, Typed& typed);
/// Adds the options of `replay`, whose scene comes from the session.
void addReplayOptions(CLI::App& app, Typed& typed);

/// Applies the command line over the scene, the user's settings and the defaults.
[[nodiscard]] Result<Options> resolve(const Typed& typed);
/// Returns the options only, without a scene.
[[nodiscard]] Options withWindow(const Typed& typed);

}  // namespace nearmiss::app
