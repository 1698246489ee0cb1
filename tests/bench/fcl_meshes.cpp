// SPDX-License-Identifier: MIT
#include <fcl/narrowphase/collision.h>

#include "fcl_geometry.h"
#include "mesh_peer.h"

namespace nearmiss::bench {
namespace {

template <class Volume>
class FclMeshes final : public MeshPeer {
 public:
  using S = typename Volume::S;
  using Model = fcl::BVHModel<Volume>;

  FclMeshes(const TriangleMesh& a, const TriangleMesh& b) {
    putIntoFcl(a, a_);
    putIntoFcl(b, b_);
  }
  bool meet(const Pose& a, const Pose& b) override {
    const fcl::CollisionRequest<S> request(1, false);
    fcl::CollisionResult<S> result;
    return fcl::collide(&a_, fclTransformOf<S>(a), &b_, fclTransformOf<S>(b), request, result) != 0;
  }

 private:
  Model a_, b_;
};

}  // namespace

std::unique_ptr<MeshPeer> makeFclObbRss(const TriangleMesh& a, const TriangleMesh& b) {
  return std::make_unique<FclMeshes<fcl::OBBRSS<double>>>(a, b);
}
std::unique_ptr<MeshPeer> makeFclObb(const TriangleMesh& a, const TriangleMesh& b) {
  return std::make_unique<FclMeshes<fcl::OBB<double>>>(a, b);
}
std::unique_ptr<MeshPeer> makeFclOwnFlags(const TriangleMesh& a, const TriangleMesh& b) {
  return std::make_unique<FclMeshes<fcl::OBBRSS<float>>>(a, b);
}

}  // namespace nearmiss::bench
