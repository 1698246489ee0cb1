// SPDX-License-Identifier: MIT
#include "command_line/list.h"

#include <engine/game/best_runs.h>
#include <engine/model/articulated_model.h>
#include <engine/model/model_loader.h>
#include <engine/scene/scene.h>
#include <engine/scene/setting_text.h>
#include <fmt/format.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "console/complaint.h"
#include "console/lab_program.h"
#include "console/text.h"
#ifdef NEARMISS_HAVE_FLY
#include "fly/command/command.h"
#endif

namespace nearmiss::app {
namespace {

void printCatalog(const auto& catalog) {
  for (const auto& entry : catalog) fmt::print("{:<24} {}\n", entry.name, entry.summary);
}

int listTrees() {
  for (const SphereTreeBuilderEntry& entry : sphereTreeBuilderCatalog())
    fmt::print("{:<18} {}{}\n", entry.name, entry.summary,
               entry.name == defaultSphereTreeBuilder ? "; the default" : "");
  return Ok;
}

/// One line about a scene: ships and target.
std::string summaryOf(const engine::Scene& scene) {
  std::string ships = scene.playerModel + " among";
  std::string_view gap = " ";
  for (const engine::DroneGroup& group : scene.drones) {
    ships += fmt::format("{}{} x {}", gap, group.count, group.model);
    gap = ", ";
  }
  return fmt::format("{}; {:.4g} ms a frame", ships, scene.frameMs);
}

int listScenes() {
  int worst = Ok;
  for (const std::string& name : engine::builtInScenes()) {
    const auto file = engine::findScene(name);
    const auto scene = file ? engine::readScene(*file) : file.error();
    if (scene)
      fmt::print("{:<18} {}\n", name, summaryOf(*scene));
    else
      worst = complain(scene.error(), BadModelOrScene);
  }
  return worst;
}

int listModels() {
  for (const std::string& name : engine::builtInModels()) {
    const auto file = engine::findModel(name);
    fmt::print("{:<18} {}\n", name, file ? file->string() : "missing");
  }
  for (const std::string& name : engine::builtInArticulatedModels())
    fmt::print("{:<18} {}, of links\n", name, engine::findArticulatedModel(name)->string());
  return Ok;
}

int listRuns() {
  const auto folder = engine::bestRunsFolder();
  if (folder.empty()) return Ok;
  const auto table = engine::readBestRuns(folder);
  if (!table) return complain(table.error(), Environment);
  if (!table->note.empty()) complain(table->note);
  if (table->runs.empty()) fmt::print("no runs yet. Press F5 in the window to fly one\n");
  for (const engine::BestRun& run : table->runs) {
    fmt::print("{:>6} points      {}\n", run.points, printable(runText(run)));
    if (!run.session.empty())
      fmt::print("{:<18} nearmiss replay \"{}\"\n", "", (folder / run.session).string());
  }
  return Ok;
}

int listSettings() {
  fmt::print("{}", engine::sceneSettingsTable());
  return Ok;
}

template <auto catalog>
int listCatalog() {
  printCatalog(catalog());
  return Ok;
}

#ifdef NEARMISS_HAVE_FLY
/// The same table as on the documentation page about flying.
int listKeys() {
  fmt::print("{}", fly::keyTable());
  return Ok;
}
#endif

struct Kind {
  std::string_view name;
  std::string_view heading;
  int (*print)();
};

constexpr std::array kinds{
    Kind{"models", "Models", listModels},
    Kind{"scenes", "Scenes", listScenes},
    Kind{"settings", "Settings of scenes", listSettings},
    Kind{"broad", "Broad phases", listCatalog<broadPhaseCatalog>},
    Kind{"narrow", "Narrow phases", listCatalog<narrowPhaseCatalog>},
    Kind{"orders", "Orders of refinement", listCatalog<refinementOrderCatalog>},
    Kind{"trees", "Sphere-tree builders", listTrees},
    Kind{"experiments", "Experiments", listExperiments},
    Kind{"runs", "Best runs", listRuns},
#ifdef NEARMISS_HAVE_FLY
    Kind{"keys", "Keys", listKeys},
#endif
};

}  // namespace

std::vector<std::string_view> listedKinds() {
  std::vector<std::string_view> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  return names;
}

int list(const std::string& what) {
  // Continue after a scene that cannot be read
  int worst = Ok;
  for (const Kind& kind : kinds) {
    if (!what.empty() && what != kind.name) continue;
    if (what.empty())
      fmt::print("{}{} (list {}):\n", &kind == kinds.data() ? "" : "\n", kind.heading, kind.name);
    worst = std::max(worst, kind.print());
  }
  return worst;
}

}  // namespace nearmiss::app
