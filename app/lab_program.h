// SPDX-License-Identifier: MIT
/// `nearmiss lab` and `nearmiss report` are a program of their own, nearmiss-lab, found as git
/// finds its commands: beside this program, then in ../libexec/nearmiss, then in PATH.
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
/// The commands that nearmiss-lab has for nearmiss.
inline constexpr std::array<LabProgramEntry, 2> labProgramCommands{
    {{"lab", "run experiments; nearmiss list experiments"},
     {"report", "draw records of runs and tables of experiments as one HTML page"}}};

/// A command of nearmiss-lab with its arguments, as they were typed.
struct LabProgramCommand {
  std::vector<std::string> words;
};

[[nodiscard]] std::optional<std::filesystem::path> findLabProgram();

/// How to get nearmiss-lab, as one sentence.
[[nodiscard]] std::string_view labProgramIsMissing() noexcept;

/// Becomes nearmiss-lab, so that signals and the exit code are its own. Returns Environment after a
/// complaint if there is none.
[[nodiscard]] int becomeLabProgram(const LabProgramCommand& command);

/// Prints the names of the experiments, one a line, with a word about each. Returns an ExitCode.
int listExperiments();

}  // namespace nearmiss::app
