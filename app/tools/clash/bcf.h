// SPDX-License-Identifier: MIT
/// Writes clashes as topics in BIM Collaboration Format 2.1, for viewers of building models.
#pragma once

#include <engine/interference/clash.h>
#include <engine/interference/still_scene.h>
#include <nearmiss/result.h>

#include <ctime>
#include <span>
#include <string>

namespace nearmiss::app::clash {

/// Returns a sentence on a clash with both names and its depth or gap.
[[nodiscard]] std::string sentenceOf(const engine::StillScene& scene, const engine::Clash& clash);

/// Returns a .bcf file with a topic and a camera for each clash. The id of a topic depends only on
/// the names of its objects, so it is the same in later files. Errors: TooLarge; Unsupported,
/// with libzip's message; OutOfMemory.
/// @param time of all topics
Result<std::string> bcfOf(const engine::StillScene& scene, std::span<const engine::Clash> clashes,
                          std::time_t time);

}  // namespace nearmiss::app::clash
