// SPDX-License-Identifier: MIT
/// Clashes as topics in BIM Collaboration Format 2.1, which viewers of building models open.
#pragma once

#include <engine/interference/clash.h>
#include <engine/interference/still_scene.h>
#include <nearmiss/result.h>

#include <ctime>
#include <span>
#include <string>

namespace nearmiss::app::clash {

/// One sentence on a clash, with both names and its figure.
[[nodiscard]] std::string sentenceOf(const engine::StillScene& scene, const engine::Clash& clash);

/// A .bcf file: a topic for each clash, with a camera that looks at it. The identity of a topic
/// depends on the names of its objects alone, so that a later file has the same topics. Errors:
/// TooLarge, and those of zipOf().
/// @param time of all topics
Result<std::string> bcfOf(const engine::StillScene& scene, std::span<const engine::Clash> clashes,
                          std::time_t time);

}  // namespace nearmiss::app::clash
