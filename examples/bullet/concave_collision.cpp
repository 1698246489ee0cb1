// SPDX-License-Identifier: MIT
#include "concave_collision.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

using nearmiss::Error;
using nearmiss::ErrorCode;
using nearmiss::Result;
using nearmiss::Success;
using nearmiss::TriangleMesh;
using nearmiss::Vec3;

namespace {

Vec3 vectorOf(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
btVector3 vectorOf(const Vec3& v) { return {v.x, v.y, v.z}; }

struct TriangleCollector : btTriangleCallback, btInternalTriangleIndexCallback {
  void processTriangle(btVector3* corners, int, int) override {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int i = 0; i < 3; ++i) mesh.positions.push_back(vectorOf(corners[i]));
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  void internalProcessTriangleIndex(btVector3* corners, int part, int index) override {
    processTriangle(corners, part, index);
  }
  TriangleMesh mesh;
};

/// Bullet has room for two ints in a contact point, which name a part and a triangle there.
std::uint64_t idOf(const btManifoldPoint& point) {
  return std::uint64_t{static_cast<std::uint32_t>(point.m_partId0)} << 32 |
         static_cast<std::uint32_t>(point.m_index0);
}

void setId(btManifoldPoint& point, std::uint64_t id) {
  point.m_partId0 = static_cast<int>(static_cast<std::uint32_t>(id >> 32));
  point.m_index0 = static_cast<int>(static_cast<std::uint32_t>(id));
}

class ConcaveAlgorithm final : public btCollisionAlgorithm {
 public:
  ConcaveAlgorithm(const btCollisionAlgorithmConstructionInfo& info,
                   std::shared_ptr<const nearmiss::Shape> a,
                   std::shared_ptr<const nearmiss::Shape> b)
      : btCollisionAlgorithm(info), a_(std::move(a)), b_(std::move(b)) {}
  ConcaveAlgorithm(const ConcaveAlgorithm&) = delete;
  ConcaveAlgorithm& operator=(const ConcaveAlgorithm&) = delete;
  ~ConcaveAlgorithm() override {
    for (btPersistentManifold* manifold : manifolds_)
      if (manifold) m_dispatcher->releaseManifold(manifold);
  }

  void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                        const btDispatcherInfo&, btManifoldResult* result) override {
    for (btPersistentManifold*& manifold : manifolds_) {
      if (!manifold)
        manifold = m_dispatcher->getNewManifold(a->getCollisionObject(), b->getCollisionObject());
      if (!manifold) return;
    }
    nearmiss::ManifoldSettings settings;
    settings.margin = std::max(manifolds_[0]->getContactBreakingThreshold(),
                               result->m_closestPointDistanceThreshold);
    settings.maxPoints = manifolds_.size() * MANIFOLD_CACHE_SIZE;
    const nearmiss::Pose poseA = poseOf(a->getWorldTransform());
    const nearmiss::Pose poseB = poseOf(b->getWorldTransform());
    if (!check(poseA) || !check(poseB)) {  // a body without a place: NaN, or too far away
      for (btPersistentManifold* manifold : manifolds_) manifold->clearManifold();
      return;
    }
    query_.begin(*a_, poseA, *b_, poseB, settings);
    const auto& points = query_.refine().points;
    for (btPersistentManifold* manifold : manifolds_) removeGone(*manifold, points);
    for (const nearmiss::ManifoldPoint& point : points)
      if (btManifoldPoint* kept = cached(point.id))
        move(*kept, point);
      else
        add(point, *result);
  }

  btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                 btManifoldResult*) override {
    return 1.0;
  }

  void getAllContactManifolds(btManifoldArray& manifolds) override {
    for (btPersistentManifold* manifold : manifolds_)
      if (manifold) manifolds.push_back(manifold);
  }

 private:
  btManifoldPoint* cached(std::uint64_t id) {
    for (btPersistentManifold* manifold : manifolds_)
      for (int i = 0; i < manifold->getNumContacts(); ++i)
        if (idOf(manifold->getContactPoint(i)) == id) return &manifold->getContactPoint(i);
    return nullptr;
  }

