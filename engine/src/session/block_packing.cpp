// SPDX-License-Identifier: MIT
#include "session/block_packing.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <new>

namespace nearmiss::engine {

static_assert(skippableFrame == ZSTD_MAGIC_SKIPPABLE_START);

std::string compressed(std::string_view bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), ZSTD_CLEVEL_DEFAULT);
  // The buffer is large enough, so the only possible error is lack of memory
  if (ZSTD_isError(size)) throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

std::optional<std::size_t> decompress(std::string_view packed, std::span<char> out) {
  const std::size_t size = ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size());
  if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (ZSTD_isError(size)) return std::nullopt;
  return size;
}

}  // namespace nearmiss::engine
