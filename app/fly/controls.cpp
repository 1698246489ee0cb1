// SPDX-License-Identifier: MIT
#include <engine/model/model_loader.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "fly/actions.h"
#include "fly/controls.h"
#include "fly/detection_budget.h"
#include "fly/detection_choice.h"

namespace nearmiss::app {
namespace {

constexpr std::array textScales{0.75f, 1.0f, 1.25f, 1.5f, 1.75f, 2.0f};

std::string nameOf(DrawLevel level) {
  if (level == DrawLevel::Off) return "off";
  if (level == DrawLevel::Contact) return "of contacts";
  return fmt::format("level {}", static_cast<int>(level) - 1);
}

}  // namespace

std::vector<ControlTable::Row> ControlTable::flightRows() {
  return {
      {of(Kind::Choice, Flight, "scene",
          "Which ships fly, how many and where; the way of detecting stays."),
       [](FlightContext& context, Control& control) {
         static const std::vector<std::string> scenes = engine::builtInScenes();
         offer(control, scenes, context.flight().scene().name);
       },
       [](FlightContext& context, std::size_t option) {
         wantScene(context, engine::builtInScenes()[option]);
       }},
      {of(Kind::Choice, Flight, "drones' model",
          "What the other ships look like; a file of your own can be dropped on the window."),
       [](FlightContext& context, Control& control) {
         static const std::vector<std::string> models = engine::builtInModels();
         const auto& drones = context.flight().scene().drones;
         offer(control, models, drones.empty() ? std::string_view() : drones.front().model);
       },
       [](FlightContext& context, std::size_t option) {
         dropModel(context, engine::builtInModels()[option]);
       }},
      {of(Kind::Press, Flight, "stop turning", "Stops the turning; twice in a row stops the ship.",
          {StopRotation})},
      {of(Kind::Switch, Flight, "fine control", "Thrust and turning are gentle.", {FineControl}),
       readSwitch<&UiState::fineControl>},
      {of(Kind::Switch, Flight, "steer by mouse",
          "The mouse turns the ship, its left button thrusts forward and its middle button back; "
          "the key ends it.",
          {MouseSteering}),
       readSwitch<&UiState::mouseSteering>}};
}

std::vector<ControlTable::Row> ControlTable::timeRows() {
  return {
      {of(Kind::Switch, Time, "pause", "Everything stands still.", {Pause}),
       readSwitch<&UiState::paused>},
      {of(Kind::Press, Time, "one frame on", "Pauses, and flies one frame.", {Step})},
      {of(Kind::Press, Time, "one frame back", "Of a replay: steps one frame back.", {StepBack})},
      {of(Kind::Choice, Time, "speed", "How fast simulated time passes.",
          {Slower, Faster, NormalSpeed}),
       [](FlightContext& context, Control& control) {
         for (int e = slowestSpeed; e <= fastestSpeed; ++e)
           control.options.push_back(
               {e < 0 ? fmt::format("x 1/{}", 1 << -e) : fmt::format("x {}", 1 << e), {}});
         control.chosen = static_cast<std::size_t>(context.ui.speedExponent - slowestSpeed);
       },
       [](FlightContext& context, std::size_t option) {
         changeSpeed(context, slowestSpeed + static_cast<int>(option));
       }},
      {of(Kind::Press, Time, "restart", "Flies the same scene from its start, alike.", {Restart})},
      {of(Kind::Press, Time, "restart elsewhere",
          "Flies the scene from its start with another seed: other places, other paths.",
          {NewSeed})},
      {of(Kind::Switch, Time, "run for points",
          "Ninety seconds in which passing ships closely counts, and touching them does not.",
          {Run}),
       [](FlightContext& context, Control& control) { control.on = context.modes.run.on(); }}};
}

std::vector<ControlTable::Row> ControlTable::viewRows() {
  return {
      {of(Kind::Choice, View, "camera", "Where you look from.", {NextCamera}),
       [](FlightContext& context, Control& control) {
         offer(control,
               {{"chase", "From behind your ship."},
                {"cockpit", "From inside your ship."},
                {"orbit", "Around your ship; pull with the middle button."},
                {"free", "Wherever the flight keys take the eye."}},
               static_cast<std::size_t>(context.view.rig.mode()));
       },
       [](FlightContext& context, std::size_t option) {
         context.view.rig.setMode(static_cast<CameraMode>(option));
       }},
      {of(Kind::Press, View, "camera back", "Puts the camera back to its place.", {ResetCamera})},
      {of(Kind::Choice, View, "spheres", "Which spheres of the trees are drawn.", {NextDrawLevel}),
       [](FlightContext& context, Control& control) {
         for (int level = 0; level <= static_cast<int>(DrawLevel::Level4); ++level)
           control.options.push_back({nameOf(static_cast<DrawLevel>(level)), {}});
         control.chosen = static_cast<std::size_t>(context.ui.drawLevel);
       },
       [](FlightContext& context, std::size_t option) {
         context.ui.drawLevel = static_cast<DrawLevel>(option);
         context.say("spheres", "spheres: " + nameOf(context.ui.drawLevel));
       }},
      {of(Kind::Switch, View, "wireframe", "Shows the triangles that ships are made of.",
          {Wireframe}),
       readSwitch<&UiState::wireframe>},
      {of(Kind::Switch, View, "bounding spheres", "The sphere around each ship.",
          {BoundingSpheres}),
       readSwitch<&UiState::boundingSpheres>},
      {of(Kind::Switch, View, "space-time bounds",
          "Where the picked ships can be in the time to come.", {SpaceTimeBounds}),
       readSwitch<&UiState::spaceTimeBounds>},
      {of(Kind::Switch, View, "plane of distances",
          "In a plane through two ships: which of them is nearer, and how far.", {NearestShips}),
       readSwitch<&UiState::nearestShips>},
      {of(Kind::Press, View, "look at a contact",
          "Turns to the next two ships that touch; a click on two ships picks them, too.",
          {NextPair})},
      {of(Kind::Switch, View, "marks of flight",
          "Heading, speed, the arena's rim, and arrows to ships that are out of view.",
          {FlightCues}),
       readSwitch<&UiState::cues>},
      {of(Kind::Choice, View, "overlay", "How much is written over the flight.", {NextOverlay}),
       [](FlightContext& context, Control& control) {
         offer(control, {{"full", {}}, {"compact", {}}, {"off", {}}},
               static_cast<std::size_t>(context.ui.overlay));
       },
       [](FlightContext& context, std::size_t option) {
         context.ui.overlay = static_cast<OverlayMode>(option);
       }},
      {of(Kind::Choice, View, "colours",
          "Which palette everything is drawn by; numbers and words always say the same."),
       [](FlightContext&, Control& control) {
         offer(control,
               {{std::string(palettes[0].name), palettes[0].words},
                {std::string(palettes[1].name), palettes[1].words}},
               static_cast<std::size_t>(paletteInForce()));
       },
       [](FlightContext& context, std::size_t option) {
         context.options.palette.reset();
         usePalette(static_cast<Palette>(option));
       }},
      {of(Kind::Choice, View, "size of text", "How large everything is that is written."),
       [](FlightContext& context, Control& control) {
         control.options.push_back({"display's", "As the display's density asks."});
         control.chosen = context.remembered.textScale > 0.0f ? Control::none : 0;
         for (const float scale : textScales) {
           if (scale == context.remembered.textScale) control.chosen = control.options.size();
           control.options.push_back({fmt::format("x {}", scale), {}});
         }
       },
       [](FlightContext& context, std::size_t option) {
         scaleText(context, option == 0 ? 0.0f : textScales[option - 1]);
       }},
      {of(Kind::Switch, View, "reduced flashing", "Hits are outlined and do not glow.",
          {ReduceFlashing}),
       readSwitch<&UiState::reduceFlashing>},
      {of(Kind::Switch, View, "sound", "Hits are heard.", {Sound}),
       [](FlightContext& context, Control& control) { control.on = !context.ui.muted; }}};
}

std::vector<ControlTable::Row> ControlTable::comparisonRows() {
  return {
      {of(Kind::Switch, View, "split view", "One flight by two detectors side by side.",
          {SplitView}),
       [](FlightContext& context, Control& control) { control.on = context.modes.split.on(); }},
      {of(Kind::Press, View, "left half's method",
          "Gives the left half of a split view its next narrow phase.", {NextLeftMethod})},
      {of(Kind::Switch, View, "exact ghost",
          "The flight as it is with unlimited time, drawn through beside this one.", {ExactGhost}),
       [](FlightContext& context, Control& control) { control.on = context.modes.ghost.on(); }},
      {of(Kind::Switch, View, "photo mode",
          "Pauses without panels, with a free eye; the same key ends it.", {Photo}),
       [](FlightContext& context, Control& control) { control.on = context.modes.photo.on(); }}};
}

std::vector<ControlTable::Row> ControlTable::programRows() {
  return {{of(Kind::Press, Program, "help", "All keys.", {Help})},
          {of(Kind::Press, Program, "tour",
              "Two minutes: what is seen here, and why; your flight waits meanwhile.", {Tour})},
          {of(Kind::Press, Program, "numbers", "Every number of one frame.", {Numbers})},
          {of(Kind::Press, Program, "record the flight",
              "Writes the flight from its start to a file, which nearmiss replay flies again; once "
              "more: ends it.",
              {RecordSession})},
          {of(Kind::Press, Program, "record the profile",
              "Writes a line for each frame to a file, for nearmiss report; once more: ends it.",
              {RecordProfile})},
          {of(Kind::Press, Program, "screenshot", "Writes a picture to a file.", {Screenshot})},
          {of(Kind::Press, Program, "full screen", "Fills the display, and back.", {FullScreen})},
          {of(Kind::Press, Program, "change keys",
              "Which keys do what: each action may have any number; one hand may do it all."),
           nullptr, [](FlightContext& context, std::size_t) { openKeyPage(context); }},
          {of(Kind::Press, Program, "usual settings",
              "What is drawn, camera, sound, keys and size of text are as at the first start."),
           nullptr,
           [](FlightContext& context, std::size_t) {
             useSettings(context, {});
             context.say("settings", "the usual settings hold");
           }},
          {of(Kind::Press, Program, "leave", "Ends the program, after a question."), nullptr,
           [](FlightContext& context, std::size_t) { context.ui.quitAsked = true; }}};
}

const std::vector<ControlTable::Row>& ControlTable::rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> made;
    for (auto part : {flightRows(), timeRows(), methodRows(), budgetRows(), viewRows(),
                      comparisonRows(), programRows()})
      std::ranges::move(part, std::back_inserter(made));
    return made;
  }();
  return all;
}

