// SPDX-License-Identifier: MIT
/// Warnings about a mesh that limit what its answers mean.
#pragma once

#include <nearmiss/mesh.h>

#include <string>
#include <vector>

namespace nearmiss::engine {

/// Sentences without the file's name: what was removed, and why inside and outside may be
/// undefined. Empty for a flawless solid.
/// @param scale lengths in the mesh are so many times those in the file
[[nodiscard]] std::vector<std::string> meshWarnings(const MeshCleaning& cleaning,
                                                    const MeshReport& report, Real scale);

}  // namespace nearmiss::engine
