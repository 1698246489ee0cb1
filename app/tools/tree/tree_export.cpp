// SPDX-License-Identifier: MIT
#include <engine/base/atomic_file.h>
#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/shape.h>

#include <optional>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "tools/tree/divided_set.h"
#include "tools/tree/flat_set.h"
#include "tools/tree/sphere_formats.h"
#include "tools/tree/spheres_command.h"
#include "tools/tree/tree_commands.h"
#include "tools/tree/tree_model.h"

namespace nearmiss::app::tree {
namespace {

/// Replaces the levels by one set of command.count spheres. On failure complains and returns false.
bool flatten(const TreeExportCommand& command, const SphereTree& tree, SphereListing& listing) {
  std::vector<ListedSphere> set = dividedSet(listing.levels, *command.count);
  if (set.size() != *command.count) {
    const bool cut = command.level && *command.level < tree.levelCount() - 1;
    complain(fmt::format(
        "\"{}\" cannot be divided into {} spheres: it has only {}{}", command.file.string(),
        *command.count, set.size(),
        cut ? fmt::format(" down to level {}; a larger --level has more", *command.level)
            : ", its leaves; a deeper tree (tree build --levels) has more"));
    return false;
  }
  listing.flat = true;
  listing.levels.assign(1, std::move(set));
  return true;
}

/// Warns if the tree's spheres may not cover the whole surface.
void warnAboutGaps(const TreeExportCommand& command, Coverage coverage) {
  if (coverage == Coverage::Samples)
    complain(
        fmt::format("the spheres of \"{}\" hold sample points, and may leave parts of the "
                    "surface out",
                    command.file.string()));
  if (coverage == Coverage::Paper && command.count)
    complain(
        fmt::format("only whole levels of \"{}\" cover the surface: spheres of several may "
                    "leave parts of it out",
                    command.file.string()));
}

/// Fills in the requested levels, or one set of spheres: fitted to the model if it is known,
/// otherwise divided from the tree. Complains and returns an ExitCode other than Ok on failure.
int fill(const TreeExportCommand& command, const SphereTree& tree, const TreeModel* model,
         SphereListing& listing) {
  if (command.count && model && !command.level && *command.count <= maxSpheresOfFlatSet) {
    watchForInterrupts();
    auto set = fittedSet(model->name, model->polyhedron,
                         withWorkers({.count = *command.count, .workers = 0}));
    if (!set) return complain(set.error(), Usage);
    listing.builder = "flat set";
    listing.flat = true;
    listing.levels.push_back(*std::move(set));
    return Ok;
  }
  warnAboutGaps(command, tree.coverage());
  listing.levels = listLevels(tree, command.level.value_or(tree.levelCount() - 1));
  if (!command.count) return Ok;
  if (!command.level)
    complain(model ? fmt::format("these spheres are the tree's own: no more than {} are fitted to "
                                 "a model itself",
                                 maxSpheresOfFlatSet)
                   : "these spheres are the tree's own; nearmiss spheres fits a set to the model "
                     "itself");
  return flatten(command, tree, listing) ? Ok : Usage;
}

}  // namespace

int exportTree(const TreeExportCommand& typed) {
  TreeExportCommand command = typed;
  command.out = outputOr(command.out, command.file, extensionOf(command.format));
  const std::string treeName = command.file.string();
  InputFiles inputs{command.file};
  if (const auto source = engine::findModel(command.model)) inputs.push_back(*source);
  if (const int exitCode = checkOutputs({{"-o", command.out}}, inputs); exitCode != Ok)
    return exitCode;
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
  std::optional<TreeModel> model;
  if (!command.model.empty()) {
    int exitCode = Ok;
    model = loadModelOf(*file, treeName, command.model, exitCode);
    if (!model) return exitCode;
    listing.name = model->name;
    listing.sourceFrame = true;
    frame = {model->centre, model->scale, model->rounding};
  } else {
    complain("without --model the spheres stay in the frame of the tree: centred, and of radius 1");
  }

  if (const int exitCode = fill(command, file->tree, model ? &*model : nullptr, listing);
      exitCode != Ok)
    return exitCode;
  if (listing.sourceFrame) moveTo(frame, listing.levels);
  const auto spheres =
      sphereFormat(command.format).write(listing, command.count ? -1 : command.level.value_or(-1));
  if (!spheres) return complain(spheres.error(), Usage);
  const auto written = engine::writeWhole(command.out, spheres->text);
  if (!written) return complain(written.error(), Environment);

  fmt::print(
      "{} spheres, {}\nwritten to {}\n", spheres->count,
      listing.sourceFrame ? "in the frame and unit of the model's file" : "centred, radius 1",
      command.out.string());
  return Ok;
}

}  // namespace nearmiss::app::tree
