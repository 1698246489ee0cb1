// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_io.h>

#include "out_of_memory.h"
#include "tree/tree_container.h"
#include "tree/tree_payload.h"

#include <cmath>
#include <utility>

namespace nearmiss {
namespace {

constexpr TreeFileKind sphereTreeKind{{'S', 'P', 'H', 'T'}, 5, "sphere tree"};

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
  auto tree = takeSphereTree(in);
  if (!in.finished()) return badPayload(file, sphereTreeKind, "its fields do not fill its length");

  // A right checksum does not prove a sound structure: check that as well
  if (!tree) return badPayload(file, sphereTreeKind, "its coverage is unknown");
  if (!std::isfinite(contents.buildSeconds) || contents.buildSeconds < 0.0)
    return badPayload(file, sphereTreeKind, "its build time is no time");
  if (const char* fault = SphereTree::validate(*tree, contents.triangleCount))
    return badPayload(file, sphereTreeKind, fault);
  contents.tree = SphereTree(*std::move(tree));
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
  putSphereTree(out, data);
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
