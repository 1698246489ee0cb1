// SPDX-License-Identifier: MIT
/// The default classes of an MJCF file, and the attributes that elements have by them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "robot/mjcf/source.h"

namespace nearmiss::app {

class MjcfDefaults {
 public:
  /// Reads all <default> sections. A class in another has all that the other has, wherever it
  /// stands in it.
  explicit MjcfDefaults(MjcfSource& source);

  /// The class that an element has: its own, that of the next `childclass` around it, or that of
  /// the top.
  [[nodiscard]] std::string classOf(const tinyxml2::XMLElement& element) const;
  [[nodiscard]] bool knows(std::string_view name) const { return classes_.contains(name); }
  /// The name of the class of the top.
  [[nodiscard]] const std::string& top() const noexcept { return top_; }

  /// What the classes of an element say of an attribute, and then what it says itself: of these the
  /// last counts.
  [[nodiscard]] std::vector<const char*> given(const tinyxml2::XMLElement& element,
                                               const char* attribute) const;
  /// The last of given(), or null.
  [[nodiscard]] const char* text(const tinyxml2::XMLElement& element, const char* attribute) const;
  /// The elements that hold the attributes of given(), the last one the element itself.
  [[nodiscard]] std::vector<const tinyxml2::XMLElement*> holders(
      const tinyxml2::XMLElement& element) const;

 private:
  struct Class {
    std::string parent;                                 ///< none: that of the top
    std::vector<const tinyxml2::XMLElement*> defaults;  ///< its <default> elements
  };
  void readClass(MjcfSource& source, const tinyxml2::XMLElement& element,
                 const std::string& parent);

  std::map<std::string, Class, std::less<>> classes_;
  std::string top_ = "main";
};

}  // namespace nearmiss::app
