// SPDX-License-Identifier: MIT
/// `nearmiss lab equal-spheres`: how few spheres of other builders fit as well as the paper's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view equalSpheresSummary =
    "how few spheres fit as well as the deepest level of medial ones";

struct EqualSpheresCommand : LabCommand {
  std::vector<std::string> models;  ///< empty: the built-in ones
  int levels = 3;                   ///< of the medial tree
  int workers = 0;                  ///< 0: as many as cores; never changes the result
};

/// Prints a table; writes equal-spheres and equal-spheres-tried. Returns an ExitCode.
int runEqualSpheres(const EqualSpheresCommand& command);

}  // namespace nearmiss::app
