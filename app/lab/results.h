// SPDX-License-Identifier: MIT
/// What the experiments of the lab have in common: the folder they write to, and cells of tables.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "console/output_files.h"
#include "order_statistics.h"

namespace nearmiss::app {

/// Makes the folder. Returns an ExitCode, after a sentence on stderr where that fails: call it
/// before the work, not after it.
[[nodiscard]] int prepareFolder(const std::filesystem::path& folder);

/// Writes texts to files of these names and prints where. Returns an ExitCode.
[[nodiscard]] int writeResults(
    const std::filesystem::path& folder,
    std::initializer_list<std::pair<std::string_view, std::string>> results);

[[nodiscard]] Error experimentCancelled();

/// After complaining that there is no result, since the experiment was cancelled before there was
/// one. Returns an ExitCode.
[[nodiscard]] int complainOfNoResult();

/// A cell of a table, in that format of fmt; `nothing` for nothing.
[[nodiscard]] std::string cell(std::string_view format, const std::optional<double>& value,
                               const char* nothing = "");

}  // namespace nearmiss::app
