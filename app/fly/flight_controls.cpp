// SPDX-License-Identifier: MIT
#include <engine/model/model_loader.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "fly/flight_controls.h"

namespace nearmiss::app {
namespace {

constexpr std::array textScales{0.75f, 1.0f, 1.25f, 1.5f, 1.75f, 2.0f};

std::string nameOf(DrawLevel level) {
  if (level == DrawLevel::Off) return "off";
  if (level == DrawLevel::Contact) return "of contacts";
  return fmt::format("level {}", static_cast<int>(level) - 1);
}

}  // namespace

std::vector<FlightLoop::Controls::Row> FlightLoop::Controls::flightRows() {
  return {
      {of(Kind::Choice, Flight, "scene",
          "Which ships fly, how many and where; the way of detecting stays."),
       [](Loop loop, Control& control) {
         static const std::vector<std::string> scenes = engine::builtInScenes();
         offer(control, scenes, loop.flight_->scene().name);
       },
       [](Loop loop, std::size_t option) { loop.wantScene(engine::builtInScenes()[option]); }},
      {of(Kind::Choice, Flight, "drones' model",
          "What the other ships look like; a file of your own can be dropped on the window."),
       [](Loop loop, Control& control) {
         static const std::vector<std::string> models = engine::builtInModels();
         const auto& drones = loop.flight_->scene().drones;
         offer(control, models, drones.empty() ? std::string_view() : drones.front().model);
       },
       [](Loop loop, std::size_t option) { loop.dropModel(engine::builtInModels()[option]); }},
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

std::vector<FlightLoop::Controls::Row> FlightLoop::Controls::timeRows() {
  return {
      {of(Kind::Switch, Time, "pause", "Everything stands still.", {Pause}),
       readSwitch<&UiState::paused>},
      {of(Kind::Press, Time, "one frame on", "Pauses, and flies one frame.", {Step})},
      {of(Kind::Press, Time, "one frame back", "Of a replay: steps one frame back.", {StepBack})},
      {of(Kind::Choice, Time, "speed", "How fast simulated time passes.",
          {Slower, Faster, NormalSpeed}),
       [](Loop loop, Control& control) {
         for (int e = slowestSpeed; e <= fastestSpeed; ++e)
           control.options.push_back(
               {e < 0 ? fmt::format("x 1/{}", 1 << -e) : fmt::format("x {}", 1 << e), {}});
         control.chosen = static_cast<std::size_t>(loop.ui_.speedExponent - slowestSpeed);
       },
       [](Loop loop, std::size_t option) {
         loop.changeSpeed(slowestSpeed + static_cast<int>(option));
       }},
      {of(Kind::Press, Time, "restart", "Flies the same scene from its start, alike.", {Restart})},
      {of(Kind::Press, Time, "restart elsewhere",
          "Flies the scene from its start with another seed: other places, other paths.",
          {NewSeed})},
      {of(Kind::Switch, Time, "run for points",
          "Ninety seconds in which passing ships closely counts, and touching them does not.",
          {Run}),
       [](Loop loop, Control& control) { control.on = loop.run_.running(); }}};
}

std::vector<FlightLoop::Controls::Row> FlightLoop::Controls::viewRows() {
  return {
      {of(Kind::Choice, View, "camera", "Where you look from.", {NextCamera}),
       [](Loop loop, Control& control) {
         offer(control,
               {{"chase", "From behind your ship."},
                {"cockpit", "From inside your ship."},
                {"orbit", "Around your ship; pull with the middle button."},
                {"free", "Wherever the flight keys take the eye."}},
               static_cast<std::size_t>(loop.cameraRig_.mode()));
       },
       [](Loop loop, std::size_t option) {
         loop.cameraRig_.setMode(static_cast<CameraMode>(option));
       }},
      {of(Kind::Press, View, "camera back", "Puts the camera back to its place.", {ResetCamera})},
      {of(Kind::Choice, View, "spheres", "Which spheres of the trees are drawn.", {NextDrawLevel}),
       [](Loop loop, Control& control) {
         for (int level = 0; level <= static_cast<int>(DrawLevel::Level4); ++level)
           control.options.push_back({nameOf(static_cast<DrawLevel>(level)), {}});
         control.chosen = static_cast<std::size_t>(loop.ui_.drawLevel);
       },
       [](Loop loop, std::size_t option) {
         loop.ui_.drawLevel = static_cast<DrawLevel>(option);
         loop.say("spheres", "spheres: " + nameOf(loop.ui_.drawLevel));
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
       [](Loop loop, Control& control) {
         offer(control, {{"full", {}}, {"compact", {}}, {"off", {}}},
               static_cast<std::size_t>(loop.ui_.overlay));
       },
       [](Loop loop, std::size_t option) { loop.ui_.overlay = static_cast<OverlayMode>(option); }},
      {of(Kind::Choice, View, "colours",
          "Which palette everything is drawn by; numbers and words always say the same."),
       [](Loop, Control& control) {
         offer(control,
               {{std::string(palettes[0].name), palettes[0].words},
                {std::string(palettes[1].name), palettes[1].words}},
               static_cast<std::size_t>(paletteInForce()));
       },
       [](Loop loop, std::size_t option) {
         loop.options_.palette.reset();
         usePalette(static_cast<Palette>(option));
       }},
      {of(Kind::Choice, View, "size of text", "How large everything is that is written."),
       [](Loop loop, Control& control) {
         control.options.push_back({"display's", "As the display's density asks."});
         control.chosen = loop.textScale_ > 0.0f ? Control::none : 0;
         for (const float scale : textScales) {
           if (scale == loop.textScale_) control.chosen = control.options.size();
           control.options.push_back({fmt::format("x {}", scale), {}});
         }
       },
       [](Loop loop, std::size_t option) {
         loop.scaleText(option == 0 ? 0.0f : textScales[option - 1]);
       }},
      {of(Kind::Switch, View, "reduced flashing", "Hits are outlined and do not glow.",
          {ReduceFlashing}),
       readSwitch<&UiState::reduceFlashing>},
      {of(Kind::Switch, View, "sound", "Hits are heard.", {Sound}),
       [](Loop loop, Control& control) { control.on = !loop.ui_.muted; }}};
}

std::vector<FlightLoop::Controls::Row> FlightLoop::Controls::comparisonRows() {
  return {
      {of(Kind::Switch, View, "split view", "One flight by two detectors side by side.",
          {SplitView}),
       [](Loop loop, Control& control) { control.on = loop.split_ != nullptr; }},
      {of(Kind::Press, View, "left half's method",
          "Gives the left half of a split view its next narrow phase.", {NextLeftMethod})},
      {of(Kind::Switch, View, "exact ghost",
          "The flight as it is with unlimited time, drawn through beside this one.", {ExactGhost}),
       [](Loop loop, Control& control) { control.on = loop.ghost_.has_value(); }},
      {of(Kind::Switch, View, "photo mode",
          "Pauses without panels, with a free eye; the same key ends it.", {Photo}),
       [](Loop loop, Control& control) { control.on = loop.beforePhoto_.has_value(); }}};
}

std::vector<FlightLoop::Controls::Row> FlightLoop::Controls::programRows() {
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
           nullptr, [](Loop loop, std::size_t) { loop.openKeyPage(); }},
          {of(Kind::Press, Program, "usual settings",
              "What is drawn, camera, sound, keys and size of text are as at the first start."),
           nullptr,
           [](Loop loop, std::size_t) {
             loop.useSettings({});
             loop.say("settings", "the usual settings hold");
           }},
          {of(Kind::Press, Program, "leave", "Ends the program, after a question."), nullptr,
           [](Loop loop, std::size_t) { loop.ui_.quitAsked = true; }}};
}

const std::vector<FlightLoop::Controls::Row>& FlightLoop::Controls::rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> made;
    for (auto part : {flightRows(), timeRows(), methodRows(), budgetRows(), viewRows(),
                      comparisonRows(), programRows()})
      std::ranges::move(part, std::back_inserter(made));
    return made;
  }();
  return all;
}

