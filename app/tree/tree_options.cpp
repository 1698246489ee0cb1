// SPDX-License-Identifier: MIT
#include "tree/tree_options.h"

#include <engine/scene.h>

#include "option_checks.h"
#include "tree/sphere_formats.h"

namespace nearmiss::app {
namespace {

void addBuild(CLI::App& tree, TypedTree& typed) {
  CLI::App* build = tree.add_subcommand("build", "build the tree of a model into a file");
  build->add_option("MODEL", typed.build.model, "a built-in name or a file")->required();
  build->add_option("-o,--out", typed.build.out, "the file to write")->required();
  build->add_option("--method", typed.build.method, "nearmiss list trees")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"))
      ->capture_default_str();
  build->add_option("--levels", typed.build.settings.levels, "deepest level of spheres")
      ->check(numberFrom(1, 10))
      ->capture_default_str();
  build->add_option("--branching", typed.build.settings.branching, "most children of a sphere")
      ->check(numberFrom(2, 64))
      ->capture_default_str();
  build
      ->add_option("--jobs", typed.build.settings.workers,
                   "threads that build; the tree is the same for any number")
      ->check(numberFrom(1, 256))
      ->capture_default_str();
  build
      ->add_option("--inner", typed.build.settings.innerSpheres,
                   "at most so many spheres inside the solid, to prove contact by; 0: none")
      ->check(numberFrom(0, 4096))
      ->capture_default_str();
  build->add_option("--coverage", typed.coverage, "what a child must cover of its parent")
      ->check(oneOf({"guaranteed", "paper"}, "guaranteed|paper"))
      ->capture_default_str();
}

void addExport(CLI::App& tree, TreeExportCommand& command) {
  CLI::App* app = tree.add_subcommand("export", "write the spheres of a tree for other programs");
  app->add_option("FILE", command.file, "a tree file")->required();
  app->add_option("-o,--out", command.out, "the file to write")->required();
  app->add_option("--format", command.format, "csv, json, curobo, foam, urdf or sph")
      ->check(oneOf(namesOf(sphereFormats()), "NAME"))
      ->required();
  app->add_option("--model", command.model,
                  "what it was built from: keeps the frame and unit of the model's file");
  app->add_option("--level", command.level, "only this level; with --count no deeper than this")
      ->check(numberFrom(0, 10));
  app->add_option("--count", command.count, "a flat set of exactly so many spheres")
      ->check(numberFrom(1, 10'000'000));
}

}  // namespace

void addTreeCommands(CLI::App& app, TypedTree& typed) {
  CLI::App* tree = app.add_subcommand("tree", "build, describe and prove sphere trees");
  tree->require_subcommand(1);
  addBuild(*tree, typed);
  CLI::App* info = tree->add_subcommand("info", "what a tree file holds");
  info->add_option("FILE", typed.info.file, "a tree file")->required();
  info->add_option("MODEL", typed.info.model, "what it was built from, to measure more");
  addExport(*tree, typed.exporting);
  CLI::App* check = tree->add_subcommand("check", "prove a tree against its model");
  check->add_option("FILE", typed.check.file, "a tree file")->required();
  check->add_option("MODEL", typed.check.model, "what it was built from")->required();
  CLI::App* sheet = tree->add_subcommand("sheet", "a picture of a model and its trees");
  sheet->add_option("MODEL", typed.sheet.model, "a built-in name or a file")->required();
  sheet->add_option("-o,--out", typed.sheet.out, "the PNG to write")->required();
  sheet
      ->add_option("--tree", typed.sheet.builders,
                   "a row below the octree's; the simulator's own tree if none is named")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"));
}

TreeBuildCommand buildCommand(const TypedTree& typed) {
  TreeBuildCommand command = typed.build;
  command.settings.coverage = typed.coverage == "paper" ? Coverage::Paper : Coverage::Guaranteed;
  return command;
}

TreeSheetCommand sheetCommand(const TypedTree& typed) {
  TreeSheetCommand command = typed.sheet;
  if (command.builders.empty()) command.builders = {engine::Scene{}.tree};
  return command;
}

}  // namespace nearmiss::app
