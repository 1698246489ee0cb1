// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_io.h>

#include "hierarchy/tree_container.h"
#include "out_of_memory.h"

#include <cmath>
#include <utility>

namespace nearmiss {
namespace {

constexpr TreeFileKind sphereTreeKind{{'S', 'P', 'H', 'T'}, 4, "sphere tree"};
constexpr std::size_t longestBuilderName = 64;

Result<SphereTreeFile> readWhole(const std::filesystem::path& file) {
  Result<std::vector<std::byte>> payload = readTreeContainer(file, sphereTreeKind);
  if (!payload) return payload.error();

  // Take the fields in the order of docs/file-formats.md
  PayloadReader in(*payload);
  SphereTreeFile contents;
  contents.key.meshHash = in.u64();
  contents.key.settingsHash = in.u64();
  contents.builder = in.text(longestBuilderName);
  contents.triangleCount = in.u32();
  contents.buildSeconds = in.f64();
  const std::uint32_t coverage = in.u32();
  SphereTree::Data data;
  data.packs = in.words<SpherePack>();
  data.links = in.words<SphereLinks>();
  data.levelBegin = in.words<std::uint32_t>();
  data.triangleBegin = in.words<std::uint32_t>();
  data.leafTriangles = in.words<std::uint32_t>();
  data.identity = in.words<SphereId>();
  data.childPackCount = in.words<std::uint32_t>();
  data.boxes.boxOf = in.words<std::uint32_t>();
  data.boxes.boxes = in.words<NodeBox>();
  data.inner.spheres = in.words<SpherePack>();
  data.inner.bounds = in.words<SpherePack>();
  data.inner.links = in.words<InnerSpheres::Links>();
  data.inner.levelBegin = in.words<std::uint32_t>();
  if (!in.finished()) return badPayload(file, sphereTreeKind, "its fields do not fill its length");

  // A right checksum proves no good will: check the structure as well
  if (coverage > static_cast<std::uint32_t>(Coverage::Samples))
    return badPayload(file, sphereTreeKind, "its coverage is unknown");
  data.coverage = static_cast<Coverage>(coverage);
  if (!std::isfinite(contents.buildSeconds) || contents.buildSeconds < 0.0)
    return badPayload(file, sphereTreeKind, "its build time is no time");
  if (const char* fault = SphereTree::validate(data, contents.triangleCount))
    return badPayload(file, sphereTreeKind, fault);
  contents.tree = SphereTree(std::move(data));
  return contents;
}

Result<Success> writeWhole(const std::filesystem::path& file, const SphereTreeFile& contents) {
  // Refuse to write what would be refused when read
  const SphereTree::Data& data = contents.tree.data();
  if (const char* fault = SphereTree::validate(data, contents.triangleCount))
    return badPayload(file, sphereTreeKind, fault);
  if (contents.builder.size() > longestBuilderName)
    return badPayload(file, sphereTreeKind, "its builder's name is too long");
  PayloadWriter out;
  out.u64(contents.key.meshHash);
  out.u64(contents.key.settingsHash);
  out.text(contents.builder);
  out.u32(contents.triangleCount);
  out.f64(contents.buildSeconds);
  out.u32(static_cast<std::uint32_t>(data.coverage));
  out.words(data.packs);
  out.words(data.links);
  out.words(data.levelBegin);
  out.words(data.triangleBegin);
  out.words(data.leafTriangles);
  out.words(data.identity);
  out.words(data.childPackCount);
  out.words(data.boxes.boxOf);
  out.words(data.boxes.boxes);
  out.words(data.inner.spheres);
  out.words(data.inner.bounds);
  out.words(data.inner.links);
  out.words(data.inner.levelBegin);
  return writeTreeContainer(file, sphereTreeKind, out.bytes());
}

}  // namespace

Result<SphereTreeFile> readSphereTree(const std::filesystem::path& file) {
  return orOutOfMemory("cannot read a sphere tree", [&] { return readWhole(file); });
}

Result<SphereTreeFile> readSphereTree(const std::filesystem::path& file, const TreeKey& expected) {
  Result<SphereTreeFile> contents = readSphereTree(file);
  if (!contents) return contents;
  if (contents->key.meshHash != expected.meshHash)
    return Error{ErrorCode::Mismatch, "cannot use '" + file.string() +
                                          "': it was built from another mesh than expected"};
  if (contents->key.settingsHash != expected.settingsHash)
    return Error{ErrorCode::Mismatch,
                 "cannot use '" + file.string() +
                     "': it was built by another builder or with other settings than expected"};
  return contents;
}

Result<Success> writeSphereTree(const std::filesystem::path& file, const SphereTreeFile& contents) {
  return orOutOfMemory("cannot write a sphere tree", [&] { return writeWhole(file, contents); });
}

}  // namespace nearmiss
