// SPDX-License-Identifier: MIT
#include "lab/lab_options.h"

#include <nearmiss/detector_catalog.h>
#include <nearmiss/sphere_tree_builder.h>

#include "lab_program.h"
#include "option_checks.h"
#include "tree/objective_names.h"

namespace nearmiss::app {
namespace {

void addFolder(CLI::App& app, std::filesystem::path& folder) {
  app.add_option("-o,--out", folder, "the folder to write to")->required();
}

void addSeed(CLI::App& app, std::uint64_t& seed, const char* of) {
  app.add_option("--seed", seed, of)->check(numberFrom(0, 0x1p63))->capture_default_str();
}

void addSteps(CLI::App& app, int& steps) {
  app.add_option("--steps", steps, "recorded states, a twentieth of a second apart")
      ->check(numberFrom(1, 100'000))
      ->capture_default_str();
}

void addRounds(CLI::App& app, int& rounds) {
  app.add_option("--rounds", rounds, "in which all is timed; the median counts")
      ->check(numberFrom(1, 1000))
      ->capture_default_str();
}

void addLevels(CLI::App& app, int& levels, const char* of) {
  app.add_option("--levels", levels, of)->check(numberFrom(1, 5))->capture_default_str();
}

/// What every experiment takes.
CLI::App* addExperiment(CLI::App& lab, std::string_view name, std::string_view summary,
                        LabCommand& command, const char* quick) {
  CLI::App* app = lab.add_subcommand(std::string(name), std::string(summary));
  addFolder(*app, command.folder);
  app->add_flag("--quick", command.quick, quick);
  app->add_option_function<std::string>(
      "--shard",
      [&command](const std::string& text) {
        const auto shard = parseShard(text);
        if (!shard) throw CLI::ValidationError("--shard", shard.error().message);
        command.shard = *shard;
      },
      "only this share of the work, I/N, for nearmiss lab merge");
  return app;
}

void addBounds(CLI::App& lab, BoundsCommand& command) {
  CLI::App* app = addExperiment(lab, "bounds", boundsSummary, command,
                                "eight models, no more than 300 poses of each, two levels");
  app->add_option("--model", command.models, "instead of the ships and the models of the lab");
  app->add_option("--tree", command.builders, "only these, the first for comparison")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"))
      ->capture_default_str();
  app->add_option("--poses", command.poses, "of each model against itself")
      ->check(numberFrom(1, 10'000'000))
      ->capture_default_str();
  addLevels(*app, command.levels, "deepest level of spheres");
  addSeed(*app, command.seed, "of the poses");
}

void addBudget(CLI::App& lab, BudgetCommand& command) {
  CLI::App* app = addExperiment(lab, "budget", budgetSummary, command,
                                "no more than 100 ships and 60 frames of each flight");
  app->add_option("--ships", command.ships, "besides the user's")
      ->check(numberFrom(1, 100'000))
      ->capture_default_str();
  app->add_option("--allowance", command.allowancesUs, "of detection in a frame, microseconds")
      ->check(numberFrom(0.1, 1e6))
      ->capture_default_str();
  app->add_option("--busy", command.busyThreads, "threads that take cores beside the flight")
      ->check(numberFrom(0, 256))
      ->capture_default_str();
  app->add_option("--frames", command.frames, "of each flight")
      ->check(numberFrom(1, 10'000'000))
      ->capture_default_str();
  addSeed(*app, command.seed, "of the flights");
}

void addChecks(CLI::App& lab, ChecksCommand& command) {
  CLI::App* app =
      addExperiment(lab, "checks", checksSummary, command, "no more than 20,000 rotations");
  app->add_option("--rotations", command.rotations, "of a cube")
      ->check(numberFrom(1, 1'000'000'000))
      ->capture_default_str();
  addSeed(*app, command.seed, "of the rotations");
}

void addX7(CLI::App& lab, X7Command& command) {
  CLI::App* app = addExperiment(lab, "x7", x7Summary, command, "10 ships, 60 states, one round");
  app->add_option("--ships", command.ships, "in a flight")
      ->check(numberFrom(2, 10'000))
      ->capture_default_str();
  addSteps(*app, command.steps);
  addRounds(*app, command.rounds);
  addSeed(*app, command.seed, "of the flight");
}

void addDetectors(CLI::App& lab, DetectorsCommand& command) {
  CLI::App* app =
      addExperiment(lab, "detectors", detectorsSummary, command,
                    "20 ships, 30 states, one round, one broad phase for most narrow ones");
  app->add_option("--model", command.models, "in turn, one a ship")->capture_default_str();
  app->add_option("--broad", command.broad, "only these, else all")
      ->check(oneOf(namesOf(broadPhaseCatalog()), "NAME"));
  app->add_option("--narrow", command.narrow, "only these, else all")
      ->check(oneOf(namesOf(narrowPhaseCatalog()), "NAME"));
  app->add_option("--ships", command.ships, "in the flight")
      ->check(numberFrom(2, 10'000))
      ->capture_default_str();
  app->add_option("--crowding", command.crowding, "times the ships in the default scene's space")
      ->check(numberFrom(0.01, 1000.0))
      ->capture_default_str();
  addSteps(*app, command.steps);
  addRounds(*app, command.rounds);
  addSeed(*app, command.seed, "of the flight");
}

void addEqualSpheres(CLI::App& lab, EqualSpheresCommand& command) {
  CLI::App* app = addExperiment(lab, "equal-spheres", equalSpheresSummary, command,
                                "one model, coarser bounds, trees of one and two levels only");
  app->add_option("--model", command.models, "instead of the built-in models");
  addLevels(*app, command.levels, "of the medial tree");
  app->add_option("--jobs", command.workers,
                  "threads for building and measuring; 0: as many as cores")
      ->check(numberFrom(0, 256))
      ->capture_default_str();
}

void addFig15(CLI::App& lab, Fig15Command& command) {
  CLI::App* app =
      addExperiment(lab, "fig15", fig15Summary, command, "no more than 1,500 calls of each set-up");
  app->add_option("--calls", command.calls, "of each set-up, at least")
      ->check(numberFrom(1, 10'000'000))
      ->capture_default_str();
  app->add_option("--distance-every", command.distanceEvery,
                  "seek the true distance in every so-manieth call")
      ->check(numberFrom(1, 1'000'000))
      ->capture_default_str();
  addSeed(*app, command.seed, "of the flight");
}

void addFlatSets(CLI::App& lab, FlatSetsCommand& command) {
  CLI::App* app =
      addExperiment(lab, "flat-sets", flatSetsSummary, command, "two links, four spheres each");
  app->add_option("--count", command.counts, "spheres at most")
      ->check(numberFrom(1, mostSpheresOfOneLevel))
      ->capture_default_str();
  app->add_option("--jobs", command.workers, "threads; 0: as many as cores")
      ->check(numberFrom(0, 256))
      ->capture_default_str();
}

void addFig14(CLI::App& lab, Fig14Command& command) {
  CLI::App* fig14 = addExperiment(lab, "fig14", fig14Summary, command, "200 poses, coarser bounds");
  fig14->add_option("--model", command.models, "instead of the built-in models");
  fig14
      ->add_option("--tree", command.builders,
                   "only these beside the octree, NAME or variational+boxes")
      ->check(oneOf(fig14Builders(), "NAME"));
  addLevels(*fig14, command.levels, "deepest level of spheres");
  fig14->add_option("--coverage", command.coverage, "of the builders that know more than one")
      ->check(oneOf({"guaranteed", "paper", "samples"}, "guaranteed|paper|samples"))
      ->capture_default_str();
  fig14->add_option("--jobs", command.workers, "threads for building and measuring")
      ->check(numberFrom(1, 256))
      ->capture_default_str();
}

void addFit(CLI::App& lab, FitCommand& command) {
  CLI::App* app =
      addExperiment(lab, "fit", fitSummary, command, "four models, two levels, coarser bounds");
  app->add_option("--model", command.models, "instead of the models of the lab");
  app->add_option("--tree", command.builders, "only these beside the octree")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"))
      ->capture_default_str();
  addLevels(*app, command.levels, "deepest level of spheres");
  app->add_option("--objective", command.objective,
                  "what builders make small, as of tree build; if not said, what each usually does")
      ->check(oneOf(objectiveNames(), "NAME"));
  app->add_option("--jobs", command.workers, "threads for building and measuring")
      ->check(numberFrom(1, 256))
      ->capture_default_str();
}

void addAll(CLI::App& lab, LabAllCommand& command) {
  CLI::App* app = addExperiment(lab, "all", "every experiment, and a page of them, report.html",
                                command, "each in short");
  app->add_flag("--again", command.again, "run also what the folder has already");
}

void addMerge(CLI::App& lab, MergeCommand& command) {
  CLI::App* app =
      lab.add_subcommand("merge", "join what the shards of an experiment wrote to its tables");
  app->add_option("PART", command.parts, "files that --shard wrote, of all shards")->required();
  addFolder(*app, command.folder);
}

void addProfiles(CLI::App& lab, ProfilesCommand& command) {
  CLI::App* app = addExperiment(lab, "profiles", profilesSummary, command,
                                "no more than 60 frames of no more than 4 ms");
  app->add_option("--run", command.runs, "only these, else all")
      ->check(oneOf(profileRuns(), "RUN"));
  app->add_option("--frames", command.frames, "of each run")
      ->check(numberFrom(20, 1'000'000))
      ->capture_default_str();
  app->add_option("--frame-ms", command.frameMs, "the target; fig21 has ten times as much")
      ->check(numberFrom(0.1, 1000.0))
      ->capture_default_str();
  addSeed(*app, command.seed, "of the flights");
}

void addProjection(CLI::App& lab, ProjectionCommand& command) {
  CLI::App* app = addExperiment(lab, "projection", projectionSummary, command,
                                "a tenth of the sets, and no more than 200 bodies");
  app->add_option("--sets", command.sets, "random sets for each number of bodies")
      ->check(numberFrom(1, 1'000'000))
      ->capture_default_str();
  addSeed(*app, command.seed, "of the sets");
}

void addTriangles(CLI::App& lab, TrianglesCommand& command) {
  CLI::App* app = addExperiment(lab, "triangles", trianglesSummary, command,
                                "one model, no more than 3,000 triangles, 12 poses of each kind");
  app->add_option("--model", command.models, "whose meshes are subdivided")->capture_default_str();
  app->add_option("--narrow", command.narrow, "only these, else all")
      ->check(oneOf(namesOf(narrowPhaseCatalog()), "NAME"));
  app->add_option("--most", command.most, "triangles of the finest mesh, at most")
      ->check(numberFrom(1, 10'000'000))
      ->capture_default_str();
  app->add_option("--poses", command.poses, "in contact, and as many near it")
      ->check(numberFrom(1, 100'000))
      ->capture_default_str();
  addRounds(*app, command.rounds);
  addSeed(*app, command.seed, "of the poses");
}

void addTurk(CLI::App& lab, TurkCommand& command) {
  CLI::App* app = addExperiment(lab, "turk", turkSummary, command,
                                "four runs each, and no more than 200 bodies");
  app->add_option("--runs", command.runs, "flights for each number of bodies")
      ->check(numberFrom(1, 100'000))
      ->capture_default_str();
  app->add_option("--bodies", command.bodies, "instead of 10 to 10,000")
      ->check(numberFrom(2, 100'000));
  app->add_option("--broad", command.methods, "instead of those that look ahead")
      ->check(oneOf(namesOf(broadPhaseCatalog()), "NAME"));
  app->add_option("--step", command.step, "seconds of simulation in a frame, else 1/60")
      ->check(numberFrom(1e-4, 1.0));
  app->add_option("--longest", command.longest, "seconds after which a flight ends")
      ->check(numberFrom(1e-3, 1e6))
      ->capture_default_str();
  addSeed(*app, command.seed, "of the flights");
}

template <class Command>
ExperimentCommand bound(int (*run)(const Command&), const Command& command) {
  return {[run, command] { return run(command); }};
}

}  // namespace

ExperimentCommand experimentOf(const TypedLab& typed, std::string_view name) {
  if (name == "all") return bound(runLabAll, typed.all);
  if (name == "merge") return bound(mergeParts, typed.merge);
  if (name == "bounds") return bound(runBounds, typed.bounds);
  if (name == "budget") return bound(runBudget, typed.budget);
  if (name == "checks") return bound(runChecks, typed.checks);
  if (name == "x7") return bound(runX7, typed.x7);
  if (name == "detectors") return bound(runDetectors, typed.detectors);
  if (name == "equal-spheres") return bound(runEqualSpheres, typed.equalSpheres);
  if (name == "fig14") return bound(runFig14, typed.fig14);
  if (name == "fig15") return bound(runFig15, typed.fig15);
  if (name == "fit") return bound(runFit, typed.fit);
  if (name == "flat-sets") return bound(runFlatSets, typed.flatSets);
  if (name == "profiles") return bound(runProfiles, typed.profiles);
  if (name == "projection") return bound(runProjection, typed.projection);
  if (name == "triangles") return bound(runTriangles, typed.triangles);
  return bound(runTurk, typed.turk);
}

void addLabCommands(CLI::App& app, TypedLab& typed) {
  CLI::App* lab = app.add_subcommand(std::string(labProgramCommands[0].name),
                                     std::string(labProgramCommands[0].summary));
  lab->require_subcommand(1);
  addAll(*lab, typed.all);
  addMerge(*lab, typed.merge);
  addBounds(*lab, typed.bounds);
  addBudget(*lab, typed.budget);
  addChecks(*lab, typed.checks);
  addDetectors(*lab, typed.detectors);
  addEqualSpheres(*lab, typed.equalSpheres);
  addFig14(*lab, typed.fig14);
  addFig15(*lab, typed.fig15);
  addFit(*lab, typed.fit);
  addFlatSets(*lab, typed.flatSets);
  addProfiles(*lab, typed.profiles);
  addProjection(*lab, typed.projection);
  addTriangles(*lab, typed.triangles);
  addTurk(*lab, typed.turk);
  addX7(*lab, typed.x7);
}

}  // namespace nearmiss::app
