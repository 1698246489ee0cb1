// SPDX-License-Identifier: MIT
#include "console/open_records.h"

#include <utility>

namespace nearmiss::app {
namespace {

template <class Writer>
Result<Success> openNamed(const std::filesystem::path& file, std::optional<Writer>& writer,
                          const auto&... beginning) {
  if (file.empty()) return Success{};
  auto opened = Writer::open(file, beginning...);
  if (!opened) return opened.error();
  writer = *std::move(opened);
  return Success{};
}

}  // namespace

Result<OpenRecords> openRecords(const Options& options, const engine::RecordHead& head) {
  OpenRecords records;
  auto opened = openNamed(options.profile, records.profile, head);
  if (opened) opened = openNamed(options.trace, records.trace);
  if (opened) opened = openNamed(options.calls, records.calls, head);
  if (!opened) return opened.error();
  return records;
}

}  // namespace nearmiss::app
