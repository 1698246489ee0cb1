// SPDX-License-Identifier: MIT
/// `nearmiss spheres`: a model covered by a given number of spheres, in a format that other
/// programs read.
#pragma once

#include <nearmiss/flat_set.h>

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
  FlatSetSettings settings;    ///< workers 0: as many as cores
};

/// Returns the command, for what is a part of it. @param command must outlive the parsing
CLI::App& addSpheresCommand(CLI::App& app, SpheresCommand& command);

/// The options that commands which fit spheres share: --count, --seed and --jobs.
void addFlatSetOptions(CLI::App& app, FlatSetSettings& settings, const char* count);

/// As many threads as cores, where none are asked for.
[[nodiscard]] FlatSetSettings withWorkers(const FlatSetSettings& settings) noexcept;

/// Prints how many spheres there are, and how much of them is outside. Returns an ExitCode.
int writeSpheres(const SpheresCommand& command);

}  // namespace nearmiss::app::tree
