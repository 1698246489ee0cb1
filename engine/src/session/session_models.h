// SPDX-License-Identifier: MIT
/// The models of a recorded scene, which can be replayed in any folder on any machine.
#pragma once

#include <engine/base/file_path.h>
#include <engine/scene/scene_settings.h>

namespace nearmiss::engine {

/// Makes file names absolute, unless the folder's name is not UTF-8, which scenes cannot store.
void makePathsAbsolute(Scene& scene);

/// Resolves files that do not exist at the recorded paths: searches the working folder, then the
/// folder of the session, for the longest suffix of the path first. Files that are not found keep
/// their names.
void findModels(Scene& scene, const FilePath& session);

}  // namespace nearmiss::engine
