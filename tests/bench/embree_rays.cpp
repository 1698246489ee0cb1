// SPDX-License-Identifier: MIT
#include <embree3/rtcore.h>

#include <cstddef>
#include <limits>

#include "ray_peer.h"

namespace nearmiss::bench {
namespace {

class EmbreeRays final : public RayPeer {
 public:
  explicit EmbreeRays(const TriangleMesh& mesh)
      : device_(rtcNewDevice("threads=1,set_affinity=0")), scene_(rtcNewScene(device_)) {
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* position = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                3 * sizeof(float), mesh.positions.size()));
    for (const Vec3& p : mesh.positions)
      for (int axis = 0; axis < 3; ++axis) *position++ = static_cast<float>(p[axis]);
    auto* index = static_cast<std::uint32_t*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(std::uint32_t), mesh.triangles.size()));
    for (const auto& triangle : mesh.triangles)
      for (const std::uint32_t corner : triangle) *index++ = corner;
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  EmbreeRays(const EmbreeRays&) = delete;
  EmbreeRays& operator=(const EmbreeRays&) = delete;
  ~EmbreeRays() override {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }

  Real first(const Ray& ray) override {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit requested{};
    requested.ray.org_x = static_cast<float>(ray.origin.x);
    requested.ray.org_y = static_cast<float>(ray.origin.y);
    requested.ray.org_z = static_cast<float>(ray.origin.z);
    requested.ray.dir_x = static_cast<float>(ray.direction.x);
    requested.ray.dir_y = static_cast<float>(ray.direction.y);
    requested.ray.dir_z = static_cast<float>(ray.direction.z);
    requested.ray.tfar = static_cast<float>(ray.end);
    requested.ray.mask = ~0u;
    requested.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &requested);
    return requested.hit.geomID == RTC_INVALID_GEOMETRY_ID ? std::numeric_limits<Real>::infinity()
                                                           : Real{requested.ray.tfar};
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

}  // namespace

std::unique_ptr<RayPeer> makeEmbree(const TriangleMesh& mesh) {
  return std::make_unique<EmbreeRays>(mesh);
}

}  // namespace nearmiss::bench
