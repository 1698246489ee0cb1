// SPDX-License-Identifier: MIT
/// Names of film files on the command line.
#pragma once

#include <cstdint>
#include <string>

namespace nearmiss::app {

/// Returns true for FILE.y4m, or for names of PNG files with `%d`, or `%05d` for five digits, in
/// place of the number of the picture.
[[nodiscard]] bool namesFilm(const std::string& file);

/// Returns the file of one picture.
/// @pre namesFilm(file), which ends in .png
[[nodiscard]] std::string pictureName(const std::string& file, std::uint64_t number);

/// Returns true if `file` is, or may become, a picture of that film.
/// @pre namesFilm(film)
[[nodiscard]] bool isPictureOf(const std::string& film, const std::string& file);

}  // namespace nearmiss::app
