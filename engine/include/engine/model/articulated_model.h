// SPDX-License-Identifier: MIT
/// Reads articulated ships from files: their link models and joints.
#pragma once

#include <engine/base/file_path.h>
#include <engine/flight/articulation.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// One rigid part, modelled in metres relative to its joint.
struct ModelLink {
  std::string name;
  FilePath file;
  std::size_t parent = 0;
  Joint joint;
};

/// Links in the order of the file, each after its parent.
struct ArticulatedModel {
  std::vector<ModelLink> links;
};

/// The built-in articulated models.
[[nodiscard]] std::vector<std::string> builtInArticulatedModels();

/// Returns the file of a built-in articulated model, or the name itself if it ends in .toml;
/// `nullopt` for other models.
[[nodiscard]] std::optional<FilePath> findArticulatedModel(const std::string& nameOrFile);

/// Reads an articulated model. Model paths are relative to the file. An unknown key is an error
/// that names file, line and the nearest valid key. Errors: NotFound, Unreadable, TooLarge,
/// BadFormat, also for joints out of range and cyclic links.
Result<ArticulatedModel> readArticulatedModel(const FilePath& file);
/// As above, from text. `origin` stands for the file in messages and in relative paths.
Result<ArticulatedModel> parseArticulatedModel(std::string_view text, const std::string& origin);

}  // namespace nearmiss::engine
