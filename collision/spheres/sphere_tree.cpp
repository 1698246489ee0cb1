// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_settings.h>
#include <nearmiss/detail/assertion.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nearmiss {
namespace {

constexpr std::size_t maxTreeLevels = 16;
constexpr std::size_t maxPacks = 0xffffffff / SpherePack::width;
/// Metres. Sums and doubles of squares of such lengths are still finite in float.
constexpr float maxTreeLength = 1e18f;

bool withinRange(float length) noexcept { return std::abs(length) <= maxTreeLength; }

const char* validateSizes(const SphereTree::Data& data) {
  const std::size_t packs = data.packs.size();
  if (packs == 0) return "it has no sphere";
  if (packs > maxPacks) return "it has more spheres than ids";
  if (data.links.size() != packs) return "its links are not as many as its packs";
  if (data.levelBegin.size() < 2 || data.levelBegin.size() > maxTreeLevels + 1)
    return "its number of levels is out of range";
  if (data.levelBegin[0] != 0 || data.levelBegin[1] != 1 || data.levelBegin.back() != packs)
    return "its levels do not span its packs";
  for (std::size_t l = 1; l < data.levelBegin.size(); ++l)
    if (data.levelBegin[l] <= data.levelBegin[l - 1]) return "one of its levels is empty";
  if (data.triangleBegin.size() != packs * SpherePack::width + 1)
    return "its triangle ranges are not as many as its spheres";
  if (data.triangleBegin.front() != 0 || data.triangleBegin.back() != data.leafTriangles.size())
    return "its triangle ranges do not span its triangles";
  return nullptr;
}

const char* validateSphere(const SphereTree::Data& data, std::size_t pack, int lane) {
  const SpherePack& p = data.packs[pack];
  const SphereLinks& links = data.links[pack];
  const std::size_t id = pack * SpherePack::width + static_cast<std::size_t>(lane);
  const bool hasTriangles = data.triangleBegin[id] != data.triangleBegin[id + 1];
  if (!withinRange(p.x[lane]) || !withinRange(p.y[lane]) || !withinRange(p.z[lane]) ||
      !withinRange(p.r[lane]) || !withinRange(links.hausdorff[lane]))
    return "a number of a sphere is not finite or is out of range";
  if (p.r[lane] < 0.0f) {
    if (p.r[lane] != -1.0f || links.childPack[lane] != SphereLinks::none || hasTriangles)
      return "an unused place is not empty";
  } else {
    if (lane > 0 && p.r[lane - 1] < 0.0f) return "a sphere follows an unused place";
    if (links.hausdorff[lane] < 0.0f) return "a distance to the surface is negative";
    if (links.childPack[lane] != SphereLinks::none && hasTriangles)
      return "a sphere has both children and triangles";
  }
  return nullptr;
}

/// Breadth-first: reading the packs in order must reference each pack except the root's once, in
/// order, and in the next level. This also excludes cycles and shared children.
const char* validateTree(const SphereTree::Data& data) {
  if (!data.childPackCount.empty()) return "it counts packs of children, but names no identities";
  std::uint32_t nextChild = 1;
  for (std::size_t level = 0; level + 1 < data.levelBegin.size(); ++level) {
    for (std::size_t pack = data.levelBegin[level]; pack < data.levelBegin[level + 1]; ++pack) {
      if (data.packs[pack].r[0] < 0.0f) return "a pack is empty";
      for (int lane = 0; lane < SpherePack::width; ++lane) {
        if (const char* fault = validateSphere(data, pack, lane)) return fault;
        const std::uint32_t child = data.links[pack].childPack[lane];
        if (child == SphereLinks::none) continue;
        if (child != nextChild++ || level + 2 >= data.levelBegin.size() ||
            child < data.levelBegin[level + 1] || child >= data.levelBegin[level + 2])
          return "its packs do not lie breadth first";
      }
    }
  }
  return nextChild == data.packs.size() ? nullptr : "a pack is nobody's child";
}

/// A copied slot has its identity's sphere and links, and no triangles of its own.
const char* validateCopy(const SphereTree::Data& data, SphereId id, std::size_t levelBegin) {
  const SphereId own = data.identity[id];
  if (own > id || own < levelBegin * SpherePack::width || data.identity[own] != own)
    return "a sphere's identity is not the first of its places";
  if (own == id) return nullptr;
  const std::size_t pack = id / SpherePack::width, lane = id % SpherePack::width;
  const std::size_t ownPack = own / SpherePack::width, ownLane = own % SpherePack::width;
  const SpherePack& p = data.packs[pack];
  const SpherePack& q = data.packs[ownPack];
  if (p.x[lane] != q.x[ownLane] || p.y[lane] != q.y[ownLane] || p.z[lane] != q.z[ownLane] ||
      p.r[lane] != q.r[ownLane] || p.r[lane] < 0.0f ||
      data.links[pack].childPack[lane] != data.links[ownPack].childPack[ownLane] ||
      data.links[pack].hausdorff[lane] != data.links[ownPack].hausdorff[ownLane] ||
      data.childPackCount[id] != data.childPackCount[own] ||
      data.triangleBegin[id] != data.triangleBegin[id + 1])
    return "two places of one sphere differ";
  return nullptr;
}

/// Children lie in the next level, which excludes cycles. No pack belongs to two different runs,
/// and every pack has a parent.
const char* validateRuns(const SphereTree::Data& data) {
  const std::size_t slots = data.packs.size() * SpherePack::width;
  if (data.identity.size() != slots || data.childPackCount.size() != slots)
    return "its identities or counts are not as many as its spheres";
  std::uint32_t nextChild = 1;
  for (std::size_t level = 0; level + 1 < data.levelBegin.size(); ++level) {
    for (std::size_t pack = data.levelBegin[level]; pack < data.levelBegin[level + 1]; ++pack) {
      if (data.packs[pack].r[0] < 0.0f) return "a pack is empty";
      for (int lane = 0; lane < SpherePack::width; ++lane) {
        const auto id =
            static_cast<SphereId>(pack * SpherePack::width) + static_cast<SphereId>(lane);
        if (const char* fault = validateSphere(data, pack, lane)) return fault;
        if (const char* fault = validateCopy(data, id, data.levelBegin[level])) return fault;
        const std::uint32_t child = data.links[pack].childPack[lane];
        const std::uint32_t count = data.childPackCount[id];
        if ((child == SphereLinks::none) != (count == 0)) return "a leaf has packs of children";
        if (count == 0 || data.identity[id] != id) continue;
        if (child != nextChild || level + 2 >= data.levelBegin.size() ||
            child < data.levelBegin[level + 1] || count > data.levelBegin[level + 2] - child)
          return "its packs do not lie breadth first";
        nextChild += count;
      }
    }
  }
  return nextChild == data.packs.size() ? nullptr : "a pack is nobody's child";
}

/// Boxes must have a size for which the allowance for moving their spheres is sufficient.
const char* validateBoxes(const SphereTree::Data& data) {
  if (data.boxes.boxes.empty())
    return data.boxes.boxOf.empty() ? nullptr : "it names boxes but has none";
  const std::size_t slots = data.packs.size() * SpherePack::width;
  if (data.boxes.boxOf.size() != slots) return "its boxes are not named for each of its spheres";
  for (SphereId id = 0; id < slots; ++id) {
    const std::uint32_t number = data.boxes.boxOf[id];
    if (number == NodeBoxes::none) continue;
    const SpherePack& pack = data.packs[id / SpherePack::width];
    const std::size_t lane = id % SpherePack::width;
    if (number >= data.boxes.boxes.size() || pack.r[lane] < 0.0f)
      return "a box is named that there is not, or by nobody";
    if (!data.identity.empty() && data.boxes.boxOf[data.identity[id]] != number)
      return "two places of one sphere have different boxes";
    if (!isBoxFor(data.boxes.boxes[number],
                  {Vec3(pack.x[lane], pack.y[lane], pack.z[lane]), pack.r[lane]}))
      return "a box is crooked or much larger than its sphere";
  }
  return nullptr;
}

/// A part of the ball cannot be farther from the surface than the whole ball.
const char* validateOutside(const SphereTree::Data& data) {
  if (data.outside.empty()) return nullptr;
  if (data.outside.size() != data.packs.size() * SpherePack::width)
    return "its distances outside of the solid are not as many as its spheres";
  for (SphereId id = 0; id < data.outside.size(); ++id) {
    const float own = data.outside[id];
    if (!(own >= 0.0f &&
          own <= data.links[id / SpherePack::width].hausdorff[id % SpherePack::width]))
      return "a distance outside of the solid is negative or above that of the whole ball";
    if (!data.identity.empty() && data.outside[data.identity[id]] != own)
      return "two places of one sphere have different distances outside of the solid";
  }
  return nullptr;
}

}  // namespace

