// SPDX-License-Identifier: MIT
#include <engine/record/atomic_file.h>
#include <fmt/format.h>
#include <nearmiss/sphere_tree_io.h>

#include <algorithm>
#include <optional>

#include "console/complaint.h"
#include "console/output_files.h"
#include "tree/flat_set.h"
#include "tree/sphere_formats.h"
#include "tree/sphere_listing.h"
#include "tree/tree_commands.h"
#include "tree/tree_model.h"

namespace nearmiss::app {
namespace {

/// Replaces the levels by one set of `count` spheres. False, with a complaint, where there is none.
bool flatten(std::size_t count, const std::string& treeName, SphereListing& listing) {
  std::vector<ListedSphere> set = flatSet(listing.levels, count);
  if (set.size() != count) {
    complain(fmt::format("\"{}\" cannot be divided into {} spheres: it has only {}{}", treeName,
                         count, set.size(),
                         ", its leaves; a deeper tree (tree build --levels) has more"));
    return false;
  }
  listing.flat = true;
  listing.levels.assign(1, std::move(set));
  return true;
}

}  // namespace

int exportTree(const TreeExportCommand& command) {
  const std::string treeName = command.file.string();
  if (const int exitCode = checkOutputs({{"-o", command.out}}); exitCode != Ok) return exitCode;
  const auto file = readSphereTree(command.file);
  if (!file) return complain(file.error(), BadModelOrScene);
  const int deepest = file->tree.levelCount() - 1;
  if (command.level && *command.level > deepest) {
    complain(fmt::format("\"{}\" has levels 0 to {}, not {}", treeName, deepest, *command.level));
    return Usage;
  }

  SphereListing listing;
  listing.name = command.file.stem().string();
  listing.builder = file->builder;
  SourceFrame frame;
  if (!command.model.empty()) {
    int exitCode = Ok;
    const std::optional<TreeModel> model = loadModelOf(*file, treeName, command.model, exitCode);
    if (!model) return exitCode;
    listing.name = model->name;
    listing.sourceFrame = true;
    frame = {model->centre, model->scale, model->rounding};
  } else {
    complain("without --model the spheres stay in the frame of the tree: centred, and of radius 1");
  }

  listing.levels = listLevels(file->tree, command.level.value_or(deepest));
  if (command.count && !flatten(*command.count, treeName, listing)) return Usage;
  if (listing.sourceFrame) moveTo(frame, listing.levels);
  const auto format =
      std::find_if(sphereFormats().begin(), sphereFormats().end(),
                   [&](const SphereFormat& each) { return each.name == command.format; });
  const auto text = format->write(listing, command.count ? -1 : command.level.value_or(-1));
  if (!text) return complain(text.error(), Usage);
  const auto written = engine::writeWhole(command.out, *text);
  if (!written) return complain(written.error(), Environment);

  std::size_t spheres = 0;
  for (const auto& level : listing.levels) spheres += level.size();
  if (command.level && !command.count) spheres = listing.levels.back().size();
  fmt::print(
      "{} spheres, {}\nwritten to {}\n", spheres,
      listing.sourceFrame ? "in the frame and unit of the model's file" : "centred, radius 1",
      command.out.string());
  return Ok;
}

}  // namespace nearmiss::app
