// SPDX-License-Identifier: MIT
#include <nearmiss/shape.h>

#include "tools/clash/zip_archive.h"

#include <zip.h>

#include <cstdint>
#include <memory>

namespace nearmiss::app::clash {
namespace {

using Source = std::unique_ptr<zip_source_t, decltype(&zip_source_free)>;
/// Discards an archive that was not closed.
using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;

Error zipFault(const char* words) {
  return {ErrorCode::Unsupported, std::string("cannot write an archive: ") + words};
}

/// On failure returns false, and the archive has the error.
bool add(const ZipEntry& entry, std::time_t time, zip_t* archive) {
  zip_source_t* const contents =
      zip_source_buffer(archive, entry.contents.data(), entry.contents.size(), 0);
  if (!contents) return false;
  const zip_int64_t at = zip_file_add(archive, entry.name.c_str(), contents, ZIP_FL_ENC_UTF_8);
  if (at < 0) {
    zip_source_free(contents);
    return false;
  }
  return zip_file_set_mtime(archive, static_cast<zip_uint64_t>(at), time, 0) == 0;
}

Result<std::string> bytesOf(zip_source_t* source) {
  const auto fault = [source] { return zipFault(zip_error_strerror(zip_source_error(source))); };
  zip_stat_t about;
  if (zip_source_stat(source, &about) != 0 || zip_source_open(source) != 0) return fault();
  std::string bytes(static_cast<std::size_t>(about.size), '\0');
  const zip_int64_t read = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (read != static_cast<zip_int64_t>(bytes.size())) return fault();
  return bytes;
}

}  // namespace

Result<std::string> zipOf(std::span<const ZipEntry> entries, std::time_t time) {
  struct OwnError : zip_error_t {
    OwnError() noexcept { zip_error_init(this); }
    ~OwnError() { zip_error_fini(this); }
    OwnError(const OwnError&) = delete;
    OwnError& operator=(const OwnError&) = delete;
  } error;
  const Source source(zip_source_buffer_create(nullptr, 0, 0, &error), &zip_source_free);
  if (!source) return zipFault(zip_error_strerror(&error));
  // The archive releases one reference, and its bytes are read afterwards
  zip_source_keep(source.get());
  Archive archive(zip_open_from_source(source.get(), ZIP_TRUNCATE, &error), &zip_discard);
  if (!archive) {
    zip_source_free(source.get());
    return zipFault(zip_error_strerror(&error));
  }
  for (const ZipEntry& entry : entries)
    if (!add(entry, time, archive.get())) return zipFault(zip_strerror(archive.get()));
  if (zip_close(archive.get()) != 0) return zipFault(zip_strerror(archive.get()));
  static_cast<void>(archive.release());
  return bytesOf(source.get());
}

}  // namespace nearmiss::app::clash
