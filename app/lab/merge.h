// SPDX-License-Identifier: MIT
/// `nearmiss lab merge`: joins the parts written by the shards of an experiment to the tables of a
/// single run.
#pragma once

#include <filesystem>
#include <vector>

#include "lab/experiment.h"

namespace nearmiss::app::lab {

struct MergeCommand {
  std::vector<std::filesystem::path> parts;      ///< of one or several experiments
  std::filesystem::path folder = defaultFolder;  ///< created if missing
};

/// Writes the tables of every experiment with parts. Heads name all machines; a note reports
/// different processors. Returns an ExitCode: Environment if a part cannot be read;
/// ValidationFailed if parts are missing, duplicate, unfinished, or of different settings or
/// builds; Usage if a table would overwrite a part.
int mergeParts(const MergeCommand& command);

}  // namespace nearmiss::app::lab