  void removeGone(btPersistentManifold& manifold,
                  const std::vector<nearmiss::ManifoldPoint>& points) {
    for (int i = manifold.getNumContacts() - 1; i >= 0; --i) {
      btManifoldPoint& old = manifold.getContactPoint(i);
      const std::uint64_t id = idOf(old);
      if (std::ranges::any_of(points, [&](const auto& point) { return point.id == id; })) continue;
      if (const nearmiss::ManifoldPoint* heir = heirOf(old, points))
        setId(old, heir->id);
      else
        manifold.removeContactPoint(i);
    }
  }

  /// Returns the new point in the place of one that is gone, which takes its impulses; or null.
  const nearmiss::ManifoldPoint* heirOf(const btManifoldPoint& gone,
                                        const std::vector<nearmiss::ManifoldPoint>& points) {
    constexpr btScalar alike = 0.9;  // cosine of the angle between the normals
    const btScalar reach = manifolds_[0]->getContactBreakingThreshold();
    const btTransform& place = manifolds_[0]->getBody0()->getWorldTransform();
    for (const nearmiss::ManifoldPoint& point : points)
      if (place.invXform(vectorOf(point.onA)).distance2(gone.m_localPointA) < reach * reach &&
          gone.m_normalWorldOnB.dot(vectorOf(point.normal)) > alike && !cached(point.id))
        return &point;
    return nullptr;
  }

  /// Moves a point and keeps its impulses, with which the solver starts.
  void move(btManifoldPoint& kept, const nearmiss::ManifoldPoint& point) {
    const btPersistentManifold& manifold = *manifolds_[0];
    kept.m_positionWorldOnA = vectorOf(point.onA);
    kept.m_positionWorldOnB = vectorOf(point.onB);
    kept.m_localPointA = manifold.getBody0()->getWorldTransform().invXform(kept.m_positionWorldOnA);
    kept.m_localPointB = manifold.getBody1()->getWorldTransform().invXform(kept.m_positionWorldOnB);
    kept.m_normalWorldOnB = vectorOf(point.normal);
    kept.m_distance1 = -point.depth;
    ++kept.m_lifeTime;
  }

  /// Bullet sets friction and restitution, and calls the user's gContactAddedCallback. A point next
  /// to a cached one replaces it and takes its impulses. contactTest() passes results of its own
  /// here.
  void add(const nearmiss::ManifoldPoint& point, btManifoldResult& result) {
    const auto room = std::ranges::find_if(manifolds_, [](const btPersistentManifold* manifold) {
      return manifold->getNumContacts() < MANIFOLD_CACHE_SIZE;
    });
    if (room == manifolds_.end()) return;
    result.setPersistentManifold(*room);
    result.setShapeIdentifiersA(static_cast<int>(static_cast<std::uint32_t>(point.id >> 32)),
                                static_cast<int>(static_cast<std::uint32_t>(point.id)));
    result.addContactPoint(vectorOf(point.normal), vectorOf(point.onB), -point.depth);
  }

  /// A manifold of Bullet has four points. Concave bodies touch in several places, and need more.
  std::array<btPersistentManifold*, 2> manifolds_{};
  nearmiss::ManifoldQuery query_;
  std::shared_ptr<const nearmiss::Shape> a_, b_;
};

// The dispatcher allocates algorithms from a pool whose elements are as large as its own largest
static_assert(sizeof(ConcaveAlgorithm) <= sizeof(btConvexConvexAlgorithm));

}  // namespace

nearmiss::Pose poseOf(const btTransform& transform) {
  const btQuaternion q = transform.getRotation();
  return {vectorOf(transform.getOrigin()),
          glm::normalize(nearmiss::Quat(q.w(), q.x(), q.y(), q.z()))};
}

