// SPDX-License-Identifier: MIT
#include "console/film_name.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>

namespace nearmiss::app {
namespace {

/// Position and minimum number of digits of a picture's number in its name.
struct NumberPlace {
  std::size_t begin = 0, end = 0;
  int digits = 1;
};

std::optional<NumberPlace> numberPlace(const std::string& name) {
  NumberPlace place;
  place.begin = name.rfind('%');
  if (place.begin == std::string::npos) return std::nullopt;
  const char* last = name.data() + name.size();
  const char* after = name.data() + place.begin + 1;
  if (after != last && *after != 'd') {
    const auto [end, fault] = std::from_chars(after, last, place.digits);
    if (fault != std::errc() || place.digits < 1 || place.digits > 12) return std::nullopt;
    after = end;
  }
  if (after == last || *after != 'd') return std::nullopt;
  place.end = static_cast<std::size_t>(after - name.data()) + 1;
  return place;
}

}  // namespace

bool namesFilm(const std::string& file) {
  const std::filesystem::path path(file);
  if (path.extension() == ".y4m") return true;
  return path.extension() == ".png" && numberPlace(path.filename().string()).has_value();
}

std::string pictureName(const std::string& file, std::uint64_t number) {
  const NumberPlace place = *numberPlace(file);
  return file.substr(0, place.begin) + fmt::format("{:0{}}", number, place.digits) +
         file.substr(place.end);
}

bool isPictureOf(const std::string& film, const std::string& file) {
  const auto place = numberPlace(film);
  if (!place || std::filesystem::path(film).extension() != ".png") return false;
  const std::size_t after = film.size() - place->end;
  if (file.size() <= place->begin + after) return false;
  std::uint64_t number = 0;
  const char* last = file.data() + file.size() - after;
  const auto [end, fault] = std::from_chars(file.data() + place->begin, last, number);
  return fault == std::errc() && end == last && pictureName(film, number) == file;
}

}  // namespace nearmiss::app
