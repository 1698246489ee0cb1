// SPDX-License-Identifier: MIT
#include <nearmiss/bsp_tree.h>
#include <nearmiss/detail/fingerprint.h>

#include <string>
#include <utility>

#include "out_of_memory.h"
#include "spheres/tree_file.h"

namespace nearmiss {
namespace {

constexpr TreeFileKind kind{{'B', 'S', 'P', 'T'}, 1, "BSP tree"};

Result<BspTree> readWhole(const std::filesystem::path& file, std::uint64_t meshHash,
                          std::uint64_t settingsHash, std::uint32_t triangleCount) {
  const auto payload = readTreeContainer(file, kind);
  if (!payload) return payload.error();
  PayloadReader reader(*payload);
  const std::uint64_t meshFound = reader.u64();
  const std::uint64_t settingsFound = reader.u64();
  if (reader.failed()) return badPayload(file, kind, "it is too short for its nodes");
  if (meshFound != meshHash || settingsFound != settingsHash)
    return Error{ErrorCode::Mismatch, "cannot use '" + file.string() +
                                          "': it was built from another mesh or other settings"};

  auto data = takeBspTree(reader);
  if (!data) return badPayload(file, kind, "it is too short for its nodes");
  if (!reader.finished()) return badPayload(file, kind, "its length does not fit its counts");
  if (const char* fault = BspTree::validate(*data, triangleCount))
    return badPayload(file, kind, fault);
  return BspTree(*std::move(data));
}

Result<Success> writeWhole(const std::filesystem::path& file, std::uint64_t meshHash,
                           std::uint64_t settingsHash, const BspTree& tree) {
  PayloadWriter writer;
  writer.u64(meshHash);
  writer.u64(settingsHash);
  putBspTree(writer, tree.data());
  return writeTreeContainer(file, kind, writer.bytes());
}

}  // namespace

std::uint64_t hashOf(const BspSettings& settings) {
  Fingerprint print;
  print.add("bsp");
  print.add(static_cast<std::uint64_t>(settings.candidates));
  print.add(std::uint64_t{settings.mostFragments});
  return print.value();
}

Result<BspTree> readBspTree(const std::filesystem::path& file, std::uint64_t meshHash,
                            std::uint64_t settingsHash, std::uint32_t triangleCount) {
  return orOutOfMemory("cannot read a BSP tree",
                       [&] { return readWhole(file, meshHash, settingsHash, triangleCount); });
}

Result<Success> writeBspTree(const std::filesystem::path& file, std::uint64_t meshHash,
                             std::uint64_t settingsHash, const BspTree& tree) {
  return orOutOfMemory("cannot write a BSP tree",
                       [&] { return writeWhole(file, meshHash, settingsHash, tree); });
}

}  // namespace nearmiss
