// SPDX-License-Identifier: MIT
/// An MJCF file with expanded includes and default classes, and its first fault.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tinyxml2 {
class XMLDocument;
class XMLElement;
class XMLNode;
}  // namespace tinyxml2

namespace nearmiss::app::robot {

class MjcfSource {
 public:
  /// @pre the document outlives this object and its root is <mujoco>
  MjcfSource(tinyxml2::XMLDocument& document, std::filesystem::path file);

  /// Replaces <include> elements in the document. Files are searched next to the main file and
  /// included at most once, as in MuJoCo.
  void include();

  [[nodiscard]] tinyxml2::XMLElement& root() const noexcept { return *root_; }
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  /// The main file and the included files.
  [[nodiscard]] const std::set<std::filesystem::path>& files() const noexcept { return included_; }
  /// All elements with that name directly below the root, in order; a section may occur repeatedly.
  [[nodiscard]] std::vector<tinyxml2::XMLElement*> sections(const char* name) const;

  /// Keeps the first fault, with file and line of the element.
  void fail(const tinyxml2::XMLElement& at, std::string_view what,
            ErrorCode code = ErrorCode::BadFormat);
  [[nodiscard]] const std::optional<Error>& fault() const noexcept { return fault_; }

  /// Parses `least` to `most` numbers of an attribute, or reports a fault and returns `nullopt`.
  std::optional<std::vector<Real>> numbers(const tinyxml2::XMLElement& at, const char* attribute,
                                           const char* text, std::size_t least, std::size_t most);

 private:
  struct Place {
    std::filesystem::path file;
    int line = 0;
  };
  void includeBelow(tinyxml2::XMLElement& parent, int depth);
  tinyxml2::XMLElement* replaceInclude(tinyxml2::XMLElement& parent, tinyxml2::XMLElement& include);
  tinyxml2::XMLNode* copyOf(const tinyxml2::XMLNode& node, const std::filesystem::path& file);

  tinyxml2::XMLDocument& document_;
  tinyxml2::XMLElement* root_;
  std::filesystem::path file_;
  std::set<std::filesystem::path> included_;
  std::unordered_map<const tinyxml2::XMLElement*, Place> places_;  ///< of included elements
  std::optional<Error> fault_;
};

// The default classes of an MJCF file, and the attributes that elements get from them.

class MjcfDefaults {
 public:
  /// Reads all <default> sections. A nested class inherits everything of the outer class,
  /// regardless of order. Reports a fault if a class and its outer classes have more than 100
  /// <geom> or <mesh>.
  explicit MjcfDefaults(MjcfSource& source);

  /// Returns the class of an element: its own, that of the nearest enclosing `childclass`, or the
  /// top class.
  [[nodiscard]] std::string classOf(const tinyxml2::XMLElement& element) const;
  [[nodiscard]] bool knows(std::string_view name) const { return classes_.contains(name); }
  /// The name of the top class.
  [[nodiscard]] const std::string& top() const noexcept { return top_; }

  /// Returns the values of an attribute in the classes of an element, then its own value; the last
  /// one applies.
  [[nodiscard]] std::vector<const char*> given(const tinyxml2::XMLElement& element,
                                               const char* attribute) const;
  /// The last value of given(), or null.
  [[nodiscard]] const char* text(const tinyxml2::XMLElement& element, const char* attribute) const;
  /// The elements that hold the attributes of given(); the last is the element itself.
  [[nodiscard]] std::vector<const tinyxml2::XMLElement*> holders(
      const tinyxml2::XMLElement& element) const;

 private:
  struct Class {
    std::string parent;                                 ///< empty: the top class
    std::vector<const tinyxml2::XMLElement*> defaults;  ///< its <default> elements
  };
  struct Held;
  /// @param held by the class and its outer classes
  void readClass(MjcfSource& source, const tinyxml2::XMLElement& element, const std::string& parent,
                 const Held& held);

  std::map<std::string, Class, std::less<>> classes_;
  std::string top_ = "main";
};

}  // namespace nearmiss::app::robot