std::vector<Control> controlTable() {
  std::vector<Control> table;
  for (const ControlTable::Row& row : ControlTable::rows()) table.push_back(row.control);
  return table;
}

std::string_view wordsFor(std::string_view name) {
  for (const ControlTable::Row& row : ControlTable::rows())
    if (row.control.name == name) return row.control.words;
  return hoverWords(name);
}

std::vector<Control> controls(FlightContext& context) {
  std::vector<Control> now = controlTable();
  for (std::size_t i = 0; i < now.size(); ++i)
    if (const auto read = ControlTable::rows()[i].read) read(context, now[i]);
  return now;
}

void choose(FlightContext& context, const ControlWish& wish) {
  if (!context.flies()) return;
  const ControlTable::Row& row = ControlTable::rows()[wish.control];
  const Control& control = row.control;
  if (wish.step != 0)
    apply(context, wish.step < 0 ? control.keys.front() : control.keys.back());
  else if (!row.choose && !wish.place)
    apply(context, control.keys.front());
  else if (control.group == KeyGroup::Detection && ReplayMode::refuses(context))
    return;
  else if (wish.place)
    fixBudget(context.ui, budgetAt(*wish.place));
  else
    row.choose(context, wish.option);
}

void chooseNext(FlightContext& context, Action key) {
  for (const ControlTable::Row& row : ControlTable::rows()) {
    if (row.control.keys.empty() || row.control.keys.front() != key) continue;
    Control control = row.control;
    row.read(context, control);
    const std::size_t next = control.chosen + 1;
    row.choose(context, next < control.options.size() ? next : 0);
    return;
  }
}

}  // namespace nearmiss::app
