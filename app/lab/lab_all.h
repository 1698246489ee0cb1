// SPDX-License-Identifier: MIT
/// `nearmiss lab all`: every experiment one after the other, and a page of them.
#pragma once

#include "lab/lab_result.h"

namespace nearmiss::app {

struct LabAllCommand : LabCommand {
  bool again = false;  ///< runs also what the folder has already
};

/// Runs what the folder lacks, then writes report.html; a shard writes parts and no page. Goes on
/// after an experiment that fails, and ends with the greatest ExitCode.
int runLabAll(const LabAllCommand& command);

}  // namespace nearmiss::app
