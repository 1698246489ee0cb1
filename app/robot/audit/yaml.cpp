// SPDX-License-Identifier: MIT
#include "robot/audit/yaml.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace nearmiss::app::robot {
namespace {

using YamlValue = nlohmann::ordered_json;

constexpr int maxNesting = 32;

struct YamlLine {
  std::size_t indent = 0;
  std::string text;  ///< without comment and spaces around
  std::size_t number = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// Calls see(i) for each character of `text` outside of quotes; ends where it returns true.
void outsideQuotes(std::string_view text, const auto& see) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == '\\' && quote == '"')
        ++i;
      else if (c == quote)
        quote = 0;
      continue;
    }
    if (see(i)) return;
    if (c == '"' || c == '\'') quote = c;
  }
}

std::string_view withoutComment(std::string_view text) {
  std::size_t end = text.size();
  outsideQuotes(text, [&](std::size_t i) {
    if (text[i] != '#' || (i > 0 && text[i - 1] != ' ' && text[i - 1] != '\t')) return false;
    end = i;
    return true;
  });
  return text.substr(0, end);
}

/// Brackets that are opened and not closed.
int openBrackets(std::string_view text) {
  int open = 0;
  outsideQuotes(text, [&](std::size_t i) {
    open += text[i] == '[' || text[i] == '{';
    open -= text[i] == ']' || text[i] == '}';
    return false;
  });
  return open;
}

/// Where the colon after a key is, if this is an entry of a map.
std::optional<std::size_t> keyEnd(std::string_view text) {
  std::optional<std::size_t> end;
  int open = 0;
  outsideQuotes(text, [&](std::size_t i) {
    open += text[i] == '[' || text[i] == '{';
    open -= text[i] == ']' || text[i] == '}';
    if (open > 0 || text[i] != ':' || (i + 1 < text.size() && text[i + 1] != ' ')) return false;
    end = i;
    return true;
  });
  return end;
}

