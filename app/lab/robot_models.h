// SPDX-License-Identifier: MIT
/// Parts of robots as CAD programs leave them: large triangles beside small ones, several parts,
/// some of them open.
#pragma once

#include "lab/lab_models.h"

#include <vector>

namespace nearmiss::app {

/// Four, about a metre in radius; the same bits each time. Their kind is "robot".
[[nodiscard]] std::vector<LabModel> makeRobotModels();

}  // namespace nearmiss::app
