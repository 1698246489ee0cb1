// SPDX-License-Identifier: MIT
/// What the papers say of a run, set in one go, and the parts of it that a flight can take over.
#pragma once

#include <engine/scene.h>

#include <optional>
#include <string>

namespace nearmiss::engine {

/// Makes a run of the scene what the papers describe, or what is usual again; nothing where it is
/// that already. As published are: medial spheres whose levels cover the surface as a whole [H96 §7
/// to §9.1], neither boxes beside them nor spheres inside, space-time bounds as broad phase [H93],
/// the bounce along the deepest spheres [H96 §11.1], detection at the earliest instants [H93],
/// fixed steps of 0.1 and 0.05 s [H96 §11.3], and ships slow enough for these wherever they have
/// their usual pace. Models, seed, budget and narrow phase stay. What is set afterwards wins.
void setAsPublished(Scene& scene, bool asPublished);

/// Takes over what sphere trees another scene asks for: builder, coverage, what is beside spheres.
void takeTrees(const Scene& from, Scene& to);
/// Takes over what else of setAsPublished() a flight can change on its way: broad phase, instants,
/// response, and that it is as published. Steps and pace stay, for the world is in the midst of
/// them.
void takeTechnique(const Scene& from, Scene& to);

/// What is wrong with settings that are right one by one: one sentence, or nothing.
[[nodiscard]] std::optional<std::string> conflictIn(const Scene& scene);

}  // namespace nearmiss::engine
