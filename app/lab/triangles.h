// SPDX-License-Identifier: MIT
/// `nearmiss lab triangles`: how detection time grows with the number of triangles of one and the
/// same surface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view trianglesSummary =
    "time of every narrow phase, level by level, against the number of triangles";

struct TrianglesCommand : LabCommand {
  std::vector<std::string> models{"lamp", "rocket"};
  std::vector<std::string> narrow;  ///< only these; empty: all of the catalogue
  std::size_t most = 1'500'000;     ///< triangles
  std::size_t poses = 60;           ///< of each kind
  int rounds = 5;                   ///< in which all poses are timed; the median counts
  std::uint64_t seed = 1;
};

/// Fills triangles_slopes from triangles.
void finishTriangles(LabResult& result);

/// Prints a table; writes triangles and triangles_slopes. Returns an ExitCode: ValidationFailed
/// where a method's verdicts are not those of the coarsest mesh.
int runTriangles(const TrianglesCommand& command);

}  // namespace nearmiss::app
