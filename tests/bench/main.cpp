// SPDX-License-Identifier: MIT
/// nearmiss-bench: side-by-side measurements against peers.
#include <CLI/CLI.hpp>

#include "bench.h"

int main(int count, char** arguments) {
  using namespace nearmiss::bench;
  CLI::App app{"Measures Nearmiss beside its peers, interleaved, in one run."};
  app.require_subcommand(1);

  BroadCommand broadCommand;
  CLI::App* const broadly = app.add_subcommand("broad", "Every broad phase on the same flights");
  broadly->add_option("-o,--output", broadCommand.folder, "Folder for broad.csv")->required();
  broadly->add_option("--methods", broadCommand.methods, "Some of them")->delimiter(',');
  broadly->add_option("--ships", broadCommand.ships, "Numbers of ships")
      ->delimiter(',')
      ->check(CLI::Range(2, 1000000));

  PeersCommand peersCommand;
  CLI::App* const peerwise = app.add_subcommand("peers", "Pairs of meshes, beside other libraries");
  peerwise->add_option("-o,--output", peersCommand.folder, "Folder for peers.csv")->required();
  peerwise->add_option("--model", peersCommand.models, "More models, each against itself");
  peerwise->add_option("--builder", peersCommand.builder, "Of the sphere trees");
  peerwise->add_option("--boxes", peersCommand.boxRatio, "As of tree build; 0: none")
      ->check(CLI::Range(0.0, 1000.0));
  peerwise->add_option("--inner", peersCommand.innerSpheres, "As of tree build; 0: none")
      ->check(CLI::Range(0, 4096));
  peerwise->add_option("--poses", peersCommand.poses, "Poses of a pair")
      ->check(CLI::Range(10, 1000000));
  peerwise->add_option("--rounds", peersCommand.rounds, "The median of so many is kept")
      ->check(CLI::Range(1, 99));
  peerwise->add_flag("--warm", peersCommand.warm,
                     "Blocks of poses by one method, not pose by pose");
  peerwise->add_flag("--hard", peersCommand.hard, "Meshes that are open, crossed, thin, loose");
  peerwise->add_flag("--all-peers", peersCommand.allPeers, "Every library, not the first alone");
  peerwise->add_flag("--coherent", peersCommand.coherent, "Poses in small steps, as in a flight");
  peerwise->add_flag("--volumes", peersCommand.volumes, "Our hierarchies of other volumes too");
  peerwise->add_flag("!--only-given", peersCommand.usual, "No other models than those of --model");

  ScenesCommand scenesCommand;
  CLI::App* const crowded = app.add_subcommand("scenes", "Whole steps of crowds, beside FCL");
  crowded->add_option("-o,--output", scenesCommand.folder, "Folder for scenes.csv")->required();
  crowded->add_option("--model", scenesCommand.models, "A crowd of each, in place of trucks");
  crowded->add_option("--ships", scenesCommand.ships, "Numbers of ships")
      ->delimiter(',')
      ->check(CLI::Range(2, 1000000));
  crowded->add_option("--crowding", scenesCommand.crowding, "Times as dense as the default scene")
      ->delimiter(',')
      ->check(CLI::Range(0.01, 1000.0));
  crowded->add_option("--steps", scenesCommand.steps, "Detections that are measured")
      ->check(CLI::Range(1, 100000));

  SeeksCommand seeksCommand;
  CLI::App* const sought = app.add_subcommand("seeks", "How soon a replay stands at any frame");
  sought->add_option("SESSION", seeksCommand.session, "What nearmiss run --record wrote")
      ->required();
  sought->add_option("-o,--output", seeksCommand.folder, "Folder for seeks.csv")->required();
  sought->add_option("--seeks", seeksCommand.seeks, "To frames at random")
      ->check(CLI::Range(1, 1000000));
  sought->add_option("--seed", seeksCommand.seed, "Of the frames");

#ifdef NEARMISS_HAVE_WINDOW
  WindowCommand windowCommand;
  CLI::App* const windowed =
      app.add_subcommand("window", "Overlay and changeovers, frame by frame");
  windowed->add_option("-o,--output", windowCommand.folder, "Folder for window.csv")->required();
  windowed->add_option("--scenes", windowCommand.scenes, "Built-in scenes")->delimiter(',');
  windowed->add_option("--frames", windowCommand.frames, "With the overlay on and off in turn");
  windowed->add_option("--changes", windowCommand.changes, "Of the trees that fly");
#endif

  CLI11_PARSE(app, count, arguments);
#ifdef NEARMISS_HAVE_WINDOW
  if (windowed->parsed()) return window(windowCommand);
#endif
  if (sought->parsed()) return seeks(seeksCommand);
  if (broadly->parsed()) return broad(broadCommand);
  return peerwise->parsed() ? peers(peersCommand) : scenes(scenesCommand);
}
