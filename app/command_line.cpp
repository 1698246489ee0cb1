// SPDX-License-Identifier: MIT
#include "command_line.h"

#include <engine/nearest_name.h>
#include <engine/resources.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/detector_catalog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <system_error>

#include "complaint.h"
#include "run.h"
#include "tree/sphere_formats.h"

namespace nearmiss::app {
namespace {

using engine::Scene;

constexpr std::array<std::string_view, 5> commandNames{"fly", "run", "tree", "lab", "list"};
constexpr std::string_view exitCodes =
    "Exit codes: 0 ok, 1 usage, 2 environment (display, GL, disk), 3 model or scene,\n"
    "4 validation failed, 130 interrupted before there was anything to keep.";

/// What was typed for `fly` or `run`, not yet laid over the scene.
struct Typed {
  std::string scene, sceneOption;
  std::optional<std::string> model, playerModel, broad, narrow, tree, reference, budget, clock;
  std::optional<int> drones, maxLevel;
  std::optional<std::int64_t> seed;
  std::optional<double> frameMs, eraScale, simStep, detectStep, seconds;
  std::optional<std::string> size, screenshot;
  std::filesystem::path config;
  bool printConfig = false;
  Options options;
};

std::vector<std::string_view> namesOf(const auto& catalog) {
  std::vector<std::string_view> names;
  for (const auto& entry : catalog) names.push_back(entry.name);
  return names;
}

/// A number from `low` to `high`; unlike CLI11's own check it refuses what is not a number.
CLI::Validator numberFrom(double low, double high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        double value = 0.0;
        if (!CLI::detail::lexical_cast(text, value)) return std::string();  // told by CLI11
        if (value >= low && value <= high) return std::string();
        return fmt::format("expected a number from {} to {}, got {}", low, high, text);
      },
      fmt::format("{}..{}", low, high), "number");
}

/// One of `names`; a near miss is told apart.
CLI::Validator oneOf(std::vector<std::string_view> names, const std::string& what) {
  return CLI::Validator(
      [names](std::string& text) {
        if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
        return fmt::format("\"{}\" is not known.{} Known: {}", text,
                           engine::didYouMean(text, names), fmt::join(names, ", "));
      },
      what, "name");
}

bool parseSize(const std::string& text, int& width, int& height) {
  char after = '\0';
  if (std::sscanf(text.c_str(), "%5dx%5d%c", &width, &height, &after) != 2) return false;
  return width >= 160 && height >= 120 && width <= 16384 && height <= 16384;
}

/// FILE.png@FRAME
bool parseScreenshot(const std::string& text, std::filesystem::path& file, std::uint64_t& frame) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos || at == 0) return false;
  const char* last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data() + at + 1, last, frame);
  file = text.substr(0, at);
  return fault == std::errc() && end == last && at + 1 < text.size();
}

/// auto, inf or microseconds
bool parseBudget(const std::string& text, engine::BudgetRule& budget) {
  using Kind = engine::BudgetRule::Kind;
  if (text == "auto" || text == "inf") {
    budget.kind = text == "auto" ? Kind::Auto : Kind::Unlimited;
    return true;
  }
  double us = 0.0;
  if (!CLI::detail::lexical_cast(text, us) || !(us >= 0.0 && us <= 1e9)) return false;
  budget.kind = Kind::Fixed;
  budget.fixed = std::chrono::nanoseconds(std::llround(us * 1e3));
  return true;
}

CLI::Validator checkedBy(const auto& parse, const std::string& expected) {
  return CLI::Validator(
      [parse, expected](std::string& text) {
        return parse(text) ? std::string() : fmt::format("expected {}, got {}", expected, text);
      },
      expected, "form");
}

void addSceneOptions(CLI::App& app, Typed& typed) {
  app.add_option("SCENE", typed.scene, "a built-in scene (nearmiss list scenes) or a TOML file");
  app.add_option("--scene", typed.sceneOption, "the same");
  app.add_option("--model", typed.model, "the drones' model: a built-in name or any file");
  app.add_option("--player-model", typed.playerModel, "the user's ship");
  app.add_option("--drones", typed.drones, "how many, shared out among the scene's groups")
      ->check(numberFrom(0, 100000));
  app.add_option("--seed", typed.seed, "of places and of the drones' choices")
      ->check(numberFrom(0, 0x1p63));
  app.add_option("--sim-step", typed.simStep, "simulation seconds a frame (0.1)")
      ->check(numberFrom(1e-6, 1e3));
  app.add_option("--detect-step", typed.detectStep, "simulation seconds a detection (0.05)")
      ->check(numberFrom(1e-6, 1e3));
  app.add_option("--seconds", typed.seconds, "stop after so much simulation time")
      ->check(numberFrom(0, 1e9));
  app.add_option("--frames", typed.options.frames, "stop after so many frames");
}

