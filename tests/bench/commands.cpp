// SPDX-License-Identifier: MIT
/// The options of `nearmiss-lab bench`.
#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "bench.h"

namespace nearmiss::bench {
namespace {

/// A measurement with its command, which lives as long as the options that fill it.
template <class Filled>
std::pair<CLI::App*, Filled&> add(CLI::App& bench, const char* name, const char* summary,
                                  int (*run)(const Filled&), std::function<int()>& chosen) {
  const auto command = std::make_shared<Filled>();
  CLI::App* const app = bench.add_subcommand(name, summary);
  app->callback([run, command, &chosen] { chosen = [run, command] { return run(*command); }; });
  app->add_option("-o,--output", command->folder, "Folder for the table")->required();
  return {app, *command};
}

void addBoxes(CLI::App& bench, std::function<int()>& chosen) {
  const auto [app, command] =
      add(bench, "boxes", "What a test of two turned boxes costs", boxes, chosen);
  app->add_option("--pairs", command.pairs, "Of boxes")->check(CLI::Range(1, 1000000));
  app->add_option("--rounds", command.rounds, "Rounds; the median is kept")
      ->check(CLI::Range(1, 9999));
}

void addBroad(CLI::App& bench, std::function<int()>& chosen) {
  const auto [app, command] =
      add(bench, "broad", "Every broad phase on the same flights", broad, chosen);
  app->add_option("--methods", command.methods, "Some of them")->delimiter(',');
  app->add_option("--ships", command.ships, "Numbers of ships")
      ->delimiter(',')
      ->check(CLI::Range(2, 1000000));
}

void addContacts(CLI::App& bench, std::function<int()>& chosen) {
  const auto [app, command] = add(
      bench, "contacts", "Contacts that hold stacks and heaps, beside Bullet", contacts, chosen);
  app->add_option("--seconds", command.seconds, "Simulated, of a heap")
      ->check(CLI::Range(1.0, 1000.0));
  app->add_option("--bullet-seconds", command.bulletSeconds, "Bullet's CPU time for a heap")
      ->check(CLI::Range(0.1, 100000.0));
  app->add_option("--rounds", command.rounds, "Calls for two boxes")
      ->check(CLI::Range(10, 1000000));
}

void addPeers(CLI::App& bench, std::function<int()>& chosen) {
  const auto [app, command] =
      add(bench, "peers", "Pairs of meshes, beside other libraries", peers, chosen);
  app->add_option("--model", command.models, "More models, each against itself");
  app->add_option("--builder", command.builder, "Of the sphere trees");
  app->add_option("--boxes", command.boxRatio, "As of tree build; 0: none")
      ->check(CLI::Range(0.0, 1000.0));
  app->add_option("--inner", command.innerSpheres, "As of tree build; 0: none")
      ->check(CLI::Range(0, 4096));
  app->add_option("--levels", command.levels, "Of the sphere trees")->check(CLI::Range(1, 8));
  app->add_option("--poses", command.poses, "Poses of a pair")->check(CLI::Range(10, 1000000));
  app->add_option("--rounds", command.rounds, "Rounds; the median is kept")
      ->check(CLI::Range(1, 99));
  app->add_flag("--warm", command.warm, "Blocks of poses by one method, not pose by pose");
  app->add_flag("--hard", command.hard, "Meshes that are open, crossed, thin, loose");
  app->add_flag("--all-peers", command.allPeers, "Every library, not the first alone");
  app->add_flag("--coherent", command.coherent, "Poses in small steps, as in a flight");
  app->add_flag("--assemblies", command.assemblies,
                "Parts that fit into each other, near their places");
  app->add_option("--only", command.only, "One method alone, \"sphere-tree L1\" say, to profile");
  app->add_flag("--volumes", command.volumes, "Our hierarchies of other volumes too");
  app->add_flag("!--only-given", command.usual, "No other models than those of --model");
}

void addBuilds(CLI::App& bench, std::function<int()>& chosen) {
  const auto [app, command] = add(
      bench, "builds", "From a mesh to its first answers, beside FCL and Bullet", builds, chosen);
  app->add_option("--rounds", command.rounds, "Rounds; the median is kept")
      ->check(CLI::Range(1, 99));
  app->add_flag("--large", command.large, "With a mesh of 1.6 million triangles");
}

void addScenes(CLI::App& bench, std::function<int()>& chosen) {
  const auto [app, command] =
      add(bench, "scenes", "Whole steps of crowds, beside FCL", scenes, chosen);
  app->add_option("--model", command.models, "A crowd of each, in place of trucks");
  app->add_option("--ships", command.ships, "Numbers of ships")
      ->delimiter(',')
      ->check(CLI::Range(2, 1000000));
  app->add_option("--crowding", command.crowding, "Times as dense as the default scene")
      ->delimiter(',')
      ->check(CLI::Range(0.01, 1000.0));
  app->add_option("--steps", command.steps, "Detections that are measured")
      ->check(CLI::Range(1, 100000));
}

void addSeeks(CLI::App& bench, std::function<int()>& chosen) {
  const auto [app, command] =
      add(bench, "seeks", "How soon a replay stands at any frame", seeks, chosen);
  app->add_option("SESSION", command.session, "What nearmiss run --record wrote")->required();
  app->add_option("--seeks", command.seeks, "To frames at random")->check(CLI::Range(1, 1000000));
  app->add_option("--seed", command.seed, "Of the frames");
}

#ifdef NEARMISS_HAVE_EMBREE
void addRays(CLI::App& bench, std::function<int()>& chosen) {
  const auto [app, command] =
      add(bench, "rays", "Rays against a model, beside Embree", rays, chosen);
  app->add_option("--model", command.model, "In place of the truck");
  app->add_option("--rays", command.rays, "Number of rays")->check(CLI::Range(1, 10000000));
  app->add_option("--rounds", command.rounds, "Rounds; the median is kept")
      ->check(CLI::Range(1, 999));
}
#endif

#ifdef NEARMISS_HAVE_WINDOW
void addWindow(CLI::App& bench, std::function<int()>& chosen) {
  const auto [app, command] =
      add(bench, "window", "Overlay and changeovers, frame by frame", window, chosen);
  app->add_option("--scenes", command.scenes, "Built-in scenes")->delimiter(',');
  app->add_option("--frames", command.frames, "With the overlay on and off in turn");
  app->add_option("--changes", command.changes, "Of the trees that fly");
}
#endif

}  // namespace

void addBenchCommands(CLI::App& app, std::function<int()>& chosen) {
  CLI::App* const bench = app.add_subcommand(
      "bench", "measurements of Nearmiss beside its peers, interleaved, in one run");
  bench->require_subcommand(1);
  addBoxes(*bench, chosen);
  addBroad(*bench, chosen);
  addBuilds(*bench, chosen);
  addContacts(*bench, chosen);
  addPeers(*bench, chosen);
  addScenes(*bench, chosen);
  addSeeks(*bench, chosen);
#ifdef NEARMISS_HAVE_EMBREE
  addRays(*bench, chosen);
#endif
#ifdef NEARMISS_HAVE_WINDOW
  addWindow(*bench, chosen);
#endif
}

}  // namespace nearmiss::bench
