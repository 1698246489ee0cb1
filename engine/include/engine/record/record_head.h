// SPDX-License-Identifier: MIT
/// The head of every record: what ran, on what, with which settings.
#pragma once

#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>

#include <optional>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Data in every record about the program and its machine: format, build, commit, flags of the
/// compiler, processor, cores, and the load of the machine over the last minute, which is that of
/// others where it is read before the work. `commit`: commitName(), or "unknown".
[[nodiscard]] RecordHead machineHead(std::string_view commit);

/// The same, and the settings of a flight. `renderer` is the driver's name of itself, "none"
/// without a window. `shapes` are those of `scene`.
/// `realtime`: whether frames wait for their target time, so that their whole time compares with
/// that of runs alone that wait as well; left out where it is not known.
[[nodiscard]] RecordHead recordHead(std::string_view commit, const Scene& scene,
                                    const ShapeSet& shapes, const std::string& renderer,
                                    std::optional<bool> realtime = std::nullopt);

/// `# key: value` lines; what would end a line is written as a space.
[[nodiscard]] std::string headText(const RecordHead& head);

/// "nearmiss 0.1.0, GNU 12.2.0 Release": the version, and what compiled it.
[[nodiscard]] std::string buildName();

}  // namespace nearmiss::engine
