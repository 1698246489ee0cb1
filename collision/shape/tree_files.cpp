// SPDX-License-Identifier: MIT
/// Everything that opens files of trees and shapes. Builds with NEARMISS_BARE leave this file out.
#include "shape/tree_files.h"

#include <fcntl.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/detail/file_replacement.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/shape.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "shape/shape_payload.h"

namespace nearmiss {
namespace {

std::string systemReason(int error) { return std::generic_category().message(error); }

/// An open file that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

/// Reads until `out` is full or the file ends. Returns the number of bytes read, or -1 with errno
/// set.
std::ptrdiff_t readFully(int file, std::span<std::byte> out) noexcept {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::read(file, out.data() + done, out.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return static_cast<std::ptrdiff_t>(done);
}

}  // namespace

Result<std::vector<std::byte>> readTreeContainer(const std::string& file,
                                                 const TreeFileKind& kind) {
  // Open with O_NONBLOCK, so that a pipe without a writer does not block
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (open.number() < 0) {
    const int error = errno;
    return treeFileError(error == ENOENT ? ErrorCode::NotFound : ErrorCode::Unreadable,
                         "cannot open", file, systemReason(error));
  }
  struct stat about {};
  if (::fstat(open.number(), &about) != 0)
    return treeFileError(ErrorCode::Unreadable, "cannot read", file, systemReason(errno));
  if (!S_ISREG(about.st_mode))
    return treeFileError(ErrorCode::Unreadable, "cannot read", file, "expected a regular file");
  const auto size = static_cast<std::uint64_t>(about.st_size);

  // Validate the header before allocating anything based on it
  if (size < headerSize) return badPayload(file, kind, "it is shorter than its header");
  std::array<std::byte, headerSize> header{};
  const std::ptrdiff_t got = readFully(open.number(), header);
  if (got < 0)
    return treeFileError(ErrorCode::Unreadable, "cannot read", file, systemReason(errno));
  const auto begun = std::span<const std::byte>(header).first(static_cast<std::size_t>(got));
  const Result<PayloadMark> mark = provenMark(begun, size, file, kind);
  if (!mark) return mark.error();

  // Read and validate the payload
  std::vector<std::byte> payload(static_cast<std::size_t>(mark->length));
  const std::ptrdiff_t read = readFully(open.number(), payload);
  if (read < 0)
    return treeFileError(ErrorCode::Unreadable, "cannot read", file, systemReason(errno));
  if (static_cast<std::uint64_t>(read) != mark->length)
    return badPayload(file, kind, "its length is not as it says");
  if (checksumOf(payload) != mark->checksum) return badPayload(file, kind, "its checksum is wrong");
  return payload;
}

Result<Success> writeTreeContainer(const std::string& file, const TreeFileKind& kind,
                                   std::span<const std::byte> payload) {
  if (payload.size() > maxPayload)
    return treeFileError(ErrorCode::TooLarge, "cannot write", file, "expected at most 1 GiB");
  const PayloadWriter header = headerOf(kind, payload);
  if (const int error = replaceFile(file, {header.bytes(), payload}))
    return treeFileError(ErrorCode::Unreadable, "cannot write", file, systemReason(error));
  return Success{};
}

Result<SphereTreeFile> readSphereTree(const std::string& file) {
  return orOutOfMemory("cannot read a sphere tree", [&]() -> Result<SphereTreeFile> {
    const Result<std::vector<std::byte>> payload = readTreeContainer(file, sphereTreeKind);
    if (!payload) return payload.error();
    return sphereTreeIn(*payload, file);
  });
}

Result<SphereTreeFile> readSphereTree(const std::string& file, const TreeKey& expected) {
  Result<SphereTreeFile> contents = readSphereTree(file);
  if (!contents) return contents;
  if (contents->key.meshHash != expected.meshHash)
    return Error{ErrorCode::Mismatch,
                 "cannot use '" + file + "': it was built from another mesh than expected"};
  if (contents->key.settingsHash != expected.settingsHash)
    return Error{ErrorCode::Mismatch,
                 "cannot use '" + file +
                     "': it was built by another builder or with other settings than expected"};
  return contents;
}

Result<Success> writeSphereTree(const std::string& file, const SphereTreeFile& contents) {
  return orOutOfMemory("cannot write a sphere tree", [&] {
    const auto payload = payloadOf(contents, file);
    if (!payload) return Result<Success>(payload.error());
    return writeTreeContainer(file, sphereTreeKind, payload->bytes());
  });
}

namespace {

constexpr TreeFileKind bspFile{{'B', 'S', 'P', 'T'}, 1, "BSP tree"};

Result<BspTree> readBsp(const std::string& file, std::uint64_t meshHash, std::uint64_t settingsHash,
                        std::uint32_t triangleCount) {
  const auto payload = readTreeContainer(file, bspFile);
  if (!payload) return payload.error();
  PayloadReader reader(*payload);
  const std::uint64_t meshFound = reader.u64();
  const std::uint64_t settingsFound = reader.u64();
  if (reader.failed()) return badPayload(file, bspFile, "it is too short for its nodes");
  if (meshFound != meshHash || settingsFound != settingsHash)
    return Error{ErrorCode::Mismatch,
                 "cannot use '" + file + "': it was built from another mesh or other settings"};

  auto data = takeBspTree(reader);
  if (!data) return badPayload(file, bspFile, "it is too short for its nodes");
  if (!reader.finished()) return badPayload(file, bspFile, "its length does not fit its counts");
  if (const char* fault = BspTree::validate(*data, triangleCount))
    return badPayload(file, bspFile, fault);
  return BspTree(*std::move(data));
}

Result<Success> writeBsp(const std::string& file, std::uint64_t meshHash,
                         std::uint64_t settingsHash, const BspTree& tree) {
  PayloadWriter writer;
  writer.u64(meshHash);
  writer.u64(settingsHash);
  putBspTree(writer, tree.data());
  return writeTreeContainer(file, bspFile, writer.bytes());
}

}  // namespace

Result<BspTree> readBspTree(const std::string& file, std::uint64_t meshHash,
                            std::uint64_t settingsHash, std::uint32_t triangleCount) {
  return orOutOfMemory("cannot read a BSP tree",
                       [&] { return readBsp(file, meshHash, settingsHash, triangleCount); });
}

Result<Success> writeBspTree(const std::string& file, std::uint64_t meshHash,
                             std::uint64_t settingsHash, const BspTree& tree) {
  return orOutOfMemory("cannot write a BSP tree",
                       [&] { return writeBsp(file, meshHash, settingsHash, tree); });
}

Result<Shape> readShape(const std::string& file, const std::atomic<bool>* cancelled) {
  return orOutOfMemory("cannot read a shape", [&]() -> Result<Shape> {
    const auto payload = readTreeContainer(file, shapeFile);
    if (!payload) return payload.error();
    return shapeIn(*payload, file, cancelled);
  });
}

Result<Success> writeShape(const std::string& file, const Shape& shape) {
  return orOutOfMemory("cannot write a shape", [&]() -> Result<Success> {
    const auto payload = payloadOf(shape, file);
    if (!payload) return payload.error();
    return writeTreeContainer(file, shapeFile, payload->bytes());
  });
}

}  // namespace nearmiss
