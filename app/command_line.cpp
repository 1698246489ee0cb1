// SPDX-License-Identifier: MIT
#include "command_line.h"

#include <engine/scene/nearest_name.h>
#include <engine/scene/resources.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <system_error>

#include "console/complaint.h"
#include "flight_options.h"
#include "frame_loop.h"
#include "lab/lab_options.h"
#include "list.h"
#include "option_checks.h"
#include "tree/tree_options.h"

namespace nearmiss::app {
namespace {

constexpr std::array<std::string_view, 10> commandNames{
    "fly", "run", "replay", "tree", "spheres", "robot", "interfere", "lab", "report", "list"};
constexpr std::string_view exitCodes =
    "Exit codes: 0 ok, 1 usage, 2 environment (display, GL, disk), 3 model, scene or record,\n"
    "4 validation failed, 130 interrupted before there was anything to keep.";

/// "nearmiss tree build", as it is typed.
std::string pathOf(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent ? pathOf(*parent) + " " + app.get_name() : app.get_name();
}

int usageError(const CLI::App& app, std::string_view sentence) {
  complain(sentence);
  tell(fmt::format("See {} --help.\n", pathOf(app)));
  return Usage;
}

/// Complains of what was left over: an unknown option, or one argument too many.
std::optional<int> unknownArguments(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return std::nullopt;
  const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& extra) {
    return extra.size() > 1 && extra[0] == '-';
  });
  std::vector<std::string> known;
  const bool mistypedCommand = !app.get_subcommands({}).empty() && option != extras.begin();
  if (option == extras.end() || mistypedCommand) {
    for (const CLI::App* each : app.get_subcommands({})) known.push_back(each->get_name());
    if (known.empty())
      return usageError(app, fmt::format("\"{}\" is one argument too many", extras.front()));
    const std::vector<std::string_view> views(known.begin(), known.end());
    return usageError(
        app, fmt::format("there is no command \"{}\".{} Known: {}", extras.front(),
                         engine::didYouMean(extras.front(), views), fmt::join(known, ", ")));
  }
  for (const CLI::Option* each : app.get_options())
    for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string name = option->substr(0, option->find('='));
  return usageError(
      app, fmt::format("there is no option \"{}\".{}", name, engine::didYouMean(name, views)));
}

/// What the subcommands fill while CLI11 parses.
struct Parsed {
  Typed fly, run, replay;
  ReplayCommand session;
  TypedTree tree;
  SpheresCommand spheres;
  RobotCommand robot;
  InterfereCommand interfere;
  TypedLab lab;
  ReportCommand report;
  ListCommand list;
};

void addCommands(CLI::App& app, Parsed& parsed) {
  CLI::App* fly = app.add_subcommand("fly", "fly a ship among drones; this is the default");
  addSceneOptions(*fly, parsed.fly);
  addDetectorOptions(*fly, parsed.fly);
  addFileOptions(*fly, parsed.fly);
  addWindowOptions(*fly, parsed.fly);
  addSplitOption(*fly, parsed.fly);
  addMemoryOptions(*fly, parsed.fly);
  addTourOption(*fly, parsed.fly);

  CLI::App* run = app.add_subcommand(
      "run", fmt::format("the same simulation without window or GL; ends after {:.0f} s of "
                         "simulation if nothing else is said",
                         defaultRunSeconds));
  addSceneOptions(*run, parsed.run);
  addDetectorOptions(*run, parsed.run);
  addFileOptions(*run, parsed.run);
  run->add_flag("--realtime", parsed.run.options.realtime,
                "wait until each frame's target time is over, instead of going as "
                "fast as it can; the steps stay the same");

  CLI::App* replay = app.add_subcommand("replay", std::string(replaySummary));
  replay->add_option("FILE", parsed.session.file, "what --record or F8 wrote")->required();
  replay->add_flag("--validate", parsed.session.validate,
                   "compare every ship in every frame with what was recorded, without a window");
  addReplayOptions(*replay, parsed.replay);
  addWindowOptions(*replay, parsed.replay);

  addTreeCommands(app, parsed.tree);
  addSpheresCommand(app, parsed.spheres);
  addRobotCommand(app, parsed.robot);
  addInterfereCommand(app, parsed.interfere);
  addLabCommands(app, parsed.lab);
  addReportCommand(app, parsed.report);
  CLI::App* list = app.add_subcommand("list", "the names that options take");
  list->add_option(
          "WHAT", parsed.list.what,
          "models, scenes, broad, narrow, orders, trees or experiments; default: all of them")
      ->check(oneOf(listedKinds(), "WHAT"));
}