SphereTree::SphereTree(Data data) noexcept : data_(std::move(data)) {
  NEARMISS_ASSERT(!validate(data_, 0xffffffff));
  for (SphereId id = 0; id < data_.identity.size() && !isDag_; ++id)
    isDag_ = data_.identity[id] != id;
  for (SphereId id = 0; id < data_.packs.size() * SpherePack::width; ++id) {
    const Sphere ball = sphere(id);
    if (ball.radius >= 0.0) reach_ = std::max(reach_, glm::length(ball.centre) + ball.radius);
  }
}

const char* SphereTree::validate(const Data& data, std::uint32_t triangleCount) {
  if (const char* fault = validateSizes(data)) return fault;
  for (std::size_t id = 1; id < data.triangleBegin.size(); ++id)
    if (data.triangleBegin[id] < data.triangleBegin[id - 1])
      return "its triangle ranges do not ascend";
  for (const std::uint32_t triangle : data.leafTriangles)
    if (triangle >= triangleCount) return "a leaf names a triangle that the mesh does not have";

  const char* fault = data.identity.empty() ? validateTree(data) : validateRuns(data);
  if (fault) return fault;
  if (data.packs[0].r[1] >= 0.0f) return "it has more than one root";
  if (const char* wrong = validateOutside(data)) return wrong;
  if (const char* wrong = validateBoxes(data)) return wrong;
  return InnerSpheres::validate(data.inner);
}

