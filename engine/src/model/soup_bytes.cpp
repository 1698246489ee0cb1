// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "model/model_assembly.h"

namespace nearmiss::engine {
namespace {

class Packer {
 public:
  template <class Element>
  void add(std::span<const Element> values) {
    static_assert(std::is_trivially_copyable_v<Element>);
    const std::uint64_t count = values.size();
    append(std::as_bytes(std::span(&count, 1)));
    append(std::as_bytes(values));
  }
  [[nodiscard]] std::vector<std::byte> take() noexcept { return std::move(bytes_); }

 private:
  void append(std::span<const std::byte> more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
  }
  std::vector<std::byte> bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) noexcept : left_(bytes) {}

  /// Returns false if the bytes hold less than they declare.
  template <class Container>
  [[nodiscard]] bool take(Container& values) {
    using Element = typename Container::value_type;
    std::uint64_t count = 0;
    if (left_.size() < sizeof count) return false;
    std::memcpy(&count, left_.data(), sizeof count);
    left_ = left_.subspan(sizeof count);
    if (count > left_.size() / sizeof(Element)) return false;
    values.resize(static_cast<std::size_t>(count));
    const std::size_t size = values.size() * sizeof(Element);
    if (size > 0) std::memcpy(values.data(), left_.data(), size);
    left_ = left_.subspan(size);
    return true;
  }

  [[nodiscard]] bool atEnd() const noexcept { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

bool finite(const Vec3& v) noexcept {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool sound(const Soup& soup) {
  const std::size_t vertices = soup.mesh.positions.size();
  const auto inRange = [vertices](const auto& triangle) {
    return std::all_of(triangle.begin(), triangle.end(),
                       [vertices](std::uint32_t v) { return v < vertices; });
  };
  return !soup.mesh.triangles.empty() && soup.normals.size() == vertices &&
         soup.materialOf.size() == soup.mesh.triangles.size() &&
         std::all_of(soup.mesh.triangles.begin(), soup.mesh.triangles.end(), inRange) &&
         std::all_of(soup.mesh.positions.begin(), soup.mesh.positions.end(), finite) &&
         std::all_of(soup.normals.begin(), soup.normals.end(), finite) &&
         std::all_of(soup.materialOf.begin(), soup.materialOf.end(),
                     [&soup](std::uint32_t m) { return m < soup.materials.size(); });
}

}  // namespace

std::vector<std::byte> pack(const Result<Soup>& soup) {
  Packer packer;
  const ErrorCode code = soup ? ErrorCode{} : soup.error().code;
  const std::string message = soup ? std::string() : soup.error().message;
  packer.add(std::span(&code, 1));
  packer.add(std::span<const char>(message));
  if (!soup) return packer.take();
  packer.add(std::span<const Vec3>(soup->mesh.positions));
  packer.add(std::span<const std::array<std::uint32_t, 3>>(soup->mesh.triangles));
  packer.add(std::span<const Vec3>(soup->normals));
  packer.add(std::span<const std::uint32_t>(soup->materialOf));
  packer.add(std::span<const DrawMaterial>(soup->materials));
  packer.add(std::span(&soup->pointsAndLines, 1));
  packer.add(std::span(&soup->rounding, 1));
  for (const std::string& note : soup->notes) packer.add(std::span<const char>(note));
  return packer.take();
}

Result<Soup> unpack(std::span<const std::byte> bytes, const std::filesystem::path& file) {
  const Error broken{ErrorCode::BadFormat,
                     fmt::format("\"{}\": the reader of this format fails on it", file.string())};
  Unpacker unpacker(bytes);
  std::vector<ErrorCode> code;
  std::string message;
  if (!unpacker.take(code) || code.size() != 1 || !unpacker.take(message)) return broken;
  if (!message.empty()) return Error{code.front(), message};
  Soup soup;
  std::vector<std::uint64_t> leftOut;
  std::vector<Real> rounding;
  if (!unpacker.take(soup.mesh.positions) || !unpacker.take(soup.mesh.triangles) ||
      !unpacker.take(soup.normals) || !unpacker.take(soup.materialOf) ||
      !unpacker.take(soup.materials) || !unpacker.take(leftOut) || leftOut.size() != 1 ||
      !unpacker.take(rounding) || rounding.size() != 1 || !(rounding.front() >= 0.0) ||
      !sound(soup))
    return broken;
  soup.pointsAndLines = leftOut.front();
  soup.rounding = rounding.front();
  for (std::string note; !unpacker.atEnd(); soup.notes.push_back(note))
    if (!unpacker.take(note)) return broken;
  return soup;
}

}  // namespace nearmiss::engine