Command flyOrRun(const CLI::App& app, const Typed& typed, bool fly) {
  if (!typed.scene.empty() && !typed.sceneOption.empty())
    return Ended{usageError(app, "the scene is named twice")};
  auto options = resolve(typed);
  // Options that do not go together are no fault of a scene
  if (!options && options.error().code == ErrorCode::Unsupported)
    return Ended{usageError(app, options.error().message)};
  if (!options) return Ended{complain(options.error(), BadModelOrScene)};
  if (typed.printConfig) return PrintConfigCommand{std::move(*options)};
  if (fly) return FlyCommand{std::move(*options), typed.memory};
  return RunCommand{std::move(*options)};
}

/// The subcommand that was typed, down to the last.
const CLI::App& deepest(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

/// Without a subcommand `fly` is meant, unless the first word looks like a mistyped one.
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
      complain(fmt::format("there is no command \"{}\". Did you mean \"{}\"?", first, nearest));
      return Usage;
    }
  }
  arguments.insert(arguments.begin(), "fly");
  return std::nullopt;
}

}  // namespace

Command parseCommandLine(const std::vector<std::string>& given) {
  // A variable of a script that was never set, most likely: what it stands for would be lost
  for (const std::string& argument : given) {
    if (!argument.empty() && !(argument.starts_with("--") && argument.ends_with('='))) continue;
    complain(argument.empty() ? std::string("an argument is empty")
                              : fmt::format("nothing follows \"{}\"", argument));
    return Ended{Usage};
  }
  std::vector<std::string> arguments = given;
  if (const auto mistake = insertDefault(arguments)) return Ended{*mistake};

  CLI::App app("Time-critical collision detection with sphere trees, and a simulator to fly in.",
               "nearmiss");
  app.set_version_flag("--version", "nearmiss " NEARMISS_VERSION);
  app.footer(std::string(exitCodes));
  app.require_subcommand(1);
  Parsed parsed;
  addCommands(app, parsed);
  const auto tolerateExtras = [](CLI::App* each) { each->allow_extras(); };
  for (CLI::App* each : app.get_subcommands({})) {
    tolerateExtras(each);
    for (CLI::App* inner : each->get_subcommands({})) tolerateExtras(inner);
  }

  // CLI11 takes the arguments from the back
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
  } catch (const CLI::Success& wish) {
    app.exit(wish);
    return Ended{Ok};
  } catch (const CLI::ParseError& mistake) {
    const CLI::App& at = deepest(app);
    if (const auto unknown = unknownArguments(at)) return Ended{*unknown};
    return Ended{usageError(at, mistake.what())};
  }

  const CLI::App& at = deepest(app);
  if (const auto unknown = unknownArguments(at)) return Ended{*unknown};
  const std::string name = at.get_name();
  if (at.get_parent() != nullptr && at.get_parent()->get_name() == "lab")
    return experimentOf(parsed.lab, name);
  if (name == "run") return flyOrRun(at, parsed.run, false);
  if (name == "replay") {
    parsed.session.options = withWindow(parsed.replay);
    return std::move(parsed.session);
  }
  if (name == "list") return std::move(parsed.list);
  if (name == "spheres") return std::move(parsed.spheres);
  if (name == "robot") return std::move(parsed.robot);
  if (name == "interfere") return std::move(parsed.interfere);
  if (name == "info") return std::move(parsed.tree.info);
  if (name == "export") return std::move(parsed.tree.exporting);
  if (name == "report") return std::move(parsed.report);
  if (name == "check") return std::move(parsed.tree.check);
  if (name == "sheet") return sheetCommand(parsed.tree);
  if (name == "build") return buildCommand(parsed.tree);
  return flyOrRun(at, parsed.fly, true);
}

}  // namespace nearmiss::app
