// SPDX-License-Identifier: MIT
#include <engine/scene/json_limits.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace nearmiss::engine {
namespace {

using testing::HasSubstr;

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

std::string objectOf(std::size_t names) {
  std::string text = "{";
  for (std::size_t i = 0; i < names; ++i)
    text += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":0";
  return text + "}";
}

TEST(JsonLimits, NestingIsCountedOutsideOfTexts) {
  EXPECT_EQ(jsonExcess(nested(maxJsonNesting)), "");
  EXPECT_THAT(jsonExcess(nested(maxJsonNesting + 1)), HasSubstr("nests deeper than 64"));
  EXPECT_EQ(jsonExcess("[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"]"),
            "");
  EXPECT_THAT(jsonExcess("[\"\\\\\"," + nested(maxJsonNesting)), HasSubstr("nests deeper"))
      << "a backslash before a backslash lets the quote end the text";
  std::string side = "[";
  for (int i = 0; i < 1000; ++i) side += nested(10) + ",";
  EXPECT_EQ(jsonExcess(side), "") << "side by side is not deep";
  EXPECT_EQ(jsonExcess(std::string(1000, ']') + nested(maxJsonNesting)), "");
}

TEST(JsonLimits, NamesAreCountedInEachObject) {
  EXPECT_EQ(jsonExcess(objectOf(maxJsonNames)), "");
  EXPECT_THAT(jsonExcess(objectOf(maxJsonNames + 1)), HasSubstr("too many names"));
  EXPECT_EQ(jsonExcess(objectOf(maxJsonNames + 1), 5000), "");
  EXPECT_EQ(jsonExcess("[" + objectOf(4000) + "," + objectOf(4000) + "]"), "");
  EXPECT_EQ(jsonExcess("{\"" + std::string(5000, ':') + "\":0}"), "");
  EXPECT_THAT(jsonExcess("{\"a\":" + objectOf(10) + "," + objectOf(maxJsonNames).substr(1)),
              HasSubstr("too many names"))
      << "an object within does not make the one around begin again";
}

template <class Number>
void expectNoneIn(const nlohmann::json& value) {
  EXPECT_THROW((void)wholeNumber<Number>(value), std::range_error) << value;
}

TEST(JsonLimits, NumbersAreWholeAndFit) {
  using Json = nlohmann::json;
  constexpr std::uint64_t most = UINT64_MAX;
  EXPECT_EQ(wholeNumber<std::uint64_t>(Json(most)), most);
  EXPECT_EQ(wholeNumber<std::int64_t>(Json(INT64_MIN)), INT64_MIN);
  EXPECT_EQ(wholeNumber<std::uint32_t>(Json(UINT32_MAX)), UINT32_MAX);
  EXPECT_EQ(wholeNumber<std::uint32_t>(Json(7)), 7u) << "whether it has a sign";
  for (const Json& value : {Json(1e300), Json(-1e300), Json(2.0), Json("2"), Json(nullptr),
                            Json(true), Json::array(), Json::object()}) {
    expectNoneIn<std::int64_t>(value);
    expectNoneIn<std::uint64_t>(value);
  }
  expectNoneIn<std::int64_t>(most);
  expectNoneIn<std::uint64_t>(-1);
  expectNoneIn<std::uint32_t>(std::uint64_t{UINT32_MAX} + 1);
}

}  // namespace
}  // namespace nearmiss::engine
