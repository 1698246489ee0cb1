// SPDX-License-Identifier: MIT
/// Messages, their places and their log, and the question before quitting.
#include "fly/overlay/messages.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/fly/drawn_text.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

TEST(Toasts, OfferAButtonThatDoesWhatItSays) {
  DrawnText type(1280.0f, 720.0f, 1.0f);
  Toasts toasts;
  int done = 0;
  toasts.offer(
      "late", "drawing alone takes 53 ms of 17 ms", "Target 100 ms",
      [&done](FlightContext&) { ++done; }, 0.0);
  const Ink ink;
  toasts.draw(ink, {0.0f, 40.0f, 1280.0f, 600.0f});
  EXPECT_NE(type.text().find("Target100ms"), std::string::npos);
  EXPECT_FALSE(toasts.takeClicked());
  // Where the button is
  glm::vec2 at(0.0f);
  for (float y = 40.0f; y < 140.0f && at.y == 0.0f; y += 2.0f)
    if (toasts.takesClick({640.0f, y})) at = {640.0f, y};
  for (float x = 400.0f; x < 900.0f && at.y == 0.0f; x += 4.0f)
    for (float y = 40.0f; y < 140.0f; y += 2.0f)
      if (toasts.takesClick({x, y})) at = {x, y};
  ASSERT_GT(at.y, 0.0f);
  ImGuiIO& io = ImGui::GetIO();
  type.next();
  io.MousePos = {at.x, at.y};
  io.MouseDown[0] = true;
  type.next();
  toasts.draw(ink, {0.0f, 40.0f, 1280.0f, 600.0f});
  EXPECT_TRUE(toasts.takeClicked());
  EXPECT_FALSE(toasts.takeClicked()) << "once";
  toasts.update(0.1);
  EXPECT_TRUE(toasts.empty()) << "what is decided is gone";
}

TEST(Toasts, KeepWhatIsOfAnotherTopic) {
  Toasts toasts;
  toasts.add("the same words", 0.0);
  toasts.add("a fault", 0.0, Toasts::Kind::Warning);
  toasts.say("topic", "the same words", 0.0);
  toasts.say("topic", "other words", 0.0);
  EXPECT_TRUE(toasts.contains("a fault") && toasts.contains("other words"));
  EXPECT_FALSE(toasts.contains("the same words"));
}

TEST(Toasts, AreTwoAtMostAndKeepWarningsLongest) {
  Toasts toasts;
  const auto count = [&] {
    int shown = 0;
    for (const char* words : {"one", "two", "three", "a fault", "newest"})
      shown += toasts.contains(words) ? 1 : 0;
    return shown;
  };
  for (const char* words : {"one", "two", "three"}) toasts.add(words, 0.0);
  EXPECT_EQ(count(), 2);
  EXPECT_FALSE(toasts.contains("one"));
  toasts.add("a fault", 0.0, Toasts::Kind::Warning);
  toasts.add("newest", 0.0);
  EXPECT_EQ(count(), 2);
  EXPECT_TRUE(toasts.contains("a fault") && toasts.contains("newest"));
}

TEST(Toasts, KeepALogWithTheTimeOfTheFlight) {
  Toasts toasts;
  toasts.setFlightTime(1.5);
  toasts.say("budget", "first", 0.0);
  toasts.setFlightTime(2.5);
  toasts.say("budget", "second", 0.0);
  toasts.say("budget", "second", 0.1);
  toasts.clear();
  ASSERT_EQ(toasts.log().size(), 2u) << "what replaces a message is logged, what repeats it is not";
  EXPECT_EQ(toasts.log()[0].text, "second");
  EXPECT_EQ(toasts.log()[0].flightSeconds, 2.5);
  EXPECT_EQ(toasts.log()[1].flightSeconds, 1.5);
  DrawnText type(1280.0f, 720.0f, 1.0f);
  float scroll = 0.0f;
  drawMessageLog(Ink(), 1280.0f, 720.0f, toasts.log(), scroll);
  const std::string text = type.text();
  EXPECT_LT(text.find("2.5ssecond"), text.find("1.5sfirst"));
  EXPECT_NE(text.find("1.5sfirst"), std::string::npos) << text;
  for (int i = 0; i < 300; ++i) toasts.add("message " + std::to_string(i), 0.0);
  EXPECT_EQ(toasts.log().size(), Toasts::maxLogged);
  EXPECT_EQ(toasts.log().front().text, "message 299");
}

TEST(Toasts, CoverNoShipWhileThereIsAFreePlace) {
  const Rect area{0.0f, 30.0f, 1280.0f, 600.0f};
  const glm::vec2 size(300.0f, 40.0f);
  std::vector<Rect> ships{{400.0f, 20.0f, 480.0f, 500.0f}, {0.0f, 0.0f, 200.0f, 90.0f}};
  const Rect place = freePlace(area, size, ships);
  for (const Rect& ship : ships) EXPECT_FALSE(meets(place, ship));
  // It stays as long as it is free
  const Rect kept{20.0f, 300.0f, size.x, size.y};
  EXPECT_EQ(freePlace(area, size, ships, kept).y, 300.0f);
  ships.push_back({10.0f, 280.0f, 50.0f, 50.0f});
  EXPECT_NE(freePlace(area, size, ships, kept).y, 300.0f);
  // Without one it is at the edge, within the area
  const std::vector<Rect> all{{0.0f, 0.0f, 1280.0f, 720.0f}};
  const Rect edge = freePlace(area, size, all);
  EXPECT_TRUE(edge.y == area.y || edge.bottom() == area.bottom()) << edge.y;
}

TEST(Toasts, TellWhereTheyStand) {
  const DrawnText type(1280.0f, 720.0f, 1.0f);
  Toasts toasts;
  toasts.add("variational trees fly now", 0.0);
  toasts.add("no ship is picked", 0.0);
  std::vector<Ground> places;
  toasts.addPlaces(places);
  EXPECT_TRUE(places.empty()) << "not drawn yet";
  toasts.draw(Ink(), {0.0f, 40.0f, 1280.0f, 600.0f});
  toasts.addPlaces(places);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_FALSE(meets(places[0].rect, places[1].rect));
  ASSERT_GT(type.letters().size(), 30u);
  for (const Rect& letter : type.letters())
    EXPECT_TRUE(meets(letter, places[0].rect) || meets(letter, places[1].rect)) << letter.x;
}

TEST(QuitQuestion, HighlightsTheAnswerThatLosesNothing) {
  const DrawnText type(1280.0f, 720.0f, 1.0f);
  EXPECT_EQ(drawQuitQuestion(Ink(), 1280.0f, 720.0f), Answer::None);
  const auto flyOn = type.text().find("Flyon"), quit = type.text().find("Quit(");
  ASSERT_LT(flyOn, quit);
  const ImDrawList& list = *ImGui::GetBackgroundDrawList();
  int highlighted = 0;
  for (const ImDrawVert& vertex : list.VtxBuffer)
    if (vertex.col == Ink::colour(palette::own, 0.85f)) {
      ++highlighted;
      EXPECT_LT(vertex.pos.x, 640.0f) << "the left button flies on";
    }
  EXPECT_GT(highlighted, 0);
}

}  // namespace
}  // namespace nearmiss::app::fly
