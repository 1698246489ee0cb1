// SPDX-License-Identifier: MIT
#include "tools/robot/yaml.h"

#include <engine/scene/json_limits.h>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>
#include <system_error>

namespace nearmiss::app::robot {
namespace {

using YamlValue = nlohmann::ordered_json;

constexpr int maxNesting = 32;
/// Aliases can expand exponentially: each use counts.
constexpr std::size_t maxValues = 4'000'000;

struct YamlFault {
  YAML::Mark where;
  std::string what;
};

class YamlConversion {
 public:
  /// @throws YamlFault
  YamlValue operator()(const YAML::Node& node, int depth = 0) {
    if (depth > maxNesting) throw YamlFault{node.Mark(), "is nested too deeply"};
    if (++values_ > maxValues) throw YamlFault{node.Mark(), "holds too many values"};
    switch (node.Type()) {
      case YAML::NodeType::Sequence: {
        YamlValue all = YamlValue::array();
        for (const YAML::Node& each : node) all.push_back((*this)(each, depth + 1));
        return all;
      }
      case YAML::NodeType::Map: {
        YamlValue all = YamlValue::object();
        // Linear search in an ordered object would be quadratic
        std::set<std::string_view> names;
        for (const auto& entry : node) {
          if (!entry.first.IsScalar())
            throw YamlFault{entry.first.Mark(), "has an entry without a name"};
          const std::string& name = entry.first.Scalar();
          if (all.size() == engine::maxJsonNames)
            throw YamlFault{entry.first.Mark(),
                            fmt::format("is in a map of more than {} names", engine::maxJsonNames)};
          if (!names.insert(name).second)
            throw YamlFault{entry.first.Mark(), fmt::format("names \"{}\" again", name)};
          all.get_ref<YamlValue::object_t&>().emplace_back(name, (*this)(entry.second, depth + 1));
        }
        return all;
      }
      case YAML::NodeType::Scalar:
        return scalar(node);
      case YAML::NodeType::Null:
      case YAML::NodeType::Undefined:
        break;
    }
    return {};
  }

 private:
  static YamlValue scalar(const YAML::Node& node) {
    const std::string& word = node.Scalar();
    // Quoted scalars are strings
    if (node.Tag() == "!") return word;
    const char* const last = word.data() + word.size();
    const char* const first = word.starts_with('+') ? word.data() + 1 : word.data();
    double number = 0.0;
    const auto [end, error] = std::from_chars(first, last, number);
    // YAML's non-finite numbers start with a dot, so `inf` is a string
    if (error == std::errc() && end == last && std::isfinite(number)) return number;
    return word;
  }

  std::size_t values_ = 0;
};

Error lineFault(const YAML::Mark& where, std::string_view what) {
  return {ErrorCode::BadFormat, fmt::format("line {} {}", where.line + 1, what)};
}

}  // namespace

Result<nlohmann::ordered_json> parseYaml(const std::string& text) {
  try {
    return YamlConversion()(YAML::Load(text));
  } catch (const YamlFault& fault) {
    return lineFault(fault.where, fault.what);
  } catch (const YAML::Exception& fault) {
    return lineFault(fault.mark, "is not understood: " + fault.msg);
  }
}

}  // namespace nearmiss::app::robot
