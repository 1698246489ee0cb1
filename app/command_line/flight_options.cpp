// SPDX-License-Identifier: MIT
#include "command_line/flight_options.h"

#include <engine/base/resources.h>
#include <engine/scene/as_published.h>
#include <engine/scene/setting_text.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <span>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "console/film_name.h"
#include "options/option_checks.h"

namespace nearmiss::app {
namespace {

using engine::Scene;

bool parseSize(const std::string& text, int& width, int& height) {
  char after = '\0';
  if (std::sscanf(text.c_str(), "%5dx%5d%c", &width, &height, &after) != 2) return false;
  return width >= 160 && height >= 120 && width <= 16384 && height <= 16384;
}

/// Parses FILE.png@FRAME
bool parseScreenshot(const std::string& text, std::filesystem::path& file, std::uint64_t& frame) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos || at == 0) return false;
  const char* last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data() + at + 1, last, frame);
  file = text.substr(0, at);
  return fault == std::errc() && end == last && at + 1 < text.size() && file.extension() == ".png";
}

/// Sets the scene's detection to that of the right half.
void layOver(const HalfChoice& right, Scene& scene) {
  scene.narrow = right.narrow;
  if (!right.tree.empty()) scene.tree = right.tree;
  scene.budget.kind = right.budget.kind;
  scene.budget.fixed = right.budget.fixed;
}

bool typedOption(const Typed& typed, std::string_view option) {
  return std::ranges::find(typed.settings, option, &Typed::Change::option) != typed.settings.end();
}

void layOver(const Typed& typed, Scene& scene) {
  if (typed.drones) engine::distributeDrones(*typed.drones, scene.drones);
  for (const Typed::Change& change : typed.settings) change.apply(scene);
  if (typed.split) layOver(parseSplit(*typed.split)->right, scene);
  // Keep an explicit step
  scene.fixedStep = scene.fixedStep || typed.fixedStep || typedOption(typed, "--sim-step");
  if (!typed.options.records.video.empty()) {
    scene.fixedStep = true;
    if (!typedOption(typed, "--clock")) scene.clock = engine::ClockKind::Work;
  }
}

void forEachOwner(Scene& scene, const std::function<void(Scene&)>& change) { change(scene); }
void forEachOwner(Scene& scene, const std::function<void(engine::DroneGroup&)>& change) {
  for (engine::DroneGroup& group : scene.drones) change(group);
}

/// Adds the option of a setting, depending on the type of its value.
template <class Owner>
struct SettingOption {
  CLI::App& app;
  Typed& typed;
  const engine::Setting<Owner>& setting;

  template <class Number>
  CLI::Option* operator()(const engine::NumberValue<Owner, Number>& number) const {
    CLI::Option* option =
        add<Number>([number](Owner& owner, Number value) { number.set(owner, value); });
    if constexpr (std::is_integral_v<Number>)
      return option->transform(wholeFrom(number.min, number.max));
    else
      return option->check(numberFrom(number.min, number.max));
  }
  CLI::Option* operator()(const engine::FlagValue<Owner>& flag) const {
    return app
        .add_flag_callback(
            std::string(setting.option),
            [*this, flag] { note([flag](Owner& owner) { flag.set(owner, true); }); },
            std::string(setting.meaning))
        ->disable_flag_override();
  }
  CLI::Option* operator()(const engine::TextValue<Owner>& text) const {
    return add<std::string>(
        [text](Owner& owner, const std::string& value) { text.at(owner) = value; });
  }
  CLI::Option* operator()(const engine::NameValue<Owner>& name) const {
    const auto names = name.names();
    return add<std::string>(
               [name](Owner& owner, const std::string& value) { name.set(owner, value); })
        ->check(oneOf(names, name.list.empty() ? fmt::format("{}", fmt::join(names, "|"))
                                               : std::string("NAME")));
  }
  CLI::Option* operator()(const engine::BudgetValue<Owner>& budget) const {
    const auto parses = [](const std::string& text) { return engine::parseBudget(text); };
    return add<std::string>([budget](Owner& owner, const std::string& value) {
             budget.at(owner) = *engine::parseBudget(value, budget.at(owner));
           })
        ->check(checkedBy(parses, "auto, inf or microseconds"));
  }
  CLI::Option* operator()(const engine::MassValue<Owner>&) const { return nullptr; }
  CLI::Option* operator()(const engine::RangeValue<Owner>&) const { return nullptr; }

 private:
  void note(std::function<void(Owner&)> change) const {
    typed.settings.push_back({setting.option, [change = std::move(change)](Scene& scene) {
                                forEachOwner(scene, change);
                              }});
  }
  template <class Value>
  CLI::Option* add(auto set) const {
    const auto typedValue = [*this, set](const Value& value) {
      note([set, value](Owner& owner) { set(owner, value); });
    };
    return app
        .add_option_function<Value>(std::string(setting.option), typedValue,
                                    std::string(setting.meaning))
        ->default_str(engine::briefText(setting, Owner{}));
  }
};

