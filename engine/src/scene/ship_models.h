// SPDX-License-Identifier: MIT
/// Creates ships from a scene's models, rigid or articulated.
#pragma once

#include <engine/flight/ship.h>
#include <engine/model/shape_set.h>
#include <nearmiss/result.h>

#include <string>

namespace nearmiss::engine {

/// Returns a ship of this model: shape or articulation, and inertia. Errors: NotFound if the model
/// is not among the shapes; those of readArticulatedModel().
Result<ShipDef> shipOfModel(const std::string& model, const ShapeSet& shapes);

/// Returns the body that the user's ship shoots. Errors: NotFound, as above.
Result<ShipDef> shotBody(const ShapeSet& shapes);

/// Radius around the origin that contains the ship in any pose of its joints [m].
[[nodiscard]] Real radiusOf(const ShipDef& ship) noexcept;

}  // namespace nearmiss::engine
