// SPDX-License-Identifier: MIT
#include "fcl_scene.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/narrowphase/collision.h>

#include <algorithm>
#include <cstdint>

#include "fcl_geometry.h"

namespace nearmiss::bench {

struct FclScene::Parts {
  using Model = fcl::BVHModel<fcl::OBBRSS<double>>;
  std::shared_ptr<Model> model = std::make_shared<Model>();
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
  std::unique_ptr<fcl::DynamicAABBTreeCollisionManagerd> manager;
  std::vector<BodyPair> pairs;

  void enter(std::size_t count) {
    objects.clear();
    manager = std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
    for (std::size_t i = 0; i < count; ++i) {
      objects.push_back(std::make_unique<fcl::CollisionObjectd>(model));
      objects.back()->setUserData(reinterpret_cast<void*>(static_cast<std::uintptr_t>(i)));
      manager->registerObject(objects.back().get());
    }
    manager->setup();
  }
};

namespace {

std::uint32_t indexOf(const fcl::CollisionObjectd* object) noexcept {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
}

bool meetExactly(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* pairs) {
  const fcl::CollisionRequestd request(1, false);
  fcl::CollisionResultd result;
  if (fcl::collide(a, b, request, result) != 0) {
    const std::uint32_t p = indexOf(a), q = indexOf(b);
    static_cast<std::vector<BodyPair>*>(pairs)->push_back({std::min(p, q), std::max(p, q)});
  }
  return false;
}

}  // namespace

FclScene::FclScene(const TriangleMesh& mesh) : parts_(std::make_unique<Parts>()) {
  putIntoFcl(mesh, *parts_->model);
  parts_->model->computeLocalAABB();
}
FclScene::~FclScene() = default;

const std::vector<BodyPair>& FclScene::step(std::span<const BodyState> bodies) {
  if (parts_->objects.size() != bodies.size()) parts_->enter(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    parts_->objects[i]->setTransform(fclTransformOf<double>(bodies[i].pose));
    parts_->objects[i]->computeAABB();
  }
  parts_->manager->update();
  parts_->pairs.clear();
  parts_->manager->collide(&parts_->pairs, meetExactly);
  return parts_->pairs;
}

}  // namespace nearmiss::bench
