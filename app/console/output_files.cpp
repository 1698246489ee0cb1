// SPDX-License-Identifier: MIT
#include <engine/base/atomic_file.h>
#include <engine/model/articulated_model.h>
#include <engine/model/model_loader.h>
#include <engine/model/shape_set.h>
#include <fmt/format.h>
#include <nearmiss/detail/file_replacement.h>

#include <system_error>
#include <utility>

#include "console/complaint.h"
#include "console/film_name.h"
#include "console/output_files.h"

namespace nearmiss::app {
namespace {

namespace fs = std::filesystem;

/// Resolves links of `file`, even to files that do not exist yet.
fs::path endOf(const fs::path& file, std::error_code& failed) {
  fs::path end = file;
  if (followLinks(end) != 0)
    failed = std::make_error_code(std::errc::too_many_symbolic_link_levels);
  return failed ? end : fs::weakly_canonical(fs::absolute(end), failed);
}

}  // namespace

bool sameFile(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  if (fs::exists(a, failed) && !fs::is_regular_file(a, failed)) return false;
  if (fs::equivalent(a, b, failed)) return true;
  failed.clear();
  const fs::path first = endOf(a, failed);
  return !failed && first == endOf(b, failed) && !failed;
}

namespace {

/// Returns true if the output, or a picture of an output film, is that file.
bool meets(const OutputFiles::value_type& output, const fs::path& other) {
  const auto& [option, file] = output;
  if (sameFile(file, other)) return true;
  if (option != "--video" || !namesFilm(file.string())) return false;
  std::error_code failed;
  const fs::path film = endOf(file, failed), end = endOf(other, failed);
  return !failed && isPictureOf(film.string(), end.string());
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

InputFiles modelsOf(const engine::Scene& scene) {
  InputFiles inputs;
  if (const auto models = engine::modelFilesOf(scene))
    for (const engine::ModelFile& model : *models) inputs.push_back(model.path);
  std::vector<std::string> names{scene.playerModel};
  for (const engine::DroneGroup& group : scene.drones) names.push_back(group.model);
  for (const std::string& name : names)
    if (const auto file = engine::findArticulatedModel(name)) inputs.push_back(*file);
  return inputs;
}

InputFiles inputsOf(const Options& options) {
  InputFiles inputs = options.inputs;
  for (fs::path& model : modelsOf(options.scene)) inputs.push_back(std::move(model));
  for (const std::string& model : options.bench)
    if (const auto file = engine::findModel(model)) inputs.push_back(*file);
  inputs.push_back(options.benchPose);
  return inputs;
}

int checkOutputs(const OutputFiles& files, const InputFiles& inputs) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto& [option, file] = files[i];
    if (const auto writable = engine::checkWritable(file); !writable)
      return complain(writable.error(), Environment);
    for (const fs::path& input : inputs) {
      if (input.empty() || !meets(files[i], input)) continue;
      complain(fmt::format("the output of {}, \"{}\", would replace the input \"{}\"", option,
                           file.string(), input.string()));
      return Usage;
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (!meets(files[i], files[k].second) && !meets(files[k], file)) continue;
      complain(fmt::format("{} and {} name the same file \"{}\"", files[k].first, option,
                           files[k].second.string()));
      return Usage;
    }
  }
  return Ok;
}

fs::path outputOr(const fs::path& given, const fs::path& input, std::string_view ending) {
  return given.empty() ? fs::path(input.stem().string() + std::string(ending)) : given;
}

std::string csvText(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
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
