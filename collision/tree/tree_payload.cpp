// SPDX-License-Identifier: MIT
#include "tree/tree_payload.h"

namespace nearmiss {
namespace {

/// Bytes of one node in the file: four doubles and four words.
constexpr std::size_t nodeSize = 4 * 8 + 4 * 4;

}  // namespace

void putSphereTree(PayloadWriter& out, const SphereTree::Data& data) {
  out.u32(static_cast<std::uint32_t>(data.coverage));
  out.words(data.packs);
  out.words(data.links);
  out.words(data.levelBegin);
  out.words(data.triangleBegin);
  out.words(data.leafTriangles);
  out.words(data.identity);
  out.words(data.childPackCount);
  out.words(data.outside);
  out.words(data.boxes.boxOf);
  out.words(data.boxes.boxes);
  out.words(data.inner.spheres);
  out.words(data.inner.bounds);
  out.words(data.inner.links);
  out.words(data.inner.levelBegin);
}

std::optional<SphereTree::Data> takeSphereTree(PayloadReader& in) {
  SphereTree::Data data;
  const std::uint32_t coverage = in.u32();
  data.packs = in.words<SpherePack>();
  data.links = in.words<SphereLinks>();
  data.levelBegin = in.words<std::uint32_t>();
  data.triangleBegin = in.words<std::uint32_t>();
  data.leafTriangles = in.words<std::uint32_t>();
  data.identity = in.words<SphereId>();
  data.childPackCount = in.words<std::uint32_t>();
  data.outside = in.words<float>();
  data.boxes.boxOf = in.words<std::uint32_t>();
  data.boxes.boxes = in.words<NodeBox>();
  data.inner.spheres = in.words<SpherePack>();
  data.inner.bounds = in.words<SpherePack>();
  data.inner.links = in.words<InnerSpheres::Links>();
  data.inner.levelBegin = in.words<std::uint32_t>();
  if (coverage > static_cast<std::uint32_t>(Coverage::Samples)) return std::nullopt;
  data.coverage = static_cast<Coverage>(coverage);
  return data;
}

void putBspTree(PayloadWriter& out, const BspTree::Data& data) {
  out.u32(data.solid ? 1 : 0);
  out.u64(data.nodes.size());
  for (const BspNode& node : data.nodes) {
    for (int axis = 0; axis < 3; ++axis) out.f64(node.normal[axis]);
    out.f64(node.offset);
    out.u32(node.front);
    out.u32(node.back);
    out.u32(node.facesBegin);
    out.u32(node.facesEnd);
  }
  out.words(data.faces);
}

std::optional<BspTree::Data> takeBspTree(PayloadReader& in) {
  BspTree::Data data;
  data.solid = in.u32() != 0;
  const std::uint64_t count = in.u64();
  if (in.failed() || count > in.left() / nodeSize) return std::nullopt;
  data.nodes.resize(static_cast<std::size_t>(count));
  for (BspNode& node : data.nodes) {
    for (int axis = 0; axis < 3; ++axis) node.normal[axis] = in.f64();
    node.offset = in.f64();
    node.front = in.u32();
    node.back = in.u32();
    node.facesBegin = in.u32();
    node.facesEnd = in.u32();
  }
  data.faces = in.words<std::uint32_t>();
  return data;
}

}  // namespace nearmiss
