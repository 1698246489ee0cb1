// SPDX-License-Identifier: MIT
#include "lab/checks.h"

#include <fmt/format.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <string>

#include "console/complaint.h"
#include "console/progress_line.h"
#include "lab/results.h"

namespace nearmiss::app {
namespace {

/// Of the volume of the box along the axes around a unit cube, over all rotations: every width is
/// at most 5/3 where all three are equal.
const double supremum = std::pow(5.0 / 3.0, 3.0);

/// All alike.
Quat drawRotation(SplitMix& random) {
  while (true) {
    Quat q;
    q.w = random.between(-1.0, 1.0);
    q.x = random.between(-1.0, 1.0);
    q.y = random.between(-1.0, 1.0);
    q.z = random.between(-1.0, 1.0);
    const Real square = glm::dot(q, q);
    if (square <= 1.0 && square > 0.01) return glm::normalize(q);
  }
}

/// Of the box along the axes around a unit cube that is turned so.
double boxVolume(const Quat& rotation) {
  double volume = 1.0;
  const auto turned = glm::mat3_cast(rotation);
  for (int axis = 0; axis < 3; ++axis)
    volume *= std::abs(turned[0][axis]) + std::abs(turned[1][axis]) + std::abs(turned[2][axis]);
  return volume;
}

struct BoxGrowth {
  double mean = 0.0, worst = 0.0;
  std::size_t rotations = 0;
};

BoxGrowth growthOver(const ChecksCommand& command, WorkProgress& progress) {
  SplitMix random(command.seed);
  BoxGrowth growth;
  double sum = 0.0;
  for (; growth.rotations < command.rotations && !progress.cancelled; ++growth.rotations) {
    const double volume = boxVolume(drawRotation(random));
    sum += volume;
    growth.worst = std::max(growth.worst, volume);
    progress.fraction =
        static_cast<float>(growth.rotations) / static_cast<float>(command.rotations);
  }
  growth.mean = sum / static_cast<double>(std::max<std::size_t>(growth.rotations, 1));
  return growth;
}

LabTable checksTable() {
  LabTable table{"checks", "small numbers of the papers, worked out again", {}, {}, {}, {}};
  table.columns = {{"check", "what is counted"},
                   {"value", "here"},
                   {"paper_value", "as published"},
                   {"unit", "of both"}};
  table.notes = {
      "a box around a turned cube can grow to (5/3)^3 and no further: the published worst case is "
      "that number rounded up"};
  return table;
}

}  // namespace

int runChecks(const ChecksCommand& asked) {
  ChecksCommand command = asked;
  if (command.quick) command.rotations = std::min<std::size_t>(command.rotations, 20'000);
  LabResult result = newResult("checks", command,
                               {{"seed", fmt::format("{}", command.seed)},
                                {"rotations", fmt::format("{}", command.rotations)}});
  result.items = 1;
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {checksTable()};
  BoxGrowth growth;
  if (command.shard.has(0)) {
    withProgressLine("turning cubes",
                     [&](WorkProgress& progress) { growth = growthOver(command, progress); });
    constexpr double inchesAMile = 63'360.0, secondsAnHour = 3600.0;
    constexpr int trucks = 9, truckTriangles = 10'171, lampTriangles = 626;
    const auto add = [&](const char* check, double value, const char* paper, const char* unit) {
      result.tables[0].add(0, fmt::format("{},{},{},{}", check, numberCell(value, 6), paper, unit));
    };
    add("growth of a box along the axes around a turned unit cube: mean", growth.mean, "3.4",
        "volumes");
    add("the same: worst of the rotations", growth.worst, "4.7", "volumes");
    add("the same: least upper bound over all rotations", supremum, "", "volumes");
    add("way of a ship of 2.5 mph between frames at 10 a second",
        2.5 * inchesAMile / secondsAnHour / 10.0, "4.4", "inches");
    add("triangles of nine trucks and a lamp", trucks * truckTriangles + lampTriangles, "92165",
        "triangles");
    add("collisions at levels 1 to 4", 82 + 25 + 26 + 141, "274", "collisions");
  }
  for (const LabRow& row : result.tables[0].rows)
    fmt::print("{:<66} {:>10} {:>8} {}\n", row.cells[0], row.cells[1],
               row.cells[2].empty() ? "-" : row.cells[2], row.cells[3]);
  // Rounding may add to the last digits
  const bool sound = growth.worst <= supremum * (1.0 + 1e-12);
  return keepResult(command, result, sound ? Ok : ValidationFailed);
}

}  // namespace nearmiss::app
