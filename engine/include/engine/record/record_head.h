// SPDX-License-Identifier: MIT
/// The head of every record: what ran, on what, with which settings.
#pragma once

#include <engine/record/records.h>
#include <engine/scene/scene.h>

#include <string>

namespace nearmiss::engine {

/// `renderer` is the driver's name of itself, "none" without a window. `shapes` are those of
/// `scene`.
[[nodiscard]] RecordHead recordHead(const Scene& scene, const ShapeSet& shapes,
                                    const std::string& renderer);

/// "nearmiss 0.1.0, GNU 12.2.0 Release": the version, and what compiled it.
[[nodiscard]] std::string buildName();

}  // namespace nearmiss::engine
