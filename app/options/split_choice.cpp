// SPDX-License-Identifier: MIT
#include "options/split_choice.h"

#include <engine/base/nearest_name.h>
#include <fmt/format.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <vector>

namespace nearmiss::app {
namespace {

Error unknown(std::string_view what, std::string_view name, const auto& catalog) {
  std::vector<std::string_view> names;
  for (const auto& entry : catalog) names.push_back(entry.name);
  return {ErrorCode::Unsupported, fmt::format("there is no {} \"{}\".{} See nearmiss list", what,
                                              name, engine::didYouMean(std::string(name), names))};
}

Result<HalfChoice> parseHalf(std::string_view text) {
  HalfChoice half;
  const std::size_t colon = text.find(':');
  const std::string_view method = text.substr(0, colon);
  const std::size_t slash = method.find('/');
  half.narrow = method.substr(0, slash);
  const NarrowPhaseEntry* entry = findNarrowPhase(half.narrow);
  if (!entry) return unknown("narrow phase", half.narrow, narrowPhaseCatalog());
  if (slash != std::string_view::npos) {
    half.tree = method.substr(slash + 1);
    if (!findSphereTreeBuilder(half.tree))
      return unknown("tree builder", half.tree, sphereTreeBuilderCatalog());
    if (!entry->needsSphereTrees)
      return Error{ErrorCode::Unsupported, fmt::format("{} uses no sphere trees: leave out \"/{}\"",
                                                       half.narrow, half.tree)};
  }
  half.budget = defaultBudget(half.narrow);
  if (colon == std::string_view::npos) return half;
  const std::string_view budget = text.substr(colon + 1);
  const auto rule = engine::parseBudget(budget, half.budget);
  if (!rule)
    return Error{
        ErrorCode::Unsupported,
        fmt::format("\"{}\" is not a budget: write auto, inf or microseconds, as in {}:50us",
                    budget, half.narrow)};
  half.budget = *rule;
  return half;
}

}  // namespace

engine::BudgetRule defaultBudget(std::string_view narrow) noexcept {
  engine::BudgetRule rule;
  const NarrowPhaseEntry* entry = findNarrowPhase(narrow);
  if (entry && !entry->interruptible) rule.kind = engine::BudgetRule::Kind::Unlimited;
  return rule;
}

Result<SplitChoice> parseSplit(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || text.find(',', comma + 1) != std::string_view::npos)
    return Error{ErrorCode::Unsupported,
                 "a split view has two halves, LEFT,RIGHT, each NARROW[/TREE][:BUDGET], as in "
                 "bsp:inf,sphere-tree:50us"};
  auto left = parseHalf(text.substr(0, comma));
  if (!left) return left.error();
  auto right = parseHalf(text.substr(comma + 1));
  if (!right) return right.error();
  return SplitChoice{*std::move(left), *std::move(right)};
}

}  // namespace nearmiss::app