std::vector<Control> FlightLoop::controlTable() {
  std::vector<Control> controls;
  for (const Controls::Row& row : Controls::rows()) controls.push_back(row.control);
  return controls;
}

std::string_view FlightLoop::wordsFor(std::string_view name) {
  for (const Controls::Row& row : Controls::rows())
    if (row.control.name == name) return row.control.words;
  return hoverWords(name);
}

std::vector<Control> FlightLoop::controls() {
  std::vector<Control> controls = controlTable();
  for (std::size_t i = 0; i < controls.size(); ++i)
    if (const auto read = Controls::rows()[i].read) read(*this, controls[i]);
  return controls;
}

void FlightLoop::act(const ControlWish& wish) {
  if (!flight_) return;
  const Controls::Row& row = Controls::rows()[wish.control];
  const Control& control = row.control;
  if (wish.step != 0)
    apply(wish.step < 0 ? control.keys.front() : control.keys.back());
  else if (!row.choose && !wish.place)
    apply(control.keys.front());
  else if (control.group == KeyGroup::Detection && refusedInReplay())
    return;
  else if (wish.place)
    fixBudget(ui_, budgetAt(*wish.place));
  else
    row.choose(*this, wish.option);
}

void FlightLoop::chooseNext(Action key) {
  for (const Controls::Row& row : Controls::rows()) {
    if (row.control.keys.empty() || row.control.keys.front() != key) continue;
    Control control = row.control;
    row.read(*this, control);
    const std::size_t next = control.chosen + 1;
    row.choose(*this, next < control.options.size() ? next : 0);
    return;
  }
}

/// On a panel, a field of the status bar, or a ship.
void FlightLoop::click(const glm::vec2& at) {
  const bool read = std::exchange(ui_.introduction, false);
  if (read || ui_.pageOpen()) return;
  if (meets(overlay_.layout().status, {at.x, at.y, 1.0f, 1.0f})) {
    const HoverSpot* field = spots_.at(at);
    showControl(field ? field->name : std::string());
  } else if (!overlay_.takesClick(at)) {
    ui_.picked = picked(at);
  }
}

void FlightLoop::showControl(std::string_view name) {
  const std::vector<Control> controls = controlTable();
  const auto found = std::ranges::find(controls, name, &Control::name);
  if (tour_) endTour();
  ui_.controls = true;
  closeKeyPage();
  if (found != controls.end())
    controlPanel_.show(controls, static_cast<std::size_t>(found - controls.begin()));
}

}  // namespace nearmiss::app
