// SPDX-License-Identifier: MIT
#include "tools/robot/mjcf/spheres.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/robot/mjcf/bodies.h"

namespace nearmiss::app::robot {

using tinyxml2::XMLElement;

namespace {

/// Attributes for pose, shape and mass of a geom.
constexpr std::array<std::string_view, 16> ofShape{
    "name",  "type",   "size", "pos",    "quat",     "axisangle", "euler",   "xyaxes",
    "zaxis", "fromto", "mesh", "hfield", "fitscale", "mass",      "density", "shellinertia"};

/// Finds the colliding geoms of a body, including those in its frames.
void findColliding(XMLElement& holder, const MjcfDefaults& defaults,
                   std::vector<XMLElement*>& found) {
  for (XMLElement* each = holder.FirstChildElement(); each; each = each->NextSiblingElement()) {
    const std::string_view kind = each->Name();
    if (kind == "geom" && geomCollides(defaults, *each)) found.push_back(each);
    if (kind == "frame") findColliding(*each, defaults, found);
  }
}

/// Returns true if a default class, or a nested one, has geoms with `fromto`; removes the
/// attributes if `take`.
bool hasEndpoints(XMLElement& holder, bool take) {
  bool found = false;
  for (XMLElement* each = holder.FirstChildElement(); each; each = each->NextSiblingElement()) {
    const std::string_view kind = each->Name();
    if (kind == "default") found = hasEndpoints(*each, take) || found;
    if (kind != "geom" || !each->Attribute("fromto")) continue;
    found = true;
    if (take) each->DeleteAttribute("fromto");
  }
  return found;
}

/// Gives each geom below `holder` the `fromto` of its classes.
void moveEndpointsToGeoms(XMLElement& holder, const MjcfDefaults& defaults) {
  for (XMLElement* each = holder.FirstChildElement(); each; each = each->NextSiblingElement()) {
    if (each->Name() != std::string_view("geom")) {
      moveEndpointsToGeoms(*each, defaults);
    } else if (const char* ends = defaults.text(*each, "fromto")) {
      const std::string own = ends;
      each->SetAttribute("fromto", own.c_str());
    }
  }
}

/// Collects names of geoms in contacts, sensors, tendons and so on.
void findNames(const XMLElement& holder, std::set<std::string>& names) {
  for (const XMLElement* each = holder.FirstChildElement(); each;
       each = each->NextSiblingElement()) {
    for (const tinyxml2::XMLAttribute* one = each->FirstAttribute(); one; one = one->Next()) {
      const std::string_view attribute = one->Name();
      if (attribute.starts_with("geom") || attribute == "objname" || attribute == "refname")
        names.insert(one->Value());
    }
    findNames(*each, names);
  }
}

}  // namespace

MjcfSpheres::MjcfSpheres(const RobotFile& robot)
    : source_(*robot.document, robot.name),
      defaults_(source_),
      compiler_(readMjcfCompiler(source_)) {
  findNames(source_.root(), named_);

  // A sphere cannot have `fromto`, so its class must not provide it
  bool inClasses = false;
  for (XMLElement* section : source_.sections("default"))
    inClasses = hasEndpoints(*section, false) || inClasses;
  if (!inClasses) return;
  for (XMLElement* world : source_.sections("worldbody")) moveEndpointsToGeoms(*world, defaults_);
  for (XMLElement* section : source_.sections("default")) hasEndpoints(*section, true);
}

bool MjcfSpheres::mustStay(const XMLElement& body, const XMLElement& geom) const {
  const char* name = geom.Attribute("name");
  return compiler_.weighsGeoms || !body.FirstChildElement("inertial") ||
         (name && named_.contains(name));
}

XMLElement& MjcfSpheres::firstSphere(XMLElement& body, const std::vector<XMLElement*>& replaced) {
  XMLElement& sphere = *body.GetDocument()->NewElement("geom");
  XMLElement* last = body.LastChildElement("geom");
  if (last)
    body.InsertAfterChild(last, &sphere);
  else
    body.InsertEndChild(&sphere);
  for (const auto& [attribute, text] :
       {std::pair("type", "sphere"), {"pos", "0 0 0"}, {"size", "0"}})
    sphere.SetAttribute(attribute, text);

  // The spheres get the union of the geoms' contacts
  long contype = replaced.empty() ? 1 : 0, conaffinity = contype;
  for (const XMLElement* each : replaced) {
    contype |= geomMask(defaults_, *each, "contype");
    conaffinity |= geomMask(defaults_, *each, "conaffinity");
  }
  const std::string name = replaced.empty() ? defaults_.top() : defaults_.classOf(*replaced[0]);
  if (defaults_.classOf(sphere) != name) sphere.SetAttribute("class", name.c_str());
  if (!replaced.empty())
    for (const tinyxml2::XMLAttribute* one = replaced[0]->FirstAttribute(); one; one = one->Next())
      if (std::find(ofShape.begin(), ofShape.end(), one->Name()) == ofShape.end() &&
          one->Name() != std::string_view("class"))
        sphere.SetAttribute(one->Name(), one->Value());
  if (geomMask(defaults_, sphere, "contype") != contype)
    sphere.SetAttribute("contype", std::to_string(contype).c_str());
  if (geomMask(defaults_, sphere, "conaffinity") != conaffinity)
    sphere.SetAttribute("conaffinity", std::to_string(conaffinity).c_str());
  // A mesh of the class would determine the size
  if (const char* mesh = defaults_.text(sphere, "mesh"); mesh && *mesh)
    sphere.SetAttribute("mesh", "");
  sphere.SetAttribute("mass", "0");
  return sphere;
}

void MjcfSpheres::replace(const RobotLink& link, std::span<const Sphere> spheres) {
  XMLElement& body = *link.element;
  std::vector<XMLElement*> replaced;
  findColliding(body, defaults_, replaced);
  tinyxml2::XMLNode* last = nullptr;
  for (const Sphere& sphere : spheres) {
    tinyxml2::XMLNode* made =
        last ? body.InsertAfterChild(last, last->ShallowClone(body.GetDocument()))
             : &firstSphere(body, replaced);
    const Vec3& c = sphere.centre;
    made->ToElement()->SetAttribute("pos",
                                    fmt::format("{:.17g} {:.17g} {:.17g}", c.x, c.y, c.z).c_str());
    made->ToElement()->SetAttribute("size", fmt::format("{:.17g}", sphere.radius).c_str());
    last = made;
  }
  for (XMLElement* each : replaced) {
    if (!mustStay(body, *each)) {
      each->Parent()->DeleteChild(each);
      continue;
    }
    each->SetAttribute("contype", "0");
    each->SetAttribute("conaffinity", "0");
  }
}

}  // namespace nearmiss::app::robot
