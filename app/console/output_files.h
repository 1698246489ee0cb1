// SPDX-License-Identifier: MIT
/// The files that a command is to write, looked at before its work begins rather than after it.
#pragma once

#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options.h"

namespace nearmiss::app {

/// The option, or what else names the file, and the file.
using OutputFiles = std::vector<std::pair<std::string_view, std::filesystem::path>>;
/// Files that a command reads, or will: settings that are remembered may not be there yet. Empty
/// names stand for none.
using InputFiles = std::vector<std::filesystem::path>;

/// All that `run` and `fly` are to write.
[[nodiscard]] OutputFiles outputsOf(const Options& options);

/// All that they read, as far as options, scene and articulated models name it.
[[nodiscard]] InputFiles inputsOf(const Options& options);

/// The models of a scene, and the files that articulated ones are put together from.
[[nodiscard]] InputFiles modelsOf(const engine::Scene& scene);

/// True if what is written to one would replace the other, neither of which need be there. Several
/// streams may share a device.
[[nodiscard]] bool sameFile(const std::filesystem::path& a, const std::filesystem::path& b);

/// Ok if each file can be written, no two are the same, and none is one of `inputs`; else another
/// ExitCode, after a complaint: Environment for a file that cannot be written, Usage for the rest.
[[nodiscard]] int checkOutputs(const OutputFiles& files, const InputFiles& inputs = {});

/// A text as a cell of a CSV file: in quotes where it has a comma, a quote or a line end (RFC
/// 4180).
[[nodiscard]] std::string csvText(std::string text);

// The records that are written while a run or a flight goes on.

/// Each is there if the options name its file.
struct OpenRecords {
  std::optional<engine::ProfileWriter> profile;
  std::optional<engine::TraceWriter> trace;
  std::optional<engine::PairCallWriter> calls;
};

/// In the order above, up to the first that cannot be opened. Errors: Unreadable.
[[nodiscard]] Result<OpenRecords> openRecords(const Options& options,
                                              const engine::RecordHead& head);

}  // namespace nearmiss::app
