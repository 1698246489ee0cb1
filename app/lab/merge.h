// SPDX-License-Identifier: MIT
/// `nearmiss lab merge`: the parts that shards of one experiment wrote, joined to the tables of a
/// single run.
#pragma once

#include <filesystem>
#include <vector>

#include "lab/experiment.h"

namespace nearmiss::app::lab {

struct MergeCommand {
  std::vector<std::filesystem::path> parts;    ///< of one experiment, or of several
  std::filesystem::path folder = usualFolder;  ///< made where there is none
};

/// Writes the tables of every experiment of which there are parts. Their heads name all machines,
/// and a note says so where their processors differ.
/// Returns an ExitCode: Environment for a part that cannot be read, ValidationFailed where parts
/// are missing, given twice, unfinished, or of different settings or builds, Usage where a table
/// would replace a part.
int mergeParts(const MergeCommand& command);

}  // namespace nearmiss::app::lab
