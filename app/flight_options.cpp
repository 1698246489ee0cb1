// SPDX-License-Identifier: MIT
#include "flight_options.h"

#include <engine/flight/depth.h>
#include <engine/scene/as_published.h>
#include <engine/scene/resources.h>
#include <fmt/format.h>
#include <nearmiss/methods/catalog.h>
#include <nearmiss/tree_builders.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <system_error>
#include <vector>

#include "budget_text.h"
#include "console/film_name.h"
#include "option_checks.h"
#include "tree_additions.h"

namespace nearmiss::app {
namespace {

using engine::Scene;

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
  return fault == std::errc() && end == last && at + 1 < text.size() && file.extension() == ".png";
}

/// Drones shared out evenly, the first groups getting what is left over.
void shareOut(int drones, std::vector<engine::DroneGroup>& groups) {
  if (groups.empty()) groups.emplace_back();
  const int count = static_cast<int>(groups.size());
  for (int i = 0; i < count; ++i)
    groups[static_cast<std::size_t>(i)].count = drones / count + (i < drones % count ? 1 : 0);
}

/// The scene itself flies in the right half.
void layOver(const HalfChoice& right, Scene& scene) {
  scene.narrow = right.narrow;
  if (!right.tree.empty()) scene.tree = right.tree;
  scene.budget.kind = right.budget.kind;
  scene.budget.fixed = right.budget.fixed;
}

void layOver(const Typed& typed, Scene& scene) {
  if (typed.drones) shareOut(*typed.drones, scene.drones);
  // Whatever else was typed wins over it
  if (typed.asPublished) engine::setAsPublished(scene, true);
  if (typed.model)
    for (engine::DroneGroup& group : scene.drones) group.model = *typed.model;
  scene.playerModel = typed.playerModel.value_or(scene.playerModel);
  if (typed.seed) scene.seed = static_cast<std::uint64_t>(*typed.seed);
  if (typed.broad) scene.broad = typed.broad;
  scene.narrow = typed.narrow.value_or(scene.narrow);
  scene.tree = typed.tree.value_or(scene.tree);
  if (typed.coverage)
    scene.coverage = *typed.coverage == "paper" ? Coverage::Paper : Coverage::Guaranteed;
  if (typed.nodeBoxRatio) scene.nodeBoxRatio = typed.nodeBoxRatio;
  if (typed.innerSpheres) scene.innerSpheres = typed.innerSpheres;
  if (typed.order) scene.order = findRefinementOrder(*typed.order)->order;
  if (typed.response) scene.response = engine::responseOf(*typed.response);
  scene.reference = typed.reference.value_or(scene.reference);
  if (scene.reference == "none") scene.reference.clear();
  scene.maxLevel = typed.maxLevel.value_or(scene.maxLevel);
  scene.frameMs = typed.frameMs.value_or(scene.frameMs);
  if (typed.budget) parseBudget(*typed.budget, scene.budget);
  if (typed.split) layOver(parseSplit(*typed.split)->right, scene);
  scene.budget.eraScale = typed.eraScale.value_or(scene.budget.eraScale);
  if (typed.clock)
    scene.clock = *typed.clock == "work" ? engine::ClockKind::Work : engine::ClockKind::Wall;
  scene.importance.fullWithin = typed.fullWithin.value_or(scene.importance.fullWithin);
  // A given step of a frame is kept
  scene.fixedStep = scene.fixedStep || typed.fixedStep || typed.simStep;
  if (typed.simStep) scene.simStep = typed.simStep;
  scene.detectStep = typed.detectStep.value_or(scene.detectStep);
  if (!typed.options.video.empty()) {
    scene.fixedStep = true;
    if (!typed.clock) scene.clock = engine::ClockKind::Work;
  }
  if (typed.seconds) scene.simSeconds = typed.seconds;
}

void addCacheOptions(CLI::App& app, Options& options, const char* group) {
  app.add_option("--cache-dir", options.cacheFolder, "where built trees are kept")->group(group);
  app.add_flag("--rebuild-trees", options.rebuildTrees, "build anew what the cache holds")
      ->group(group);
  app.add_option("--jobs", options.jobs, "threads that build trees; 0: one a core")
      ->check(numberFrom(0, 1024))
      ->group(group);
}

void addWorkers(CLI::App& app, Options& options, const char* group) {
  app.add_option("--workers", options.workers,
                 "threads that move ships and detect contacts; 0: one a core; a flight without "
                 "limits of time is the same with any number (1)")
      ->check(numberFrom(0, 64))
      ->group(group);
}

}  // namespace

