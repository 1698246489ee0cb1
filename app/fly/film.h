// SPDX-License-Identifier: MIT
/// The pictures of a flight, one per frame, as a film for other programs to encode.
#pragma once

#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace nearmiss::app::fly {

class Film {
 public:
  /// Begins a film of pictures of that size, each shown for `frameSeconds`. @pre namesFilm(file) of
  /// console/film_name.h.
  /// Errors: Unreadable.
  static Result<Film> begin(const std::filesystem::path& file, int width, int height,
                            double frameSeconds);
  Film(Film&& other) noexcept;
  Film& operator=(Film&&) = delete;
  ~Film();

  /// The next picture, 8-bit RGB, top row first. Errors: Unreadable, also for one of another size
  /// than the first.
  Result<Success> add(int width, int height, std::span<const std::uint8_t> rgb);
  /// Errors: Unreadable, where the last of it could not be written.
  Result<Success> end();
  [[nodiscard]] std::uint64_t pictures() const noexcept { return pictures_; }

 private:
  Film() = default;

  std::filesystem::path file_;
  int width_ = 0, height_ = 0;
  int descriptor_ = -1;  ///< of a .y4m; -1: a file for each picture
  std::uint64_t pictures_ = 0;
  std::string planes_;
};

/// The picture as three planes of 8 bits, Y, Cb and Cr one after the other, each with one value
/// per pixel: ITU-R BT.601, limited range.
void toPlanes(std::span<const std::uint8_t> rgb, std::string& planes);

}  // namespace nearmiss::app::fly
