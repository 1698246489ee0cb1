// SPDX-License-Identifier: MIT
#include <engine/scene/as_published.h>
#include <engine/scene/nearest_name.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/methods/catalog.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "scene/table_reader.h"
#include "scene/toml_file.h"
#include "scene/usual_pace.h"

namespace nearmiss::engine {
namespace {

constexpr Real infinity = std::numeric_limits<Real>::infinity();

std::vector<std::string_view> namesOf(const auto& catalog) {
  std::vector<std::string_view> names;
  for (const auto& entry : catalog) names.push_back(entry.name);
  return names;
}

void readLimits(TableReader& table, ShipLimits& limits) {
  table.real("accel_max", limits.accelerationMax, 0.0, 1e4);
  table.real("reverse_max", limits.reverseMax, 0.0, 1e4);
  table.real("turn_max", limits.turnMax, 0.0, 1e3);
  table.real("drag", limits.drag, 0.0, 1e3);
}

void readBudget(TableReader& detector, BudgetRule& budget) {
  detector.real("era_scale", budget.eraScale, 1e-6, 1e9);
  const toml::node* node = detector.take("budget");
  if (!node) return;
  const std::string_view rule = node->value_or(std::string_view());
  if (const toml::table* table = node->as_table()) {
    TableReader reader(*table, "budget", detector.faults());
    Real us = -1.0;
    reader.real("us", us, 0.0, greatest);
    reader.finish();
    if (table->empty()) detector.fault(*node, "budget is empty: expected { us = 500 }");
    budget.kind = BudgetRule::Kind::Fixed;
    budget.fixed = std::chrono::nanoseconds(std::llround(std::max(us, 0.0) * 1e3));
  } else if (node->is_string() && (rule == "auto" || rule == "inf")) {
    budget.kind = rule == "auto" ? BudgetRule::Kind::Auto : BudgetRule::Kind::Unlimited;
  } else {
    detector.fault(*node, "budget must be \"auto\", \"inf\" or { us = 500 }");
  }
}

void readDetector(TableReader& table, Scene& scene) {
  if (table.automatic("broad", scene.broad)) {
    std::string broad;
    if (table.oneOf("broad", namesOf(broadPhaseCatalog()), broad)) scene.broad = broad;
  }
  std::vector<std::string_view> narrow = namesOf(narrowPhaseCatalog());
  table.oneOf("narrow", narrow, scene.narrow);
  narrow.push_back("none");
  if (table.oneOf("reference", narrow, scene.reference) && scene.reference == "none")
    scene.reference.clear();
  table.oneOf("tree", namesOf(sphereTreeBuilderCatalog()), scene.tree);
  static constexpr std::string_view coverages[] = {"guaranteed", "paper"};
  std::string coverage;
  if (table.oneOf("coverage", coverages, coverage))
    scene.coverage = coverage == "paper" ? Coverage::Paper : Coverage::Guaranteed;
  if (table.automatic("boxes", scene.nodeBoxRatio)) {
    Real ratio = scene.nodeBoxRatio.value_or(0.0);
    table.real("boxes", ratio, 0.0, 1000.0);
    scene.nodeBoxRatio = ratio;
  }
  if (table.automatic("inner_spheres", scene.innerSpheres)) {
    std::int64_t inner = scene.innerSpheres.value_or(0);
    table.integer("inner_spheres", inner, 0, 4096);
    scene.innerSpheres = static_cast<int>(inner);
  }
  std::int64_t level = scene.maxLevel;
  table.integer("max_level", level, 0, exactDepth);
  scene.maxLevel = static_cast<int>(level);
  std::string order;
  if (table.oneOf("order", namesOf(refinementOrderCatalog()), order))
    scene.order = findRefinementOrder(order)->order;
  readBudget(table, scene.budget);
  static constexpr std::string_view clocks[] = {"wall", "work"};
  std::string clock;
  if (table.oneOf("clock", clocks, clock))
    scene.clock = clock == "wall" ? ClockKind::Wall : ClockKind::Work;
}

void readRetarget(TableReader& table, PilotSettings& pilot) {
  const toml::node* node = table.take("retarget_s");
  if (!node) return;
  const toml::array* pair = node->as_array();
  std::vector<Real> values;
  if (pair && pair->size() == 2)
    for (const toml::node& value : *pair) values.push_back(TableReader::realOf(value).value_or(0));
  const bool valid =
      values.size() == 2 && values[0] > 0.0 && values[0] <= values[1] && values[1] <= greatest;
  if (!valid)
    return table.fault(*node, "retarget_s must be two numbers, [least, greatest], above 0");
  pilot.retargetLow = values[0];
  pilot.retargetHigh = values[1];
}

void readDrones(TableReader& top, Scene& scene) {
  const toml::node* node = top.take("drones");
  if (!node) return;
  const toml::array* groups = node->as_array();
  if (!groups || !(groups->empty() || groups->is_homogeneous<toml::table>()))
    return top.wrongType("drones", *node, "[[drones]] tables");

  // The groups of the file replace those of the base altogether
  scene.drones.clear();
  for (const toml::node& entry : *groups) {
    TableReader table(*entry.as_table(), "[[drones]]", top.faults());
    DroneGroup group;
    group.limits = usualLimits(scene.asPublished);
    group.pilot = usualPilot(scene.asPublished);
    table.text("model", group.model);
    std::int64_t count = group.count;
    table.integer("count", count, 0, 100'000);
    group.count = static_cast<int>(count);
    table.mass("mass", group.mass);
    readLimits(table, group.limits);
    readRetarget(table, group.pilot);
    std::string temper;
    if (table.oneOf("temper", temperNames, temper))
      group.pilot.temper =
          static_cast<Temper>(std::ranges::find(temperNames, temper) - temperNames.begin());
    table.finish();
    scene.drones.push_back(std::move(group));
  }
}

void readTop(TableReader& top, Scene& scene) {
  std::int64_t version = 1;
  top.integer("version", version, 1, 1);
  top.text("name", scene.name);
  // First, so that every other key of the file wins over it, wherever it stands
  bool asPublished = scene.asPublished;
  top.boolean("as_published", asPublished);
  setAsPublished(scene, asPublished);
  auto seed = static_cast<std::int64_t>(scene.seed);
  top.integer("seed", seed, 0, std::numeric_limits<std::int64_t>::max());
  scene.seed = static_cast<std::uint64_t>(seed);
  std::string response;
  if (top.oneOf("response", responseNames, response)) scene.response = responseOf(response);

  subTable(top, "time", [&](TableReader& table) {
    static constexpr std::string_view steps[] = {"real", "fixed"};
    std::string step;
    if (table.oneOf("step", steps, step)) scene.fixedStep = step == "fixed";
    if (table.automatic("dt_render", scene.simStep)) {
      Real seconds = 0.0;
      table.real("dt_render", seconds, 1e-6, 1e3);
      scene.simStep = seconds;
    }
    table.real("dt_detect", scene.detectStep, 1e-6, 1e3);
    table.real("frame_ms", scene.frameMs, 1e-3, 1e6);
    static constexpr std::string_view instants[] = {"steps", "earliest"};
    std::string chosen;
    if (table.oneOf("instants", instants, chosen))
      scene.instants = chosen == "steps" ? Instants::Steps : Instants::Earliest;
    Real seconds = -1.0;
    table.real("sim_seconds", seconds, 0.0, greatest);
    if (seconds >= 0.0) scene.simSeconds = seconds;
  });
  subTable(top, "detector", [&](TableReader& table) { readDetector(table, scene); });
  subTable(top, "importance", [&](TableReader& table) {
    table.real("full_within", scene.importance.fullWithin, 0.0, infinity);
  });
  subTable(top, "arena", [&](TableReader& table) {
    if (table.automatic("radius", scene.arena.radius)) {
      Real radius = scene.arena.radius.value_or(0.0);
      table.real("radius", radius, 1e-3, 1e6);
      scene.arena.radius = radius;
    }
    table.real("rim", scene.arena.rim, 1e-3, 1e6);
    table.real("push_max", scene.arena.pushMax, 0.0, 1e4);
  });
  subTable(top, "player", [&](TableReader& table) {
    table.text("model", scene.playerModel);
    table.mass("mass", scene.playerMass);
    readLimits(table, scene.playerLimits);
  });
  readDrones(top, scene);
}

/// With a point or an exponent, so that it reads back as a floating-point number.
std::string number(Real value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string tomlText(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\')
      text += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      text += c;
  }
  return text + '"';
}

std::string massText(Real mass) { return std::isinf(mass) ? "\"infinite\"" : number(mass); }

std::string limitsText(const ShipLimits& limits) {
  return fmt::format("accel_max = {}\nreverse_max = {}\nturn_max = {}\ndrag = {}\n",
                     number(limits.accelerationMax), number(limits.reverseMax),
                     number(limits.turnMax), number(limits.drag));
}

std::string budgetText(const BudgetRule& budget) {
  if (budget.kind == BudgetRule::Kind::Auto) return "\"auto\"";
  if (budget.kind == BudgetRule::Kind::Unlimited) return "\"inf\"";
  return fmt::format("{{ us = {} }}", number(static_cast<Real>(budget.fixed.count()) * 1e-3));
}

}  // namespace

Result<Scene> parseScene(std::string_view text, const std::string& origin, const Scene& base) {
  const Result<toml::table> table = parseToml(text, origin);
  if (!table) return table.error();
  Scene scene = base;
  Faults faults{origin, {}, 0};
  TableReader top(*table, "", faults);
  readTop(top, scene);
  top.finish();
  if (!faults.text.empty()) return Error{ErrorCode::BadFormat, faults.text};
  return scene;
}

std::string writeScene(const Scene& scene) {
  std::string out =
      fmt::format("version = 1\nname = {}\nas_published = {}\nseed = {}\nresponse = \"{}\"\n",
                  tomlText(scene.name), scene.asPublished, scene.seed,
                  responseNames[static_cast<std::size_t>(scene.response)]);
  out += fmt::format("\n[time]\nstep = \"{}\"\ndt_render = {}\ndt_detect = {}\nframe_ms = {}\n",
                     scene.fixedStep ? "fixed" : "real",
                     scene.simStep ? number(*scene.simStep) : "\"auto\"", number(scene.detectStep),
                     number(scene.frameMs));
  out +=
      fmt::format("instants = \"{}\"\n", scene.instants == Instants::Steps ? "steps" : "earliest");
  if (scene.simSeconds) out += fmt::format("sim_seconds = {}\n", number(*scene.simSeconds));
  out += fmt::format(
      "\n[detector]\nbroad = {}\nnarrow = {}\nreference = {}\ntree = {}\ncoverage = "
      "\"{}\"\nboxes = {}\ninner_spheres = {}\nmax_level = {}\norder = \"{}\"\n"
      "budget = {}\nera_scale = {}\nclock = \"{}\"\n",
      tomlText(scene.broad.value_or("auto")), tomlText(scene.narrow),
      tomlText(scene.reference.empty() ? "none" : scene.reference), tomlText(scene.tree),
      scene.coverage == Coverage::Paper ? "paper" : "guaranteed",
      scene.nodeBoxRatio ? number(*scene.nodeBoxRatio) : "\"auto\"",
      scene.innerSpheres ? fmt::format("{}", *scene.innerSpheres) : "\"auto\"", scene.maxLevel,
      entryOf(scene.order).name, budgetText(scene.budget), number(scene.budget.eraScale),
      scene.clock == ClockKind::Wall ? "wall" : "work");
  out += fmt::format("\n[importance]\nfull_within = {}\n", number(scene.importance.fullWithin));
  out += fmt::format("\n[arena]\nradius = {}\nrim = {}\npush_max = {}\n",
                     scene.arena.radius ? number(*scene.arena.radius) : "\"auto\"",
                     number(scene.arena.rim), number(scene.arena.pushMax));
  out += fmt::format("\n[player]\nmodel = {}\nmass = {}\n{}", tomlText(scene.playerModel),
                     massText(scene.playerMass), limitsText(scene.playerLimits));
  if (scene.drones.empty()) out.insert(out.find("\n[time]"), "drones = []\n");
  for (const DroneGroup& group : scene.drones)
    out += fmt::format(
        "\n[[drones]]\nmodel = {}\ncount = {}\nmass = {}\n{}retarget_s = [{}, {}]\ntemper = "
        "\"{}\"\n",
        tomlText(group.model), group.count, massText(group.mass), limitsText(group.limits),
        number(group.pilot.retargetLow), number(group.pilot.retargetHigh),
        temperNames[static_cast<std::size_t>(group.pilot.temper)]);
  return out;
}

}  // namespace nearmiss::engine
