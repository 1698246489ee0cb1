// SPDX-License-Identifier: MIT
/// The experiments of `nearmiss lab`, and its command line.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "lab/experiment.h"

namespace nearmiss::app::lab {

Experiment boundsExperiment();
Experiment budgetExperiment();
Experiment checksExperiment();
Experiment detectorsExperiment();
Experiment equalSpheresExperiment();
Experiment fig14Experiment();
Experiment fig15Experiment();
Experiment fitExperiment();
Experiment flatSetsExperiment();
Experiment profilesExperiment();
Experiment projectionExperiment();
Experiment trianglesExperiment();
Experiment turkExperiment();
Experiment wholeDetectorsExperiment();

/// All of them, by name.
[[nodiscard]] std::span<const Experiment> experimentCatalog();
/// Null for an unknown name.
[[nodiscard]] const Experiment* findExperiment(std::string_view name);

/// Adds `lab` with a command for each experiment, `all` and `merge`. The one that is typed becomes
/// `chosen`, which returns an ExitCode and must outlive the parsing.
void addLabCommand(CLI::App& app, std::function<int()>& chosen);

}  // namespace nearmiss::app::lab
