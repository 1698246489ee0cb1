// SPDX-License-Identifier: MIT
/// The head of every record: program, machine and settings.
#pragma once

#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>

#include <optional>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Returns the entries about the program and its machine: format, build, commit, compiler flags,
/// processor, cores, and the load average of the last minute. Call it before the work, so that the
/// load is that of other processes. `commit`: commitName(), or "unknown".
[[nodiscard]] RecordHead machineHead(std::string_view commit);

/// Returns machineHead() plus the settings of a flight. `renderer` is the driver's own name, or
/// "none" without a window. `shapes` are those of `scene`. `realtime`: whether frames wait for
/// their target time; frame times compare only between runs with the same value. Omitted if
/// unknown.
[[nodiscard]] RecordHead recordHead(std::string_view commit, const Scene& scene,
                                    const ShapeSet& shapes, const std::string& renderer,
                                    std::optional<bool> realtime = std::nullopt);

/// Formats `# key: value` lines; line breaks in values become spaces.
[[nodiscard]] std::string headText(const RecordHead& head);

/// "nearmiss 0.1.0, GNU 12.2.0 Release": version, compiler and build type.
[[nodiscard]] std::string buildName();

}  // namespace nearmiss::engine
