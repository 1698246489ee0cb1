// SPDX-License-Identifier: MIT
/// `nearmiss list`: the names that options take.
#pragma once

#include <string>

namespace nearmiss::app {

/// Prints one name a line, with a word about it. `what`: models, scenes, broad, narrow, trees
/// or experiments.
int list(const std::string& what);

}  // namespace nearmiss::app
