// SPDX-License-Identifier: MIT
#include <engine/session/session.h>

namespace nearmiss::engine {

SessionScene sessionSceneOf(const Scene& scene, const std::string& narrow, const ShapeSet& shapes,
                            bool restart) {
  SessionScene recorded{restart, writeScene(scene), narrow, {}};
  for (std::uint32_t i = 0; i < shapes.shapes().size(); ++i) {
    const LoadedShape& shape = shapes.shapes()[i];
    recorded.shapes.push_back(
        {shape.name, shapes.polyhedron(ShapeId{i}).hash(), shape.treeBuilder, shape.treeHash});
  }
  return recorded;
}

void SessionFrame::take(const FrameInput& input, const FrameOutput& output, const World& world) {
  control = input.control;
  stopShip = input.stopShip;
  dt = input.dt;
  detectStep = input.detectStep;
  response = input.response;
  instants = input.instants;
  collisions = static_cast<std::uint32_t>(output.collisions.size());
  granted.resize(output.granted.size());
  for (std::size_t d = 0; d < granted.size(); ++d) granted[d] = output.granted[d];
  ships.resize(world.states().size());
  for (std::size_t i = 0; i < ships.size(); ++i) ships[i] = digestOf(world, i);
  stateHash.reset();
}

FrameInput SessionFrame::input() const {
  FrameInput input;
  input.control = control;
  input.stopShip = stopShip;
  input.dt = dt;
  input.detectStep = detectStep;
  input.response = response;
  input.instants = instants;
  input.repeated = granted;
  return input;
}

std::uint16_t digestOf(const World& world, std::size_t index) noexcept {
  return static_cast<std::uint16_t>(stateHash(world, index) >> 48);
}

}  // namespace nearmiss::engine
