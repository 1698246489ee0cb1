// SPDX-License-Identifier: MIT
/// Ships with joints from files: which models they are put together from, and what turns about
/// what.
#pragma once

#include <engine/flight/articulation.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// One rigid part, modelled in metres about its joint.
struct ModelLink {
  std::string name;
  std::filesystem::path file;
  std::size_t parent = 0;
  Joint joint;
};

/// In the order of the file, each link after the one that carries it.
struct ArticulatedModel {
  std::vector<ModelLink> links;
};

/// The articulated models that come with the program.
[[nodiscard]] std::vector<std::string> builtInArticulatedModels();

/// The file of one of these, or the name itself where it ends in .toml; nothing for a model of
/// another kind.
[[nodiscard]] std::optional<std::filesystem::path> findArticulatedModel(
    const std::string& nameOrFile);

/// Models are found beside the file. An unknown key is an error that names file, line and the
/// nearest valid key. Errors: NotFound, Unreadable, TooLarge, BadFormat: also joints out of range
/// and links that carry each other.
Result<ArticulatedModel> readArticulatedModel(const std::filesystem::path& file);
/// The same from text; `origin` stands for the file in messages, and models are found beside it.
Result<ArticulatedModel> parseArticulatedModel(std::string_view text, const std::string& origin);

}  // namespace nearmiss::engine
