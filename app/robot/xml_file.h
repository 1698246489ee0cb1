// SPDX-License-Identifier: MIT
/// XML files, and the numbers in their attributes.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tinyxml2 {
class XMLDocument;
}

namespace nearmiss::app {

/// Errors: NotFound, Unreadable, TooLarge, and BadFormat with the line at fault, in a sentence that
/// names the file.
Result<std::unique_ptr<tinyxml2::XMLDocument>> readXml(const std::filesystem::path& file);

/// The document as text.
[[nodiscard]] std::string xmlText(const tinyxml2::XMLDocument& document);

/// All numbers of a text, parted by spaces; none if a word is no finite number.
[[nodiscard]] std::optional<std::vector<Real>> numbersIn(std::string_view text);

[[nodiscard]] bool isFileThere(const std::filesystem::path& file);

}  // namespace nearmiss::app
