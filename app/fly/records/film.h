// SPDX-License-Identifier: MIT
/// Writes the pictures of a flight, one per frame, for other programs to encode.
#pragma once

#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace nearmiss::app::fly {

class Film {
 public:
  /// Starts a film with pictures of that size, each shown for `frameSeconds`. Errors: Unreadable.
  /// @pre namesFilm(file) of console/film_name.h
  static Result<Film> begin(const std::filesystem::path& file, int width, int height,
                            double frameSeconds);
  Film(Film&& other) noexcept;
  Film& operator=(Film&&) = delete;
  ~Film();

  /// Adds a picture, 8-bit RGB, top row first. Errors: Unreadable, also if its size differs from
  /// the first.
  Result<Success> add(int width, int height, std::span<const std::uint8_t> rgb);
  /// Finishes the film. Errors: Unreadable if its end could not be written.
  Result<Success> end();
  [[nodiscard]] std::uint64_t pictures() const noexcept { return pictures_; }

 private:
  Film() = default;

  std::filesystem::path file_;
  int width_ = 0, height_ = 0;
  int descriptor_ = -1;  ///< of a .y4m file; -1: one file per picture
  std::uint64_t pictures_ = 0;
  std::string planes_;
};

/// Converts a picture to three 8-bit planes Y, Cb and Cr, one after the other, with one value per
/// pixel: ITU-R BT.601, limited range.
void toPlanes(std::span<const std::uint8_t> rgb, std::string& planes);

}  // namespace nearmiss::app::fly
