// SPDX-License-Identifier: MIT
#include "fly/records/film.h"

#include <engine/base/atomic_file.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <numeric>
#include <utility>

#include "console/film_name.h"
#include "fly/gfx/renderer.h"

namespace nearmiss::app::fly {
namespace {

/// Frame rate as a fraction of 31-bit integers, accurate to a millionth.
std::string rateOf(double frameSeconds) {
  constexpr double most = 1e9;
  const double rate = 1.0 / frameSeconds, whole = std::round(rate);
  if (std::abs(rate - whole) < 1e-6 * rate) return fmt::format("{:.0f}:1", whole);
  const double below = std::floor(most * std::min(1.0, frameSeconds));
  const long long pictures = std::llround(below / frameSeconds), seconds = std::llround(below);
  const long long common = std::gcd(pictures, seconds);
  return fmt::format("{}:{}", pictures / common, seconds / common);
}

}  // namespace

void toPlanes(std::span<const std::uint8_t> rgb, std::string& planes) {
  const std::size_t pixels = rgb.size() / 3;
  planes.resize(3 * pixels);
  // Integer arithmetic gives the same film on every machine; the offset makes all sums nonnegative
  for (std::size_t i = 0; i < pixels; ++i) {
    const int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    planes[i] = static_cast<char>(16 + ((66 * r + 129 * g + 25 * b + 128) >> 8));
    planes[pixels + i] = static_cast<char>((-38 * r - 74 * g + 112 * b + 128 + (128 << 8)) >> 8);
    planes[2 * pixels + i] = static_cast<char>((112 * r - 94 * g - 18 * b + 128 + (128 << 8)) >> 8);
  }
}

Result<Film> Film::begin(const std::filesystem::path& file, int width, int height,
                         double frameSeconds) {
  Film film;
  film.file_ = file;
  film.width_ = width;
  film.height_ = height;
  if (file.extension() != ".y4m") return film;
  film.descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (film.descriptor_ < 0) return engine::cannotWrite(file, errno);
  const std::string head =
      fmt::format("YUV4MPEG2 W{} H{} F{} Ip A1:1 C444\n", width, height, rateOf(frameSeconds));
  if (const int error = engine::writeFully(film.descriptor_, head))
    return engine::cannotWrite(file, error);
  return film;
}

Film::Film(Film&& other) noexcept
    : file_(std::move(other.file_)),
      width_(other.width_),
      height_(other.height_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      pictures_(other.pictures_),
      planes_(std::move(other.planes_)) {}

Film::~Film() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<Success> Film::add(int width, int height, std::span<const std::uint8_t> rgb) {
  if (width != width_ || height != height_)
    return Error{ErrorCode::Unreadable,
                 fmt::format("\"{}\" ends after {} pictures: the window changed its size",
                             file_.string(), pictures_)};
  ++pictures_;
  if (descriptor_ < 0) {
    return writePng(pictureName(file_.string(), pictures_), width, height, rgb);
  }
  toPlanes(rgb, planes_);
  for (const std::string_view part : {std::string_view("FRAME\n"), std::string_view(planes_)})
    if (const int error = engine::writeFully(descriptor_, part))
      return engine::cannotWrite(file_, error);
  return Success{};
}

Result<Success> Film::end() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor >= 0 && ::close(descriptor) != 0) return engine::cannotWrite(file_, errno);
  return Success{};
}

}  // namespace nearmiss::app::fly
