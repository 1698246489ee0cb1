// SPDX-License-Identifier: MIT
#include <engine/scene/as_published.h>
#include <engine/scene/scene.h>
#include <engine/scene/setting_text.h>
#include <engine/scene/toml_file.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

namespace nearmiss::engine {
namespace {

/// Reads the value of a key of any type into its owner.
template <class Owner>
struct SettingReader {
  TableReader& table;
  std::string_view key;
  Owner& owner;

  void operator()(const RealValue<Owner>& real) {
    readNumber(real, [&] { return table.real(key, real.min, real.max); });
  }
  void operator()(const WholeValue<Owner>& whole) {
    readNumber(whole, [&] { return table.integer(key, whole.min, whole.max); });
  }
  void operator()(const MassValue<Owner>& mass) {
    mass.at(owner) = table.mass(key).value_or(mass.at(owner));
  }
  void operator()(const FlagValue<Owner>& flag) {
    if (const auto on = table.boolean(key)) flag.set(owner, *on);
  }
  void operator()(const TextValue<Owner>& text) { table.text(key, text.at(owner)); }
  void operator()(const NameValue<Owner>& name) {
    if (const auto chosen = table.oneOf(key, name.names())) name.set(owner, *chosen);
  }
  void operator()(const BudgetValue<Owner>& value) {
    BudgetRule& budget = value.at(owner);
    const toml::node* node = table.take(key);
    if (!node) return;
    if (const toml::table* fixed = node->as_table()) {
      TableReader reader(*fixed, "budget", table.faults());
      const auto us = reader.real("us", 0.0, maxNumber);
      reader.finish();
      if (fixed->empty()) table.fault(*node, "budget is empty: expected { us = 500 }");
      budget.kind = BudgetRule::Kind::Fixed;
      budget.fixed = std::chrono::nanoseconds(std::llround(us.value_or(0.0) * 1e3));
    } else if (table.is(key, "auto") || table.is(key, "inf")) {
      budget.kind = table.is(key, "auto") ? BudgetRule::Kind::Auto : BudgetRule::Kind::Unlimited;
    } else {
      table.fault(*node, "budget must be \"auto\", \"inf\" or { us = 500 }");
    }
  }
  void operator()(const RangeValue<Owner>& range) {
    const toml::node* node = table.take(key);
    if (!node) return;
    const toml::array* pair = node->as_array();
    std::vector<Real> ends;
    if (pair && pair->size() == 2)
      for (const toml::node& end : *pair) ends.push_back(TableReader::realOf(end).value_or(0));
    if (ends.size() != 2 || !(ends[0] >= range.least && ends[0] <= ends[1] && ends[1] <= maxNumber))
      return table.fault(*node, fmt::format("{} must be two numbers, [min, max], of at least {}",
                                            key, range.least));
    range.low(owner) = ends[0];
    range.high(owner) = ends[1];
  }

 private:
  void readNumber(const auto& number, const auto& read) {
    if (!number.unset.empty() && table.is(key, number.unset))
      number.set(owner, std::nullopt);
    else if (const auto value = read())
      number.set(owner, value);
  }
};

template <class Owner>
void read(TableReader& table, std::span<const Setting<Owner>> settings, Owner& owner) {
  for (const Setting<Owner>& setting : settings)
    std::visit(SettingReader<Owner>{table, setting.key, owner}, setting.value);
}

void readDrones(TableReader& top, Scene& scene) {
  const toml::node* node = top.take("drones");
  if (!node) return;
  const toml::array* groups = node->as_array();
  if (!groups || !(groups->empty() || groups->is_homogeneous<toml::table>()))
    return top.wrongType("drones", *node, "[[drones]] tables");

  // The groups of the file replace those of the base
  scene.drones.clear();
  std::int64_t drones = 0;
  for (const toml::node& entry : *groups) {
    TableReader table(*entry.as_table(), "[[drones]]", top.faults());
    DroneGroup group;
    group.limits = defaultLimits(scene.asPublished);
    group.pilot = defaultPilot(scene.asPublished);
    read<DroneGroup>(table, droneSettings, group);
    read<ShipLimits>(table, limitSettings, group.limits);
    read<DroneGroup>(table, pilotSettings, group);
    table.finish();
    drones += group.count;
    if (drones > maxDrones)
      top.fault(entry,
                fmt::format("the [[drones]] tables have more than {} drones in all", maxDrones));
    scene.drones.push_back(std::move(group));
  }
}

/// Returns a value as TOML; empty if it is not written.
template <class Owner>
struct SettingWriter {
  // The accessors return references; they are only read here
  Owner& owner;

