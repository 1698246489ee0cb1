// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/sphere_tree_builder.h>

#include <algorithm>
#include <array>

#include "fly/flight_loop.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app {
namespace {

std::string nameOf(DrawLevel level) {
  if (level == DrawLevel::Off) return "off";
  if (level == DrawLevel::Contact) return "of contacts";
  return fmt::format("level {}", static_cast<int>(level) - 1);
}

template <class Catalog>
void offer(Control& control, const Catalog& catalog, std::string_view chosen) {
  for (const auto& entry : catalog) {
    if (entry.name == chosen) control.chosen = control.options.size();
    control.options.push_back({std::string(entry.name), entry.summary});
  }
}

void offer(Control& control, const std::vector<std::string>& names, std::string_view chosen) {
  for (const std::string& name : names) {
    if (name == chosen) control.chosen = control.options.size();
    control.options.push_back({name, {}});
  }
}

void offer(Control& control, std::initializer_list<ControlOption> options, std::size_t chosen) {
  control.options = options;
  control.chosen = chosen;
}

/// Those that go in steps, without planes.
std::vector<NarrowPhaseEntry> stepwisePhases() {
  std::vector<NarrowPhaseEntry> phases;
  std::ranges::copy_if(narrowPhaseCatalog(), std::back_inserter(phases),
                       [](const NarrowPhaseEntry& entry) { return !entry.needsBspTrees; });
  return phases;
}

}  // namespace

/// What the panel offers, and what choosing does. Keys that go on to the next option choose here,
/// too.
struct FlightLoop::Controls {
  struct Row {
    Control control;
    /// Fills in how it stands; null where there is nothing to say.
    void (*read)(FlightLoop& loop, Control& control) = nullptr;
    /// Of a choice, or of a switch that no key turns; else the first key's effect.
    void (*choose)(FlightLoop& loop, std::size_t option) = nullptr;
  };
  static const std::vector<Row>& rows();

 private:
  using Loop = FlightLoop&;
  using Kind = Control::Kind;
  using enum KeyGroup;
  using enum Action;

  static Control of(Kind kind, KeyGroup group, std::string_view name, std::string_view words,
                    std::vector<Action> keys = {}) {
    Control control;
    control.kind = kind;
    control.group = group;
    control.name = name;
    control.words = words;
    control.keys = std::move(keys);
    return control;
  }
  template <bool UiState::*state>
  static void readSwitch(Loop loop, Control& control) {
    control.on = loop.ui_.*state;
  }
  static std::vector<Row> flightRows();
  static std::vector<Row> timeRows();
  static std::vector<Row> methodRows();
  static std::vector<Row> budgetRows();
  static std::vector<Row> viewRows();
  static std::vector<Row> programRows();
};

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

