// SPDX-License-Identifier: MIT
/// Tests of the key that shows contacts: its pairs, its sentences, and the return of the camera.
#include "fly/view/contact_look.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "app/fly/modes.h"
#include "console/text.h"
#include "fly/command/actions.h"
#include "fly/view/bound_drawing.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {
namespace {

using Kind = ContactToShow::Kind;

class Contacts : public Modes {
 protected:
  [[nodiscard]] const engine::FrameOutput& output() const { return context.flight().output(); }
  [[nodiscard]] std::set<BodyPair> touching() const {
    std::set<BodyPair> pairs;
    for (const engine::Touch& touch : output().touches)
      if (!touch.apart) pairs.insert(touch.bodies);
    if (output().detection)
      for (const DetectedPair& pair : output().detection->pairs)
        if (pair.refinement.verdict != Verdict::Separate) pairs.insert(pair.bodies);
    return pairs;
  }
  [[nodiscard]] BodyPair pairOf(const PickedShips& ships) const {
    return fly::pairOf(*indexOf(context.flight(), ships.a), *indexOf(context.flight(), ships.b));
  }
  /// Flies until a frame has at least that many touching pairs, or has none and none that parted.
  void flyUntil(std::size_t count) {
    for (int frame = 0; frame < 4000; ++frame) {
      fly();
      if (count == 0 ? output().touches.empty() && touching().empty() : touching().size() >= count)
        return;
    }
    FAIL() << "no such frame";
  }
  /// Moves the camera from where it starts.
  void moveCamera() {
    CameraRig& rig = context.view.rig;
    rig.setMode(CameraMode::Orbit);
    rig.zoom(3.0);
    rig.face(1.25, -0.5);
    look();
  }
  void look() { context.view.look(context.flight(), context.ui, 0.02); }
};

TEST_F(Contacts, ShowsEachPairThatTouchesInTurnAndNoOther) {
  context.ui.detection.levelCap = 1;  // coarse answers: more reported contacts
  flyUntil(2);
  std::set<BodyPair> shown;
  PickedShips last;
  while (const auto next = contactAfter(context.flight(), last)) {
    EXPECT_EQ(next->kind, Kind::Touching);
    EXPECT_EQ(next->count, touching().size());
    EXPECT_EQ(next->number, shown.size() + 1);
    EXPECT_TRUE(shown.insert(pairOf(next->ships)).second);
    const std::string words = contactSentence(context.flight(), *next);
    EXPECT_TRUE(words.starts_with("contact ")) << words;
    ASSERT_TRUE(next->found);
    const bool proven = next->found->verdict == Verdict::Contact;
    EXPECT_NE(words.find(proven ? " touch" : gapText(next->found->separationBound)),
              std::string::npos)
        << words;
    last = next->ships;
  }
  EXPECT_EQ(shown, touching());
}

TEST_F(Contacts, ShowsThePairThatCanTouchFirstWhereNoneDoes) {
  flyUntil(0);
  const auto next = contactAfter(context.flight(), {});
  ASSERT_TRUE(next);
  EXPECT_EQ(next->kind, Kind::Earliest);
  EXPECT_FALSE(contactAfter(context.flight(), next->ships)) << "there is only one";
  const auto bodies = output().bodies;
  for (std::size_t a = 0; a < bodies.size(); ++a)
    for (std::size_t b = a + 1; b < bodies.size(); ++b) {
      const auto seconds = secondsToMeeting(bodies[a], bodies[b], time());
      EXPECT_LE(next->seconds, seconds.value_or(jointHorizon(bodies[a], bodies[b], time())));
    }
  const std::string words = contactSentence(context.flight(), *next);
  EXPECT_TRUE(words.starts_with("no pair touches in this frame; first possible contact: "));
  EXPECT_TRUE(words.ends_with(next->seconds > 0.0 ? " s" : "possible from now on")) << words;
}

TEST_F(Contacts, NamesAPairThatHasJustPartedByTheTimeSince) {
  for (int frame = 0; frame < 4000; ++frame) {
    fly();
    if (touching().empty() && !output().touches.empty()) break;
  }
  const auto next = contactAfter(context.flight(), {});
  ASSERT_TRUE(next);
  EXPECT_EQ(next->kind, Kind::Parted);
  EXPECT_GE(next->seconds, 0.0);
  EXPECT_LE(next->seconds, engine::Touches::minApart);
  EXPECT_TRUE(contactSentence(context.flight(), *next).ends_with(" s ago"));
}

TEST_F(Contacts, GivesTheCameraBackWhenTheFlightGoesOn) {
  fly(3);
  context.ui.view.picked = {output().bodies[2].key, 0};
  moveCamera();
  const Camera before = context.view.camera;
  for (const Action leaving : {Action::Pause, Action::Back}) {
    apply(context, Action::NextPair);
    look();
    EXPECT_TRUE(context.ui.pace.paused);
    EXPECT_TRUE(context.view.rig.looking());
    EXPECT_TRUE(context.ui.view.picked.pair());
    EXPECT_TRUE(context.toasts.contains("contact"));
    context.view.rig.drag(200.0, 90.0);
    context.view.rig.zoom(-4.0);
    look();
    apply(context, leaving);
    EXPECT_EQ(context.ui.pace.paused, leaving == Action::Back);
    EXPECT_FALSE(context.view.rig.looking());
    EXPECT_EQ(context.view.rig.mode(), CameraMode::Orbit);
    EXPECT_EQ(context.ui.view.picked, (PickedShips{output().bodies[2].key, 0}));
    look();
    EXPECT_LT(glm::distance(context.view.camera.pose.position, before.pose.position), 1e-9);
    EXPECT_FALSE(context.view.contacts.on());
  }
}

TEST_F(Contacts, GivesTheCameraBackAfterTheLastPair) {
  flyUntil(1);
  const std::size_t count = touching().size();
  moveCamera();
  for (std::size_t press = 0; press < count; ++press) {
    apply(context, Action::NextPair);
    EXPECT_TRUE(context.view.rig.looking()) << press;
  }
  apply(context, Action::NextPair);
  EXPECT_FALSE(context.view.rig.looking());
  EXPECT_FALSE(context.ui.view.picked.pair());
  EXPECT_TRUE(context.ui.pace.paused);
  apply(context, Action::NextPair);
  EXPECT_TRUE(context.view.rig.looking()) << "and begins again";
  // Another camera is a choice of the user
  apply(context, Action::NextCamera);
  EXPECT_FALSE(context.view.contacts.on());
  const CameraMode chosen = context.view.rig.mode();
  // So is another ship, which stays picked
  apply(context, Action::NextPair);
  context.view.rig.zoom(5.0);
  context.ui.view.picked = {output().bodies[1].key, 0};
  context.view.contacts.follow(context);
  EXPECT_FALSE(context.view.rig.looking() || context.view.contacts.on());
  EXPECT_EQ(context.ui.view.picked.a, output().bodies[1].key);
  apply(context, Action::Pause);
  EXPECT_EQ(context.view.rig.mode(), chosen);
}

}  // namespace
}  // namespace nearmiss::app::fly