class YamlReader {
 public:
  explicit YamlReader(std::string_view text) {
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      takeLine(text.substr(0, end), ++number);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  Result<YamlValue> read() {
    if (lines_.empty()) return YamlValue();
    YamlValue value = block(lines_[0].indent, 0);
    if (at_ < lines_.size()) fail(lines_[at_].number, "is indented as nothing before it");
    if (fault_) return *fault_;
    return value;
  }

 private:
  void fail(std::size_t line, std::string_view what) {
    if (!fault_) fault_ = Error{ErrorCode::BadFormat, fmt::format("line {} {}", line, what)};
    at_ = lines_.size();
  }

  void takeLine(std::string_view raw, std::size_t number) {
    const std::string_view content = withoutComment(raw);
    const std::string_view text = trimmed(content);
    if (text.empty() || text == "---" || text == "...") return;
    // Brackets may go on over lines
    if (!lines_.empty() && openBrackets(lines_.back().text) > 0) {
      lines_.back().text += ' ';
      lines_.back().text += text;
      return;
    }
    lines_.push_back({content.find_first_not_of(' '), std::string(text), number});
  }

  [[nodiscard]] bool isItem() const {
    return lines_[at_].text == "-" || lines_[at_].text.starts_with("- ");
  }

  YamlValue block(std::size_t indent, int depth) {
    if (depth > maxNesting) fail(lines_[at_].number, "is nested too deeply");
    if (at_ >= lines_.size()) return {};
    if (isItem()) return list(indent, depth);
    if (keyEnd(lines_[at_].text)) return map(indent, depth);
    const YamlLine line = lines_[at_++];
    return whole(line.text, line.number);
  }

  YamlValue list(std::size_t indent, int depth) {
    YamlValue items = YamlValue::array();
    while (at_ < lines_.size() && lines_[at_].indent == indent && isItem()) {
      YamlLine& line = lines_[at_];
      const std::size_t inside = std::min(line.text.find_first_not_of(' ', 1), line.text.size());
      if (inside == line.text.size()) {
        ++at_;
        items.push_back(below(indent + 1, depth));
        continue;
      }
      // What follows the dash stands where a block of its own would
      line.indent += inside;
      line.text.erase(0, inside);
      items.push_back(block(line.indent, depth + 1));
    }
    return items;
  }

  YamlValue map(std::size_t indent, int depth) {
    YamlValue entries = YamlValue::object();
    while (at_ < lines_.size() && lines_[at_].indent == indent && !isItem()) {
      const YamlLine line = lines_[at_];
      const auto end = keyEnd(line.text);
      if (!end) {
        fail(line.number, "is no entry of the map that it stands in");
        return entries;
      }
      const YamlValue key = scalar(trimmed(std::string_view(line.text).substr(0, *end)));
      const std::string name = key.is_string() ? key.get<std::string>() : key.dump();
      const std::string_view rest = trimmed(std::string_view(line.text).substr(*end + 1));
      if (entries.contains(name)) fail(line.number, fmt::format("names \"{}\" again", name));
      ++at_;
      if (!rest.empty())
        entries[name] = whole(rest, line.number);
      else if (at_ < lines_.size() && lines_[at_].indent == indent && isItem())
        entries[name] = list(indent, depth + 1);
      else
        entries[name] = below(indent + 1, depth);
    }
    return entries;
  }

  /// The block that is indented by at least so much, or null.
  YamlValue below(std::size_t indent, int depth) {
    if (at_ >= lines_.size() || lines_[at_].indent < indent) return {};
    return block(lines_[at_].indent, depth + 1);
  }

  /// A scalar, or what stands in brackets.
  YamlValue whole(std::string_view text, std::size_t number) {
    if (text.find_first_of("&*!|>%@`") == 0) {
      fail(number, fmt::format("begins with '{}', which is not understood here", text[0]));
      return {};
    }
    std::string_view rest = text;
    YamlValue value = flow(rest, number, 0);
    if (!trimmed(rest).empty()) fail(number, "goes on after what it says");
    return value;
  }

  YamlValue flow(std::string_view& text, std::size_t number, int depth) {
    text = trimmed(text);
    if (depth > maxNesting) fail(number, "is nested too deeply");
    if (fault_ || text.empty()) return {};
    if (text[0] != '[' && text[0] != '{') return flowScalar(text, depth > 0);
    const bool isMap = text[0] == '{';
    const char closing = isMap ? '}' : ']';
    YamlValue all = isMap ? YamlValue::object() : YamlValue::array();
    text.remove_prefix(1);
    for (;;) {
      text = trimmed(text);
      if (text.empty()) fail(number, fmt::format("has no '{}'", closing));
      if (fault_) return all;
      if (text[0] == closing) break;
      if (text[0] == ',') {
        text.remove_prefix(1);
        continue;
      }
      const std::size_t before = text.size();
      if (isMap) {
        const auto end = keyEnd(text);
        const YamlValue key = end ? scalar(trimmed(text.substr(0, *end))) : YamlValue();
        if (!key.is_string()) {
          fail(number, "has an entry without a name");
          return all;
        }
        text.remove_prefix(*end + 1);
        all[key.get<std::string>()] = flow(text, number, depth + 1);
      } else {
        all.push_back(flow(text, number, depth + 1));
      }
      if (text.size() == before) fail(number, "is not understood");
    }
    text.remove_prefix(1);
    return all;
  }

  /// Up to the comma or bracket that ends it, if it is in brackets.
  static YamlValue flowScalar(std::string_view& text, bool inBrackets) {
    std::size_t end = text.size();
    if (inBrackets)
      outsideQuotes(text, [&](std::size_t i) {
        if (text[i] != ',' && text[i] != ']' && text[i] != '}') return false;
        end = i;
        return true;
      });
    YamlValue value = scalar(trimmed(text.substr(0, end)));
    text.remove_prefix(end);
    return value;
  }

  static YamlValue scalar(std::string_view word) {
    if (word.size() >= 2 && word.front() == '"' && word.back() == '"') {
      YamlValue quoted = YamlValue::parse(word.begin(), word.end(), nullptr, false);
      return quoted.is_string() ? quoted : YamlValue(std::string(word.substr(1, word.size() - 2)));
    }
    if (word.size() >= 2 && word.front() == '\'' && word.back() == '\'')
      return std::string(word.substr(1, word.size() - 2));
    if (word.empty() || word == "null" || word == "~") return {};
    double number = 0.0;
    const char* last = word.data() + word.size();
    const char* first = word.front() == '+' ? word.data() + 1 : word.data();
    const auto [end, error] = std::from_chars(first, last, number);
    if (error == std::errc() && end == last) return number;
    return std::string(word);
  }

  std::vector<YamlLine> lines_;
  std::size_t at_ = 0;
  std::optional<Error> fault_;
};

}  // namespace

Result<nlohmann::ordered_json> parseYaml(std::string_view text) { return YamlReader(text).read(); }

}  // namespace nearmiss::app::robot
