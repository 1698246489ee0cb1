// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nearmiss/sphere_tree_builder.h>

#include "complaint.h"
#include "tree/tree_commands.h"
#include "tree/tree_report.h"

namespace nearmiss::app {

void printTree(const SphereTreeFile& file) {
  fmt::print("builder {}, {} triangles, built in {:.3f} s, coverage {}\n", file.builder,
             file.triangleCount, file.buildSeconds,
             file.tree.coverage() == Coverage::Guaranteed ? "guaranteed" : "paper");
  fmt::print("mesh 0x{:016x}, settings 0x{:016x}\n", file.key.meshHash, file.key.settingsHash);
  fmt::print("H is how far a point in a sphere can be from the surface; lengths in metres\n");
  fmt::print("{:>5} {:>8} {:>10} {:>10} {:>10} {:>10}\n", "level", "spheres", "H mean", "H max",
             "r mean", "r max");
  int level = 0;
  for (const SphereLevelReport& report : levelReports(file.tree))
    fmt::print("{:>5} {:>8} {:>10.6f} {:>10.6f} {:>10.6f} {:>10.6f}\n", level++, report.spheres,
               report.hausdorffMean, report.hausdorffMax, report.radiusMean, report.radiusMax);
}

int describeTree(const TreeInfoCommand& command) {
  const auto file = readSphereTree(command.file);
  if (!file) return complain(file.error(), BadModelOrScene);
  printTree(*file);
  return Ok;
}

}  // namespace nearmiss::app
