// SPDX-License-Identifier: MIT
#include <engine/scene/setting_text.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <span>

namespace nearmiss::engine {
namespace {

template <class Owner>
struct PlainText {
  // The accessors return references; they are only read here
  Owner& owner;
  bool exact;

  std::string operator()(const RealValue<Owner>& real) const {
    const auto value = real.get(owner);
    if (!value) return std::string(real.unset);
    return exact ? fmt::format("{}", *value) : fmt::format("{:.4g}", *value);
  }
  std::string operator()(const WholeValue<Owner>& whole) const {
    const auto value = whole.get(owner);
    return value ? fmt::format("{}", *value) : std::string(whole.unset);
  }
  std::string operator()(const MassValue<Owner>& mass) const {
    const Real kg = mass.at(owner);
    return std::isinf(kg) ? "infinite" : fmt::format("{}", kg);
  }
  std::string operator()(const FlagValue<Owner>& flag) const {
    return flag.get(owner) ? "true" : "false";
  }
  std::string operator()(const TextValue<Owner>& text) const { return text.at(owner); }
  std::string operator()(const NameValue<Owner>& name) const {
    return std::string(name.get(owner));
  }
  std::string operator()(const BudgetValue<Owner>& budget) const {
    return budgetText(budget.at(owner));
  }
  std::string operator()(const RangeValue<Owner>& range) const {
    return fmt::format("{:.4g} to {:.4g}", range.low(owner), range.high(owner));
  }
};

/// The valid values of a setting, for documentation.
template <class Owner>
struct ValuesText {
  std::string operator()(const auto& number) const requires requires { number.unset; }
  {
    std::string text = std::is_same_v<decltype(number.min), std::int64_t> ? "whole, " : "";
    text += number.max < 1e18 ? fmt::format("{} to {}", number.min, number.max)
                              : fmt::format("at least {}", number.min);
    return number.unset.empty() ? text : fmt::format("{}, or `\"{}\"`", text, number.unset);
  }
  std::string operator()(const MassValue<Owner>&) const { return "above 0, or `\"infinite\"`"; }
  std::string operator()(const FlagValue<Owner>&) const { return "`true`, `false`"; }
  std::string operator()(const TextValue<Owner>&) const { return "text"; }
  std::string operator()(const NameValue<Owner>& name) const {
    if (!name.list.empty()) return fmt::format("`nearmiss list {}`", name.list);
    std::vector<std::string> quoted;
    for (const std::string_view each : name.names())
      quoted.push_back(fmt::format("`\"{}\"`", each));
    return fmt::format("{}", fmt::join(quoted, ", "));
  }
  std::string operator()(const BudgetValue<Owner>&) const {
    return "`\"auto\"`, `\"inf\"`, `{ us = 500 }`";
  }
  std::string operator()(const RangeValue<Owner>& range) const {
    return fmt::format("`[min, max]`, at least {}", range.least);
  }
};

template <class Owner>
std::string rows(std::string_view table, std::span<const Setting<Owner>> settings,
                 const Owner& usual = {}) {
  std::string text;
  for (const Setting<Owner>& setting : settings)
    text += fmt::format(
        "| {} | `{}` | {} | {} | {} | {} |\n", table.empty() ? setting.table : table, setting.key,
        setting.option.empty() ? "" : fmt::format("`{}`", setting.option),
        std::visit(ValuesText<Owner>{}, setting.value), briefText(setting, usual), setting.meaning);
  return text;
}

}  // namespace

template <class Owner>
std::string plainText(const Setting<Owner>& setting, const Owner& owner) {
  Owner copy = owner;
  return std::visit(PlainText<Owner>{copy, true}, setting.value);
}
template <class Owner>
std::string briefText(const Setting<Owner>& setting, const Owner& owner) {
  Owner copy = owner;
  return std::visit(PlainText<Owner>{copy, false}, setting.value);
}
template std::string plainText(const Setting<Scene>&, const Scene&);
template std::string briefText(const Setting<Scene>&, const Scene&);
template std::string plainText(const Setting<ShipLimits>&, const ShipLimits&);
template std::string briefText(const Setting<ShipLimits>&, const ShipLimits&);
template std::string plainText(const Setting<DroneGroup>&, const DroneGroup&);
template std::string briefText(const Setting<DroneGroup>&, const DroneGroup&);

std::vector<std::pair<std::string, std::string>> headSettings(const Scene& scene) {
  std::vector<std::pair<std::string, std::string>> head;
  for (const Setting<Scene>& setting : sceneSettings)
    if (!setting.head.empty()) head.emplace_back(setting.head, plainText(setting, scene));
  return head;
}

std::string sceneSettingsTable() {
  return "| table | key | option | values | default | meaning |\n|---|---|---|---|---|---|\n" +
         rows<Scene>("", sceneSettings) +
         rows<ShipLimits>("player, drones", limitSettings, briskLimits) +
         rows<DroneGroup>("drones", droneSettings) + rows<DroneGroup>("drones", pilotSettings);
}

}  // namespace nearmiss::engine
