// SPDX-License-Identifier: MIT
/// A ship in links: what turns about what, how far, and where everything is at any time.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nearmiss::engine {

/// A hinge through the origin of a link, which it turns to and fro, slowly at the ends.
struct Joint {
  Vec3 pivot{0.0};           ///< where the link's origin is, metres in the frame of its parent
  Vec3 axis{1.0, 0.0, 0.0};  ///< of the turn, in that frame; made a unit
  Real low = 0.0;            ///< radians, from -pi to pi; at 0 the link stands as it was modelled
  Real high = 0.0;           ///< not below `low`
  Real period = 1.0;         ///< simulation seconds to and fro, from 1e-9 to 1e9
};

struct JointedLink {
  std::string name;
  ShapeRef shape;
  /// Index of the link that carries this one; of the first itself, which is the ship's own frame.
  std::size_t parent = 0;
  Joint joint;  ///< not used by the first
};

/// Links and joints that are sound, shared by all ships made of them; never changes. The motion of
/// its joints is a function of time alone.
class Articulation {
 public:
  static constexpr std::size_t maxLinks = 64;

  /// Errors: Unsupported, in one sentence that names the link: none, too many, one that is carried
  /// by itself, by a later one or by none, an axis without direction, a pivot, range or period that
  /// no joint can have.
  static Result<Articulation> make(std::vector<JointedLink> links);
  /// What make() would refuse, without the work of making; nothing where all is sound.
  static std::optional<Error> faultIn(std::span<const JointedLink> links);

  [[nodiscard]] std::span<const JointedLink> links() const noexcept { return links_; }
  /// Metres about the ship's origin that hold every link, whatever the joints do: rounded up, by a
  /// hundredth at most where there are few joints.
  [[nodiscard]] Real reach() const noexcept { return reach_; }

  /// All links at `time`, into `out`, in the frame of the ship. `phase` in periods: ships of one
  /// kind need not move alike. The same bits on every machine.
  /// @pre out.size() == links().size()
  void pose(Real time, Real phase, std::span<Link> out) const noexcept;
  /// Link `i` in the frame of its parent, where `share` of its range is behind it, from 0 to 1.
  [[nodiscard]] Pose poseOf(std::size_t i, Real share) const noexcept;

 private:
  Articulation() = default;
  [[nodiscard]] Real reachOf(std::size_t link) const;

  std::vector<JointedLink> links_;  ///< every one after its parent
  /// By link: the tangents of a quarter of `low` and `high`, between which it moves.
  std::vector<std::pair<Real, Real>> quarters_;
  Real reach_ = 0.0;
};

/// All links at `time` of the ship with `key`, in the frame of the ship: ships of one kind do not
/// move alike. @pre as of Articulation::pose()
void placeLinksAt(const Articulation& articulation, std::uint32_t key, Real time,
                  std::span<Link> out) noexcept;
/// How fast the joints of a ship move a point of one of its links, world frame: m/s beside the
/// ship's own motion. `body`: the ship at `time`.
[[nodiscard]] Vec3 jointVelocity(const Articulation& articulation, const BodyState& body, Real time,
                                 std::uint32_t link, const Vec3& point) noexcept;

}  // namespace nearmiss::engine
