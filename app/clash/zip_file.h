// SPDX-License-Identifier: MIT
/// Zip archives, stored without compression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app::clash {

struct ZipEntry {
  std::string name;  ///< with '/' between folders
  std::string contents;
};

/// More cannot be in an archive of the usual kind, nor can more bytes.
inline constexpr std::size_t maxZipEntries = 65535;
inline constexpr std::uint64_t maxZipBytes = 0xffffffffu;

/// CRC-32 as zip and PNG have it.
[[nodiscard]] std::uint32_t crc32Of(std::string_view bytes) noexcept;

/// The archive. `time` of all entries, in UTC.
/// @pre within maxZipEntries and maxZipBytes; names are UTF-8, each once
[[nodiscard]] std::string zipOf(std::span<const ZipEntry> entries, const std::tm& time);

}  // namespace nearmiss::app::clash
