// SPDX-License-Identifier: MIT
/// The experiments of `nearmiss lab`, and its command line.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "lab/experiment.h"

namespace nearmiss::app::lab {

/// All registered experiments, sorted by name.
[[nodiscard]] std::span<const Experiment> experimentCatalog();
/// Returns null for an unknown name.
[[nodiscard]] const Experiment* findExperiment(std::string_view name);

/// Adds `lab` with a command for each experiment, `all` and `merge`. Parsing sets `chosen` to the
/// selected command, which returns an ExitCode; `chosen` must outlive the parsing.
void addLabCommand(CLI::App& app, std::function<int()>& chosen);

}  // namespace nearmiss::app::lab
