// SPDX-License-Identifier: MIT
/// The user's choices of ships and of detection; each is announced.
#pragma once

#include <engine/flight/response.h>
#include <nearmiss/methods/catalog.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "fly/ui_state.h"

namespace nearmiss::engine {
struct Scene;
}

namespace nearmiss::app::fly {

class Flight;
struct FlightContext;

/// The response of ships that collide, for the user.
[[nodiscard]] std::string_view responseWords(engine::Response response) noexcept;

/// "as published", and the first that the user chose otherwise since; empty for other flights.
[[nodiscard]] std::string_view publishedWords(const Flight& flight, const DetectionChoice& choice);

void wantMethod(FlightContext& context, Method method);
void wantBroadPhase(FlightContext& context, const BroadPhaseEntry& chosen);
void wantNarrowPhase(FlightContext& context, const NarrowPhaseEntry& chosen);
/// Builder, boxes and inner spheres of that scene.
void wantTrees(FlightContext& context, const engine::Scene& wanted);
/// Trees, broad phase, instants and response change together; steps and pace go on as they were.
void toggleAsPublished(FlightContext& context);
/// Marks the ships with these keys as unimportant, but for the user's own; takes the marks away
/// where all have one.
void toggleUnimportant(FlightContext& context, std::span<const std::uint32_t> keys);

/// A scene of that name, or other ships' model, in place of what flies.
void wantScene(FlightContext& context, const std::string& name);
void dropModel(FlightContext& context, const std::filesystem::path& file);

/// Times per frame that can be chosen, milliseconds: 60, 30, 20, 10 and 5 per second.
inline constexpr std::array<double, 5> targets{1000.0 / 60.0, 1000.0 / 30.0, 50.0, 100.0, 200.0};
void wantTarget(FlightContext& context, double milliseconds);
/// The same scene with as many drones in all, from its start.
void wantDrones(FlightContext& context, int count);
/// The same with a wall at that distance from the middle, metres.
void wantArena(FlightContext& context, double wall);

/// Exponents of two that simulated time may pass at.
inline constexpr int slowestSpeed = -5, fastestSpeed = 4;
void changeSpeed(FlightContext& context, int exponent);

}  // namespace nearmiss::app::fly
