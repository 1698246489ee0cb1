// SPDX-License-Identifier: MIT
/// Hashes of shapes and answers, and the values recorded for them. The same cases run natively and
/// as WebAssembly.
#pragma once

#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/nearmiss.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace nearmiss::test {

/// FNV-1a over the bits of values.
class AnswerHash {
 public:
  void add(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      state_ = (state_ ^ ((value >> shift) & 255)) * prime;
  }
  void add(Real value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(const Vec3& v) {
    for (int axis = 0; axis < 3; ++axis) add(v[axis]);
  }
  void add(std::span<const std::byte> bytes) {
    for (const std::byte each : bytes) state_ = (state_ ^ static_cast<std::uint64_t>(each)) * prime;
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  static constexpr std::uint64_t prime = 1099511628211u;
  std::uint64_t state_ = 14695981039346656037u;
};

/// A point of the unit circle by rational numbers, so that no libm rounds it: symmetric in the
/// axes, which makes many keys equal.
inline std::array<Real, 2> onCircle(int i, int count) {
  const int quarter = count / 4, sector = i / quarter;
  const Real t = static_cast<Real>(i % quarter) / quarter;
  const Real x = (1.0 - t * t) / (1.0 + t * t), y = 2.0 * t / (1.0 + t * t);
  const std::array<std::array<Real, 2>, 4> turned{{{x, y}, {-y, x}, {-x, -y}, {y, -x}}};
  return turned[static_cast<std::size_t>(sector)];
}

inline TriangleMesh symmetricTorus(int around, int across) {
  TriangleMesh mesh;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const auto [c, s] = onCircle(i, around);
      const auto [u, v] = onCircle(j, across);
      const Real reach = 0.7 + 0.25 * u;
      mesh.positions.emplace_back(c * reach, s * reach, 0.25 * v);
    }
  const auto index = [&](int i, int j) {
    return static_cast<std::uint32_t>((i % around) * across + j % across);
  };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      mesh.triangles.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      mesh.triangles.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  return mesh;
}

inline Shape portableShape(TriangleMesh mesh, std::string_view builder) {
  ShapeSettings settings;
  settings.quality = TreeQuality::None;
  Shape bare = *makeShape(std::move(mesh), settings);
  if (builder.empty()) return bare;
  SphereTreeSettings trees;
  trees.levels = 3;
  trees.nodeBoxRatio = builder == "variational" ? usualNodeBoxRatio : 0.0;
  trees.innerSpheres = usualInnerSpheres;
  const auto core = coreSphereTreeBuilders();
  const auto found = std::ranges::find(core, builder, &SphereTreeBuilderEntry::name);
  return *bare.with(*buildSphereTree(*found, bare.polyhedron(), trees));
}

/// The recorded hash of each builder's shape; "" builds no sphere tree.
inline constexpr std::array<std::pair<std::string_view, std::uint64_t>, 6> recordedShapes{{
    {"", 14357386924870798735u},
    {"sah", 4378628717322477731u},
    {"octree", 17700025458882574896u},
    {"variational", 14311933816988215527u},
    {"medial", 14128425742159898906u},
    {"dag", 6587668471733380545u},
}};

inline std::uint64_t shapeHash(std::string_view builder) {
  AnswerHash hash;
  hash.add(*bytesOf(portableShape(symmetricTorus(32, 16), builder)));
  return hash.value();
}

/// Hashes of the answers in a thousand poses.
struct AnswerHashes {
  std::uint64_t verdicts, witnesses, distances, contacts, rays;
  int touching;  ///< number of pairs in contact
};

inline constexpr AnswerHashes recordedAnswers{9285010048987365521u, 11328953206345943962u,
                                              9644928279579097227u, 3523764686090169696u,
                                              8932608752858283866u, 0};

inline AnswerHashes answerHashes() {
  const Shape a = portableShape(symmetricTorus(32, 16), "sah");
  const Shape b = portableShape(*boxMesh(Vec3(0.4, 0.4, 0.2)), "sah");
  const Shape c = portableShape(symmetricTorus(24, 12), "variational");
  AnswerHash verdicts, witnesses, distances, contacts, rays;
  int touching = 0;
  SplitMix random(17);
  const auto between = [&](Real low, Real high) { return low + (high - low) * random.unit(); };
  for (int i = 0; i < 1000; ++i) {
    // Half of the poses are symmetric, so that several features are equally near
    // Compilers evaluate arguments in different orders
    const Real x = between(-1.6, 1.6), y = between(-1.6, 1.6), z = between(-0.6, 0.6);
    const Real qw = between(-1.0, 1.0), qx = between(-1.0, 1.0), qy = between(-1.0, 1.0),
               qz = between(-1.0, 1.0);
    Pose pose{Vec3(x, y, z)};
    if (i % 2 == 0)
      pose.position = glm::round(4.0 * pose.position) / 4.0;
    else
      pose.rotation = glm::normalize(Quat(qw, qx, qy, qz));
    const Shape& other = i % 3 == 0 ? b : c;
    const Refinement found = collide(a, Pose{}, other, pose);
    verdicts.add(static_cast<std::uint64_t>(found.verdict));
    verdicts.add(found.separationBound);
    witnesses.add(std::uint64_t{found.triangleA} << 32 | found.triangleB);
    touching += found.verdict == Verdict::Contact;
    const DistanceBounds gap = distance(a, Pose{}, other, pose);
    distances.add(gap.lower);
    distances.add(gap.upper);
    distances.add(std::uint64_t{gap.triangleA} << 32 | gap.triangleB);
    const ContactManifold manifold = contactManifold(a, Pose{}, other, pose);
    for (const ManifoldPoint& point : manifold.points) {
      contacts.add(point.id);
      contacts.add(point.depth);
      contacts.add(point.onA);
    }
    const RayHit hit =
        raycast(a, pose, {pose.position + Vec3(0.0, 0.0, 2.0), Vec3(0.1, 0.0, -1.0)});
    rays.add(std::uint64_t{hit.triangle});
    rays.add(std::uint64_t{nearestPoint(a, Pose{}, pose.position).triangle});
  }
  return {verdicts.value(), witnesses.value(), distances.value(),
          contacts.value(), rays.value(),      touching};
}

}  // namespace nearmiss::test
