// SPDX-License-Identifier: MIT
/// Ships with joints: their links, the joints' ranges, and the pose of every link at any time.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nearmiss::engine {

/// A hinge through the origin of a link. The link swings back and forth, slowest at the ends.
struct Joint {
  Vec3 pivot{0.0};           ///< the link's origin [m], frame of its parent
  Vec3 axis{1.0, 0.0, 0.0};  ///< axis of rotation, frame of the parent; normalised
  Real low = 0.0;            ///< radians, from -pi to pi; 0 is the modelled pose
  Real high = 0.0;           ///< not below `low`
  Real period = 1.0;         ///< duration of one full swing [simulation s], from 1e-9 to 1e9
};

struct JointedLink {
  std::string name;
  ShapeRef shape;
  /// Index of the parent link. The first link is its own parent: its frame is the ship's frame.
  std::size_t parent = 0;
  Joint joint;  ///< ignored for the first link
};

/// Valid links and joints, immutable and shared by all ships made of them. The joints' motion is a
/// function of time alone.
class Articulation {
 public:
  static constexpr std::size_t maxLinks = 64;

  /// Errors: Unsupported, with a sentence that names the link. Rejects an empty or too long list; a
  /// link whose parent is itself, a later link or missing; an axis of zero length; and a pivot,
  /// range or period out of bounds.
  static Result<Articulation> make(std::vector<JointedLink> links);
  /// Returns the error that make() would return, without building anything; `nullopt` if valid.
  static std::optional<Error> faultIn(std::span<const JointedLink> links);

  [[nodiscard]] std::span<const JointedLink> links() const noexcept { return links_; }
  /// Radius around the ship's origin that contains every link in any pose of the joints [m]. An
  /// upper bound, at most 1 % too large for ships with few joints.
  [[nodiscard]] Real reach() const noexcept { return reach_; }

  /// Computes the poses of all links at `time` into `out`, in the frame of the ship. `phase` is an
  /// offset in periods, so that ships of one kind can move differently. The result is bitwise
  /// identical on every machine.
  /// @pre out.size() == links().size()
  void pose(Real time, Real phase, std::span<Link> out) const noexcept;
  /// Pose of link `i` in the frame of its parent. `share` is the position in the joint's range,
  /// from 0 (low) to 1 (high).
  [[nodiscard]] Pose poseOf(std::size_t i, Real share) const noexcept;

 private:
  Articulation() = default;
  [[nodiscard]] Real reachOf(std::size_t link) const;

  std::vector<JointedLink> links_;  ///< each link after its parent
  /// By link: tan(low / 4) and tan(high / 4), the ends of its range.
  std::vector<std::pair<Real, Real>> quarters_;
  Real reach_ = 0.0;
};

/// Computes the poses of all links at `time` for the ship with `key`, in the frame of the ship. The
/// key determines the phase, so ships of one kind move differently.
/// @pre as for Articulation::pose()
void placeLinksAt(const Articulation& articulation, std::uint32_t key, Real time,
                  std::span<Link> out) noexcept;
/// Velocity of a point of a link due to the joints alone, without the ship's own motion: world
/// frame, m/s. `body` is the ship at `time`.
[[nodiscard]] Vec3 jointVelocity(const Articulation& articulation, const BodyState& body, Real time,
                                 std::uint32_t link, const Vec3& point) noexcept;

}  // namespace nearmiss::engine
