// SPDX-License-Identifier: MIT
/// Changes ships and detection for the user, and reports each change.
#pragma once

#include <engine/flight/response.h>
#include <nearmiss/rivals/catalog.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "fly/choices/ui_state.h"

namespace nearmiss::engine {
struct Scene;
}

namespace nearmiss::app::fly {

class Flight;
struct FlightContext;

/// Describes the response to collisions.
[[nodiscard]] std::string_view responseWords(engine::Response response) noexcept;

/// Returns "as published" and the first setting that differs from a published flight's; empty for
/// flights that were not requested as published.
[[nodiscard]] std::string_view publishedWords(const Flight& flight, const DetectionChoice& choice);
/// Lists all settings that a published flight fixes and that differ here, except for the trees;
/// empty without such a setting.
[[nodiscard]] std::string unpublishedWords(const Flight& flight, const DetectionChoice& choice);

void selectMethod(FlightContext& context, Method method);
void selectBroadPhase(FlightContext& context, const BroadPhaseEntry& chosen);
void selectNarrowPhase(FlightContext& context, const NarrowPhaseEntry& chosen);
/// Requests builder, boxes and inner spheres of that scene.
void requestTrees(FlightContext& context, const engine::Scene& wanted);
/// Switches trees, broad phase, instants and response together; steps and pace do not change.
void toggleAsPublished(FlightContext& context);
/// Marks the ships with these keys as unimportant, except the user's own. Clears the marks if all
/// are marked.
void toggleUnimportant(FlightContext& context, std::span<const std::uint32_t> keys);

/// Replaces the flight by the scene of that name, or the model of the other ships.
void selectScene(FlightContext& context, const std::string& name);
void dropModel(FlightContext& context, const std::filesystem::path& file);

/// Selectable frame times, milliseconds: 60, 30, 20, 10 and 5 frames per second.
inline constexpr std::array<double, 5> targets{1000.0 / 60.0, 1000.0 / 30.0, 50.0, 100.0, 200.0};
void selectTarget(FlightContext& context, double milliseconds);
/// Restarts the scene with that total number of drones.
void selectDroneCount(FlightContext& context, int count);
/// Restarts the scene with a wall at that distance from the centre, metres.
void selectArena(FlightContext& context, double wall);

/// Range of the simulation speed, as exponents of two.
inline constexpr int slowestSpeed = -5, fastestSpeed = 4;
void changeSpeed(FlightContext& context, int exponent);

}  // namespace nearmiss::app::fly
