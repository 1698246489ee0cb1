// SPDX-License-Identifier: MIT
#include <embree3/rtcore.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mesh_peer.h"

namespace nearmiss::bench {
namespace {

/// Triangles as boxes of a scene, since rtcCollide() compares boxes, and only those of scenes that
/// lie in one frame: the moved one is put there for every question.
class EmbreeBoxes {
 public:
  EmbreeBoxes(RTCDevice device, const TriangleMesh& mesh)
      : mesh_(mesh), corners_(mesh.triangles.size()), scene_(rtcNewScene(device)) {
    geometry_ = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_REFIT);
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(corners_.size()));
    rtcSetGeometryUserData(geometry_, this);
    rtcSetGeometryBoundsFunction(geometry_, &bounds, nullptr);
    rtcAttachGeometryByID(scene_, geometry_, 0);
    move({});
  }
  EmbreeBoxes(const EmbreeBoxes&) = delete;
  EmbreeBoxes& operator=(const EmbreeBoxes&) = delete;
  ~EmbreeBoxes() {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(scene_);
  }

  void move(const Pose& pose) {
    for (std::uint32_t t = 0; t < corners_.size(); ++t) {
      corners_[t] = mesh_.corners(t);
      for (Vec3& corner : corners_[t]) corner = transformed(pose, corner);
    }
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
  }
  [[nodiscard]] RTCScene scene() const { return scene_; }
  [[nodiscard]] const Triangle& operator[](unsigned t) const { return corners_[t]; }

 private:
  static void bounds(const RTCBoundsFunctionArguments* requested) {
    const Triangle& of =
        static_cast<const EmbreeBoxes*>(requested->geometryUserPtr)->corners_[requested->primID];
    constexpr float infinite = std::numeric_limits<float>::infinity();
    // Rounded outwards
    const auto range = [&](int axis, float& low, float& high) {
      const auto [least, most] = std::minmax({of[0][axis], of[1][axis], of[2][axis]});
      low = std::nextafter(static_cast<float>(least), -infinite);
      high = std::nextafter(static_cast<float>(most), infinite);
    };
    RTCBounds& box = *requested->bounds_o;
    range(0, box.lower_x, box.upper_x);
    range(1, box.lower_y, box.upper_y);
    range(2, box.lower_z, box.upper_z);
  }

  TriangleMesh mesh_;
  std::vector<Triangle> corners_;
  RTCScene scene_;
  RTCGeometry geometry_ = nullptr;
};

class EmbreeCollide final : public MeshPeer {
 public:
  EmbreeCollide(const TriangleMesh& a, const TriangleMesh& b)
      : device_(rtcNewDevice("threads=1,set_affinity=0")), boxes_(device_, a, b) {}
  bool meet(const Pose& a, const Pose& b) override {
    boxes_.b.move(relativePose(a, b));
    found_ = false;
    // It cannot be stopped: what follows the first contact is not compared
    rtcCollide(
        boxes_.a.scene(), boxes_.b.scene(),
        [](void* self, RTCCollision* pairs, unsigned count) {
          EmbreeCollide& own = *static_cast<EmbreeCollide*>(self);
          for (unsigned i = 0; i < count && !own.found_; ++i)
            own.found_ =
                trianglesMeet(own.boxes_.a[pairs[i].primID0], own.boxes_.b[pairs[i].primID1]);
        },
        this);
    return found_;
  }

 private:
  struct Device {
    explicit Device(RTCDevice made) : device(made) {}
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    ~Device() { rtcReleaseDevice(device); }
    operator RTCDevice() const { return device; }
    RTCDevice device;
  };
  struct Both {
    Both(RTCDevice device, const TriangleMesh& ofA, const TriangleMesh& ofB)
        : a(device, ofA), b(device, ofB) {}
    EmbreeBoxes a, b;
  };
  Device device_;
  Both boxes_;
  bool found_ = false;
};

}  // namespace

std::unique_ptr<MeshPeer> makeEmbreeCollide(const TriangleMesh& a, const TriangleMesh& b) {
  return std::make_unique<EmbreeCollide>(a, b);
}

}  // namespace nearmiss::bench