std::vector<FlightLoop::Controls::Row> FlightLoop::Controls::methodRows() {
  return {
      {of(Kind::Choice, Detection, "detector",
          "How contacts are found: step by step with spheres, at once with planes, or by both.",
          {NextMethod}),
       [](Loop loop, Control& control) {
         offer(control,
               {{"sphere tree", "Coarse answers first, finer ones while time lasts."},
                {"BSP tree", "The exact answer in one step, however long it takes."},
                {"both", "The spheres fly; the planes watch, and tell what is missed."}},
               static_cast<std::size_t>(loop.changeover_.wantedMethod()));
       },
       [](Loop loop, std::size_t option) { loop.wantMethod(static_cast<Method>(option)); }},
      {of(Kind::Choice, Detection, "narrow phase",
          "How two ships that are near each other are compared.", {NextNarrowPhase}),
       [](Loop loop, Control& control) {
         offer(control, stepwisePhases(), loop.flight_->narrowPhase());
       },
       [](Loop loop, std::size_t option) { loop.wantNarrowPhase(stepwisePhases()[option]); }},
      {of(Kind::Choice, Detection, "broad phase",
          "How pairs are found that may touch at all, so that the others cost nothing.",
          {NextBroadPhase}),
       [](Loop loop, Control& control) {
         offer(control, broadPhaseCatalog(), loop.flight_->broadPhase());
       },
       [](Loop loop, std::size_t option) { loop.wantBroadPhase(broadPhaseCatalog()[option]); }},
      {of(Kind::Choice, Detection, "trees",
          "How the spheres of each model were made; others are built while you fly on.",
          {NextTree}),
       [](Loop loop, Control& control) {
         offer(control, sphereTreeBuilderCatalog(), loop.changeover_.wantedTrees().tree);
       },
       [](Loop loop, std::size_t option) {
         engine::Scene wanted = loop.changeover_.wantedTrees();
         wanted.tree = sphereTreeBuilderCatalog()[option].name;
         loop.wantTrees(wanted);
       }},
      {of(Kind::Switch, Detection, "boxes",
          "Where a sphere fits badly, a box beside it tells sooner that nothing touches."),
       [](Loop loop, Control& control) {
         control.on = engine::treeSettings(loop.changeover_.wantedTrees()).nodeBoxRatio > 0.0;
       },
       [](Loop loop, std::size_t) {
         engine::Scene wanted = loop.changeover_.wantedTrees();
         const bool on = engine::treeSettings(wanted).nodeBoxRatio > 0.0;
         wanted.nodeBoxRatio = on ? 0.0 : engine::defaultNodeBoxRatio;
         loop.wantTrees(wanted);
       }},
      {of(Kind::Switch, Detection, "inner spheres",
          "Spheres inside of each solid: where two of them meet, contact is proven early."),
       [](Loop loop, Control& control) {
         control.on = engine::treeSettings(loop.changeover_.wantedTrees()).innerSpheres > 0;
       },
       [](Loop loop, std::size_t) {
         engine::Scene wanted = loop.changeover_.wantedTrees();
         const bool on = engine::treeSettings(wanted).innerSpheres > 0;
         wanted.innerSpheres = on ? 0 : static_cast<int>(engine::defaultInnerSpheres);
         loop.wantTrees(wanted);
       }},
      {of(Kind::Choice, Detection, "order", "Which pair of ships is looked at more closely next.",
          {NextOrder}),
       [](Loop loop, Control& control) {
         offer(control, refinementOrderCatalog(), entryOf(loop.ui_.order).name);
       },
       [](Loop loop, std::size_t option) {
         loop.ui_.order = refinementOrderCatalog()[option].order;
         loop.toasts_.say("order",
                          fmt::format("order of refinement: {}; {}", entryOf(loop.ui_.order).name,
                                      entryOf(loop.ui_.order).summary),
                          loop.wallSeconds());
       }},
      {of(Kind::Choice, Detection, "response", "What happens to ships that touch.", {NextResponse}),
       [](Loop loop, Control& control) {
         for (const std::string_view name : engine::responseNames)
           control.options.push_back({std::string(name), responseWords(engine::responseOf(name))});
         control.chosen = static_cast<std::size_t>(loop.ui_.response);
       },
       [](Loop loop, std::size_t option) {
         loop.ui_.response = static_cast<engine::Response>(option);
         loop.toasts_.say("response", fmt::format("response: {}", responseWords(loop.ui_.response)),
                          loop.wallSeconds());
       }},
      {of(Kind::Switch, Detection, "as published", "The papers' own trees and technique, and back.",
          {AsPublished}),
       [](Loop loop, Control& control) { control.on = loop.flight_->scene().asPublished; }}};
}

