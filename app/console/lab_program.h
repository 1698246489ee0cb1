// SPDX-License-Identifier: MIT
/// `nearmiss lab` and `nearmiss report` are in a separate program, nearmiss-lab. It is searched
/// next to this program, then in ../libexec/nearmiss, then in PATH.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app {

struct LabProgramEntry {
  std::string_view name;
  std::string_view summary;
};
/// The commands of nearmiss that nearmiss-lab implements.
inline constexpr std::array<LabProgramEntry, 2> labProgramCommands{
    {{"lab", "run experiments; nearmiss list experiments"},
     {"report", "draw records of runs and tables of experiments as one HTML page"}}};

/// A command of nearmiss-lab with its arguments, as typed.
struct LabProgramCommand {
  std::vector<std::string> words;
};

[[nodiscard]] std::optional<std::filesystem::path> findLabProgram();

/// A sentence that says how to get nearmiss-lab.
[[nodiscard]] std::string_view labProgramIsMissing() noexcept;

/// Replaces this process by nearmiss-lab, including signals and exit code. If it is missing,
/// complains and returns Environment.
[[nodiscard]] int becomeLabProgram(const LabProgramCommand& command);

/// Prints the names of the experiments, one per line, with a description. Returns an ExitCode.
int listExperiments();

}  // namespace nearmiss::app
