// SPDX-License-Identifier: MIT
/// What another library makes of rays against one mesh.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/ray.h>

#include <memory>

namespace nearmiss::bench {

class RayPeer {
 public:
  virtual ~RayPeer() = default;
  /// The first t at which a ray meets the mesh; infinite where it does not.
  [[nodiscard]] virtual Real first(const Ray& ray) = 0;
};

/// Embree on one thread, its best hierarchy and its watertight triangles.
std::unique_ptr<RayPeer> makeEmbree(const TriangleMesh& mesh);

}  // namespace nearmiss::bench