void addSceneOptions(CLI::App& app, Typed& typed) {
  app.add_option("SCENE", typed.scene, "a built-in scene (nearmiss list scenes) or a TOML file");
  app.add_option("--scene", typed.sceneOption, "the same");
  app.add_option("--model", typed.model, "the drones' model: a built-in name or any file");
  app.add_option("--player-model", typed.playerModel, "the user's ship");
  app.add_option("--drones", typed.drones, "how many, shared out among the scene's groups")
      ->check(numberFrom(0, 100000, "so many take 0.3 GB of memory and seconds a frame"));
  app.add_option("--seed", typed.seed, "of places and of the drones' choices")
      ->check(numberFrom(0, 9e18));
  app.add_flag(
      "--as-published", typed.asPublished,
      "as the papers describe it: medial spheres with the paper's coverage, no boxes, none "
      "inside, space-time bounds, the published bounce and time steps; options beside it "
      "win");
  app.add_option("--sim-step", typed.simStep,
                 "simulation seconds a frame, however long it takes; default: its target time")
      ->check(numberFrom(1e-6, 1e3));
  app.add_option("--detect-step", typed.detectStep, "simulation seconds a detection (1/120)")
      ->check(numberFrom(1e-6, 1e3));
  app.add_option("--seconds", typed.seconds, "stop after so much simulation time")
      ->check(numberFrom(0, 1e9));
  app.add_option("--frames", typed.options.frames, "stop after so many frames")
      ->check(numberFrom(0, 1e15));
}

void addDetectorOptions(CLI::App& app, Typed& typed) {
  const char* group = "Detection";
  std::vector<std::string_view> narrow = namesOf(narrowPhaseCatalog());
  app.add_option("--broad", typed.broad,
                 "nearmiss list broad; else the scene's, or space-time and for a crowd "
                 "space-time-grid")
      ->check(oneOf(namesOf(broadPhaseCatalog()), "NAME"))
      ->group(group);
  app.add_option("--narrow", typed.narrow, "nearmiss list narrow")
      ->check(oneOf(narrow, "NAME"))
      ->group(group);
  app.add_option("--tree", typed.tree, "nearmiss list trees")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"))
      ->group(group);
  app.add_option("--coverage", typed.coverage,
                 "medial: what must be covered: every point along a chain of spheres, or by each "
                 "level as a whole, as in the paper (guaranteed)")
      ->check(oneOf({"guaranteed", "paper"}, "guaranteed|paper"))
      ->group(group);
  const auto usually = [](auto number) {
    return fmt::format(" ({} for {}, else 0)", number, defaultSphereTreeBuilder);
  };
  const TreeAdditions additions =
      addTreeAdditions(app, typed.nodeBoxRatio, typed.innerSpheres,
                       usually(engine::defaultNodeBoxRatio), usually(engine::defaultInnerSpheres));
  additions.boxes->group(group);
  additions.inner->group(group);
  narrow.push_back("none");
  app.add_option("--reference", typed.reference,
                 "a second narrow phase that only watches the same states")
      ->check(oneOf(narrow, "NAME|none"))
      ->group(group);
  app.add_option("--max-level", typed.maxLevel, "finest level; 0 is the bounding spheres")
      ->check(numberFrom(0, engine::exactDepth))
      ->group(group);
  app.add_option("--order", typed.order,
                 "which pair is refined next while time lasts: nearmiss list orders")
      ->check(oneOf(namesOf(refinementOrderCatalog()), "NAME"))
      ->group(group);
  app.add_option("--response", typed.response, "what happens to ships that collide (bounce)")
      ->check(oneOf({std::begin(engine::responseNames), std::end(engine::responseNames)},
                    fmt::format("{}", fmt::join(engine::responseNames, "|"))))
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
  addWorkers(app, typed.options, group);
  app.add_option("--full-within", typed.fullWithin,
                 "metres from the user's ship within which no pair waits, however short the time "
                 "(0)")
      ->check(numberFrom(0, 1e9))
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
  app.add_option("--record", options.session, "the flight itself, for nearmiss replay")
      ->group(group);
  app.add_option("--config", typed.config, "settings instead of the user's own")->group(group);
  addCacheOptions(app, options, group);
  app.add_flag("--print-config", typed.printConfig, "print what would be used, and end")
      ->group(group);
}

