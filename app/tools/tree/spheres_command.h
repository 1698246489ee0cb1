// SPDX-License-Identifier: MIT
/// `nearmiss spheres`: covers a model with a given number of spheres and writes them in a format of
/// other programs.
#pragma once

#include <nearmiss/spheres.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace nearmiss::app::tree {

inline constexpr std::string_view spheresSummary =
    "cover a model with N spheres that protrude as little as possible";

struct SpheresCommand {
  std::string model;  ///< a built-in name or a file
  std::filesystem::path out;
  std::string format = "csv";  ///< a name of sphereFormats()
  FlatSetSettings settings;    ///< workers 0: one per core
};

/// Adds the command and returns it, so that subcommands can be added.
/// @param command must outlive the parsing
CLI::App& addSpheresCommand(CLI::App& app, SpheresCommand& command);

/// Adds the common options of commands that fit spheres: --count, --seed and --jobs.
void addFlatSetOptions(CLI::App& app, FlatSetSettings& settings, const char* count);

/// Returns the settings with the number of cores in place of 0 threads.
[[nodiscard]] FlatSetSettings withWorkers(const FlatSetSettings& settings) noexcept;

/// Prints the number of spheres and their excess volume. Returns an ExitCode.
int writeSpheres(const SpheresCommand& command);

}  // namespace nearmiss::app::tree
