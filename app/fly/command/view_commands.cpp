// SPDX-License-Identifier: MIT
#include <array>

#include "fly/choices/detection_choice.h"
#include "fly/command/rows.h"

namespace nearmiss::app::fly {
namespace {

constexpr std::array textScales{0.75f, 1.0f, 1.25f, 1.5f, 1.75f, 2.0f};

std::string nameOf(DrawLevel level) {
  if (level == DrawLevel::Off) return "off";
  if (level == DrawLevel::Contact) return "of contacts";
  return fmt::format("level {}", static_cast<int>(level) - 1);
}

void flipSpaceTimeBounds(FlightContext& context, const Selection& selection) {
  flip<&UiState::view, &ViewChoice::spaceTimeBounds>(context, selection);
  const std::string& broad = context.flight().inUse().broad;
  context.say("bounds",
              !context.ui.view.spaceTimeBounds ? std::string("space-time bounds: off")
              : looksAhead(context.flight())
                  ? fmt::format("space-time bounds, as {} uses them", broad)
                  : fmt::format("space-time bounds from the ships' promises; {} uses none", broad));
}

/// The ships whose spheres are drawn, and whether their trees have that level.
std::string spheresWords(const FlightContext& context) {
  const DrawLevel drawn = context.ui.view.drawLevel;
  std::string words = "spheres: " + nameOf(drawn);
  if (drawn <= DrawLevel::Contact) return words;
  const Flight& flight = context.flight();
  const int level = static_cast<int>(drawn) - static_cast<int>(DrawLevel::Contact);
  const char* between = " of ";
  for (const std::size_t index : shipsInFocus(flight, context.ui.view.picked)) {
    const BodyState& body = flight.output().bodies[index];
    const std::string_view name = flight.shapes().shapes()[body.shape.index()].name;
    const bool own = index == flight.simulation().userIndex();
    words += own ? fmt::format("{}your {}", between, name)
                 : fmt::format("{}{} {}", between, name, body.key);
    between = " and ";
    const int finest = flight.shapes().sphereTree(linkOf(body, 0).shape.index()).levelCount() - 1;
    if (finest < level) words += fmt::format(" (its finest: level {})", finest);
  }
  return words;
}

std::vector<Command> cameraCommands() {
  using enum Action;
  using enum KeyGroup;
  return {
      CommandRow(View, NextCamera, "next_camera", "camera", "Camera: chase, cockpit, orbit, free.")
          .key(SDL_SCANCODE_C)
          .choice([](FlightContext& context, Control& control) {
            offer(control,
                  {{"chase", "From behind your ship."},
                   {"cockpit", "From inside your ship."},
                   {"orbit", "Around your ship; drag with the middle button."},
                   {"free", "Wherever the flight keys take the camera."}},
                  static_cast<std::size_t>(context.view.rig.mode()));
          })
          .does([](FlightContext& context, const Selection& selection) {
            context.view.rig.setMode(static_cast<CameraMode>(selection.option));
          }),
      CommandRow(View, ResetCamera, "reset_camera", "reset camera", "Reset the camera.")
          .key(SDL_SCANCODE_HOME)
          .does([](FlightContext& context, const Selection&) { context.view.rig.reset(); }),
      CommandRow(View, NextDrawLevel, "next_spheres", "spheres",
                 "Spheres drawn: none, of contacts, level 1 to 4.")
          .key(SDL_SCANCODE_L)
          .choice([](FlightContext& context, Control& control) {
            for (int level = 0; level <= static_cast<int>(DrawLevel::Level4); ++level)
              control.options.push_back({nameOf(static_cast<DrawLevel>(level)), {}});
            control.chosen = static_cast<std::size_t>(context.ui.view.drawLevel);
          })
          .does([](FlightContext& context, const Selection& selection) {
            context.ui.view.drawLevel = static_cast<DrawLevel>(selection.option);
            context.say("spheres", spheresWords(context));
          }),
      CommandRow(View, Wireframe, "wireframe", "wireframe", "Wireframe.")
          .key(SDL_SCANCODE_V)
          .flips<&UiState::view, &ViewChoice::wireframe>(),
      CommandRow(View, BoundingSpheres, "bounding_spheres", "bounding spheres",
                 "Bounding sphere of each ship.")
          .key(SDL_SCANCODE_H)
          .flips<&UiState::view, &ViewChoice::boundingSpheres>(),
      CommandRow(View, SpaceTimeBounds, "space_time_bounds", "space-time bounds",
                 "Space-time bounds of the picked ships.")
          .key(SDL_SCANCODE_P)
          .onOff(readSwitch<&UiState::view, &ViewChoice::spaceTimeBounds>)
          .does(flipSpaceTimeBounds),
      CommandRow(View, NearestShips, "plane_of_distances", "plane of distances",
                 "Which of two ships is nearer, and how far.")
          .key(SDL_SCANCODE_K)
          .flips<&UiState::view, &ViewChoice::nearestShips>()
          .says("plane through two ships: lines of equal distance, solid around the first and "
                "dotted around the second",
                "plane through two ships: off"),
      CommandRow(View, NextPair, "next_pair", "look at a contact",
                 "Pause; look at a contact, or the first possible.")
          .key(SDL_SCANCODE_N)
          .does([](FlightContext& context, const Selection&) {
            context.view.contacts.show(context);
          }),
      CommandRow(View, MarkUnimportant, "mark_unimportant", "unimportant ships",
                 "Mark picked ships (Shift+click) as unimportant.")
          .shift(SDL_SCANCODE_N)
          .does([](FlightContext& context, const Selection&) {
            const PickedShips& picked = context.ui.view.picked;
            toggleUnimportant(context, std::array{picked.a, picked.b});
          }),
  };
}

std::vector<Command> comparisonCommands() {
  using enum Action;
  using enum KeyGroup;
  return {
      CommandRow(View, Action::SplitView, "split_view", "split view",
                 "Split view: one flight, two detectors.")
          .endsTour()
          .refusedInReplay()
          .key(SDL_SCANCODE_F6)
          .toggles<&FlightModes::split>(),
      CommandRow(View, NextLeftMethod, "next_left_method", "left half's method",
                 "Split view: next narrow phase on the left.")
          .endsTour()
          .refusedInReplay()
          .shift(SDL_SCANCODE_F6)
          .does([](FlightContext& context, const Selection&) {
            context.modes.split.nextLeftMethod(context);
          }),
      CommandRow(View, ExactGhost, "exact_ghost", "ghost",
                 "Ghost: the same flight with unlimited time.")
          .endsTour()
          .refusedInReplay()
          .key(SDL_SCANCODE_F7)
          .toggles<&FlightModes::ghost>(),
  };
}

std::vector<Command> screenCommands() {
  using enum Action;
  using enum KeyGroup;
  return {
      CommandRow(View, Action::FlightCues, "marks_of_flight", "marks of flight",
                 "Heading, speed, arrows, the wall.")
          .key(SDL_SCANCODE_I)
          .flips<&UiState::view, &ViewChoice::cues>()
          .says("heading and speed: on", "heading and speed: off"),
      CommandRow(View, "two_views", "two views in a duel",
                 "A duel shows both ships, also if the computer flies the second one.")
          .flips<&UiState::view, &ViewChoice::twoViews>()
          .says("two views in a duel: on", "two views in a duel: only with a controller"),
      CommandRow(View, NextOverlay, "next_overlay", "overlay",
                 "Overlay: full, compact, off, player.")
          .safeIn(SafeIn::Tour | SafeIn::Rewind)
          .key(SDL_SCANCODE_TAB)
          .choice([](FlightContext& context, Control& control) {
            offer(control, {{"full", {}}, {"compact", {}}, {"off", {}}, {"player", {}}},
                  static_cast<std::size_t>(context.ui.view.overlay));
          })
          .does([](FlightContext& context, const Selection& selection) {
            context.ui.view.overlay = static_cast<OverlayMode>(selection.option);
            context.ui.view.folded = false;
          }),
      CommandRow(View, FoldPanels, "fold_panels", "fold panels", "Fold the panels to one line.")
          .shift(SDL_SCANCODE_TAB)
          .flips<&UiState::view, &ViewChoice::folded>(),
      CommandRow(View, ReduceFlashing, "reduced_flashing", "reduced flashing",
                 "Reduced flashing: outlines instead of glow.")
          .safeIn(SafeIn::Tour | SafeIn::Bench)
          .key(SDL_SCANCODE_G)
          .flips<&UiState::view, &ViewChoice::reduceFlashing>()
          .says("reduced flashing: hits are outlined and do not glow", "reduced flashing: off"),
      CommandRow(View, "colours", "colours", "The palette; words and numbers never depend on it.")
          .choice([](FlightContext&, Control& control) {
            offer(control,
                  {{std::string(palettes[0].name), palettes[0].words},
                   {std::string(palettes[1].name), palettes[1].words}},
                  static_cast<std::size_t>(currentPalette()));
          })
          .does([](FlightContext& context, const Selection& selection) {
            context.options.window.palette.reset();
            usePalette(static_cast<Palette>(selection.option));
          }),
      CommandRow(View, "text_size", "text size", "Size of all text.")
          .choice([](FlightContext& context, Control& control) {
            control.options.push_back({"display's", "As the display's density asks."});
            control.chosen = context.remembered.textScale > 0.0f ? Control::none : 0;
            offer(
                control, textScales,
                [&](float scale) { return scale == context.remembered.textScale; },
                [](float scale) { return fmt::format("{} ×", scale); });
          })
          .does([](FlightContext& context, const Selection& selection) {
            scaleText(context, selection.option == 0 ? 0.0f : textScales[selection.option - 1]);
          }),
  };
}

}  // namespace

std::vector<Command> viewCommands() {
  std::vector<Command> all = cameraCommands();
  for (auto part : {comparisonCommands, screenCommands})
    for (Command& command : part()) all.push_back(command);
  return all;
}

}  // namespace nearmiss::app::fly