bool isOfDetection(std::string_view table) noexcept {
  return table == "detector" || table == "importance";
}

/// Adds the options of detection settings, or those of all others.
template <class Owner>
void addSettings(CLI::App& app, Typed& typed, std::span<const engine::Setting<Owner>> settings,
                 bool ofDetection) {
  for (const engine::Setting<Owner>& setting : settings) {
    if (setting.option.empty() || isOfDetection(setting.table) != ofDetection) continue;
    CLI::Option* option = std::visit(SettingOption<Owner>{app, typed, setting}, setting.value);
    if (option && ofDetection) option->group("Detection");
  }
}

void addCacheOptions(CLI::App& app, Options& options, const char* group) {
  app.add_option("--cache-dir", options.cacheFolder, "the folder of built trees")->group(group);
  app.add_flag("--rebuild-trees", options.rebuildTrees, "rebuild trees that the cache holds")
      ->group(group);
  app.add_option("--jobs", options.jobs, "threads that build trees; 0: one per core")
      ->transform(wholeFrom(0, 1024))
      ->group(group);
}

void addWorkers(CLI::App& app, Options& options, const char* group) {
  app.add_option("--workers", options.workers,
                 "threads that move ships and detect contacts; 0: one per core; with unlimited "
                 "time, results do not depend on it (1)")
      ->transform(wholeFrom(0, 64))
      ->group(group);
}

}  // namespace