void addDetectorOptions(CLI::App& app, Typed& typed) {
  const char* group = "Detection";
  std::vector<std::string_view> narrow = namesOf(narrowPhaseCatalog());
  app.add_option("--broad", typed.broad, "nearmiss list broad")
      ->check(oneOf(namesOf(broadPhaseCatalog()), "NAME"))
      ->group(group);
  app.add_option("--narrow", typed.narrow, "nearmiss list narrow")
      ->check(oneOf(narrow, "NAME"))
      ->group(group);
  app.add_option("--tree", typed.tree, "nearmiss list trees")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"))
      ->group(group);
  narrow.push_back("none");
  app.add_option("--reference", typed.reference,
                 "a second narrow phase that only watches the same states")
      ->check(oneOf(narrow, "NAME|none"))
      ->group(group);
  app.add_option("--max-level", typed.maxLevel, "finest level; 0 is the bounding spheres")
      ->check(numberFrom(0, 5))
      ->group(group);
  app.add_option("--frame-ms", typed.frameMs, "target frame time in ms")
      ->check(numberFrom(1e-3, 1e6))
      ->group(group);
  const auto budget = [](const std::string& text) {
    engine::BudgetRule ignored;
    return parseBudget(text, ignored);
  };
  app.add_option("--budget", typed.budget,
                 "detection's allowance a frame in microseconds; auto: the target less what the "
                 "rest is predicted to take")
      ->check(checkedBy(budget, "auto, inf or microseconds"))
      ->group(group);
  app.add_option("--clock", typed.clock,
                 "what the budget is measured in; work is repeatable bit for bit")
      ->check(oneOf({"wall", "work"}, "wall|work"))
      ->group(group);
  app.add_option("--era-scale", typed.eraScale, "divides the allowance: the 1995 mode")
      ->check(numberFrom(1e-6, 1e9))
      ->group(group);
}

void addFileOptions(CLI::App& app, Typed& typed) {
  const char* group = "Files";
  Options& options = typed.options;
  app.add_option("--profile", options.profile, "a line a frame, as CSV")->group(group);
  app.add_option("--summary", options.summary, "statistics of the run, as JSON")->group(group);
  app.add_option("--trace", options.trace, "Chrome trace, for Perfetto")->group(group);
  app.add_option("--calls", options.calls, "every pair timed with both methods, as CSV")
      ->group(group);
  app.add_option("--config", typed.config, "settings instead of the user's own")->group(group);
  app.add_option("--cache-dir", options.cacheFolder, "where built trees are kept")->group(group);
  app.add_flag("--rebuild-trees", options.rebuildTrees, "build anew what the cache holds")
      ->group(group);
  app.add_option("--jobs", options.jobs, "threads that build trees; 0: one a core")
      ->check(numberFrom(0, 1024))
      ->group(group);
  app.add_flag("--print-config", typed.printConfig, "print what would be used, and end")
      ->group(group);
}

void addWindowOptions(CLI::App& app, Typed& typed) {
  const char* group = "Window";
  Options& options = typed.options;
  app.add_flag("--headless", options.headless, "draw without a display, on SDL's offscreen driver")
      ->group(group);
  const auto size = [](const std::string& text) {
    int width = 0, height = 0;
    return parseSize(text, width, height);
  };
  app.add_option("--size", typed.size, "of the window (1280x720)")
      ->check(checkedBy(size, "WxH"))
      ->group(group);
  app.add_option("--msaa", options.msaa, "samples a pixel")
      ->check(CLI::IsMember({0, 4}))
      ->group(group);
  app.add_flag("--vsync", options.vsync, "wait for the display")->group(group);
  app.add_flag("--fullscreen", options.fullscreen, "fill the display")->group(group);
  app.add_option("--ui-scale", options.uiScale, "size of text; default: from the display")
      ->check(numberFrom(0.75, 2))
      ->group(group);
  const auto screenshot = [](const std::string& text) {
    std::filesystem::path file;
    std::uint64_t frame = 0;
    return parseScreenshot(text, file, frame);
  };
  app.add_option("--screenshot", typed.screenshot, "a picture of one frame")
      ->check(checkedBy(screenshot, "FILE.png@FRAME"))
      ->group(group);
}

