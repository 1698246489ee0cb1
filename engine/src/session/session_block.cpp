// SPDX-License-Identifier: MIT
#include "session/session_block.h"

#include <xxhash.h>
#include <zstd.h>

#include "session/packed_bytes.h"

namespace nearmiss::engine {
namespace {

constexpr std::string_view magic = "nearmiss session";
constexpr std::size_t headSize = 16;  // sizes of the packed bytes and of the items, checksum
constexpr std::uint32_t mostItems = 1u << 28;

}  // namespace

std::string sessionBeginning() {
  std::string out(magic);
  PackedWriter(out).word(sessionVersion);
  return out;
}

std::uint32_t takeBeginning(std::string_view& bytes) {
  if (!bytes.starts_with(magic)) return 0;
  PackedReader from(bytes.substr(magic.size()));
  const auto version = from.word<std::uint32_t>();
  if (from.failed()) return 0;
  bytes.remove_prefix(magic.size() + sizeof version);
  return version;
}

std::string packedBlock(std::string_view items) {
  std::string packed(ZSTD_compressBound(items.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), items.data(), items.size(), ZSTD_CLEVEL_DEFAULT);
  packed.resize(ZSTD_isError(size) ? 0 : size);
  std::string out;
  PackedWriter to(out);
  to.word(static_cast<std::uint32_t>(packed.size()));
  to.word(static_cast<std::uint32_t>(items.size()));
  to.word(static_cast<std::uint64_t>(XXH3_64bits(packed.data(), packed.size())));
  return out + packed;
}

std::string sessionEnd(std::uint64_t frames) {
  std::string out;
  PackedWriter to(out);
  to.word(std::uint64_t{0});
  to.word(frames);
  return out;
}

NextBlock takeBlock(std::string_view& bytes) {
  PackedReader from(bytes);
  const auto packed = from.word<std::uint32_t>();
  const auto items = from.word<std::uint32_t>();
  const auto checksum = from.word<std::uint64_t>();
  if (from.failed()) return {};
  if (packed == 0 && items == 0) {
    bytes.remove_prefix(headSize);
    return {BlockKind::End, {}, checksum};
  }
  if (bytes.size() - headSize < packed) return {};
  const std::string_view content = bytes.substr(headSize, packed);
  if (XXH3_64bits(content.data(), content.size()) != checksum) return {BlockKind::Damaged, {}, 0};
  const NextBlock whole{BlockKind::Whole, bytes.substr(0, headSize + packed), 0};
  bytes.remove_prefix(whole.packed.size());
  return whole;
}

bool unpackBlock(std::string_view packed, std::string& items) {
  PackedReader from(packed.substr(sizeof(std::uint32_t)));
  const auto size = from.word<std::uint32_t>();
  if (from.failed() || size > mostItems || packed.size() < headSize) return false;
  items.resize(size);
  const std::string_view content = packed.substr(headSize);
  return ZSTD_decompress(items.data(), items.size(), content.data(), content.size()) == size;
}

}  // namespace nearmiss::engine
