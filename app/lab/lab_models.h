// SPDX-License-Identifier: MIT
/// Meshes of the lab besides the ships: thick and thin solids, links of robots, open surfaces.
#pragma once

#include <nearmiss/mesh.h>

#include <string>
#include <vector>

namespace nearmiss::app {

struct LabModel {
  std::string name;
  std::string kind;  ///< "thick", "thin", "link" or "open"
  TriangleMesh mesh;
};

/// Sixteen, each of a few thousand triangles and about a metre in radius; the same bits each time.
[[nodiscard]] std::vector<LabModel> makeLabModels();

}  // namespace nearmiss::app
