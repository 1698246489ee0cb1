// SPDX-License-Identifier: MIT
/// All that a user can ask of the window, in one table: its rows are what keys do, what the panel
/// of controls offers, what help, words on hover and documents say, and what settings files name.
#pragma once

#include <SDL_scancode.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app::fly {

struct FlightContext;

/// Commands that code outside of the table names; the others are numbered after these.
enum class Action : std::uint8_t {
  ThrustForward,
  ThrustBack,
  YawLeft,
  YawRight,
  PitchUp,
  PitchDown,
  RollLeft,
  RollRight,
  StopRotation,
  FineControl,
  MouseSteering,
  Shoot,
  Pause,
  Step,
  StepBack,
  Slower,
  Faster,
  NormalSpeed,
  Rewind,
  Restart,
  NewSeed,
  Run,
  NextMethod,
  NextBroadPhase,
  NextNarrowPhase,
  SplitView,
  NextLeftMethod,
  ExactGhost,
  NextOrder,
  NextTree,
  CapNone,
  Cap1,
  Cap2,
  Cap3,
  Cap4,
  Cap5,
  BudgetDown,
  BudgetUp,
  EraMode,
  AsPublished,
  NextResponse,
  NextCamera,
  ResetCamera,
  NextDrawLevel,
  Wireframe,
  BoundingSpheres,
  SpaceTimeBounds,
  NearestShips,
  NextPair,
  MarkUnimportant,
  FlightCues,
  NextOverlay,
  FoldPanels,
  ReduceFlashing,
  Sound,
  Help,
  OpenControls,
  Numbers,
  RecordSession,
  RecordProfile,
  Photo,
  Screenshot,
  FullScreen,
  PageUp,
  PageDown,
  Tour,
  Bench,
  Back,
  Confirm,
  Unnamed
};

enum class KeyGroup : std::uint8_t { Flight, Time, Detection, View, Program };
inline constexpr std::array keyGroups{KeyGroup::Flight, KeyGroup::Time, KeyGroup::Detection,
                                      KeyGroup::View, KeyGroup::Program};
[[nodiscard]] std::string_view groupName(KeyGroup group) noexcept;

struct ControlOption {
  std::string name;
  std::string_view words;  ///< may be empty
};

/// A row of the panel: something that the mouse can set.
struct Control {
  enum class Kind : std::uint8_t {
    Press,   ///< does something once
    Switch,  ///< is on or off
    Choice,  ///< is one of its options
    List,    ///< a list of things to do, of which none is chosen
    Scale    ///< stands somewhere on a line
  };
  static constexpr std::size_t none = SIZE_MAX;

  Kind kind = Kind::Press;
  KeyGroup group = KeyGroup::Program;
  std::string_view name;
  std::string_view words;    ///< one sentence
  std::vector<Action> keys;  ///< keys that do the same; may be empty

  // Its present state
  bool on = false;
  std::vector<ControlOption> options;
  std::size_t chosen = none;
  double place = 0.0;  ///< on the scale, in [0, 1]
  std::string value;   ///< of a scale or a list, in words
  std::string note;    ///< a line below, for what is wrong; may be empty
};

/// The value chosen for a command; a key chooses none.
struct Wish {
  std::size_t option = Control::none;  ///< of a choice
  std::optional<double> place;         ///< of a scale
};

struct Command {
  KeyGroup group = KeyGroup::Program;
  std::string_view name;      ///< in files: "thrust_forward"
  std::string_view title;     ///< on the screen, a few words
  std::string_view sentence;  ///< its purpose; help shows it without its full stop
  Action action = Action::Unnamed;

  // Its usual keys, by position, so that the layout of the letters does not matter
  SDL_Scancode key = SDL_SCANCODE_UNKNOWN, otherKey = SDL_SCANCODE_UNKNOWN;
  bool shift = false;
  bool held = false;          ///< acts while it is down; else once, when it goes down
  bool repeats = false;       ///< acts again while the keyboard repeats it
  bool alwaysHeeded = false;  ///< even where nothing flies yet

  bool inPanel = true;
  std::string_view partOf{};  ///< the control, by title, in whose row it is; empty: one of its own
  Control::Kind kind = Control::Kind::Press;
  /// Fills in how it stands; null where there is nothing to say.
  void (*read)(FlightContext& context, Control& control) = nullptr;
  /// Null of what is held, and of rows that have parts alone.
  void (*does)(FlightContext& context, const Wish& wish) = nullptr;

  [[nodiscard]] bool hasUsualKey() const noexcept { return key != SDL_SCANCODE_UNKNOWN; }
};

/// Group by group, in the order of panel and help.
[[nodiscard]] std::span<const Command> commands() noexcept;
[[nodiscard]] const Command& commandOf(Action action) noexcept;
/// By its name in files; null where there is none.
[[nodiscard]] const Command* commandNamed(std::string_view name) noexcept;
/// All that have a usual key, as a table of Markdown.
[[nodiscard]] std::string keyTable();

}  // namespace nearmiss::app::fly
