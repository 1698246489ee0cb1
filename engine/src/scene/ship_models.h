// SPDX-License-Identifier: MIT
/// A scene's models as ships, rigid or with joints.
#pragma once

#include <engine/flight/ship.h>
#include <engine/model/shape_set.h>
#include <nearmiss/result.h>

#include <string>

namespace nearmiss::engine {

/// A ship of this model: its shape or its articulation, and how hard it is to turn. Errors:
/// NotFound, for a model that is not among the shapes; those of readArticulatedModel().
Result<ShipDef> shipOfModel(const std::string& model, const ShapeSet& shapes);

/// The body that the user's ship shoots. Errors: NotFound, as above.
Result<ShipDef> shotBody(const ShapeSet& shapes);

/// Metres about its origin that hold the ship in all positions of its joints.
[[nodiscard]] Real radiusOf(const ShipDef& ship) noexcept;

}  // namespace nearmiss::engine
