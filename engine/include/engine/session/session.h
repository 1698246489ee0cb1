// SPDX-License-Identifier: MIT
/// What a flight needs to be flown again, equal to the last bit, whatever clocks say then: its
/// inputs, its scenes, and the work that detection granted to each pair.
#pragma once

#include <engine/flight/simulation.h>
#include <engine/model/shape_set.h>
#include <engine/record/records.h>
#include <engine/scene/scene.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// A shape that flew: two of equal hashes are equal.
struct SessionShape {
  std::string name;
  std::uint64_t mesh = 0;   ///< Polyhedron::hash()
  std::string treeBuilder;  ///< of its sphere tree
  std::uint64_t tree = 0;   ///< LoadedShape::treeHash
  friend bool operator==(const SessionShape&, const SessionShape&) = default;
};

/// What flies and what detects, from a frame on.
struct SessionScene {
  bool restart = true;  ///< the scene begins; else its world goes on with another detector
  std::string text;     ///< of the scene, as writeScene() has it
  std::string narrow;   ///< the method that drives, one of `nearmiss list narrow`
  std::vector<SessionShape> shapes;
};
[[nodiscard]] SessionScene sessionSceneOf(const Scene& scene, const std::string& narrow,
                                          const ShapeSet& shapes, bool restart);

/// What goes into a frame, but for the work.
struct SessionInput {
  ShipControl control;
  bool stopShip = false;
  Real dt = 0.0, detectStep = 0.0;  ///< simulation seconds
  Response response = Response::Bounce;
  Instants instants = Instants::Steps;
};

/// One frame: what went in, and what is to come out.
struct SessionFrame : SessionInput {
  std::uint32_t collisions = 0;  ///< touches that began
  std::vector<GrantedWork> granted;
  std::vector<std::uint16_t> ships;          ///< of each ship at the end: digestOf()
  std::optional<std::uint64_t> stateHash{};  ///< at the end; of the last of a whole block

  /// Keeps its memory. `world` is that of `output`.
  void take(const FrameInput& input, const FrameOutput& output, const World& world);
  static constexpr std::uint64_t framesPerBlock = 60;

  /// As input of the same frame; valid as long as this.
  [[nodiscard]] FrameInput input() const;
};

/// Sixteen bits of stateHash(): one difference in 65536 goes unseen for a frame.
[[nodiscard]] std::uint16_t digestOf(const World& world, std::size_t index) noexcept;

}  // namespace nearmiss::engine
