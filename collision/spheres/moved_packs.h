// SPDX-License-Identifier: MIT
/// The spheres of one tree in the frame of another, eight at a time, cached during the work on one
/// pair of bodies.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

template <typename Moved>
class MovedCache {
 public:
  /// Makes room for at least `room` packs; packs that share a slot replace each other. Trees of
  /// four levels rarely have more packs than `usualRoom`. With no room, get() must not be called.
  explicit MovedCache(std::size_t room) : slots_(room == 0 ? 0 : std::bit_ceil(room)) {}
  static constexpr std::size_t usualRoom = 1024;

  /// Discards everything.
  void reset() noexcept { ++generation_; }

  /// Returns the element of that number; calls `move(Moved&)` if it is not cached. Valid until the
  /// next call.
  template <typename Move>
  [[nodiscard]] const Moved& get(std::uint32_t number, const Move& move) {
    NEARMISS_ASSERT(!slots_.empty());
    Slot& slot = slots_[number & (slots_.size() - 1)];
    if (slot.generation != generation_ || slot.number != number) {
      slot.generation = generation_;
      slot.number = number;
      move(slot.moved);
    }
    return slot.moved;
  }

 private:
  struct Slot {
    std::uint64_t generation = 0;
    std::uint32_t number = 0;
    Moved moved;
  };
  std::vector<Slot> slots_;  ///< a power of two, or empty
  std::uint64_t generation_ = 1;
};

/// A pose in float, and the slack to add to a radius so that no contact is lost by rounding.
struct PackMotion {
  float rotation[3][4];  ///< row, column; the fourth column is 0
  float position[4];     ///< the fourth coordinate is 0
  /// Metres. Spheres are compared with this much additional radius, because centres are transformed
  /// and compared in float. Each operation errs by at most 2^-24 of reachA + reachB + |position|;
  /// 20 of them matter, 32 are allowed for. A rotation that is not of unit length stretches by less
  /// than 4 ||q|^2 - 1|, and its transpose inverts it to within twice that. The last summand keeps
  /// squares from underflowing.
  float slack;
  static constexpr Real sizeSlack = 0x1p-19, stretchSlack = 8.0, minSlack = 1e-18;

  /// @param reachA, reachB maximum distance of a point of any sphere of each tree from its origin,
  /// metres
  PackMotion(const Pose& bToA, Real reachA, Real reachB) noexcept {
    const glm::dmat3 m = glm::mat3_cast(bToA.rotation);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column)
        rotation[row][column] = static_cast<float>(m[column][row]);
      rotation[row][3] = 0.0f;
      position[row] = static_cast<float>(bToA.position[row]);
    }
    position[3] = 0.0f;
    const Real size = reachA + reachB + glm::length(bToA.position);
    const Real stretch = std::abs(glm::dot(bToA.rotation, bToA.rotation) - 1.0);
    slack = static_cast<float>(size * sizeSlack + stretchSlack * stretch * size + minSlack);
  }
  PackMotion() = default;
};

/// Transformed centres of a pack; the radii stay in the tree.
struct MovedPack {
  float x[SpherePack::width], y[SpherePack::width], z[SpherePack::width];
};

inline void move(const PackMotion& by, const SpherePack& pack, MovedPack& moved) noexcept {
  const auto& m = by.rotation;
  for (int k = 0; k < SpherePack::width; ++k) {
    const float x = pack.x[k], y = pack.y[k], z = pack.z[k];
    moved.x[k] = m[0][0] * x + m[0][1] * y + m[0][2] * z + by.position[0];
    moved.y[k] = m[1][0] * x + m[1][1] * y + m[1][2] * z + by.position[1];
    moved.z[k] = m[2][0] * x + m[2][1] * y + m[2][2] * z + by.position[2];
  }
}

/// Returns a transformed pack of a tree, from the cache if possible.
[[nodiscard]] inline const MovedPack& movedFrom(MovedCache<MovedPack>& cache, const PackMotion& by,
                                                const std::vector<SpherePack>& packs,
                                                std::uint32_t pack) {
  return cache.get(pack, [&](MovedPack& moved) { move(by, packs[pack], moved); });
}

}  // namespace nearmiss
