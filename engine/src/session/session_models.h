// SPDX-License-Identifier: MIT
/// The models of a recorded scene, which is replayed in any folder, on any machine.
#pragma once

#include <engine/scene/scene_settings.h>

#include <filesystem>

namespace nearmiss::engine {

/// Names files by their whole paths; but where a folder's own name is not UTF-8, which scenes
/// cannot hold, as they are named.
void nameWholePaths(Scene& scene);

/// Looks for files that are not where the scene names them: in the working folder, then beside the
/// session, first by the longest end of their path. Those that are found nowhere keep their names.
void findModels(Scene& scene, const std::filesystem::path& session);

}  // namespace nearmiss::engine
