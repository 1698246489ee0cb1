// SPDX-License-Identifier: MIT
/// The meshes that are measured against each other.
#pragma once

#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <functional>
#include <string>
#include <vector>

#include "bench.h"
#include "support/random.h"

namespace nearmiss::bench {

struct Model {
  std::string name;
  Shape shape;
};

struct ModelPair {
  Model a, b;
  std::function<Pose(test::Random&)> near;  ///< of b in the frame of a; empty: at random
};

/// Own models and those given; with `command.hard` meshes of which each breaks a habit of ships:
/// self-intersecting, open, of slivers or spikes, in loose pieces; each against itself, and small
/// ones against large ones; with `command.assemblies` parts that fit into each other. Errors: of a
/// file, or of a build.
[[nodiscard]] Result<std::vector<ModelPair>> modelPairs(const PeersCommand& command);

}  // namespace nearmiss::bench
