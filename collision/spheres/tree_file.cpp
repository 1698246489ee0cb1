// SPDX-License-Identifier: MIT
#include "spheres/tree_file.h"

#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/detail/fingerprint.h>
#include <nearmiss/detail/out_of_memory.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace nearmiss {
namespace {

constexpr std::string_view magic = "NEARMISS";

/// Copies 32-bit words between native order and little endian; the conversion is its own inverse.
void copyWords(std::span<const std::byte> from, std::byte* to) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
  } else {
    for (std::size_t i = 0; i < from.size(); i += 4)
      for (std::size_t k = 0; k < 4; ++k) to[i + k] = from[i + 3 - k];
  }
}

}  // namespace

void PayloadWriter::text(std::string_view value) {
  u32(static_cast<std::uint32_t>(value.size()));
  const auto bytes = std::as_bytes(std::span(value));
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void PayloadWriter::rawWords(std::span<const std::byte> native) {
  const std::size_t begin = bytes_.size();
  bytes_.resize(begin + native.size());
  copyWords(native, bytes_.data() + begin);
}

std::string PayloadReader::text(std::size_t most) {
  const std::uint32_t length = u32();
  if (failed_ || length > most || length > left_.size()) {
    fail();
    return {};
  }
  std::string value(length, '\0');
  if (length > 0) std::memcpy(value.data(), left_.data(), length);
  left_ = left_.subspan(length);
  return value;
}

void PayloadReader::rawWords(std::span<std::byte> native) noexcept {
  copyWords(left_.first(native.size()), native.data());
  left_ = left_.subspan(native.size());
}

std::uint64_t checksumOf(std::span<const std::byte> payload) noexcept {
  Fingerprint sum;
  sum.add(payload);
  return sum.value();
}

PayloadWriter headerOf(const TreeFileKind& kind, std::span<const std::byte> payload) {
  PayloadWriter header;
  std::uint32_t letters = 0;
  for (std::size_t k = 0; k < 4; ++k)
    letters |= static_cast<std::uint32_t>(static_cast<unsigned char>(kind.letters[k])) << (8 * k);
  std::uint64_t first = 0;
  for (std::size_t k = 0; k < 8; ++k)
    first |= static_cast<std::uint64_t>(static_cast<unsigned char>(magic[k])) << (8 * k);
  header.u64(first);
  header.u32(letters);
  header.u32(kind.version);
  header.u64(payload.size());
  header.u64(checksumOf(payload));
  return header;
}

Result<PayloadMark> provenMark(std::span<const std::byte> header, std::uint64_t size,
                               std::string_view file, const TreeFileKind& kind) {
  if (header.size() < headerSize) return badPayload(file, kind, "it is shorter than its header");
  if (std::memcmp(header.data(), magic.data(), magic.size()) != 0)
    return badPayload(file, kind, "it does not begin with NEARMISS");
  if (std::memcmp(header.data() + 8, kind.letters.data(), 4) != 0)
    return badPayload(file, kind, "it holds something else");
  PayloadReader rest(header.first(headerSize).subspan(12));
  const std::uint32_t version = rest.u32();
  PayloadMark mark;
  mark.length = rest.u64();
  mark.checksum = rest.u64();
  if (version != kind.version)
    return treeFileError(ErrorCode::WrongVersion, "cannot use", file,
                         "expected version " + std::to_string(kind.version) + " of a " +
                             std::string(kind.noun) + " file, found " + std::to_string(version));
  if (mark.length != size - headerSize)
    return badPayload(file, kind, "its length is not as it says");
  if (mark.length > maxPayload)
    return treeFileError(ErrorCode::TooLarge, "cannot read", file, "expected at most 1 GiB");
  return mark;
}

Result<std::span<const std::byte>> provenPayload(std::span<const std::byte> bytes,
                                                 std::string_view name, const TreeFileKind& kind) {
  const Result<PayloadMark> mark = provenMark(bytes, bytes.size(), name, kind);
  if (!mark) return mark.error();
  const std::span<const std::byte> payload = bytes.subspan(headerSize);
  if (checksumOf(payload) != mark->checksum) return badPayload(name, kind, "its checksum is wrong");
  return payload;
}

Result<std::vector<std::byte>> treeContainer(std::span<const std::byte> payload,
                                             std::string_view name, const TreeFileKind& kind) {
  if (payload.size() > maxPayload)
    return treeFileError(ErrorCode::TooLarge, "cannot write", name, "expected at most 1 GiB");
  const PayloadWriter header = headerOf(kind, payload);
  std::vector<std::byte> bytes(header.bytes().begin(), header.bytes().end());
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

Error treeFileError(ErrorCode code, std::string_view what, std::string_view file,
                    std::string_view why) {
  return {code, std::string(what) + " '" + std::string(file) + "': " + std::string(why)};
}

Error badPayload(std::string_view file, const TreeFileKind& kind, std::string_view fault) {
  return treeFileError(ErrorCode::BadFormat, "cannot use", file,
                       "expected a " + std::string(kind.noun) + " file, but " + std::string(fault));
}

namespace {

/// Bytes per node in the file: four doubles and four words.
constexpr std::size_t nodeSize = 4 * 8 + 4 * 4;

}  // namespace

void putSphereTree(PayloadWriter& out, const SphereTree::Data& data) {
  out.u32(static_cast<std::uint32_t>(data.coverage));
  out.words(data.packs);
  out.words(data.links);
  out.words(data.levelBegin);
  out.words(data.triangleBegin);
  out.words(data.leafTriangles);
  out.words(data.identity);
  out.words(data.childPackCount);
  out.words(data.outside);
  out.words(data.boxes.boxOf);
  out.words(data.boxes.boxes);
  out.words(data.inner.spheres);
  out.words(data.inner.bounds);
  out.words(data.inner.links);
  out.words(data.inner.levelBegin);
}

std::optional<SphereTree::Data> takeSphereTree(PayloadReader& in) {
  SphereTree::Data data;
  const std::uint32_t coverage = in.u32();
  data.packs = in.words<SpherePack>();
  data.links = in.words<SphereLinks>();
  data.levelBegin = in.words<std::uint32_t>();
  data.triangleBegin = in.words<std::uint32_t>();
  data.leafTriangles = in.words<std::uint32_t>();
  data.identity = in.words<SphereId>();
  data.childPackCount = in.words<std::uint32_t>();
  data.outside = in.words<float>();
  data.boxes.boxOf = in.words<std::uint32_t>();
  data.boxes.boxes = in.words<NodeBox>();
  data.inner.spheres = in.words<SpherePack>();
  data.inner.bounds = in.words<SpherePack>();
  data.inner.links = in.words<InnerSpheres::Links>();
  data.inner.levelBegin = in.words<std::uint32_t>();
  if (coverage > static_cast<std::uint32_t>(Coverage::Samples)) return std::nullopt;
  data.coverage = static_cast<Coverage>(coverage);
  return data;
}

void putBspTree(PayloadWriter& out, const BspTree::Data& data) {
  out.u32(data.solid ? 1 : 0);
  out.u64(data.nodes.size());
  for (const BspNode& node : data.nodes) {
    for (int axis = 0; axis < 3; ++axis) out.f64(node.normal[axis]);
    out.f64(node.offset);
    out.u32(node.front);
    out.u32(node.back);
    out.u32(node.facesBegin);
    out.u32(node.facesEnd);
  }
  out.words(data.faces);
}

std::optional<BspTree::Data> takeBspTree(PayloadReader& in) {
  BspTree::Data data;
  data.solid = in.u32() != 0;
  const std::uint64_t count = in.u64();
  if (in.failed() || count > in.left() / nodeSize) return std::nullopt;
  data.nodes.resize(static_cast<std::size_t>(count));
  for (BspNode& node : data.nodes) {
    for (int axis = 0; axis < 3; ++axis) node.normal[axis] = in.f64();
    node.offset = in.f64();
    node.front = in.u32();
    node.back = in.u32();
    node.facesBegin = in.u32();
    node.facesEnd = in.u32();
  }
  data.faces = in.words<std::uint32_t>();
  return data;
}

Result<SphereTreeFile> sphereTreeIn(std::span<const std::byte> payload, std::string_view file) {
  // Read the fields in the order of docs/file-formats.md
  PayloadReader in(payload);
  SphereTreeFile contents;
  contents.key.meshHash = in.u64();
  contents.key.settingsHash = in.u64();
  contents.builder = in.text(longestBuilderName);
  contents.triangleCount = in.u32();
  contents.buildSeconds = in.f64();
  auto tree = takeSphereTree(in);
  if (!in.finished()) return badPayload(file, sphereTreeKind, "its fields do not fill its length");

  // A correct checksum does not prove a valid structure, so check that as well
  if (!tree) return badPayload(file, sphereTreeKind, "its coverage is unknown");
  if (!std::isfinite(contents.buildSeconds) || contents.buildSeconds < 0.0)
    return badPayload(file, sphereTreeKind, "invalid build time");
  if (const char* fault = SphereTree::validate(*tree, contents.triangleCount))
    return badPayload(file, sphereTreeKind, fault);
  contents.tree = SphereTree(*std::move(tree));
  return contents;
}

Result<PayloadWriter> payloadOf(const SphereTreeFile& contents, std::string_view file) {
  // Do not write a file that would be rejected when read
  const SphereTree::Data& data = contents.tree.data();
  if (const char* fault = SphereTree::validate(data, contents.triangleCount))
    return badPayload(file, sphereTreeKind, fault);
  if (contents.builder.size() > longestBuilderName)
    return badPayload(file, sphereTreeKind, "its builder's name is too long");
  if (!std::isfinite(contents.buildSeconds) || contents.buildSeconds < 0.0)
    return badPayload(file, sphereTreeKind, "invalid build time");
  PayloadWriter out;
  out.u64(contents.key.meshHash);
  out.u64(contents.key.settingsHash);
  out.text(contents.builder);
  out.u32(contents.triangleCount);
  out.f64(contents.buildSeconds);
  putSphereTree(out, data);
  return out;
}

Result<SphereTreeFile> sphereTreeFromBytes(std::span<const std::byte> bytes) {
  return orOutOfMemory("cannot read a sphere tree", [&]() -> Result<SphereTreeFile> {
    constexpr std::string_view name = "these bytes";
    const Result<std::span<const std::byte>> payload = provenPayload(bytes, name, sphereTreeKind);
    if (!payload) return payload.error();
    return sphereTreeIn(*payload, name);
  });
}

}  // namespace nearmiss
