// SPDX-License-Identifier: MIT
#include "fcl_peer.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision_object.h>

#include <algorithm>
#include <cstdint>

namespace nearmiss::bench {
namespace {

class FclPeer final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "fcl"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    pairs.clear();
    work_ = {};
    if (objects_.size() != bodies.size()) enter(bodies);
    bodies_ = bodies;
    pairs_ = &pairs;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3& at = bodies[i].pose.position;
      objects_[i]->setTranslation(fcl::Vector3d(at.x, at.y, at.z));
      objects_[i]->computeAABB();
    }
    manager_->update();
    manager_->collide(this, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* self) {
      static_cast<FclPeer*>(self)->tryPair(indexOf(a), indexOf(b));
      return false;
    });
    return time;
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  static std::uint32_t indexOf(const fcl::CollisionObjectd* object) noexcept {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
  }

  void enter(std::span<const BodyState> bodies) {
    objects_.clear();
    manager_ = std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3& at = bodies[i].pose.position;
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(
          std::make_shared<fcl::Sphered>(bodies[i].shape.radius()), fcl::Matrix3d::Identity(),
          fcl::Vector3d(at.x, at.y, at.z)));
      objects_.back()->setUserData(reinterpret_cast<void*>(static_cast<std::uintptr_t>(i)));
      manager_->registerObject(objects_.back().get());
    }
    manager_->setup();
  }

  void tryPair(std::uint32_t a, std::uint32_t b) {
    ++work_.boundTests;
    const BodyState &p = bodies_[a], &q = bodies_[b];
    const Vec3 between = p.pose.position - q.pose.position;
    const Real reach = p.shape.radius() + q.shape.radius();
    if (glm::dot(between, between) <= reach * reach)
      pairs_->push_back({std::min(a, b), std::max(a, b)});
  }

  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  std::unique_ptr<fcl::DynamicAABBTreeCollisionManagerd> manager_;
  std::span<const BodyState> bodies_;
  std::vector<BodyPair>* pairs_ = nullptr;
  WorkCount work_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeFclPeer() { return std::make_unique<FclPeer>(); }

}  // namespace nearmiss::bench
