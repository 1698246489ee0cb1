// SPDX-License-Identifier: MIT
#include "fly/host/action_names.h"

#include <algorithm>
#include <array>

namespace nearmiss::app {
namespace {

struct Named {
  Action action;
  std::string_view name;
};

using enum Action;
constexpr std::array table{
    Named{ThrustForward, "thrust_forward"},
    Named{ThrustBack, "thrust_back"},
    Named{YawLeft, "yaw_left"},
    Named{YawRight, "yaw_right"},
    Named{PitchUp, "pitch_up"},
    Named{PitchDown, "pitch_down"},
    Named{RollLeft, "roll_left"},
    Named{RollRight, "roll_right"},
    Named{StopRotation, "stop_turning"},
    Named{FineControl, "fine_control"},
    Named{MouseSteering, "steer_by_mouse"},
    Named{Pause, "pause"},
    Named{Step, "step"},
    Named{StepBack, "step_back"},
    Named{Slower, "slower"},
    Named{Faster, "faster"},
    Named{NormalSpeed, "normal_speed"},
    Named{Restart, "restart"},
    Named{NewSeed, "new_seed"},
    Named{Run, "run_for_points"},
    Named{NextMethod, "next_method"},
    Named{NextBroadPhase, "next_broad_phase"},
    Named{NextNarrowPhase, "next_narrow_phase"},
    Named{SplitView, "split_view"},
    Named{NextLeftMethod, "next_left_method"},
    Named{ExactGhost, "exact_ghost"},
    Named{NextOrder, "next_order"},
    Named{NextTree, "next_tree"},
    Named{CapNone, "no_level_cap"},
    Named{Cap1, "level_cap_1"},
    Named{Cap2, "level_cap_2"},
    Named{Cap3, "level_cap_3"},
    Named{Cap4, "level_cap_4"},
    Named{Cap5, "level_cap_5"},
    Named{BudgetDown, "less_time"},
    Named{BudgetUp, "more_time"},
    Named{EraMode, "mode_1995"},
    Named{AsPublished, "as_published"},
    Named{NextResponse, "next_response"},
    Named{NextCamera, "next_camera"},
    Named{ResetCamera, "reset_camera"},
    Named{NextDrawLevel, "next_spheres"},
    Named{Wireframe, "wireframe"},
    Named{BoundingSpheres, "bounding_spheres"},
    Named{SpaceTimeBounds, "space_time_bounds"},
    Named{NearestShips, "plane_of_distances"},
    Named{NextPair, "next_pair"},
    Named{FlightCues, "marks_of_flight"},
    Named{NextOverlay, "next_overlay"},
    Named{ReduceFlashing, "reduced_flashing"},
    Named{Sound, "sound"},
    Named{Help, "help"},
    Named{Tour, "tour"},
    Named{OpenControls, "panel"},
    Named{Numbers, "numbers"},
    Named{RecordSession, "record_flight"},
    Named{RecordProfile, "record_profile"},
    Named{Photo, "photo_mode"},
    Named{Screenshot, "screenshot"},
    Named{FullScreen, "full_screen"},
    Named{PageUp, "page_up"},
    Named{PageDown, "page_down"},
    Named{Back, "close"},
    Named{Confirm, "say_yes"},
};

constexpr auto names = [] {
  std::array<std::string_view, table.size()> all;
  std::ranges::transform(table, all.begin(), &Named::name);
  return all;
}();

}  // namespace

std::string_view actionName(Action action) noexcept {
  const auto* const row = std::ranges::find(table, action, &Named::action);
  return row == table.end() ? std::string_view() : row->name;
}

std::optional<Action> actionNamed(std::string_view name) noexcept {
  const auto* const row = std::ranges::find(table, name, &Named::name);
  if (row == table.end()) return std::nullopt;
  return row->action;
}

std::span<const std::string_view> actionNames() noexcept { return names; }

}  // namespace nearmiss::app