Result<TriangleMesh> meshOf(const btCollisionShape& shape) {
  TriangleCollector collector;
  const btVector3 everything(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
  switch (shape.getShapeType()) {
    case GIMPACT_SHAPE_PROXYTYPE: {
      const auto& gimpact = static_cast<const btGImpactShapeInterface&>(shape);
      if (gimpact.getGImpactShapeType() != CONST_GIMPACT_TRIMESH_SHAPE) break;
      gimpact.processAllTriangles(&collector, -everything, everything);
      return std::move(collector.mesh);
    }
    case TRIANGLE_MESH_SHAPE_PROXYTYPE:
      static_cast<const btBvhTriangleMeshShape&>(shape)
          .getMeshInterface()
          ->InternalProcessAllTriangles(&collector, -everything, everything);
      return std::move(collector.mesh);
    case BOX_SHAPE_PROXYTYPE:
    case CONVEX_HULL_SHAPE_PROXYTYPE: {
      const auto& polyhedron = static_cast<const btPolyhedralConvexShape&>(shape);
      std::vector<Vec3> corners;
      for (int i = 0; i < polyhedron.getNumVertices(); ++i) {
        btVector3 corner;
        polyhedron.getVertex(i, corner);
        corners.push_back(vectorOf(corner));
      }
      return nearmiss::convexHullMesh(corners);
    }
    default:
      break;
  }
  return Error{
      ErrorCode::Unsupported,
      std::string(shape.getName()) + " is no GImpact mesh, triangle mesh, box or convex hull"};
}

ConcaveCollision::ConcaveCollision(btCollisionDispatcher& dispatcher) {
  btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
  for (const int other : {GIMPACT_SHAPE_PROXYTYPE, TRIANGLE_MESH_SHAPE_PROXYTYPE,
                          BOX_SHAPE_PROXYTYPE, CONVEX_HULL_SHAPE_PROXYTYPE}) {
    dispatcher.registerCollisionCreateFunc(GIMPACT_SHAPE_PROXYTYPE, other, this);
    dispatcher.registerCollisionCreateFunc(other, GIMPACT_SHAPE_PROXYTYPE, this);
    // contactTest() and contactPairTest() look here
    dispatcher.registerClosestPointsCreateFunc(GIMPACT_SHAPE_PROXYTYPE, other, this);
    dispatcher.registerClosestPointsCreateFunc(other, GIMPACT_SHAPE_PROXYTYPE, this);
  }
}

Result<Success> ConcaveCollision::add(const btCollisionShape& shape) {
  const auto found = find(shape);
  if (!found) return found.error();
  return Success{};
}

void ConcaveCollision::remove(const btCollisionShape& shape) {
  const std::lock_guard lock(mutex_);
  shapes_.erase(&shape);
}

Result<ConcaveCollision::SharedShape> ConcaveCollision::find(const btCollisionShape& shape) {
  const std::lock_guard lock(mutex_);
  if (const auto known = shapes_.find(&shape); known != shapes_.end()) return known->second;
  auto made = [&]() -> Result<SharedShape> {
    auto mesh = meshOf(shape);
    if (!mesh) return mesh.error();
    nearmiss::ShapeSettings settings;
    settings.quality = nearmiss::TreeQuality::None;  // contacts need no sphere tree
    auto built = nearmiss::makeShape(std::move(*mesh), settings);
    if (!built) return built.error();
    nearmiss::prepare(*built);
    return std::make_shared<const nearmiss::Shape>(std::move(*built));
  }();
  return shapes_.emplace(&shape, std::move(made)).first->second;
}

btCollisionAlgorithm* ConcaveCollision::CreateCollisionAlgorithm(
    btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper* a,
    const btCollisionObjectWrapper* b) {
  auto shapeA = find(*a->getCollisionShape());
  auto shapeB = find(*b->getCollisionShape());
  if (!shapeA || !shapeB) return gimpact_.CreateCollisionAlgorithm(info, a, b);
  void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(ConcaveAlgorithm));
  return new (memory) ConcaveAlgorithm(info, std::move(*shapeA), std::move(*shapeB));
}