void addReplayOptions(CLI::App& app, Typed& typed) {
  addCacheOptions(app, typed.options, "Files");
  addWorkers(app, typed.options, "Files");
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
  app.add_flag("--fixed-step", typed.fixedStep,
               "advance every frame by the same simulation seconds, as run does, instead of by the "
               "time that the frame took")
      ->group(group);
  app.add_flag("--vsync", options.vsync, "wait for the display")->group(group);
  app.add_flag("--fullscreen", options.fullscreen, "fill the display")->group(group);
  app.add_flag("--mute", options.mute, "no sound of hits")->group(group);
  app.add_option("--ui-scale", options.uiScale, "size of text; default: from the display")
      ->check(numberFrom(0.75, 2))
      ->group(group);
  std::vector<std::string> names;
  for (const PaletteEntry& palette : palettes) names.emplace_back(palette.name);
  app.add_option("--palette", typed.palette, "colours of the window; default: as last chosen in it")
      ->check(CLI::IsMember(names))
      ->group(group);
  const auto screenshot = [](const std::string& text) {
    std::filesystem::path file;
    std::uint64_t frame = 0;
    return parseScreenshot(text, file, frame);
  };
  app.add_option("--screenshot", typed.screenshot, "a picture of one frame")
      ->check(checkedBy(screenshot, "FILE.png@FRAME"))
      ->group(group);
  app.add_option("--video", options.video,
                 "a film of the scene without panels, one picture a frame of the simulation; flies "
                 "in fixed steps and by the work clock, so that every machine makes the same film")
      ->check(checkedBy(namesFilm, "FILE.y4m or FILE_%05d.png"))
      ->group(group);
}

void addSplitOption(CLI::App& app, Typed& typed) {
  const CLI::Validator halves(
      [](std::string& text) {
        const auto split = parseSplit(text);
        return split ? std::string() : split.error().message;
      },
      "LEFT,RIGHT", "form");
  // The right half's detection is the scene's, and what a half takes is no measurement of a frame
  app.add_option("--split", typed.split,
                 "one flight by two methods side by side, each half NARROW[/TREE][:BUDGET], as in "
                 "bsp:inf,sphere-tree:50us; key F6")
      ->check(halves)
      ->excludes("--narrow", "--tree", "--budget", "--reference", "--profile", "--summary",
                 "--trace", "--calls")
      ->group("Window");
}

void addMemoryOptions(CLI::App& app, Typed& typed) {
  const char* group = "Window";
  app.add_flag("--defaults", typed.memory.anew,
               "begin with the usual settings of the window, and remember those")
      ->group(group);
  app.add_option("--window-settings", typed.memory.file,
                 "remember what is chosen in the window there, also of a flight that is headless "
                 "or ends by itself, which else remembers nothing")
      ->group(group);
}

void addTourOption(CLI::App& app, Typed& typed) {
  // It has a flight of its own, of which nothing is kept
  app.add_flag("--tour", typed.options.tour, "begin with the tour of two minutes; key Shift+F1")
      ->excludes("--split", "--profile", "--summary", "--trace", "--calls")
      ->group("Window");
}

Options withWindow(const Typed& typed) {
  Options options = typed.options;
  if (typed.size) parseSize(*typed.size, options.width, options.height);
  if (typed.palette) {
    const auto* const entry = std::ranges::find(palettes, *typed.palette, &PaletteEntry::name);
    options.palette = static_cast<Palette>(entry - palettes.begin());
  }
  if (typed.split) options.leftHalf = parseSplit(*typed.split)->left;
  if (typed.screenshot)
    parseScreenshot(*typed.screenshot, options.screenshot, options.screenshotFrame);
  return options;
}

Result<Options> resolve(const Typed& typed) {
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
  if (const auto conflict = engine::conflictIn(scene))
    return Error{ErrorCode::Unsupported, *conflict};

  Options options = withWindow(typed);
  options.scene = std::move(scene);
  return options;
}

}  // namespace nearmiss::app
