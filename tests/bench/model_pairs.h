// SPDX-License-Identifier: MIT
/// The meshes that are measured against each other.
#pragma once

#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <string>
#include <vector>

#include "bench.h"

namespace nearmiss::bench {

struct Model {
  std::string name;
  Shape shape;
};

struct ModelPair {
  Model a, b;
};

/// Own models and those given; with `command.hard` meshes of which each breaks a habit of ships:
/// self-intersecting, open, of slivers or spikes, in loose pieces; each against itself, and small
/// ones against large ones. Errors: of a file, or of a build.
[[nodiscard]] Result<std::vector<ModelPair>> modelPairs(const PeersCommand& command);

}  // namespace nearmiss::bench