void addSceneOptions(CLI::App& app, Typed& typed) {
  app.add_option("SCENE", typed.scene, "a built-in scene (nearmiss list scenes) or a TOML file");
  app.add_option("--scene", typed.sceneOption, "the same as SCENE");
  app.add_option("--drones", typed.drones, "the number of drones, distributed over the groups")
      ->transform(
          wholeFrom(0, engine::maxDrones, "100000 take 0.3 GB of memory and seconds per frame"));
  addSettings<engine::DroneGroup>(app, typed, engine::droneSettings, false);
  addSettings<Scene>(app, typed, engine::sceneSettings, false);
  app.add_option("--frames", typed.options.frames, "stop after this many frames")
      ->transform(wholeFrom(0, 1'000'000'000'000'000));
}

void addDetectorOptions(CLI::App& app, Typed& typed) {
  addSettings<Scene>(app, typed, engine::sceneSettings, true);
  addWorkers(app, typed.options, "Detection");
}

void addFileOptions(CLI::App& app, Typed& typed) {
  const char* group = "Files";
  Options& options = typed.options;
  app.add_option("--profile", options.records.profile, "one line per frame, as CSV")->group(group);
  app.add_option("--summary", options.records.summary, "statistics of the run, as JSON")
      ->group(group);
  app.add_option("--trace", options.records.trace, "Chrome trace, for Perfetto")->group(group);
  app.add_option("--calls", options.records.calls, "every pair timed with both methods, as CSV")
      ->group(group);
  app.add_option("--record", options.records.session, "the flight itself, for nearmiss replay")
      ->group(group);
  app.add_option("--config", typed.config, "a settings file in place of the user's own")
      ->group(group);
  addCacheOptions(app, options, group);
  app.add_flag("--print-config", typed.printConfig, "print all settings, and end")->group(group);
}

void addReplayOptions(CLI::App& app, Typed& typed) {
  addCacheOptions(app, typed.options, "Files");
  addWorkers(app, typed.options, "Files");
}

void addWindowOptions(CLI::App& app, Typed& typed) {
  const char* group = "Window";
  Options& options = typed.options;
  app.add_flag("--headless", options.window.headless,
               "draw without a display, on SDL's offscreen driver")
      ->group(group);
  const auto size = [](const std::string& text) {
    int width = 0, height = 0;
    return parseSize(text, width, height);
  };
  app.add_option("--size", typed.size, "of the window (1280x720)")
      ->check(checkedBy(size, "WxH"))
      ->group(group);
  app.add_option("--msaa", options.window.msaa, "samples per pixel")
      ->check(oneOf({"0", "4"}, "{0,4}"))
      ->group(group);
  app.add_flag("--vsync", options.window.vsync, "wait for the display")->group(group);
  app.add_option(
         "--script", options.script,
         "a file of commands to give at set times, lines such as \"2.5 thrust_forward for 3\"; "
         "with --video, the film shows the panels as well")
      ->check(CLI::ExistingFile)
      ->group(group);
  app.add_flag("--fullscreen", options.window.fullscreen, "fill the display")->group(group);
  app.add_flag("--mute", options.window.mute, "no sound")->group(group);
  app.add_option("--ui-scale", options.window.uiScale, "size of text; default: from the display")
      ->check(numberFrom(0.75, 2))
      ->group(group);
  std::vector<std::string> names;
  for (const fly::PaletteEntry& palette : fly::palettes) names.emplace_back(palette.name);
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
  app.add_option(
         "--video", options.records.video,
         "a film of the scene without panels, one picture per frame of the simulation; flies "
         "in fixed steps and by the work clock, so that every machine makes the same film")
      ->check(checkedBy(namesFilm, "FILE.y4m or FILE_%05d.png"))
      ->group(group);
}

void addFixedStepOption(CLI::App& app, Typed& typed) {
  app.add_flag("--fixed-step", typed.fixedStep,
               "advance every frame by the same simulation seconds, as run does, instead of by the "
               "time that the frame took")
      ->disable_flag_override()
      ->group("Window");
}

void addSplitOption(CLI::App& app, Typed& typed) {
  const CLI::Validator halves(
      [](std::string& text) {
        const auto split = parseSplit(text);
        return split ? std::string() : split.error().message;
      },
      "LEFT,RIGHT", "form");
  // The right half is the scene's detection, and times of a half are not frame measurements
  app.add_option("--split", typed.split,
                 "one flight by two methods side by side, each half NARROW[/TREE][:BUDGET], as in "
                 "bsp:inf,sphere-tree:50us; key F6")
      ->check(halves)
      ->excludes("--narrow", "--tree", "--budget", "--reference", "--profile", "--summary",
                 "--trace", "--calls", "--video")
      ->group("Window");
}

void addMemoryOptions(CLI::App& app, Typed& typed) {
  const char* group = "Window";
  app.add_flag("--defaults", typed.memory.restoresDefaults,
               "restore the default settings of the window")
      ->group(group);
  app.add_option("--window-settings", typed.memory.file,
                 "the file that remembers choices in the window, even for flights that are "
                 "headless or end by themselves")
      ->group(group);
}

void addTourOption(CLI::App& app, Typed& typed) {
  // The tour has its own flight, which is not recorded
  app.add_flag("--tour", typed.options.tour, "begin with the tour of two minutes; key Shift+F1")
      ->excludes("--split", "--profile", "--summary", "--trace", "--calls", "--video")
      ->group("Window");
}

void addBenchOptions(CLI::App& app, Typed& typed) {
  CLI::Option* bench =
      app.add_option("--bench", typed.options.bench,
                     "begin with two bodies on the bench, built-in models or files; key Shift+F3")
          ->expected(2)
          ->type_name("A B")
          ->excludes("--split", "--tour", "--profile", "--summary", "--trace", "--calls", "--video")
          ->group("Window");
  app.add_option("--pose", typed.options.benchPose,
                 "the pose of the bench: read from this file if it exists, and saved to it "
                 "(nearmiss-bench.toml)")
      ->needs(bench)
      ->group("Window");
}

Options withWindow(const Typed& typed) {
  Options options = typed.options;
  if (typed.size) parseSize(*typed.size, options.window.width, options.window.height);
  if (typed.palette) {
    const auto* const entry =
        std::ranges::find(fly::palettes, *typed.palette, &fly::PaletteEntry::name);
    options.window.palette = static_cast<fly::Palette>(entry - fly::palettes.begin());
  }
  if (typed.split) options.leftHalf = parseSplit(*typed.split)->left;
  if (typed.screenshot)
    parseScreenshot(*typed.screenshot, options.records.screenshot, options.records.screenshotFrame);
  return options;
}

namespace {

/// The default scene, before the user's settings: the built-in scene of that name, which has a
/// wall.
Scene startingScene() {
  const auto file = engine::findScene(Scene().name);
  const auto read = file ? engine::readScene(*file) : Result<Scene>(file.error());
  return read ? *read : Scene();
}

}  // namespace

Result<Options> resolve(const Typed& typed) {
  const std::string& wanted = typed.scene.empty() ? typed.sceneOption : typed.scene;
  Scene scene = wanted.empty() ? startingScene() : Scene();
  std::vector<std::filesystem::path> inputs;
  std::error_code failed;
  const std::filesystem::path settings =
      typed.config.empty() ? engine::userSettingsFile() : typed.config;
  if (!typed.config.empty() || std::filesystem::exists(settings, failed)) {
    auto read = engine::readScene(settings, scene);
    if (!read) return read.error();
    scene = std::move(*read);
    inputs.push_back(settings);
  }
  if (!wanted.empty()) {
    const auto file = engine::findScene(wanted);
    if (!file) return file.error();
    auto read = engine::readScene(*file, scene);
    if (!read) return read.error();
    scene = std::move(*read);
    inputs.push_back(*file);
  }
  layOver(typed, scene);
  if (const auto conflict = engine::conflictIn(scene))
    return Error{ErrorCode::Unsupported, *conflict};

  Options options = withWindow(typed);
  options.scene = std::move(scene);
  options.inputs = std::move(inputs);
  return options;
}

}  // namespace nearmiss::app
