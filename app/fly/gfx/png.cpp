// SPDX-License-Identifier: MIT
#include <engine/record/atomic_file.h>
#include <fmt/format.h>
#include <stb_image_write.h>

#include <string>

#include "fly/gfx/renderer.h"

namespace nearmiss::app {

Result<Success> writePng(const std::filesystem::path& file, int width, int height,
                         std::span<const std::uint8_t> rgb) {
  const auto expected = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3;
  if (width <= 0 || height <= 0 || rgb.size() != expected) {
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot write \"{}\": {} bytes are no image of {} x {} pixels",
                             file.string(), rgb.size(), width, height)};
  }
  std::string encoded;
  const auto append = [](void* to, void* bytes, int count) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(bytes),
                                          static_cast<std::size_t>(count));
  };
  if (!stbi_write_png_to_func(append, &encoded, width, height, 3, rgb.data(), width * 3))
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot write \"{}\": the picture cannot be encoded", file.string())};
  return engine::writeWhole(file, encoded);
}

}  // namespace nearmiss::app
