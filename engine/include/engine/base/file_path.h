// SPDX-License-Identifier: MIT
/// The type of file names.
#pragma once

#if !defined(NEARMISS_BARE)
#include <filesystem>
#else
#include <string>
#include <string_view>
#include <utility>
#endif

namespace nearmiss::engine {

#if !defined(NEARMISS_BARE)

using FilePath = std::filesystem::path;

#else

/// A name in builds without a file system: parts separated by slashes.
class FilePath {
 public:
  FilePath() = default;
  // Converts like std::filesystem::path
  FilePath(std::string text) : text_(std::move(text)) {}
  FilePath(const char* text) : text_(text) {}

  [[nodiscard]] const std::string& string() const noexcept { return text_; }
  [[nodiscard]] FilePath parent_path() const {
    const std::size_t slash = text_.rfind('/');
    return slash == std::string::npos ? std::string() : text_.substr(0, slash);
  }
  [[nodiscard]] FilePath extension() const {
    const std::size_t dot = text_.rfind('.');
    return dot == std::string::npos ? std::string() : text_.substr(dot);
  }
  [[nodiscard]] friend FilePath operator/(const FilePath& folder, const FilePath& name) {
    return folder.text_.empty() ? name : folder.text_ + "/" + name.text_;
  }
  [[nodiscard]] friend bool operator==(const FilePath&, const FilePath&) = default;

 private:
  std::string text_;
};

#endif

}  // namespace nearmiss::engine