/// Drones shared out evenly, the first groups getting what is left over.
void shareOut(int drones, std::vector<engine::DroneGroup>& groups) {
  if (groups.empty()) groups.emplace_back();
  const int count = static_cast<int>(groups.size());
  for (int i = 0; i < count; ++i)
    groups[static_cast<std::size_t>(i)].count = drones / count + (i < drones % count ? 1 : 0);
}

void layOver(const Typed& typed, Scene& scene) {
  if (typed.drones) shareOut(*typed.drones, scene.drones);
  if (typed.model)
    for (engine::DroneGroup& group : scene.drones) group.model = *typed.model;
  scene.playerModel = typed.playerModel.value_or(scene.playerModel);
  if (typed.seed) scene.seed = static_cast<std::uint64_t>(*typed.seed);
  scene.broad = typed.broad.value_or(scene.broad);
  scene.narrow = typed.narrow.value_or(scene.narrow);
  scene.tree = typed.tree.value_or(scene.tree);
  scene.reference = typed.reference.value_or(scene.reference);
  if (scene.reference == "none") scene.reference.clear();
  scene.maxLevel = typed.maxLevel.value_or(scene.maxLevel);
  scene.frameMs = typed.frameMs.value_or(scene.frameMs);
  if (typed.budget) parseBudget(*typed.budget, scene.budget);
  scene.budget.eraScale = typed.eraScale.value_or(scene.budget.eraScale);
  if (typed.clock)
    scene.clock = *typed.clock == "work" ? engine::ClockKind::Work : engine::ClockKind::Wall;
  scene.simStep = typed.simStep.value_or(scene.simStep);
  scene.detectStep = typed.detectStep.value_or(scene.detectStep);
  if (typed.seconds) scene.simSeconds = typed.seconds;
}

/// Command line over scene over the user's settings over defaults.
Result<Options> resolve(Typed& typed) {
  Scene scene;
  std::error_code failed;
  const std::filesystem::path settings =
      typed.config.empty() ? engine::userSettingsFile() : typed.config;
  if (!typed.config.empty() || std::filesystem::exists(settings, failed)) {
    auto read = engine::readScene(settings, scene);
    if (!read) return read.error();
    scene = std::move(*read);
  }
  const std::string& wanted = typed.scene.empty() ? typed.sceneOption : typed.scene;
  if (!wanted.empty()) {
    const auto file = engine::findScene(wanted);
    if (!file) return file.error();
    auto read = engine::readScene(*file, scene);
    if (!read) return read.error();
    scene = std::move(*read);
  }
  layOver(typed, scene);

  Options options = typed.options;
  options.scene = std::move(scene);
  if (typed.size) parseSize(*typed.size, options.width, options.height);
  if (typed.screenshot)
    parseScreenshot(*typed.screenshot, options.screenshot, options.screenshotFrame);
  return options;
}

/// "nearmiss tree build", as it is typed.
std::string pathOf(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent ? pathOf(*parent) + " " + app.get_name() : app.get_name();
}

int usageError(const CLI::App& app, std::string_view sentence) {
  complain(sentence);
  fmt::print(stderr, "See {} --help.\n", pathOf(app));
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
  Typed fly, run;
  TreeBuildCommand build;
  std::string coverage = "guaranteed";
  TreeInfoCommand info;
  TreeExportCommand exporting;
  TreeCheckCommand check;
  Fig14Command fig14;
  ListCommand list;
};

void addExport(CLI::App& tree, TreeExportCommand& command) {
  CLI::App* app = tree.add_subcommand("export", "write the spheres of a tree for other programs");
  app->add_option("FILE", command.file, "a tree file")->required();
  app->add_option("-o,--out", command.out, "the file to write")->required();
  app->add_option("--format", command.format, "csv, json, curobo, foam, urdf or sph")
      ->check(oneOf(namesOf(sphereFormats()), "NAME"))
      ->required();
  app->add_option("--model", command.model,
                  "what it was built from: keeps the frame and unit of the model's file");
  app->add_option("--level", command.level, "only this level; with --count no deeper than this")
      ->check(numberFrom(0, 10));
  app->add_option("--count", command.count, "a flat set of exactly so many spheres")
      ->check(numberFrom(1, 10'000'000));
}

