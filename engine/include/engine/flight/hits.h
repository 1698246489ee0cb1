// SPDX-License-Identifier: MIT
/// Collisions of the user's ship, and which of them were none.
#pragma once

#include <engine/flight/simulation.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nearmiss::engine {

class ShipDistance;

/// A collision as detection reported it, and how far apart the surfaces were.
struct Hit {
  std::uint32_t ship = 0;  ///< the other; index in FrameOutput::bodies
  Real time = 0.0;         ///< simulation seconds
  Stage stage = Stage::Bounds;
  int level = 0;         ///< of spheres, the deepest that was completed
  bool mayGoOn = false;  ///< a deeper look was possible: time or the level cap ended it
  /// Metres; 0: they touched, as far as could be found out. Joints are where the frame left them.
  Real gap = 0.0;
  /// Detection took spheres that met for surfaces that did not [H96 §9.2].
  [[nodiscard]] bool falseHit() const noexcept { return gap > 0.0; }
};

/// Looks at the collisions of each frame and changes nothing: equal flights have equal hits.
class Hits {
 public:
  Hits();
  Hits(Hits&&) noexcept;
  Hits& operator=(Hits&&) noexcept;
  ~Hits();

  /// Takes up a frame. @pre user < output.bodies.size()
  void take(const FrameOutput& output, std::size_t user, const Shapes& shapes);
  /// Of the last frame, as they began.
  [[nodiscard]] std::span<const Hit> now() const noexcept { return hits_; }

 private:
  std::unique_ptr<ShipDistance> distance_;
  std::vector<Hit> hits_;
};

}  // namespace nearmiss::engine
