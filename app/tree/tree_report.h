// SPDX-License-Identifier: MIT
/// A sphere tree in figures, for people.
#pragma once

#include <nearmiss/files.h>

namespace nearmiss::app {

/// Prints where the tree comes from and a line for each level on stdout.
void printTree(const SphereTreeFile& file);

}  // namespace nearmiss::app
