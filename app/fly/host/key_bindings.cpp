// SPDX-License-Identifier: MIT
#include "fly/host/key_bindings.h"

#include <array>

namespace nearmiss::app {
namespace {

using enum Action;
using enum KeyGroup;
constexpr SDL_Scancode none = SDL_SCANCODE_UNKNOWN;

constexpr KeyBinding hold(Action action, SDL_Scancode key, std::string_view text,
                          SDL_Scancode other = none) {
  return {action, Flight, key, other, false, true, false, text};
}
constexpr KeyBinding press(Action action, KeyGroup group, SDL_Scancode key, std::string_view text,
                           SDL_Scancode other = none) {
  return {action, group, key, other, false, false, false, text};
}
constexpr KeyBinding shifted(Action action, KeyGroup group, SDL_Scancode key,
                             std::string_view text) {
  return {action, group, key, none, true, false, false, text};
}
constexpr KeyBinding repeating(Action action, KeyGroup group, SDL_Scancode key,
                               std::string_view text, SDL_Scancode other = none) {
  return {action, group, key, other, false, false, true, text};
}

constexpr std::array bindings{
    hold(ThrustForward, SDL_SCANCODE_W, "thrust forward"),
    hold(ThrustBack, SDL_SCANCODE_S, "thrust back"),
    hold(YawLeft, SDL_SCANCODE_A, "yaw left", SDL_SCANCODE_LEFT),
    hold(YawRight, SDL_SCANCODE_D, "yaw right", SDL_SCANCODE_RIGHT),
    hold(PitchUp, SDL_SCANCODE_UP, "nose up"),
    hold(PitchDown, SDL_SCANCODE_DOWN, "nose down"),
    hold(RollLeft, SDL_SCANCODE_Q, "roll left"),
    hold(RollRight, SDL_SCANCODE_E, "roll right"),
    press(StopRotation, Flight, SDL_SCANCODE_X, "stop turning; twice: stop the ship"),
    press(FineControl, Flight, SDL_SCANCODE_Z, "fine control"),
    press(MouseSteering, Flight, SDL_SCANCODE_M, "steer by mouse (or hold the right button)"),

    press(Pause, Time, SDL_SCANCODE_SPACE, "pause"),
    repeating(Step, Time, SDL_SCANCODE_PERIOD, "pause, then one frame a press"),
    repeating(StepBack, Time, SDL_SCANCODE_COMMA, "of a replay: one frame back a press"),
    press(Slower, Time, SDL_SCANCODE_LEFTBRACKET, "slower"),
    press(Faster, Time, SDL_SCANCODE_RIGHTBRACKET, "faster"),
    press(NormalSpeed, Time, SDL_SCANCODE_BACKSPACE, "normal speed"),
    press(Restart, Time, SDL_SCANCODE_R, "restart with the same seed"),
    shifted(NewSeed, Time, SDL_SCANCODE_R, "restart with a new seed"),
    press(Run, Time, SDL_SCANCODE_F5, "a run of 90 s for points; again: give it up"),

    press(NextMethod, Detection, SDL_SCANCODE_B, "sphere tree, BSP tree, both"),
    shifted(NextBroadPhase, Detection, SDL_SCANCODE_B, "broad phase: the next one"),
    press(NextNarrowPhase, Detection, SDL_SCANCODE_J, "narrow phase: the next one"),
    press(NextTree, Detection, SDL_SCANCODE_F, "tree builder: the next one"),
    press(NextOrder, Detection, SDL_SCANCODE_O, "which pair next: in turn, by bound, speed, view"),
    press(Cap1, Detection, SDL_SCANCODE_1, "refine to level 1 at most", SDL_SCANCODE_KP_1),
    press(Cap2, Detection, SDL_SCANCODE_2, "to level 2", SDL_SCANCODE_KP_2),
    press(Cap3, Detection, SDL_SCANCODE_3, "to level 3", SDL_SCANCODE_KP_3),
    press(Cap4, Detection, SDL_SCANCODE_4, "to level 4", SDL_SCANCODE_KP_4),
    press(Cap5, Detection, SDL_SCANCODE_5, "to the triangles", SDL_SCANCODE_KP_5),
    press(CapNone, Detection, SDL_SCANCODE_0, "as deep as time allows", SDL_SCANCODE_KP_0),
    repeating(BudgetDown, Detection, SDL_SCANCODE_MINUS, "less time for detection (x 0.8)",
              SDL_SCANCODE_KP_MINUS),
    repeating(BudgetUp, Detection, SDL_SCANCODE_EQUALS, "more time for detection (x 1.25)",
              SDL_SCANCODE_KP_PLUS),
    press(EraMode, Detection, SDL_SCANCODE_Y, "1995 mode: the budget of a machine of that year"),
    press(AsPublished, Detection, SDL_SCANCODE_U, "as published: the papers' trees and technique"),
    press(NextResponse, Detection, SDL_SCANCODE_T,
          "response: bounce, tumble, as published, teleport"),

    press(NextCamera, View, SDL_SCANCODE_C, "camera: chase, cockpit, orbit, free"),
    press(ResetCamera, View, SDL_SCANCODE_HOME, "camera back to its place"),
    press(NextDrawLevel, View, SDL_SCANCODE_L, "spheres: off, contact, level 1 to 4"),
    press(Wireframe, View, SDL_SCANCODE_V, "wireframe"),
    press(BoundingSpheres, View, SDL_SCANCODE_H, "bounding spheres"),
    press(SpaceTimeBounds, View, SDL_SCANCODE_P, "space-time bounds of the picked ships"),
    press(NearestShips, View, SDL_SCANCODE_K, "which of two ships is nearer, and how far"),
    press(NextPair, View, SDL_SCANCODE_N, "look at the next contact (or click two ships)"),
    press(SplitView, View, SDL_SCANCODE_F6, "two detectors side by side, one flight"),
    shifted(NextLeftMethod, View, SDL_SCANCODE_F6, "the left one: the next narrow phase"),
    press(ExactGhost, View, SDL_SCANCODE_F7, "the exact flight as a ghost beside this one"),
    press(FlightCues, View, SDL_SCANCODE_I, "heading, speed, arrows, rim"),
    press(NextOverlay, View, SDL_SCANCODE_TAB, "overlay: full, compact, off"),
    press(ReduceFlashing, View, SDL_SCANCODE_G, "reduced flashing: outline instead of glow"),

    press(Help, Program, SDL_SCANCODE_F1, "this help"),
    shifted(Tour, Program, SDL_SCANCODE_F1, "a tour of two minutes: what is seen here"),
    press(OpenControls, Program, SDL_SCANCODE_F2, "all of this by mouse"),
    shifted(Sound, Program, SDL_SCANCODE_M, "sound of hits: on, off"),
    press(Numbers, Program, SDL_SCANCODE_F4, "all numbers of one frame"),
    press(RecordSession, Program, SDL_SCANCODE_F8, "record the flight, for nearmiss replay"),
    press(RecordProfile, Program, SDL_SCANCODE_F9, "record the profile to a file"),
    press(Photo, Program, SDL_SCANCODE_F3, "photo mode: a free eye, fine pictures by F10"),
    press(Screenshot, Program, SDL_SCANCODE_F10, "screenshot"),
    press(FullScreen, Program, SDL_SCANCODE_F11, "full screen"),
    repeating(PageUp, Program, SDL_SCANCODE_PAGEUP, "this help, the numbers: up"),
    repeating(PageDown, Program, SDL_SCANCODE_PAGEDOWN, "this help, the numbers: down"),
    press(Back, Program, SDL_SCANCODE_ESCAPE, "close a panel; then ask to quit"),
    press(Confirm, Program, SDL_SCANCODE_RETURN, "say yes to a question; fly on in a replay",
          SDL_SCANCODE_KP_ENTER),
};

}  // namespace

std::span<const KeyBinding> keyBindings() noexcept { return bindings; }

std::string_view groupName(KeyGroup group) noexcept {
  constexpr std::array<std::string_view, 5> names{"Flight", "Time", "Detection", "View", "Program"};
  return names[static_cast<std::size_t>(group)];
}

}  // namespace nearmiss::app
