// SPDX-License-Identifier: MIT
/// The measurements of `nearmiss-lab bench`: each writes a table to its folder and returns the exit
/// code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nearmiss::bench {

/// Adds `bench`; the measurement that is typed becomes `chosen`, which must outlive the parsing.
void addBenchCommands(CLI::App& app, std::function<int()>& chosen);

struct BoxesCommand {
  std::filesystem::path folder;
  int pairs = 4096;
  int rounds = 201;
};
int boxes(const BoxesCommand& command);

struct BroadCommand {
  std::filesystem::path folder;
  std::vector<std::string> methods;  ///< empty: all that end in reasonable time
  std::vector<int> ships{100, 1000, 10000};
};
int broad(const BroadCommand& command);

struct BuildsCommand {
  std::filesystem::path folder;
  int rounds = 5;
  bool large = false;  ///< with a mesh of 1.6 million triangles
};
int builds(const BuildsCommand& command);

struct ContactsCommand {
  std::filesystem::path folder;
  double seconds = 8.0;          ///< simulated, of a heap
  double bulletSeconds = 120.0;  ///< CPU time that Bullet gets for a heap
  int rounds = 2000;             ///< calls for boxes
};
int contacts(const ContactsCommand& command);

struct PeersCommand {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> models;  ///< each against itself, besides the usual pairs
  std::string builder{"variational"};
  double boxRatio = 1.0;
  int innerSpheres = 256;
  int levels = 4;  ///< of the sphere trees
  int poses = 2000;
  int rounds = 3;
  bool warm = false;  ///< blocks of poses by one method, not pose by pose by all
  bool usual = true;  ///< the usual pairs of own models
  bool hard = false;  ///< meshes that no ship looks like
  bool allPeers = false;
  bool coherent = false;    ///< poses in small steps, not at random
  bool assemblies = false;  ///< parts that fit into each other, near their places, instead
  bool volumes = false;     ///< hierarchies of other volumes too, exactly
  std::string only{};       ///< one method alone, by its name in the table; empty: all
};
int peers(const PeersCommand& command);

struct ScenesCommand {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> models;  ///< a crowd of each; empty: of trucks
  std::vector<int> ships{10, 100, 1000, 10000};
  std::vector<double> crowding{1.0, 8.0};  ///< times as dense as the default scene
  int steps = 100;
};
int scenes(const ScenesCommand& command);

struct SeeksCommand {
  std::filesystem::path folder, session;
  int seeks = 300;
  std::uint64_t seed = 1;
};
int seeks(const SeeksCommand& command);

struct RaysCommand {
  std::filesystem::path folder, model;  ///< no model: the truck
  int rays = 10000;
  int rounds = 30;
};
/// Only where Embree is.
int rays(const RaysCommand& command);

struct WindowCommand {
  std::filesystem::path folder;
  std::vector<std::string> scenes{"lamps", "trucks"};
  int width = 1280, height = 720;
  std::uint64_t frames = 1800;  ///< of the overlay's cost
  int changes = 8;              ///< of trees
};
/// Where the window is built.
int window(const WindowCommand& command);

}  // namespace nearmiss::bench
