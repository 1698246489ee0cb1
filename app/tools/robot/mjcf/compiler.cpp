// SPDX-License-Identifier: MIT
#include "tools/robot/mjcf/compiler.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <array>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace nearmiss::app::robot {

using tinyxml2::XMLElement;

namespace {

/// Reads one section, which overrides earlier ones.
void readSection(MjcfSource& source, const XMLElement& section, MjcfCompiler& compiler,
                 std::optional<std::string>& meshFolder, std::optional<std::string>& assetFolder) {
  const auto isSet = [&](const char* attribute, const char* one, const char* other, bool& set) {
    const char* text = section.Attribute(attribute);
    if (!text) return;
    set = std::string_view(text) == one;
    if (!set && std::string_view(text) != other)
      source.fail(section, fmt::format("{} is \"{}\", not {} or {}", attribute, text, one, other));
  };
  isSet("angle", "degree", "radian", compiler.degrees);
  isSet("strippath", "true", "false", compiler.stripsPaths);
  if (const char* text = section.Attribute("coordinate"))
    if (std::string_view(text) != "local")
      source.fail(section,
                  fmt::format("coordinate is \"{}\", and only local coordinates are read", text),
                  ErrorCode::Unsupported);
  if (const char* text = section.Attribute("eulerseq")) {
    compiler.eulerSequence = text;
    if (compiler.eulerSequence.size() != 3 ||
        compiler.eulerSequence.find_first_not_of("xyzXYZ") != std::string::npos)
      source.fail(section, fmt::format("eulerseq is \"{}\", not three of xyzXYZ", text));
  }
  if (const char* text = section.Attribute("inertiafromgeom"))
    compiler.weighsGeoms = std::string_view(text) == "true";
  if (const char* text = section.Attribute("meshdir")) meshFolder = text;
  if (const char* text = section.Attribute("assetdir")) assetFolder = text;
}

Vec3 vectorAt(const std::vector<Real>& numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

/// The rotation of an orientation attribute other than quat.
class Orientation {
 public:
  Orientation(MjcfSource& source, const MjcfCompiler& compiler, const XMLElement& element)
      : source_(source), compiler_(compiler), element_(element) {}

  Quat turn(std::string_view kind, const char* text) {
    const std::size_t count = kind == "axisangle" ? 4 : kind == "xyaxes" ? 6 : 3;
    const auto read = source_.numbers(element_, kind.data(), text, count, count);
    if (!read) return glm::identity<Quat>();
    if (kind == "euler") return ofEuler(vectorAt(*read, 0));
    const Vec3 axis = vectorAt(*read, 0);
    if (kind == "zaxis") return isSound(kind, glm::length(axis)) ? turnOfZ(axis) : none();
    if (kind == "xyaxes") return ofAxes(axis, vectorAt(*read, 3));
    return isSound(kind, glm::length(axis))
               ? glm::angleAxis(radians((*read)[3]), glm::normalize(axis))
               : none();
  }

 private:
  static Quat none() { return glm::identity<Quat>(); }
  Real radians(Real angle) const {
    return compiler_.degrees ? angle * glm::pi<Real>() / 180.0 : angle;
  }

  bool isSound(std::string_view kind, Real length) {
    if (length > 0.0 && std::isfinite(length)) return true;
    source_.fail(element_, fmt::format("{} of <{}> names no direction", kind, element_.Name()));
    return false;
  }

  Quat ofEuler(const Vec3& angles) const {
    Quat whole = glm::identity<Quat>();
    for (int i = 0; i < 3; ++i) {
      const char name = compiler_.eulerSequence[static_cast<std::size_t>(i)];
      const bool turnsAlong = name >= 'x';
      Vec3 axis(0.0);
      axis[name - (turnsAlong ? 'x' : 'X')] = 1.0;
      const Quat one = glm::angleAxis(radians(angles[i]), axis);
      whole = turnsAlong ? whole * one : one * whole;
    }
    return whole;
  }

  Quat ofAxes(const Vec3& x, const Vec3& y) {
    const Vec3 z = glm::cross(x, y);
    if (!isSound("xyaxes", glm::length(z))) return none();
    const Vec3 right = glm::normalize(x), forward = glm::normalize(glm::cross(z, x));
    return glm::quat_cast(glm::dmat3(right, forward, glm::normalize(z)));
  }

  MjcfSource& source_;
  const MjcfCompiler& compiler_;
  const XMLElement& element_;
};

constexpr std::array<const char*, 4> otherThanQuat{"axisangle", "euler", "xyaxes", "zaxis"};

}  // namespace

MjcfCompiler readMjcfCompiler(MjcfSource& source) {
  MjcfCompiler compiler;
  std::optional<std::string> meshFolder, assetFolder;
  for (const XMLElement* each : source.sections("compiler"))
    readSection(source, *each, compiler, meshFolder, assetFolder);
  compiler.meshFolder = meshFolder ? *meshFolder : assetFolder.value_or("");
  return compiler;
}

Vec3 mjcfVector(MjcfSource& source, const XMLElement& element, const char* attribute,
                const char* text, const Vec3& otherwise) {
  if (!text) return otherwise;
  const auto read = source.numbers(element, attribute, text, 3, 3);
  return read ? vectorAt(*read, 0) : otherwise;
}

Quat mjcfQuaternion(MjcfSource& source, const XMLElement& element, const char* attribute,
                    const char* text) {
  if (!text) return glm::identity<Quat>();
  const auto read = source.numbers(element, attribute, text, 4, 4);
  if (!read) return glm::identity<Quat>();
  const Quat turn((*read)[0], (*read)[1], (*read)[2], (*read)[3]);
  const Real length = glm::length(turn);
  if (length > 0.0 && std::isfinite(length)) return turn / length;
  source.fail(element, fmt::format("{} of <{}> is not an orientation", attribute, element.Name()));
  return glm::identity<Quat>();
}

Quat turnOfZ(const Vec3& axis) {
  const Vec3 to = glm::normalize(axis);
  const Real away = std::hypot(to.x, to.y);
  // A half turn has no unique axis: use x
  const Vec3 about = away > 1e-15 ? Vec3(-to.y, to.x, 0.0) / away : Vec3(1.0, 0.0, 0.0);
  return glm::angleAxis(std::atan2(away, to.z), about);
}

MjcfPose mjcfPose(MjcfSource& source, const MjcfDefaults& defaults, const MjcfCompiler& compiler,
                  const XMLElement& element) {
  MjcfPose pose;
  pose.at = mjcfVector(source, element, "pos", defaults.text(element, "pos"), Vec3(0.0));
  pose.turn = mjcfQuaternion(source, element, "quat", defaults.text(element, "quat"));
  // Any other attribute overrides quat, whatever class it comes from; the last one applies
  for (const XMLElement* holder : defaults.holders(element)) {
    int count = holder->Attribute("quat") ? 1 : 0;
    for (const char* kind : otherThanQuat)
      if (const char* text = holder->Attribute(kind)) {
        pose.turn = Orientation(source, compiler, *holder).turn(kind, text);
        ++count;
      }
    if (count > 1)
      source.fail(*holder, fmt::format("<{}> has more than one orientation", element.Name()));
  }
  return pose;
}

}  // namespace nearmiss::app::robot