void addLabCommands(CLI::App& app, Parsed& parsed) {
  CLI::App* lab = app.add_subcommand("lab", "experiments; nearmiss list experiments");
  lab->require_subcommand(1);
  CLI::App* fig14 = lab->add_subcommand("fig14", std::string(fig14Summary));
  fig14->add_option("-o,--out", parsed.fig14.folder, "the folder to write to")->required();
  fig14->add_flag("--quick", parsed.fig14.quick, "200 poses and coarser bounds");
  fig14->add_option("--model", parsed.fig14.models, "instead of the built-in models");
  fig14->add_option("--tree", parsed.fig14.builders, "only these beside the octree")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"));
  fig14->add_option("--levels", parsed.fig14.levels, "deepest level of spheres")
      ->check(numberFrom(1, 5))
      ->capture_default_str();
  fig14->add_option("--jobs", parsed.fig14.workers, "threads for building and measuring")
      ->check(numberFrom(1, 256))
      ->capture_default_str();
}

void addTreeCommands(CLI::App& app, Parsed& parsed) {
  CLI::App* tree = app.add_subcommand("tree", "build, describe and prove sphere trees");
  tree->require_subcommand(1);
  CLI::App* build = tree->add_subcommand("build", "build the tree of a model into a file");
  build->add_option("MODEL", parsed.build.model, "a built-in name or a file")->required();
  build->add_option("-o,--out", parsed.build.out, "the file to write")->required();
  build->add_option("--method", parsed.build.method, "nearmiss list trees")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"))
      ->capture_default_str();
  build->add_option("--levels", parsed.build.settings.levels, "deepest level of spheres")
      ->check(numberFrom(1, 10))
      ->capture_default_str();
  build->add_option("--branching", parsed.build.settings.branching, "most children of a sphere")
      ->check(numberFrom(2, 64))
      ->capture_default_str();
  build
      ->add_option("--jobs", parsed.build.settings.workers,
                   "threads that build; the tree is the same for any number")
      ->check(numberFrom(1, 256))
      ->capture_default_str();
  build->add_option("--coverage", parsed.coverage, "what a child must cover of its parent")
      ->check(oneOf({"guaranteed", "paper"}, "guaranteed|paper"))
      ->capture_default_str();
  CLI::App* info = tree->add_subcommand("info", "what a tree file holds");
  info->add_option("FILE", parsed.info.file, "a tree file")->required();
  info->add_option("MODEL", parsed.info.model, "what it was built from, to measure more");
  addExport(*tree, parsed.exporting);
  CLI::App* check = tree->add_subcommand("check", "prove a tree against its model");
  check->add_option("FILE", parsed.check.file, "a tree file")->required();
  check->add_option("MODEL", parsed.check.model, "what it was built from")->required();
}

void addCommands(CLI::App& app, Parsed& parsed) {
  CLI::App* fly = app.add_subcommand("fly", "fly a ship among drones; this is the default");
  addSceneOptions(*fly, parsed.fly);
  addDetectorOptions(*fly, parsed.fly);
  addFileOptions(*fly, parsed.fly);
  addWindowOptions(*fly, parsed.fly);

  CLI::App* run = app.add_subcommand(
      "run", fmt::format("the same simulation without window or GL; ends after {:.0f} s of "
                         "simulation if nothing else is said",
                         defaultRunSeconds));
  addSceneOptions(*run, parsed.run);
  addDetectorOptions(*run, parsed.run);
  addFileOptions(*run, parsed.run);
  run->add_flag("--realtime", parsed.run.options.realtime, "keep to the frame target by idling");

  addTreeCommands(app, parsed);
  addLabCommands(app, parsed);
  CLI::App* list = app.add_subcommand("list", "the names that options take");
  list->add_option("WHAT", parsed.list.what, "models, scenes, broad, narrow, trees or experiments")
      ->check(oneOf({"models", "scenes", "broad", "narrow", "trees", "experiments"}, "WHAT"))
      ->required();
}

Command flyOrRun(const CLI::App& app, Typed& typed, bool fly) {
  if (!typed.scene.empty() && !typed.sceneOption.empty())
    return Ended{usageError(app, "the scene is named twice")};
  auto options = resolve(typed);
  if (!options) return Ended{complain(options.error(), BadModelOrScene)};
  if (typed.printConfig) return PrintConfigCommand{std::move(*options)};
  if (fly) return FlyCommand{std::move(*options)};
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
  if (name == "run") return flyOrRun(at, parsed.run, false);
  if (name == "list") return std::move(parsed.list);
  if (name == "info") return std::move(parsed.info);
  if (name == "export") return std::move(parsed.exporting);
  if (name == "fig14") return std::move(parsed.fig14);
  if (name == "check") return std::move(parsed.check);
  if (name == "build") {
    parsed.build.settings.coverage =
        parsed.coverage == "paper" ? Coverage::Paper : Coverage::Guaranteed;
    return std::move(parsed.build);
  }
  return flyOrRun(at, parsed.fly, true);
}

}  // namespace nearmiss::app
