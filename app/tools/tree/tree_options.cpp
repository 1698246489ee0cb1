// SPDX-License-Identifier: MIT
#include "tools/tree/tree_options.h"

#include <engine/base/threads.h>
#include <engine/scene/scene.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>

#include "options/option_checks.h"
#include "tools/tree/flat_set.h"
#include "tools/tree/sphere_formats.h"

namespace nearmiss::app::tree {
namespace {

/// Adds options that only some methods use.
void addSpecial(CLI::App& build, TypedTree& typed) {
  SphereTreeSettings& settings = typed.build.settings;
  const auto only = [&typed](std::vector<std::string_view> methods, CLI::Option* option) {
    option->capture_default_str()->group("For some methods only");
    typed.special.emplace_back(option, std::move(methods));
  };
  only({"annealed", "annealed-apart", "variational", "dag", "medial", "medial-dag", "anchored"},
       build
           .add_option("--objective", typed.objective,
                       "the quantity to minimise: exposed: H, weighted less where other bodies "
                       "rarely reach; largest: the largest H; area: the mean H over the surface; "
                       "outside: how far spheres protrude. annealed, annealed-apart, and "
                       "medial-dag with --error-bound, treat all but outside as largest")
           ->check(oneOf(objectiveNames(), "exposed|largest|area|outside")));
  only({"variational", "dag", "medial", "medial-dag", "anchored"},
       build
           .add_option("--branching", typed.branching,
                       "variational, dag, medial, medial-dag, anchored: children per sphere, the "
                       "mean of a level")
           ->transform(wholeFrom(minBranching, maxBranching)));
  only({"variational", "dag"},
       build
           .add_option("--spheres", typed.maxSpheres,
                       "variational, dag: maximum number of spheres in the deepest level; 0: "
                       "--branching to the power of --levels")
           ->transform(wholeFrom(0, maxSpheresOfALevel)));
  only({"variational", "medial", "medial-dag", "anchored"},
       build
           .add_option("--error-bound", typed.errorBound,
                       "variational, medial, medial-dag, anchored: spheres with at most this H are "
                       "not divided; "
                       "the model has radius 1")
           ->check(numberFrom(0.0, 1e6)));
  only({"variational", "dag"},
       build
           .add_option("--seeds", typed.seeds,
                       "variational, dag: initial spheres: at points far from each other, at balls "
                       "of the medial axis, or the better of both at the first two levels")
           ->check(oneOf({"farthest", "medial", "best"}, "farthest|medial|best")));
  only({"variational", "dag"},
       build.add_flag("--even-branching", typed.evenBranching,
                      "variational, dag: no sphere has more children than --branching"));
  only({"medial", "medial-dag", "anchored"},
       build
           .add_option(
               "--points", settings.medial.surfacePoints,
               "medial, medial-dag, anchored: initial points on the surface; 0: from the levels")
           ->transform(wholeFrom(0, maxSurfacePoints)));
  only({"medial", "medial-dag"}, build
                                     .add_option("--adjacency", typed.adjacency,
                                                 "medial, medial-dag: Voronoi vertices are "
                                                 "neighbours if they share a face, or an edge")
                                     ->check(oneOf({"face", "edge"}, "face|edge")));
  only({"annealed", "annealed-apart"},
       build.add_option("--seed", settings.annealed.schedule.seed, "annealed: seed of the moves")
           ->transform(wholeFrom(0, maxSeed)));
  only({"annealed", "annealed-apart"},
       build.add_option("--steps", settings.annealed.schedule.steps, "annealed: moves per sphere")
           ->transform(wholeFrom(0, maxAnnealingSteps)));
  only({"annealed", "annealed-apart"},
       build
           .add_option("--heat", settings.annealed.schedule.heat,
                       "annealed: the first temperature, as a share of a sphere's H")
           ->check(numberFrom(0.0, 1.0)));
  only({"annealed", "annealed-apart"},
       build
           .add_option("--cooled", settings.annealed.schedule.cooled,
                       "annealed: the last temperature, as a share of the first")
           ->check(numberFrom(1e-9, 1.0)));
}

void addBuild(CLI::App& tree, TypedTree& typed) {
  CLI::App* build = tree.add_subcommand("build", "build the tree of a model into a file");
  typed.build.settings.workers = 0;
  build->add_option("MODEL", typed.build.model, "a built-in name or a file")->required();
  build->add_option("-o,--output", typed.build.out, "the file to write; default: MODEL.tree");
  build->add_option("--method", typed.build.method, "the builder: nearmiss list trees")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"))
      ->capture_default_str();
  build->add_option("--levels", typed.build.settings.levels, "deepest level of spheres")
      ->transform(wholeFrom(1, maxTreeLevels))
      ->capture_default_str();
  build
      ->add_option("--jobs", typed.build.settings.workers,
                   "threads; default: one per core; the tree does not depend on them")
      ->transform(wholeFrom(1, maxBuildWorkers));
  build
      ->add_option("--boxes", typed.build.settings.nodeBoxRatio,
                   "adds a box to each sphere whose H is at least this multiple of the box's H; "
                   "0: none")
      ->check(numberFrom(0, maxNodeBoxRatio))
      ->capture_default_str();
  build
      ->add_option(
          "--inner", typed.build.settings.innerSpheres,
          "maximum number of spheres inside each solid, which prove contact early; 0: none")
      ->transform(wholeFrom(0, maxInnerSpheres))
      ->capture_default_str();
  build
      ->add_option(
          "--coverage", typed.coverage,
          "what the spheres must cover: every point along a chain of spheres; or, by medial "
          "alone, each level as a whole; children all that their parent covers; sample "
          "points only, which promises nothing")
      ->check(
          oneOf({"guaranteed", "paper", "safest", "samples"}, "guaranteed|paper|safest|samples"))
      ->capture_default_str();
  build->add_flag("--drop-redundant", typed.build.settings.dropRedundant,
                  "remove spheres whose surface others cover");
  addSpecial(*build, typed);
}

void addExport(CLI::App& tree, TreeExportCommand& command) {
  CLI::App* app = tree.add_subcommand("export", "write the spheres of a tree for other programs");
  app->add_option("FILE", command.file, "a tree file")->required();
  app->add_option("-o,--output", command.out,
                  "the file to write; default: FILE with the format's extension");
  app->add_option("--format", command.format, "csv, json, curobo, foam, urdf or sph")
      ->check(oneOf(namesOf(sphereFormats()), "NAME"))
      ->required();
  app->add_option("--model", command.model,
                  "the model of the tree: keeps the frame and unit of its file");
  app->add_option("--level", command.level,
                  "only this level, with the leaves above it; with --count: spheres of the tree, "
                  "no deeper than this level")
      ->transform(wholeFrom(0, 10));
  app->add_option("--count", command.count,
                  "a flat set of at most this many spheres, fitted to --model (nearmiss spheres "
                  "does this without a tree); with --level, without --model, or above 1024: "
                  "exactly this many spheres of the tree")
      ->transform(wholeFrom(1, 10'000'000));
}

}  // namespace

void addTreeCommands(CLI::App& app, TypedTree& typed) {
  CLI::App* tree = app.add_subcommand("tree", "build, measure and check sphere trees");
  tree->require_subcommand(1);
  addBuild(*tree, typed);
  CLI::App* info = tree->add_subcommand("info", "describe a tree file");
  info->add_option("FILE", typed.info.file, "a tree file")->required();
  info->add_option("MODEL", typed.info.model, "the model of the tree, to measure more");
  addExport(*tree, typed.exporting);
  CLI::App* check =
      tree->add_subcommand("check", "prove that a tree covers its model and that its bounds hold");
  check->add_option("FILE", typed.check.file, "a tree file")->required();
  check->add_option("MODEL", typed.check.model, "the model of the tree")->required();
  check->add_flag("--unwelded", typed.check.unwelded,
                  "check against the vertices of the file too, before any welding");
  CLI::App* sheet = tree->add_subcommand("sheet", "draw a model and its trees");
  sheet->add_option("MODEL", typed.sheet.model, "a built-in name or a file")->required();
  sheet->add_option("-o,--output", typed.sheet.out, "the PNG to write; default: MODEL_sheet.png");
  sheet
      ->add_option("--tree", typed.sheet.builders,
                   "builders to draw below the octree; default: the simulator's own")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"));
}

TreeBuildCommand buildCommand(const TypedTree& typed) {
  TreeBuildCommand command = typed.build;
  SphereTreeSettings& settings = command.settings;
  settings.workers = engine::threadCount(settings.workers);
  if (typed.coverage == "paper") settings.medial.coverage = Coverage::Paper;
  if (typed.coverage == "samples") settings.medial.coverage = Coverage::Samples;
  if (typed.coverage == "safest") settings.medial.guarantee = CoverageGuarantee::Safest;
  if (typed.adjacency == "edge") settings.medial.adjacency = MedialAdjacency::SharedEdge;
  const SphereObjective objective = objectiveNamed(typed.objective.value_or("exposed"));
  SphereSeeds seeds = SphereSeeds::Best;
  if (typed.seeds == "farthest") seeds = SphereSeeds::FarthestPoints;
  if (typed.seeds == "medial") seeds = SphereSeeds::Medial;
  settings.annealed.objective = settings.medial.objective = objective;
  settings.medial.branching = typed.branching;
  settings.medial.errorBound = typed.errorBound;
  settings.anchored = {typed.branching, objective, typed.errorBound, settings.medial.surfacePoints};
  settings.variational = {typed.branching, !typed.evenBranching, typed.maxSpheres, objective,
                          seeds,           typed.errorBound};
  settings.dag = {typed.branching, !typed.evenBranching, typed.maxSpheres, objective, seeds};
  for (const auto& [option, methods] : typed.special)
    if (option->count() > 0 &&
        std::find(methods.begin(), methods.end(), command.method) == methods.end())
      command.ignoredOptions.push_back(option->get_name());
  if (typed.coverage != "guaranteed" && command.method != "medial")
    command.ignoredOptions.emplace_back("--coverage " + typed.coverage);
  return command;
}

TreeSheetCommand sheetCommand(const TypedTree& typed) {
  TreeSheetCommand command = typed.sheet;
  if (command.builders.empty()) command.builders = {engine::Scene{}.tree};
  return command;
}

}  // namespace nearmiss::app::tree