void SphereTree::spheresOf(int l, std::vector<SphereId>& out) const {
  out.clear();
  const auto index = static_cast<std::size_t>(l);
  for (std::uint32_t pack = data_.levelBegin[index]; pack < data_.levelBegin[index + 1]; ++pack)
    for (std::uint32_t lane = 0; lane < SpherePack::width; ++lane)
      if (const SphereId id = pack * SpherePack::width + lane;
          data_.packs[pack].r[lane] >= 0.0f && identity(id) == id)
        out.push_back(id);
}

Sphere SphereTree::sphere(SphereId id) const noexcept {
  const SpherePack& pack = data_.packs[id / SpherePack::width];
  const std::size_t lane = id % SpherePack::width;
  return {Vec3(pack.x[lane], pack.y[lane], pack.z[lane]), pack.r[lane]};
}

Real NodeBox::excess(const Vec3& p) const noexcept {
  const Vec3 from = p - middle();
  Real most = -std::numeric_limits<Real>::infinity();
  for (int k = 0; k < 3; ++k)
    most = std::max(most, std::abs(glm::dot(direction(k), from)) - Real{half[k]});
  return most;
}

bool isBoxFor(const NodeBox& box, const Sphere& sphere) noexcept {
  constexpr Real crooked = 0x1p-22;
  // Written so that NaN fails
  for (int i = 0; i < 3; ++i) {
    if (!(box.half[i] >= 0.0f && Real{box.half[i]} <= 2.0 * sphere.radius)) return false;
    for (int j = 0; j <= i; ++j)
      if (!(std::abs(glm::dot(box.direction(i), box.direction(j)) - (i == j ? 1.0 : 0.0)) <=
            crooked))
        return false;
  }
  return glm::distance(box.middle(), sphere.centre) <= 2.0 * sphere.radius;
}

}  // namespace nearmiss
