// SPDX-License-Identifier: MIT
/// The setup of the bench as a file.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <string>

#include "fly/modes/bench/bench.h"

namespace nearmiss::app::fly {

/// Default file for poses.
inline constexpr std::string_view defaultBenchFile = "nearmiss-bench.toml";

/// Writes text that reads back to the same bits.
[[nodiscard]] std::string writeBench(const BenchSetup& setup);
/// Parses a setup. `origin` stands for the file in messages. Paths of models are relative to
/// `beside`. Errors: BadFormat, with the line.
Result<BenchSetup> parseBench(std::string_view text, const std::string& origin,
                              const std::filesystem::path& beside = {});
/// Errors: NotFound, Unreadable, TooLarge, BadFormat.
Result<BenchSetup> readBench(const std::filesystem::path& file);
/// Overwrites the file. Errors: NotFound if the bench does not hold two bodies; Unreadable.
Result<Success> saveBench(const BenchSetup& setup, const std::filesystem::path& file);

}  // namespace nearmiss::app::fly
