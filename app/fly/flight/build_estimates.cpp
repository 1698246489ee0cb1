// SPDX-License-Identifier: MIT
#include "fly/flight/build_estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace nearmiss::app::fly {
namespace {

/// Seconds for one shape: a fixed part, and a part per 1,000 triangles.
struct BuildCost {
  std::string_view builder;
  double fixed, perThousand;
};
/// From the lamp, 626 triangles, and the truck, 10,172.
constexpr std::array costs{
    BuildCost{"octree", 0.2, 0.05},     BuildCost{"sah", 0.1, 0.3},
    BuildCost{"annealed", 1.2, 0.35},   BuildCost{"annealed-apart", 0.6, 0.3},
    BuildCost{"variational", 4.0, 0.6}, BuildCost{"dag", 16.0, 1.5},
    BuildCost{"medial", 8.7, 0.75},     BuildCost{"medial-dag", 5.8, 0.85},
    BuildCost{"anchored", 4.4, 0.8},    BuildCost{BuildEstimates::bsp, 0.05, 0.3}};
constexpr BuildCost usual{"", 5.0, 2.0};

double builtIn(std::string_view builder, std::span<const std::size_t> triangles) {
  const auto known = std::ranges::find(costs, builder, &BuildCost::builder);
  const BuildCost& cost = known != costs.end() ? *known : usual;
  constexpr double small = 600.0, flown = 2.0;  // triangles; factor while a flight is drawn
  double sum = 0.0;
  for (const std::size_t count : triangles)
    sum += cost.fixed * std::min(1.0, static_cast<double>(count) / small) +
           1e-3 * cost.perThousand * static_cast<double>(count);
  return flown * sum;
}

}  // namespace

void BuildEstimates::learn(std::string_view builder, std::span<const std::size_t> triangles,
                           double seconds) {
  if (!triangles.empty() && seconds > 0.0)
    factors_.insert_or_assign(std::string(builder), seconds / builtIn(builder, triangles));
}

double BuildEstimates::secondsFor(std::string_view builder,
                                  std::span<const std::size_t> triangles) const {
  const auto factor = factors_.find(builder);
  return builtIn(builder, triangles) * (factor != factors_.end() ? factor->second : 1.0);
}

std::string estimateText(double seconds) {
  if (seconds < 0.95) return "less than 1 s";
  const bool minutes = seconds >= 95.0;
  const double value = minutes ? seconds / 60.0 : seconds;
  const double digit = std::pow(10.0, std::floor(std::log10(value)));
  return fmt::format("about {:.0f} {}", std::round(value / digit) * digit, minutes ? "min" : "s");
}

}  // namespace nearmiss::app::fly
