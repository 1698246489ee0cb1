// SPDX-License-Identifier: MIT
/// The models that an experiment is asked for by name.
#pragma once

#include <nearmiss/result.h>

#include <string>
#include <vector>

#include "lab/lab_models.h"

namespace nearmiss::app {

/// The lab's own models of these names, robots among them; other names are those of built-in models
/// or of files, of the kind "ship". Warns of what these need repaired. Errors: those of reading.
[[nodiscard]] Result<std::vector<LabModel>> chooseModels(const std::vector<std::string>& names);

}  // namespace nearmiss::app
