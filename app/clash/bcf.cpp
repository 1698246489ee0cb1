// SPDX-License-Identifier: MIT
#include "clash/bcf.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nearmiss/detail/fingerprint.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "clash/zip_file.h"

namespace nearmiss::app::clash {
namespace {

using engine::Clash;
using engine::ClashClass;
using engine::StillObject;
using engine::StillScene;

constexpr std::string_view xmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

std::string xmlEscaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  return out;
}

/// A UUID of 16 bytes of a fingerprint, of the version for such.
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

/// From above and aside, so far away that the smaller object fills half of the picture.
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
        xmlEscaped(each->name));
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
      xmlHead, guid, nameOf(clash.kind), xmlEscaped(a), xmlEscaped(b), nameOf(clash.kind), now,
      xmlEscaped(sentenceOf(scene, clash)), viewpoint);
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
        return fmt::format("the surfaces of \"{}\" and \"{}\" cross", a, b);
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
                          const std::tm& now) {
  constexpr std::size_t maxTopics = (maxZipEntries - 1) / 2;
  if (clashes.size() > maxTopics)
    return Error{ErrorCode::TooLarge,
                 fmt::format("a BCF file holds at most {} clashes, not {}: --classes leaves some "
                             "out",
                             maxTopics, clashes.size())};
  std::vector<ZipEntry> entries{
      {"bcf.version", fmt::format("{}<Version VersionId=\"2.1\">\n  <DetailedVersion>2.1"
                                  "</DetailedVersion>\n</Version>\n",
                                  xmlHead)}};
  std::set<std::string> taken;
  std::uint64_t bytes = 0;
  for (const Clash& clash : clashes) {
    Fingerprint print;
    print.add(std::string_view(scene.objects[clash.pair.a].name));
    print.add(std::string_view(scene.objects[clash.pair.b].name));
    // Objects may share a name
    while (!taken.insert(guidOf(print)).second) print.add(std::uint64_t{2});
    const std::string guid = guidOf(print);
    print.add(std::uint64_t{3});
    const std::string viewpoint = guidOf(print);
    entries.push_back({guid + "/markup.bcf", markupXml(scene, clash, guid, viewpoint, now)});
    entries.push_back({guid + "/viewpoint.bcfv", viewpointXml(scene, clash, viewpoint)});
    constexpr std::uint64_t heads = 512;  // more than both need, and their names
    bytes += entries.back().contents.size() + entries[entries.size() - 2].contents.size() + heads;
  }
  if (bytes > maxZipBytes)
    return Error{ErrorCode::TooLarge, "a BCF file of more than 4 GiB cannot be written"};
  return zipOf(entries, now);
}

}  // namespace nearmiss::app::clash
