// SPDX-License-Identifier: MIT
/// A whole scene in FCL: its dynamic tree of boxes above one tree of OBBRSS for all ships.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/mesh.h>

#include <memory>
#include <span>
#include <vector>

namespace nearmiss::bench {

class FclScene {
 public:
  /// Every body has this mesh.
  explicit FclScene(const TriangleMesh& mesh);
  ~FclScene();
  /// Moves all bodies and finds the pairs whose surfaces meet, in the order they come.
  const std::vector<BodyPair>& step(std::span<const BodyState> bodies);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss::bench
