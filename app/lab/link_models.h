// SPDX-License-Identifier: MIT
/// Ten links of robots, as collision meshes have them: one solid, overlapping parts, an open shell.
#pragma once

#include <vector>

#include "lab/lab_models.h"

namespace nearmiss::app {

/// Those of makeLabModels() that are links, and others of boxes and capsules; the same bits each
/// time.
[[nodiscard]] std::vector<LabModel> makeLinkModels();

}  // namespace nearmiss::app
