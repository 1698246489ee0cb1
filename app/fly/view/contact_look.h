// SPDX-License-Identifier: MIT
/// A look at the contacts of the shown frame, or at the pair that can touch first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "fly/choices/ui_state.h"
#include "fly/flight/flight.h"
#include "fly/gfx/camera.h"

namespace nearmiss::app::fly {

struct FlightContext;

/// A pair worth looking at, and the reason.
struct ContactToShow {
  enum class Kind : std::uint8_t {
    Touching,  ///< not known to be separate in the shown frame
    Parted,    ///< no pair touches; this one did until a moment ago
    Earliest   ///< no pair touches; no other pair can touch earlier
  } kind = Kind::Earliest;
  PickedShips ships;
  std::size_t number = 1, count = 1;  ///< among the pairs of that kind
  /// Simulation seconds. Parted: since the last touch. Earliest: before which no contact is
  /// possible, however both ships steer.
  Real seconds = 0.0;
  std::optional<Refinement> found;  ///< Touching: unless the last detection postponed the pair
};

/// Returns the pair after `shown`, in the order of the ships, or the first pair if `shown` is no
/// such pair. Returns `nullopt` after the last pair, and if there are fewer than two ships.
[[nodiscard]] std::optional<ContactToShow> contactAfter(const Flight& flight,
                                                        const PickedShips& shown);
/// Says which pair it is, why it is shown, and its figure.
[[nodiscard]] std::string contactSentence(const Flight& flight, const ContactToShow& contact);

/// Shows contacts in turn while the flight is paused, then returns the camera to the user.
class ContactLook {
 public:
  /// Pauses and shows the next pair. After the last pair, ends the look; the flight stays paused.
  void show(FlightContext& context);
  /// Restores the camera and the pair that was picked before.
  void end(FlightContext& context);
  /// Call after anything that may end the pause or move the camera elsewhere.
  void follow(FlightContext& context);
  [[nodiscard]] bool on() const noexcept { return before_.has_value(); }

 private:
  struct Before {
    CameraRig rig;
    PickedShips picked;
  };
  std::optional<Before> before_;
};

}  // namespace nearmiss::app::fly
