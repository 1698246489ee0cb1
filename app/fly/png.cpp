// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <stb_image_write.h>

#include "fly/renderer.h"

namespace nearmiss::app {

Result<Success> writePng(const std::filesystem::path& file, int width, int height,
                         std::span<const std::uint8_t> rgb) {
  const auto expected = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3;
  if (width <= 0 || height <= 0 || rgb.size() != expected) {
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot write \"{}\": {} bytes are no image of {} x {} pixels",
                             file.string(), rgb.size(), width, height)};
  }
  if (!stbi_write_png(file.string().c_str(), width, height, 3, rgb.data(), width * 3)) {
    return Error{ErrorCode::Unreadable, fmt::format("cannot write \"{}\"", file.string())};
  }
  return Success{};
}

}  // namespace nearmiss::app
