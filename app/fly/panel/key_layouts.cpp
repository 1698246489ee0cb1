// SPDX-License-Identifier: MIT
#include "fly/panel/key_layouts.h"

#include <array>
#include <initializer_list>
#include <vector>

namespace nearmiss::app {
namespace {

using enum Action;

struct Given {
  Action action;
  KeyPress key;
  bool beside = true;  ///< the usual keys stay, which else are needed for something else
};

constexpr KeyPress plain(SDL_Scancode key) noexcept { return {key, false}; }
constexpr KeyPress shifted(SDL_Scancode key) noexcept { return {key, true}; }

/// About W A S D: what flies and is used most, as far as a hand on the left half reaches.
constexpr std::array leftHand{
    Given{PitchUp, plain(SDL_SCANCODE_R)},
    Given{PitchDown, plain(SDL_SCANCODE_F)},
    Given{MouseSteering, plain(SDL_SCANCODE_GRAVE)},
    Given{Restart, plain(SDL_SCANCODE_T), false},
    Given{NewSeed, shifted(SDL_SCANCODE_T), false},
    Given{NextResponse, shifted(SDL_SCANCODE_R), false},
    Given{NextTree, shifted(SDL_SCANCODE_F), false},
    Given{Step, shifted(SDL_SCANCODE_SPACE)},
    Given{Slower, shifted(SDL_SCANCODE_Q)},
    Given{Faster, shifted(SDL_SCANCODE_E)},
    Given{NormalSpeed, shifted(SDL_SCANCODE_W)},
    Given{BudgetDown, shifted(SDL_SCANCODE_A)},
    Given{BudgetUp, shifted(SDL_SCANCODE_D)},
    Given{EraMode, shifted(SDL_SCANCODE_S)},
    Given{CapNone, shifted(SDL_SCANCODE_1)},
    Given{NextNarrowPhase, shifted(SDL_SCANCODE_X)},
    Given{NextDrawLevel, shifted(SDL_SCANCODE_C)},
    Given{NextPair, shifted(SDL_SCANCODE_V)},
    Given{ResetCamera, shifted(SDL_SCANCODE_Z)},
};

/// About I J K L and the arrow keys, for the right half.
constexpr std::array rightHand{
    Given{ThrustForward, plain(SDL_SCANCODE_I)},
    Given{ThrustBack, plain(SDL_SCANCODE_K)},
    Given{YawLeft, plain(SDL_SCANCODE_J)},
    Given{YawRight, plain(SDL_SCANCODE_L)},
    Given{RollLeft, plain(SDL_SCANCODE_U)},
    Given{RollRight, plain(SDL_SCANCODE_O)},
    Given{PitchUp, plain(SDL_SCANCODE_P)},
    Given{PitchDown, plain(SDL_SCANCODE_SEMICOLON)},
    Given{FlightCues, shifted(SDL_SCANCODE_I), false},
    Given{NearestShips, shifted(SDL_SCANCODE_K), false},
    Given{NextNarrowPhase, shifted(SDL_SCANCODE_J), false},
    Given{NextDrawLevel, shifted(SDL_SCANCODE_L), false},
    Given{AsPublished, shifted(SDL_SCANCODE_U), false},
    Given{NextOrder, shifted(SDL_SCANCODE_O), false},
    Given{SpaceTimeBounds, shifted(SDL_SCANCODE_P), false},
    Given{StopRotation, plain(SDL_SCANCODE_SLASH)},
    Given{FineControl, plain(SDL_SCANCODE_APOSTROPHE)},
    Given{Pause, plain(SDL_SCANCODE_BACKSLASH)},
    Given{Restart, plain(SDL_SCANCODE_END)},
    Given{NewSeed, shifted(SDL_SCANCODE_END)},
    Given{NextMethod, plain(SDL_SCANCODE_7)},
    Given{Wireframe, plain(SDL_SCANCODE_8)},
    Given{NextCamera, plain(SDL_SCANCODE_9)},
    Given{NextOverlay, plain(SDL_SCANCODE_DELETE)},
    Given{OpenControls, plain(SDL_SCANCODE_INSERT)},
};

KeyMap usualWith(std::span<const Given> given) {
  KeyMap keys;
  for (const Given& row : given) {
    // Nothing here is refused: a test holds the layouts to it
    if (row.beside)
      (void)keys.add(row.action, row.key);
    else
      (void)keys.set(row.action, std::array{row.key});
  }
  return keys;
}

constexpr std::array layouts{
    KeyLayout{"usual", "Both hands on the keyboard.", [] { return KeyMap(); }},
    KeyLayout{"left hand", "All that flies within reach of the left hand; the right has the mouse.",
              [] { return usualWith(leftHand); }},
    KeyLayout{"right hand",
              "All that flies within reach of the right hand; the left has the mouse.",
              [] { return usualWith(rightHand); }}};

}  // namespace

std::span<const KeyLayout> keyLayouts() noexcept { return layouts; }

}  // namespace nearmiss::app
