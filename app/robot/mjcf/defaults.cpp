// SPDX-License-Identifier: MIT
#include "robot/mjcf/defaults.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>

namespace nearmiss::app {

using tinyxml2::XMLElement;

MjcfDefaults::MjcfDefaults(MjcfSource& source) {
  const auto sections = source.sections("default");
  // Old files name the class of the top as they like
  for (const XMLElement* each : sections)
    if (const char* name = each->Attribute("class")) {
      if (classes_.size() == 1 && !classes_.contains(std::string_view(name)))
        source.fail(*each, fmt::format("the default classes \"{}\" and \"{}\" are both at the top",
                                       top_, name));
      top_ = name;
      classes_[top_];
    }
  classes_[top_];
  for (const XMLElement* each : sections) readClass(source, *each, "");
}

void MjcfDefaults::readClass(MjcfSource& source, const XMLElement& element,
                             const std::string& parent) {
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
  Class& own = classes_[name];
  own.parent = parent;
  own.defaults.push_back(&element);
  for (const char* kind : {"geom", "mesh"})
    for (const XMLElement* each = element.FirstChildElement(kind); each;
         each = each->NextSiblingElement(kind))
      for (const char* barred : {"fromto", "hfield", "refpos", "refquat"})
        if (each->Attribute(barred))
          source.fail(*each,
                      fmt::format("{} is no attribute that a default class can have", barred));
  for (const XMLElement* each = element.FirstChildElement("default"); each;
       each = each->NextSiblingElement("default"))
    readClass(source, *each, name);
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
    // From the last to the first, turned around below
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

}  // namespace nearmiss::app
