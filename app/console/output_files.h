// SPDX-License-Identifier: MIT
/// Checks the output files of a command before its work begins.
#pragma once

#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/options.h"

namespace nearmiss::app {

/// The option, or another name of the file's purpose, and the file.
using OutputFiles = std::vector<std::pair<std::string_view, std::filesystem::path>>;
/// Input files of a command; saved settings may not exist yet. Empty names are ignored.
using InputFiles = std::vector<std::filesystem::path>;

/// Returns all output files of `run` and `fly`.
[[nodiscard]] OutputFiles outputsOf(const Options& options);

/// Returns all their input files that options, scene and articulated models name.
[[nodiscard]] InputFiles inputsOf(const Options& options);

/// Returns the models of a scene, including the files of articulated ones.
[[nodiscard]] InputFiles modelsOf(const engine::Scene& scene);

/// Returns true if writing one file would overwrite the other; neither needs to exist. Several
/// streams may share a device.
[[nodiscard]] bool sameFile(const std::filesystem::path& a, const std::filesystem::path& b);

/// Returns Ok if each file can be written, all are different, and none is in `inputs`. Otherwise
/// complains and returns Environment for a file that cannot be written, or Usage.
[[nodiscard]] int checkOutputs(const OutputFiles& files, const InputFiles& inputs = {});

/// Returns the given output file, or a default in the working folder: the stem of the input's name
/// and an ending.
[[nodiscard]] std::filesystem::path outputOr(const std::filesystem::path& given,
                                             const std::filesystem::path& input,
                                             std::string_view ending);

/// Formats a CSV cell: quoted if it contains a comma, a quote or a line end (RFC 4180).
[[nodiscard]] std::string csvText(std::string text);

// Records written during a run or a flight.

/// Each is open if the options name its file.
struct OpenRecords {
  std::optional<engine::ProfileWriter> profile;
  std::optional<engine::TraceWriter> trace;
  std::optional<engine::PairCallWriter> calls;
};

/// Opens them in this order, up to the first failure. Errors: Unreadable.
[[nodiscard]] Result<OpenRecords> openRecords(const Options& options,
                                              const engine::RecordHead& head);

}  // namespace nearmiss::app
