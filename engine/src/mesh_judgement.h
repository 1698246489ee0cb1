// SPDX-License-Identifier: MIT
/// What a person should know of a mesh before trusting answers about it.
#pragma once

#include <nearmiss/triangle_mesh.h>

#include <string>
#include <vector>

namespace nearmiss::engine {

/// Sentences without the file's name: what was removed, and why inside and outside may be
/// undefined. Empty for a flawless solid.
[[nodiscard]] std::vector<std::string> meshWarnings(const MeshCleaning& cleaning,
                                                    const MeshReport& report);

}  // namespace nearmiss::engine
