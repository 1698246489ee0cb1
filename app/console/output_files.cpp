// SPDX-License-Identifier: MIT
#include <engine/record/atomic_file.h>

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "console/complaint.h"
#include "console/output_files.h"

namespace nearmiss::app {
namespace {

namespace fs = std::filesystem;

/// True if what is written to one would replace the other. Several streams may share a device.
bool same(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  if (fs::exists(a, failed) && !fs::is_regular_file(a, failed)) return false;
  if (fs::equivalent(a, b, failed)) return true;
  const auto whole = [&failed](const fs::path& file) {
    return fs::weakly_canonical(fs::absolute(file, failed), failed);
  };
  const fs::path first = whole(a);
  return !failed && first == whole(b) && !failed;
}

}  // namespace

OutputFiles outputsOf(const Options& options) {
  OutputFiles files;
  for (const auto& [option, file] : {std::pair{"--profile", &options.records.profile},
                                     {"--summary", &options.records.summary},
                                     {"--trace", &options.records.trace},
                                     {"--calls", &options.records.calls},
                                     {"--record", &options.records.session},
                                     {"--screenshot", &options.records.screenshot}})
    if (!file->empty()) files.emplace_back(option, *file);
  if (!options.records.video.empty()) files.emplace_back("--video", options.records.video);
  return files;
}

int checkOutputs(const OutputFiles& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto& [option, file] = files[i];
    if (const auto writable = engine::checkWritable(file); !writable)
      return complain(writable.error(), Environment);
    for (std::size_t k = 0; k < i; ++k) {
      if (!same(file, files[k].second)) continue;
      complain(fmt::format("{} and {} name the same file \"{}\"", files[k].first, option,
                           file.string()));
      return Usage;
    }
  }
  return Ok;
}

std::string csvText(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ',' || c == '"' || c == '\n'; }, '_');
  return text;
}

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
  auto opened = openNamed(options.records.profile, records.profile, head);
  if (opened) opened = openNamed(options.records.trace, records.trace);
  if (opened) opened = openNamed(options.records.calls, records.calls, head);
  if (!opened) return opened.error();
  return records;
}

}  // namespace nearmiss::app
