// SPDX-License-Identifier: MIT
/// All that keys do, and the usual key for it, in one table. What the user makes of it is a KeyMap.
#pragma once

#include <SDL_scancode.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace nearmiss::app {

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
  Pause,
  Step,
  StepBack,
  Slower,
  Faster,
  NormalSpeed,
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
  FlightCues,
  NextOverlay,
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
  Back,
  Confirm,
};

enum class KeyGroup : std::uint8_t { Flight, Time, Detection, View, Program };

/// An action and its usual keys.
struct KeyBinding {
  Action action;
  KeyGroup group;
  /// By position on the keyboard, so that the layout of the letters does not matter.
  SDL_Scancode key;
  SDL_Scancode otherKey = SDL_SCANCODE_UNKNOWN;
  bool shift = false;
  bool held = false;     ///< acts while it is down; else once, when it goes down
  bool repeats = false;  ///< acts again while the keyboard repeats it
  std::string_view text;
};

[[nodiscard]] std::span<const KeyBinding> keyBindings() noexcept;
[[nodiscard]] std::string_view groupName(KeyGroup group) noexcept;

}  // namespace nearmiss::app
