// SPDX-License-Identifier: MIT
/// How the file of a film is named on the command line.
#pragma once

#include <cstdint>
#include <string>

namespace nearmiss::app {

/// True if it is one: FILE.y4m, or PNG files in whose name `%d`, or `%05d` for five digits,
/// stands for the number of the picture.
[[nodiscard]] bool namesFilm(const std::string& file);

/// The file of one picture. @pre namesFilm(file), which ends in .png
[[nodiscard]] std::string pictureName(const std::string& file, std::uint64_t number);

/// True if `file` is, or may become, a picture of that film. @pre namesFilm(film)
[[nodiscard]] bool isPictureOf(const std::string& film, const std::string& file);

}  // namespace nearmiss::app
