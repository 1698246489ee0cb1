// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "tools/robot/mjcf/source.h"
#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

using tinyxml2::XMLElement;
using tinyxml2::XMLNode;

namespace {

/// Maximum nesting over all files, because reading and writing are recursive.
constexpr int maxDepth = 1000;

}  // namespace

MjcfSource::MjcfSource(tinyxml2::XMLDocument& document, std::filesystem::path file)
    : document_(document), root_(document.RootElement()), file_(std::move(file)) {
  std::error_code failed;
  included_.insert(std::filesystem::weakly_canonical(file_, failed));
}

void MjcfSource::include() { includeBelow(*root_, 0); }

void MjcfSource::includeBelow(XMLElement& parent, int depth) {
  if (depth > maxDepth)
    fail(parent, fmt::format("elements lie more than {} deep", maxDepth), ErrorCode::TooLarge);
  XMLElement* child = parent.FirstChildElement();
  while (child && !fault_) {
    if (std::string_view(child->Name()) == "include") {
      // Included files may include others
      child = replaceInclude(parent, *child);
    } else {
      includeBelow(*child, depth + 1);
      child = child->NextSiblingElement();
    }
  }
}

XMLElement* MjcfSource::replaceInclude(XMLElement& parent, XMLElement& include) {
  const char* named = include.Attribute("file");
  if (!named) {
    fail(include, "<include> names no file");
    return nullptr;
  }
  const std::filesystem::path file = file_.parent_path() / named;
  std::error_code failed;
  if (!included_.insert(std::filesystem::weakly_canonical(file, failed)).second) {
    fail(include, fmt::format("\"{}\" is included once more", named));
    return nullptr;
  }
  const auto other = readXml(file);
  if (!other) {
    fail(include, other.error().message, other.error().code);
    return nullptr;
  }
  XMLNode* last = &include;
  if (const XMLElement* root = (*other)->RootElement())
    for (const XMLNode* each = root->FirstChild(); each; each = each->NextSibling())
      last = parent.InsertAfterChild(last, copyOf(*each, file));
  XMLElement* next = include.NextSiblingElement();
  parent.DeleteChild(&include);
  return next;
}

XMLNode* MjcfSource::copyOf(const XMLNode& node, const std::filesystem::path& file) {
  XMLNode* copy = node.ShallowClone(&document_);
  if (const XMLElement* element = copy->ToElement()) places_[element] = {file, node.GetLineNum()};
  for (const XMLNode* each = node.FirstChild(); each; each = each->NextSibling())
    copy->InsertEndChild(copyOf(*each, file));
  return copy;
}

std::vector<XMLElement*> MjcfSource::sections(const char* name) const {
  std::vector<XMLElement*> found;
  for (XMLElement* each = root_->FirstChildElement(name); each;
       each = each->NextSiblingElement(name))
    found.push_back(each);
  return found;
}

void MjcfSource::fail(const XMLElement& at, std::string_view what, ErrorCode code) {
  if (fault_) return;
  const auto place = places_.find(&at);
  const bool isIncluded = place != places_.end();
  fault_ = Error{code, fmt::format("\"{}\", line {}: {}",
                                   isIncluded ? place->second.file.string() : file_.string(),
                                   isIncluded ? place->second.line : at.GetLineNum(), what)};
}

std::optional<std::vector<Real>> MjcfSource::numbers(const XMLElement& at, const char* attribute,
                                                     const char* text, std::size_t least,
                                                     std::size_t most) {
  auto read = numbersIn(text);
  if (read && read->size() >= least && read->size() <= most) return read;
  const std::string count =
      least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
  // Truncate long values such as vertices of a mesh
  const std::string_view shown = std::string_view(text).substr(0, 80);
  fail(at, fmt::format("{} of <{}> is \"{}\", not {} number{}", attribute, at.Name(), shown, count,
                       most == 1 ? "" : "s"));
  return {};
}

using tinyxml2::XMLElement;

namespace {

/// Maximum number of elements of one kind in a class and its outer classes: each attribute of each
/// geom searches all of them.
constexpr std::size_t maxHeld = 100;

}  // namespace

