// SPDX-License-Identifier: MIT
/// `nearmiss lab checks`: recomputes small numbers stated by the papers.
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "console/complaint.h"
#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/result.h"

namespace nearmiss::app::lab {
namespace {

struct ChecksCommand : ExperimentCommand {
  std::size_t rotations = 500'000;  ///< of a unit cube [H96 §3]
  std::uint64_t seed = 1;
};

void addOptions(OptionList& options, ChecksCommand& command) {
  options.number("--rotations", command.rotations, 1, 1'000'000'000, "rotations of a cube");
  options.seed(command.seed, "seed of the rotations");
}

struct CheckRow {
  const char* check;
  double value;
  const char* paper;
  const char* unit;
};

const TableOf<CheckRow>& checksTable() {
  using Row = CheckRow;
  static const TableOf<Row> table{
      .name = "checks",
      .title = "small results of the papers, recomputed",
      .columns = {{"check", "", "what is counted", &Row::check, onTerminal},
                  {"value", "", "here", significant(&Row::value, 6), onTerminal},
                  {"paper_value", "", "as published", &Row::paper, onTerminal},
                  {"unit", "", "of both", &Row::unit, onTerminal}},
      .notes = {"a box around a turned cube can grow to (5/3)^3 and no further: the published "
                "worst case is that number rounded up"}};
  return table;
}

/// Supremum of the volume of the axis-aligned box around a unit cube over all rotations. It is
/// reached where all three widths are 5/3.
const double supremum = std::pow(5.0 / 3.0, 3.0);

/// Uniformly distributed rotation.
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

/// Volume of the axis-aligned box around a rotated unit cube.
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

std::vector<CheckRow> checked(const BoxGrowth& growth) {
  return {
      {"growth of a box along the axes around a turned unit cube: mean", growth.mean, "3.4",
       "volumes"},
      {"the same: worst of the rotations", growth.worst, "4.7", "volumes"},
      {"the same: least upper bound over all rotations", supremum, "", "volumes"},
  };
}

int runChecks(const ChecksCommand& requested) {
  ChecksCommand command = requested;
  if (command.quick) command.rotations = std::min<std::size_t>(command.rotations, 20'000);
  ExperimentResult result = newResult(
      "checks", command,
      {{"seed", settingText(command.seed)}, {"rotations", settingText(command.rotations)}});
  result.items = 1;
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {checksTable().empty()};
  BoxGrowth growth;
  if (command.shard.has(0)) {
    withProgressLine("turning cubes",
                     [&](WorkProgress& progress) { growth = growthOver(command, progress); });
    for (const CheckRow& row : checked(growth)) checksTable().add(result.tables[0], 0, row);
  }
  print(result.tables[0]);
  // Rounding may exceed the supremum in the last digits
  const bool sound = growth.worst <= supremum * (1.0 + 1e-12);
  return writeResult(command, result, sound ? Ok : ValidationFailed);
}

const ExperimentEntry checksEntry(
    makeExperiment<ChecksCommand>("checks", "small results of the papers, recomputed",
                                  "at most 20,000 rotations", addOptions, runChecks));

}  // namespace
}  // namespace nearmiss::app::lab
