// SPDX-License-Identifier: MIT
/// The experiments of `nearmiss lab`: for help and lists, for running all, for merging.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "lab/lab_result.h"

namespace nearmiss::app {

struct ExperimentEntry {
  std::string_view name;
  std::string_view summary;
  /// With its usual settings, as far as the command does not say otherwise. Returns an ExitCode.
  int (*run)(const LabCommand& command) = nullptr;
  /// Fills what hangs on the rows of several work items; null where nothing does.
  void (*finish)(LabResult& result) = nullptr;
};

/// An experiment with its options, or another command of `lab`.
struct ExperimentCommand {
  std::function<int()> run;  ///< returns an ExitCode
};

[[nodiscard]] std::span<const ExperimentEntry> experimentCatalog() noexcept;
/// Null for an unknown name.
[[nodiscard]] const ExperimentEntry* findExperiment(std::string_view name) noexcept;

}  // namespace nearmiss::app
