// SPDX-License-Identifier: MIT
/// Two sphere trees in one frame: the pair of bodies that is worked on.
#pragma once

#include <nearmiss/sphere_tree.h>

#include "descent/pack_pairs.h"
#include "narrow/moved_packs.h"

#include <cmath>
#include <cstdint>

namespace nearmiss {

class SphereTreePair {
 public:
  /// Takes up two trees, the second moved by `motion` into the frame of the first. All must outlive
  /// the last call below.
  void take(const SphereTree& a, const SphereTree& b, const PackMotion& motion) noexcept {
    a_ = &a;
    b_ = &b;
    motion_ = &motion;
    moved_.reset();
  }

  [[nodiscard]] const SphereTree& a() const noexcept { return *a_; }
  [[nodiscard]] const SphereTree& b() const noexcept { return *b_; }
  [[nodiscard]] const PackMotion& motion() const noexcept { return *motion_; }
  [[nodiscard]] float slack() const noexcept { return motion_->slack; }
  [[nodiscard]] bool sharesSpheres() const noexcept { return a_->isDag() || b_->isDag(); }

  /// A pack of the second tree in the frame of the first.
  [[nodiscard]] const MovedPack& movedPack(std::uint32_t pack) {
    return movedFrom(moved_, *motion_, b_->data().packs, pack);
  }

  /// How deep two spheres reach into each other, the slack included.
  [[nodiscard]] float overlapOf(const PackPair& pair, int row, int column) {
    const SpherePack& packA = a_->data().packs[pair.packA];
    const MovedPack& moved = movedPack(pair.packB);
    const float dx = moved.x[column] - packA.x[row];
    const float dy = moved.y[column] - packA.y[row];
    const float dz = moved.z[column] - packA.z[row];
    return packA.r[row] + motion_->slack + b_->data().packs[pair.packB].r[column] -
           std::sqrt(dx * dx + dy * dy + dz * dz);
  }

 private:
  const SphereTree* a_ = nullptr;
  const SphereTree* b_ = nullptr;
  const PackMotion* motion_ = nullptr;
  MovedCache<MovedPack> moved_{MovedCache<MovedPack>::usualRoom};
};

}  // namespace nearmiss
