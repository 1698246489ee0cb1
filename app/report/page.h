// SPDX-License-Identifier: MIT
/// The page as a whole: heading, notices, contents, sections, style.
#pragma once

#include <string>
#include <vector>

namespace nearmiss::app {

struct PageSection {
  std::string title;
  std::string html;
  bool missing = false;  ///< marked as such in the contents
};

struct Page {
  std::string title;
  std::vector<std::string> notices;  ///< sentences at the top
  std::vector<PageSection> sections;
};

[[nodiscard]] std::string pageHtml(const Page& page);

}  // namespace nearmiss::app