/// Number of default elements for geoms and meshes in a class.
struct MjcfDefaults::Held {
  std::size_t geoms = 0, meshes = 0;

  void add(const XMLElement& element) {
    for (const XMLElement* each = element.FirstChildElement(); each;
         each = each->NextSiblingElement()) {
      geoms += each->Name() == std::string_view("geom");
      meshes += each->Name() == std::string_view("mesh");
    }
  }
  [[nodiscard]] bool tooMany() const noexcept { return std::max(geoms, meshes) > maxHeld; }
};

MjcfDefaults::MjcfDefaults(MjcfSource& source) {
  const auto sections = source.sections("default");
  // Older files use any name for the top class
  for (const XMLElement* each : sections)
    if (const char* name = each->Attribute("class")) {
      if (classes_.size() == 1 && !classes_.contains(std::string_view(name)))
        source.fail(*each, fmt::format("the default classes \"{}\" and \"{}\" are both at the top",
                                       top_, name));
      top_ = name;
      classes_[top_];
    }
  classes_[top_];
  // All sections of the top class count for each class
  Held held;
  for (const XMLElement* each : sections) held.add(*each);
  for (const XMLElement* each : sections) readClass(source, *each, "", held);
}

void MjcfDefaults::readClass(MjcfSource& source, const XMLElement& element,
                             const std::string& parent, const Held& held) {
  const bool isTop = parent.empty();
  const char* name = isTop ? top_.c_str() : element.Attribute("class");
  if (!name || !*name) {
    source.fail(element, "a <default> within another has no class");
    return;
  }
  if (!isTop && classes_.contains(std::string_view(name))) {
    source.fail(element, fmt::format("the default class \"{}\" is there twice", name));
    return;
  }
  if (held.tooMany()) {
    source.fail(
        element,
        fmt::format("the default class \"{}\" has more than {} <geom> or <mesh>", name, maxHeld),
        ErrorCode::TooLarge);
    return;
  }
  Class& own = classes_[name];
  own.parent = parent;
  own.defaults.push_back(&element);
  for (const char* kind : {"geom", "mesh"})
    for (const XMLElement* each = element.FirstChildElement(kind); each;
         each = each->NextSiblingElement(kind))
      for (const char* barred : {"hfield", "refpos", "refquat"})
        if (each->Attribute(barred))
          source.fail(*each,
                      fmt::format("{} is not an attribute that a default class can have", barred));
  for (const XMLElement* each = element.FirstChildElement("default"); each;
       each = each->NextSiblingElement("default")) {
    Held inside = held;
    inside.add(*each);
    readClass(source, *each, name, inside);
  }
}

std::string MjcfDefaults::classOf(const XMLElement& element) const {
  if (const char* own = element.Attribute("class")) return own;
  for (const tinyxml2::XMLNode* around = element.Parent(); around; around = around->Parent())
    if (const XMLElement* holder = around->ToElement())
      if (const char* name = holder->Attribute("childclass")) return name;
  return top_;
}

std::vector<const XMLElement*> MjcfDefaults::holders(const XMLElement& element) const {
  std::vector<const XMLElement*> found{&element};
  for (std::string name = classOf(element); !name.empty();) {
    const auto at = classes_.find(name);
    if (at == classes_.end()) break;
    // From last to first; reversed below
    const std::vector<const XMLElement*>& defaults = at->second.defaults;
    for (auto each = defaults.rbegin(); each != defaults.rend(); ++each)
      for (const XMLElement* dummy = (*each)->LastChildElement(element.Name()); dummy;
           dummy = dummy->PreviousSiblingElement(element.Name()))
        found.push_back(dummy);
    name = at->second.parent;
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<const char*> MjcfDefaults::given(const XMLElement& element,
                                             const char* attribute) const {
  std::vector<const char*> texts;
  for (const XMLElement* holder : holders(element))
    if (const char* text = holder->Attribute(attribute)) texts.push_back(text);
  return texts;
}

const char* MjcfDefaults::text(const XMLElement& element, const char* attribute) const {
  const auto texts = given(element, attribute);
  return texts.empty() ? nullptr : texts.back();
}

}  // namespace nearmiss::app::robot
