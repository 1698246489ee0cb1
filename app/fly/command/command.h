// SPDX-License-Identifier: MIT
/// The table of all commands of the window. Keys, control panel, help, hover text, documentation
/// and names in settings files are derived from its rows.
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

/// Commands that are named in code; the others are numbered after these.
enum class Action : std::uint8_t {
  ThrustForward,
  ThrustBack,
  YawLeft,
  YawRight,
  PitchUp,
  PitchDown,
  RollLeft,
  RollRight,
  Boost,
  StopRotation,
  FlightAssist,
  FineControl,
  MouseSteering,
  Shoot,
  Tow,
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
  NextMission,
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
  MessageLog,
  PinExplanation,
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

/// Modes of the window that a command leaves as they are.
enum class SafeIn : std::uint8_t { None = 0, Tour = 1, Rewind = 2, Bench = 4, All = 7 };
[[nodiscard]] constexpr SafeIn operator|(SafeIn a, SafeIn b) noexcept {
  return static_cast<SafeIn>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

struct ControlOption {
  std::string name;
  std::string_view words;  ///< may be empty
};

/// A row of the panel that can be set with the mouse.
struct Control {
  enum class Kind : std::uint8_t {
    Press,   ///< executes once
    Switch,  ///< is on or off
    Choice,  ///< has one selected option
    List,    ///< a list of actions without a selection
    Scale    ///< a position on a scale
  };
  static constexpr std::size_t none = SIZE_MAX;

  Kind kind = Kind::Press;
  KeyGroup group = KeyGroup::Program;
  std::string_view name;
  std::string_view words;    ///< one sentence
  std::vector<Action> keys;  ///< keys for the same command; may be empty

  // Current state
  bool on = false;
  std::vector<ControlOption> options;
  std::size_t chosen = none;
  double place = 0.0;  ///< position on the scale, in [0, 1]
  std::string value;   ///< text of a scale or list
  std::string note;    ///< a warning below the row; may be empty
};

/// The value selected for a command; keys select none.
struct Selection {
  std::size_t option = Control::none;  ///< for a choice
  std::optional<double> place;         ///< for a scale
};

struct Command {
  KeyGroup group = KeyGroup::Program;
  std::string_view name;      ///< name in files, such as "thrust_forward"
  std::string_view title;     ///< on the screen, a few words
  std::string_view sentence;  ///< its purpose; help omits the full stop
  Action action = Action::Unnamed;

  // Default keys by position, independent of the keyboard layout
  SDL_Scancode key = SDL_SCANCODE_UNKNOWN, otherKey = SDL_SCANCODE_UNKNOWN;
  bool shift = false;
  bool held = false;                ///< acts while the key is down; otherwise once when pressed
  bool repeats = false;             ///< repeats with the keyboard's key repeat
  bool worksWithoutFlight = false;  ///< works even before a flight is loaded

  // In other modes, its key holds the stop of a tour, ends rewinding, and does nothing on the bench
  SafeIn safeIn = SafeIn::None;
  bool endsTour = false;         ///< belongs to the user's own flight
  bool refusedInReplay = false;  ///< would change a recorded flight

  bool inPanel = true;
  std::string_view partOf{};  ///< title of the control that contains it; empty: separate control
  Control::Kind kind = Control::Kind::Press;
  /// Fills in the current state; null if there is none.
  void (*read)(FlightContext& context, Control& control) = nullptr;
  std::string_view onText{}, offText{};  ///< messages of a switch; empty: none
  /// Null for held keys and for rows with parts only.
  void (*does)(FlightContext& context, const Selection& selection) = nullptr;

  [[nodiscard]] bool isSafeIn(SafeIn mode) const noexcept { return (safeIn | mode) == safeIn; }
  [[nodiscard]] bool hasDefaultKey() const noexcept { return key != SDL_SCANCODE_UNKNOWN; }
};

/// All commands by group, in the order of panel and help.
[[nodiscard]] std::span<const Command> commands() noexcept;
[[nodiscard]] const Command& commandOf(Action action) noexcept;
/// Finds a command by its name in files; null if unknown.
[[nodiscard]] const Command* commandNamed(std::string_view name) noexcept;
/// Returns a Markdown table of all commands with default keys.
[[nodiscard]] std::string keyTable();

}  // namespace nearmiss::app::fly
