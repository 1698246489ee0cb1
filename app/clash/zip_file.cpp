// SPDX-License-Identifier: MIT
#include "clash/zip_file.h"

#include <algorithm>
#include <array>

namespace nearmiss::app::clash {
namespace {

constexpr std::array<std::uint32_t, 256> crcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xedb88320u ^ (value >> 1) : value >> 1;
    table[i] = value;
  }
  return table;
}();

/// Little endian, in as many bytes.
void put(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

/// Years from 1980, in steps of two seconds.
std::uint32_t dosTime(const std::tm& time) noexcept {
  const int year = std::clamp(time.tm_year - 80, 0, 127);
  const int date = year << 9 | (time.tm_mon + 1) << 5 | time.tm_mday;
  const int clock = time.tm_hour << 11 | time.tm_min << 5 | std::min(time.tm_sec, 59) / 2;
  return static_cast<std::uint32_t>(date) << 16 | static_cast<std::uint32_t>(clock);
}

/// What the head of an entry and its line in the directory have in common.
void putEntry(std::string& out, const ZipEntry& entry, std::uint32_t crc, std::uint32_t time) {
  constexpr std::uint32_t version = 20, namesAreUtf8 = 1u << 11, stored = 0;
  put(out, version, 2);
  put(out, namesAreUtf8, 2);
  put(out, stored, 2);
  put(out, time, 4);
  put(out, crc, 4);
  const auto size = static_cast<std::uint32_t>(entry.contents.size());
  put(out, size, 4);
  put(out, size, 4);
  put(out, static_cast<std::uint32_t>(entry.name.size()), 2);
  put(out, 0, 2);
}

}  // namespace

std::uint32_t crc32Of(std::string_view bytes) noexcept {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes)
    crc = crcTable[(crc ^ static_cast<unsigned char>(c)) & 0xff] ^ crc >> 8;
  return ~crc;
}

std::string zipOf(std::span<const ZipEntry> entries, const std::tm& time) {
  std::string out, directory;
  const std::uint32_t stamp = dosTime(time);
  for (const ZipEntry& entry : entries) {
    const auto at = static_cast<std::uint32_t>(out.size());
    const std::uint32_t crc = crc32Of(entry.contents);
    put(out, 0x04034b50, 4);
    putEntry(out, entry, crc, stamp);
    out += entry.name;
    out += entry.contents;

    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    putEntry(directory, entry, crc, stamp);
    put(directory, 0, 2);  // comment
    put(directory, 0, 2);  // disk
    put(directory, 0, 2);  // internal attributes
    put(directory, 0, 4);  // external attributes
    put(directory, at, 4);
    directory += entry.name;
  }
  const auto start = static_cast<std::uint32_t>(out.size());
  const auto count = static_cast<std::uint32_t>(entries.size());
  out += directory;
  put(out, 0x06054b50, 4);
  put(out, 0, 4);  // this disk, and that of the directory
  put(out, count, 2);
  put(out, count, 2);
  put(out, static_cast<std::uint32_t>(directory.size()), 4);
  put(out, start, 4);
  put(out, 0, 2);  // comment
  return out;
}

}  // namespace nearmiss::app::clash
