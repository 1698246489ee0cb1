// SPDX-License-Identifier: MIT
/// An MJCF file with its includes in place and its default classes, and what is wrong with it.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <filesystem>
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
  /// @pre the document outlives this and its root is <mujoco>
  MjcfSource(tinyxml2::XMLDocument& document, std::filesystem::path file);

  /// Puts what <include> names in its place, for good. Names are looked up beside the first file,
  /// each at most once, as MuJoCo does.
  void include();

  [[nodiscard]] tinyxml2::XMLElement& root() const noexcept { return *root_; }
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  /// That file and those that were included.
  [[nodiscard]] const std::set<std::filesystem::path>& files() const noexcept { return included_; }
  /// All elements of a name directly below the root, in order: a section may come again.
  [[nodiscard]] std::vector<tinyxml2::XMLElement*> sections(const char* name) const;

  /// Keeps the first fault, with the file and the line of the element.
  void fail(const tinyxml2::XMLElement& at, std::string_view what,
            ErrorCode code = ErrorCode::BadFormat);
  [[nodiscard]] const std::optional<Error>& fault() const noexcept { return fault_; }

  /// The numbers in a text of an attribute, from `least` to `most`, or a fault and none.
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
  std::unordered_map<const tinyxml2::XMLElement*, Place> places_;  ///< of what was included
  std::optional<Error> fault_;
};

// The default classes of an MJCF file, and the attributes that elements have by them.

class MjcfDefaults {
 public:
  /// Reads all <default> sections. A class in another has all that the other has, wherever it
  /// stands in it. A fault where a class and those around it have more than 100 <geom> or <mesh>.
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
  struct Held;
  /// @param held by the class and those around it
  void readClass(MjcfSource& source, const tinyxml2::XMLElement& element, const std::string& parent,
                 const Held& held);

  std::map<std::string, Class, std::less<>> classes_;
  std::string top_ = "main";
};

}  // namespace nearmiss::app::robot