  std::string operator()(const RealValue<Owner>& real) const {
    const auto value = real.get(owner);
    return value ? tomlNumber(*value) : unset(real);
  }
  std::string operator()(const WholeValue<Owner>& whole) const {
    const auto value = whole.get(owner);
    return value ? fmt::format("{}", *value) : unset(whole);
  }
  std::string operator()(const MassValue<Owner>& mass) const {
    const Real kg = mass.at(owner);
    return std::isinf(kg) ? "\"infinite\"" : tomlNumber(kg);
  }
  std::string operator()(const FlagValue<Owner>& flag) const {
    return flag.get(owner) ? "true" : "false";
  }
  std::string operator()(const TextValue<Owner>& text) const { return tomlText(text.at(owner)); }
  std::string operator()(const NameValue<Owner>& name) const { return tomlText(name.get(owner)); }
  std::string operator()(const BudgetValue<Owner>& value) const {
    const BudgetRule& budget = value.at(owner);
    if (budget.kind == BudgetRule::Kind::Auto) return "\"auto\"";
    if (budget.kind == BudgetRule::Kind::Unlimited) return "\"inf\"";
    return fmt::format("{{ us = {} }}", tomlNumber(static_cast<Real>(budget.fixed.count()) * 1e-3));
  }
  std::string operator()(const RangeValue<Owner>& range) const {
    return fmt::format("[{}, {}]", tomlNumber(range.low(owner)), tomlNumber(range.high(owner)));
  }

 private:
  static std::string unset(const auto& number) {
    return number.unset.empty() ? "" : tomlText(number.unset);
  }
};

/// Returns the lines of the settings of one table.
template <class Owner>
std::string lines(std::span<const Setting<Owner>> settings, Owner owner) {
  std::string text;
  for (const Setting<Owner>& setting : settings) {
    const std::string value = std::visit(SettingWriter<Owner>{owner}, setting.value);
    if (!value.empty()) text += fmt::format("{} = {}\n", setting.key, value);
  }
  return text;
}

/// Visits the settings of a scene, table by table.
void forEachTable(const auto& take) {
  const std::span<const Setting<Scene>> all(sceneSettings);
  for (std::size_t first = 0; first < all.size();) {
    std::size_t end = first;
    while (end < all.size() && all[end].table == all[first].table) ++end;
    take(all[first].table, all.subspan(first, end - first));
    first = end;
  }
}

constexpr std::int64_t sceneVersion = 2;

/// A broad phase of scene version 1 whose name now means another one.
struct RenamedMethod {
  std::string_view before, since;
};
constexpr std::array renamedBroadPhases{
    RenamedMethod{"space-time", "space-time-queue"},
    RenamedMethod{"space-time-subdivision", "space-time-halves"}};

/// Restores the method that a scene of version 1 meant. Without a version it is ambiguous.
void renameBroadPhase(toml::table& scene, Faults& faults) {
  toml::value<std::string>* const name = scene.at_path("detector.broad").as_string();
  if (!name) return;
  for (const auto& [before, since] : renamedBroadPhases) {
    if (name->get() != before) continue;
    if (!scene.contains("version"))
      return faults.add(name->source(),
                        fmt::format("broad \"{0}\" was the name of {1} in version 1 of scenes: "
                                    "write \"{1}\", or version = {2} at the top for {0}",
                                    before, since, sceneVersion));
    if (scene["version"] == 1) *name = std::string(since);
    return;
  }
}

}  // namespace

Result<Scene> parseScene(std::string_view text, const std::string& origin, const Scene& base) {
  Result<toml::table> parsed = parseToml(text, origin);
  if (!parsed) return parsed.error();
  Scene scene = base;
  Faults faults{origin, {}, 0};
  renameBroadPhase(*parsed, faults);
  TableReader top(*parsed, "", faults);
  (void)top.integer("version", 1, sceneVersion);
  forEachTable([&](std::string_view name, std::span<const Setting<Scene>> settings) {
    if (name.empty()) return read<Scene>(top, settings, scene);
    subTable(top, name, [&](TableReader& table) {
      read<Scene>(table, settings, scene);
      if (name == "player") read<ShipLimits>(table, limitSettings, scene.playerLimits);
    });
  });
  readDrones(top, scene);
  top.finish();
  if (!faults.text.empty()) return Error{ErrorCode::BadFormat, faults.text};
  return scene;
}

std::string writeScene(const Scene& scene) {
  std::string out = fmt::format("version = {}\n", sceneVersion);
  forEachTable([&](std::string_view name, std::span<const Setting<Scene>> settings) {
    if (!name.empty()) out += fmt::format("\n[{}]\n", name);
    out += lines<Scene>(settings, scene);
    if (name.empty() && scene.drones.empty()) out += "drones = []\n";
    if (name == "player") out += lines<ShipLimits>(limitSettings, scene.playerLimits);
  });
  for (const DroneGroup& group : scene.drones)
    out += "\n[[drones]]\n" + lines<DroneGroup>(droneSettings, group) +
           lines<ShipLimits>(limitSettings, group.limits) + lines<DroneGroup>(pilotSettings, group);
  return out;
}

}  // namespace nearmiss::engine