std::vector<FlightLoop::Controls::Row> FlightLoop::Controls::budgetRows() {
  return {{of(Kind::Choice, Detection, "level cap",
              "How fine detection may go: from one sphere for all of a ship down to its triangles.",
              {CapNone, Cap1, Cap2, Cap3, Cap4, Cap5}),
           [](Loop loop, Control& control) {
             control.options.push_back({"none", "As fine as time allows."});
             for (int level = 1; level <= engine::exactDepth; ++level)
               control.options.push_back({std::string(engine::nameOfDepth(level)), {}});
             control.chosen = loop.ui_.levelCap > engine::exactDepth
                                  ? 0
                                  : static_cast<std::size_t>(loop.ui_.levelCap);
           },
           [](Loop loop, std::size_t option) {
             loop.ui_.levelCap = option == 0 ? Detector::noLevelCap : static_cast<int>(option);
           }},
          {of(Kind::Choice, Detection, "budget",
              "How long detection may take in each frame before it must answer with what it has."),
           [](Loop loop, Control& control) {
             offer(control,
                   {{"no limit", "Detection always ends, however late the frame is."},
                    {"auto", "What the rest of the frame is expected to leave of its target."},
                    {"fixed", "Always the same time, set below."}},
                   static_cast<std::size_t>(loop.ui_.budgetMode));
           },
           [](Loop loop, std::size_t option) {
             const auto mode = static_cast<BudgetMode>(option);
             if (mode == BudgetMode::Fixed)
               fixBudget(loop.ui_, loop.automaticBudget());
             else
               loop.ui_.budgetMode = mode;
           }},
          {of(Kind::Scale, Detection, "time allowed",
              "The budget of a frame; pulling the handle fixes it. The scale is logarithmic.",
              {BudgetDown, BudgetUp}),
           [](Loop loop, Control& control) {
             const bool fixed = loop.ui_.budgetMode == BudgetMode::Fixed;
             const bool bounded = loop.ui_.budgetMode != BudgetMode::Unlimited;
             const Clock::Duration time = fixed     ? loop.ui_.fixedBudget
                                          : bounded ? loop.automaticBudget()
                                                    : greatestBudget;
             control.place = bounded ? placeOfBudget(time) : 1.0;
             const double ms = std::chrono::duration<double, std::milli>(time).count();
             control.value = bounded ? std::string(std::string_view(formatTime(ms))) : "no limit";
           }},
          {of(Kind::Switch, Detection, "1995 mode",
              "Divides the budget, as if the machine were one of that year.", {EraMode}),
           readSwitch<&UiState::eraMode>}};
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
         loop.toasts_.say("spheres", "spheres: " + nameOf(loop.ui_.drawLevel), loop.wallSeconds());
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
      {of(Kind::Switch, View, "reduced flashing", "Hits are outlined and do not glow.",
          {ReduceFlashing}),
       readSwitch<&UiState::reduceFlashing>},
      {of(Kind::Switch, View, "sound", "Hits are heard.", {Sound}),
       [](Loop loop, Control& control) { control.on = !loop.ui_.muted; }}};
}

std::vector<FlightLoop::Controls::Row> FlightLoop::Controls::programRows() {
  return {{of(Kind::Press, Program, "help", "All keys.", {Help})},
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
          {of(Kind::Press, Program, "leave", "Ends the program, after a question."), nullptr,
           [](Loop loop, std::size_t) { loop.ui_.quitAsked = true; }}};
}

const std::vector<FlightLoop::Controls::Row>& FlightLoop::Controls::rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> made;
    for (auto part :
         {flightRows(), timeRows(), methodRows(), budgetRows(), viewRows(), programRows()})
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
  if (ui_.pageOpen()) return;
  if (meets(overlay_.layout().status, {at.x, at.y, 1.0f, 1.0f})) {
    const HoverSpot* field = spots_.at(at);
    showControl(field ? field->name : std::string());
  } else if (!overlay_.takesClick(at)) {
    ui_.picked = pickAt(*flight_, ui_.picked, camera_, window_.width(), window_.height(), at);
  }
}

void FlightLoop::showControl(std::string_view name) {
  const std::vector<Control> controls = controlTable();
  const auto found = std::ranges::find(controls, name, &Control::name);
  ui_.controls = true;
  if (found != controls.end())
    controlPanel_.show(controls, static_cast<std::size_t>(found - controls.begin()));
}

}  // namespace nearmiss::app
