// SPDX-License-Identifier: MIT
#include "lab/lab_options.h"

#include <nearmiss/sphere_tree_builder.h>

#include "option_checks.h"

namespace nearmiss::app {
namespace {

void addFig14(CLI::App& lab, Fig14Command& command) {
  CLI::App* fig14 = lab.add_subcommand("fig14", std::string(fig14Summary));
  fig14->add_option("-o,--out", command.folder, "the folder to write to")->required();
  fig14->add_flag("--quick", command.quick, "200 poses and coarser bounds");
  fig14->add_option("--model", command.models, "instead of the built-in models");
  fig14->add_option("--tree", command.builders, "only these beside the octree")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"));
  fig14->add_option("--levels", command.levels, "deepest level of spheres")
      ->check(numberFrom(1, 5))
      ->capture_default_str();
  fig14->add_option("--jobs", command.workers, "threads for building and measuring")
      ->check(numberFrom(1, 256))
      ->capture_default_str();
}

}  // namespace

void addLabCommands(CLI::App& app, TypedLab& typed) {
  CLI::App* lab = app.add_subcommand("lab", "experiments; nearmiss list experiments");
  lab->require_subcommand(1);
  addFig14(*lab, typed.fig14);
}

}  // namespace nearmiss::app
