// SPDX-License-Identifier: MIT
#include "command_line/command_line.h"

#include <engine/base/nearest_name.h>
#include <engine/base/resources.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <system_error>

#include "command_line/flight_options.h"
#include "command_line/list.h"
#include "console/complaint.h"
#include "console/program.h"
#include "options/option_checks.h"
#include "running/frame_loop.h"
#include "tools/tree/tree_options.h"

namespace nearmiss::app {
namespace {

constexpr std::array<std::string_view, 11> commandNames{"fly",  "run",     "replay", "tree",
                                                        "mesh", "spheres", "robot",  "interfere",
                                                        "lab",  "report",  "list"};

/// The values of the subcommands, filled by CLI11.
struct Parsed {
  Typed fly, run, replay;
  ReplayCommand session;
  tree::TypedTree tree;
  mesh::MeshCheckCommand mesh;
  tree::SpheresCommand spheres;
  robot::RobotCommand robot;
  robot::AuditCommand audit;
  InterfereCommand interfere;
  ListCommand list;
};

void addCommands(CLI::App& app, Parsed& parsed) {
  CLI::App* fly = app.add_subcommand("fly", "fly a ship among drones; this is the default");
  addSceneOptions(*fly, parsed.fly);
  addDetectorOptions(*fly, parsed.fly);
  addFileOptions(*fly, parsed.fly);
  addWindowOptions(*fly, parsed.fly);
  addFixedStepOption(*fly, parsed.fly);
  addSplitOption(*fly, parsed.fly);
  addMemoryOptions(*fly, parsed.fly);
  addTourOption(*fly, parsed.fly);
  addBenchOptions(*fly, parsed.fly);

  CLI::App* run = app.add_subcommand(
      "run", fmt::format("the same simulation without a window; ends after {:.0f} "
                         "simulation seconds by default",
                         defaultRunSeconds));
  addSceneOptions(*run, parsed.run);
  addDetectorOptions(*run, parsed.run);
  addFileOptions(*run, parsed.run);
  run->add_flag("--realtime", parsed.run.options.realtime,
                "wait until each frame's target time is over, instead of going as "
                "fast as it can; the steps stay the same");

  CLI::App* replay = app.add_subcommand("replay", std::string(replaySummary));
  replay->add_option("FILE", parsed.session.file, "a session that --record or F8 wrote")
      ->required();
  CLI::Option* validate =
      replay->add_flag("--validate", parsed.session.validate,
                       "compare every ship in every frame with the record, without a window");
  addReplayOptions(*replay, parsed.replay);
  addWindowOptions(*replay, parsed.replay);
  validate->excludes("--screenshot", "--video");

  tree::addTreeCommands(app, parsed.tree);
  mesh::addMeshCommands(app, parsed.mesh);
  CLI::App& spheres = tree::addSpheresCommand(app, parsed.spheres);
  robot::addAuditCommand(spheres, parsed.audit);
  robot::addRobotCommand(app, parsed.robot);
  addInterfereCommand(app, parsed.interfere);
  for (const LabProgramEntry& each : labProgramCommands)
    app.add_subcommand(std::string(each.name), std::string(each.summary));
  CLI::App* list = app.add_subcommand("list", "the names that options take");
  list->add_option("WHAT", parsed.list.what,
                   fmt::format("{}; default: all of them", fmt::join(listedKinds(), ", ")))
      ->check(oneOf(listedKinds(), "WHAT"));
}

Command flyOrRun(const CLI::App& app, const Typed& typed, bool fly) {
  if (!typed.scene.empty() && !typed.sceneOption.empty())
    return Ended{usageError(app, "two scenes are given; name one")};
  auto options = resolve(typed);
  // Incompatible options are a usage error
  if (!options && options.error().code == ErrorCode::Unsupported)
    return Ended{usageError(app, options.error().message)};
  if (!options) return Ended{complain(options.error(), BadModelOrScene)};
  if (typed.printConfig) return PrintConfigCommand{std::move(*options)};
  if (fly) return FlyCommand{std::move(*options), typed.memory};
  return RunCommand{std::move(*options)};
}

/// Inserts `fly` if there is no subcommand, unless the first word looks like a mistyped one.
std::optional<int> insertDefault(std::vector<std::string>& arguments) {
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (std::find(commandNames.begin(), commandNames.end(), first) != commandNames.end() ||
      first == "--help" || first == "-h" || first == "--version")
    return std::nullopt;
  std::error_code failed;
  const std::vector<std::string> scenes = engine::builtInScenes();
  const bool scene = std::find(scenes.begin(), scenes.end(), first) != scenes.end();
  if (!first.empty() && first[0] != '-' && !scene && !std::filesystem::exists(first, failed)) {
    std::vector<std::string_view> names(commandNames.begin(), commandNames.end());
    names.insert(names.end(), scenes.begin(), scenes.end());
    const std::string_view nearest = engine::nearestName(first, names);
    if (std::find(commandNames.begin(), commandNames.end(), nearest) != commandNames.end()) {
      complain(fmt::format("unknown command \"{}\". Did you mean \"{}\"?", first, nearest));
      return Usage;
    }
  }
  arguments.insert(arguments.begin(), "fly");
  return std::nullopt;
}

}  // namespace

Command parseCommandLine(const std::vector<std::string>& given) {
  if (complainOfEmptyWord(given)) return Ended{Usage};
  std::vector<std::string> arguments = given;
  if (const auto mistake = insertDefault(arguments)) return Ended{*mistake};
  for (const LabProgramEntry& each : labProgramCommands)
    if (arguments.front() == each.name) return LabProgramCommand{std::move(arguments)};

  CLI::App app("Time-critical collision detection with sphere trees, and a simulator to fly in.",
               "nearmiss");
  app.set_version_flag("--version", "nearmiss " NEARMISS_VERSION);
  app.footer(std::string(exitCodes));
  Parsed parsed;
  addCommands(app, parsed);
  if (const auto end = parseWords(app, std::move(arguments))) return Ended{*end};

  const CLI::App& at = deepestCommand(app);
  const std::string name = at.get_name();
  if (name == "run") return flyOrRun(at, parsed.run, false);
  if (name == "replay") {
    parsed.session.options = withWindow(parsed.replay);
    return std::move(parsed.session);
  }
  if (name == "list") return std::move(parsed.list);
  if (name == "spheres" && parsed.spheres.model.empty())
    return Ended{usageError(at, "MODEL is required")};
  if (name == "spheres") return std::move(parsed.spheres);
  if (name == "robot") return std::move(parsed.robot);
  if (name == "interfere") return std::move(parsed.interfere);
  if (name == "info") return std::move(parsed.tree.info);
  if (name == "export") return std::move(parsed.tree.exporting);
  if (name == "check" && at.get_parent()->get_name() == "spheres") return std::move(parsed.audit);
  if (name == "check" && at.get_parent()->get_name() == "mesh") return std::move(parsed.mesh);
  if (name == "check") return std::move(parsed.tree.check);
  if (name == "sheet") return tree::sheetCommand(parsed.tree);
  if (name == "build") return tree::buildCommand(parsed.tree);
  return flyOrRun(at, parsed.fly, true);
}

}  // namespace nearmiss::app
