// SPDX-License-Identifier: MIT
#include "tools/clash/bcf.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nearmiss/detail/fingerprint.h>
#include <zip.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/html.h"

namespace nearmiss::app::clash {
namespace {

struct ZipEntry {
  std::string name;  ///< UTF-8, with '/' between folders; unique
  std::string contents;
};

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

/// Returns a zip archive. Errors: Unsupported, with libzip's message; OutOfMemory.
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

using engine::Clash;
using engine::ClashClass;
using engine::StillObject;
using engine::StillScene;

constexpr std::string_view xmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// A custom-version UUID from 16 bytes of a fingerprint.
std::string guidOf(const Fingerprint& print) {
  Fingerprint more = print;
  more.add(std::uint64_t{1});
  const std::uint64_t high = (print.value() & ~std::uint64_t{0xf000}) | 0x8000u;
  const std::uint64_t low = (more.value() & ~(3ull << 62)) | 2ull << 62;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xffff,
                     high & 0xffff, low >> 48, low & 0xffffffffffffull);
}

std::string vectorXml(std::string_view name, const Vec3& v) {
  return fmt::format("    <{0}><X>{1:.9g}</X><Y>{2:.9g}</Y><Z>{3:.9g}</Z></{0}>\n", name, v.x, v.y,
                     v.z);
}

Real sizeOf(const StillScene& scene, const StillObject& object) {
  return glm::length(scene.shapes[object.shape].box.extent());
}

/// A camera above and to the side, at a distance where the smaller object fills half of the
/// picture.
std::string viewpointXml(const StillScene& scene, const Clash& clash, std::string_view guid) {
  const StillObject &a = scene.objects[clash.pair.a], &b = scene.objects[clash.pair.b];
  const Vec3 direction = glm::normalize(Vec3(-1.0, 2.0, -1.0));
  const Vec3 right = glm::normalize(glm::cross(direction, Vec3(0.0, 0.0, 1.0)));
  const Real away = std::max({std::min(sizeOf(scene, a), sizeOf(scene, b)), 10.0 * clash.gap});
  std::string selection;
  for (const StillObject* each : {&a, &b})
    selection += fmt::format(
        "      <Component><OriginatingSystem>nearmiss</OriginatingSystem>"
        "<AuthoringToolId>{}</AuthoringToolId></Component>\n",
        report::svgText(each->name));
  return fmt::format(
      "{}<VisualizationInfo Guid=\"{}\">\n  <Components>\n    <Selection>\n{}    </Selection>\n"
      "    <Visibility DefaultVisibility=\"true\"/>\n  </Components>\n  <PerspectiveCamera>\n{}{}{}"
      "    <FieldOfView>60</FieldOfView>\n  </PerspectiveCamera>\n</VisualizationInfo>\n",
      xmlHead, guid, selection, vectorXml("CameraViewPoint", clash.at - 2.0 * away * direction),
      vectorXml("CameraDirection", direction),
      vectorXml("CameraUpVector", glm::cross(right, direction)));
}

std::string markupXml(const StillScene& scene, const Clash& clash, std::string_view guid,
                      std::string_view viewpoint, const std::tm& now) {
  const std::string &a = scene.objects[clash.pair.a].name, &b = scene.objects[clash.pair.b].name;
  return fmt::format(
      "{}<Markup>\n  <Topic Guid=\"{}\" TopicType=\"Clash\" TopicStatus=\"Open\">\n"
      "    <Title>{}: {} and {}</Title>\n    <Labels>{}</Labels>\n"
      "    <CreationDate>{:%Y-%m-%dT%H:%M:%S}Z</CreationDate>\n"
      "    <CreationAuthor>nearmiss</CreationAuthor>\n    <Description>{}</Description>\n"
      "  </Topic>\n  <Viewpoints Guid=\"{}\">\n    <Viewpoint>viewpoint.bcfv</Viewpoint>\n"
      "  </Viewpoints>\n</Markup>\n",
      xmlHead, guid, nameOf(clash.kind), report::svgText(a), report::svgText(b), nameOf(clash.kind),
      now, report::svgText(sentenceOf(scene, clash)), viewpoint);
}

}  // namespace

std::string sentenceOf(const StillScene& scene, const Clash& clash) {
  const std::string &a = scene.objects[clash.pair.a].name, &b = scene.objects[clash.pair.b].name;
  const std::string &own = clash.ofB ? b : a, &other = clash.ofB ? a : b;
  switch (clash.kind) {
    case ClashClass::Duplicate:
      return fmt::format("\"{}\" and \"{}\" are the same shape in the same place", a, b);
    case ClashClass::Enclosed:
      return fmt::format("\"{}\" lies within \"{}\"", own, other);
    case ClashClass::Protruding:
      if (clash.part == engine::DeepestPart::None)
        return fmt::format("the surfaces of \"{}\" and \"{}\" cross or touch", a, b);
      return fmt::format("{} of \"{}\" is {:.4g} m deep in \"{}\"",
                         clash.part == engine::DeepestPart::Vertex ? "a vertex"
                         : clash.part == engine::DeepestPart::Edge ? "an edge"
                                                                   : "a face",
                         own, clash.depth, other);
    case ClashClass::Touching:
      return fmt::format("\"{}\" and \"{}\" touch", a, b);
    case ClashClass::WithinClearance:
      return fmt::format("\"{}\" and \"{}\" are {:.4g} m apart", a, b, clash.gap);
    case ClashClass::Clear:
      break;
  }
  return fmt::format("\"{}\" and \"{}\" are clear of each other", a, b);
}

Result<std::string> bcfOf(const StillScene& scene, std::span<const Clash> clashes,
                          std::time_t time) {
  // Two files per topic, and not all viewers read archives with more than 65,535
  constexpr std::size_t maxTopics = 32767;
  if (clashes.size() > maxTopics)
    return Error{ErrorCode::TooLarge,
                 fmt::format("a BCF file holds at most {} clashes, not {}: --classes leaves some "
                             "out",
                             maxTopics, clashes.size())};
  std::tm now{};
  ::gmtime_r(&time, &now);
  std::vector<ZipEntry> entries{
      {"bcf.version", fmt::format("{}<Version VersionId=\"2.1\">\n  <DetailedVersion>2.1"
                                  "</DetailedVersion>\n</Version>\n",
                                  xmlHead)}};
  std::set<std::string> taken;
  std::unordered_map<std::uint64_t, Fingerprint> last;  // by both names
  for (const Clash& clash : clashes) {
    Fingerprint names;
    names.add(std::string_view(scene.objects[clash.pair.a].name));
    names.add(std::string_view(scene.objects[clash.pair.b].name));
    // Objects may share a name: derive further ids from the previous one
    Fingerprint& print = last.try_emplace(names.value(), names).first->second;
    while (!taken.insert(guidOf(print)).second) print.add(std::uint64_t{2});
    const std::string guid = guidOf(print);
    Fingerprint view = print;
    view.add(std::uint64_t{3});
    const std::string viewpoint = guidOf(view);
    entries.push_back({guid + "/markup.bcf", markupXml(scene, clash, guid, viewpoint, now)});
    entries.push_back({guid + "/viewpoint.bcfv", viewpointXml(scene, clash, viewpoint)});
  }
  return zipOf(entries, time);
}

}  // namespace nearmiss::app::clash
