// SPDX-License-Identifier: MIT
#include "fly/command/actions.h"
#include "fly/command/rows.h"

namespace nearmiss::app::fly {
namespace {

constexpr float pageLines = 6.0f;

/// Toggles a page and closes the others.
template <bool OpenPages::*page>
void turnPage(FlightContext& context, const Wish&) {
  OpenPages& pages = context.ui.pages;
  const bool wasOpen = pages.*page;
  pages.closePages();
  pages.*page = !wasOpen;
}

void openPanel(FlightContext& context, const Wish&) {
  // If a page covers the panel, close the page
  UiState& ui = context.ui;
  const bool covered = ui.pages.help || ui.pages.numbers || ui.pages.introduction;
  ui.pages.controls = covered || !ui.pages.controls;
  ui.pages.closePages();
  closeKeyPage(context);
}

void confirm(FlightContext& context, const Wish&) {
  if (context.ui.pages.quitAsked)
    context.stop();
  else if (context.ui.pages.introduction)
    context.ui.pages.introduction = false;
}

std::vector<Command> pageCommands() {
  using enum Action;
  using enum KeyGroup;
  return {
      CommandRow(Program, Help, "help", "help", "This help.")
          .key(SDL_SCANCODE_F1)
          .does(turnPage<&OpenPages::help>),
      CommandRow(Program, Action::Tour, "tour", "tour",
                 "Two-minute tour; your flight waits meanwhile.")
          .shift(SDL_SCANCODE_F1)
          .does([](FlightContext& context, const Wish&) { context.modes.tour.toggle(context); }),
      CommandRow(Program, Action::Bench, "bench", "bench", "Bench: two bodies in the hand.")
          .shift(SDL_SCANCODE_F3)
          .onOff([](FlightContext& context, Control& control) {
            control.on = context.modes.bench.on();
          })
          .does([](FlightContext& context, const Wish&) { context.modes.bench.toggle(context); }),
      CommandRow(Program, OpenControls, "panel", "control panel",
                 "Control panel: all of this by mouse.")
          .key(SDL_SCANCODE_F2)
          .hidden()
          .does(openPanel),
      CommandRow(Program, Sound, "sound", "sound", "Sound of hits.")
          .shift(SDL_SCANCODE_M)
          .onOff(
              [](FlightContext& context, Control& control) { control.on = !context.ui.view.muted; })
          .does([](FlightContext& context, const Wish& wish) {
            flip<&UiState::view, &ViewChoice::muted>(context, wish);
            context.say("sound", context.ui.view.muted ? "sound: off" : "sound: on");
          }),
      CommandRow(Program, Numbers, "numbers", "numbers", "All numbers of one frame.")
          .key(SDL_SCANCODE_F4)
          .does(turnPage<&OpenPages::numbers>),
      CommandRow(Program, RecordSession, "record_flight", "record the flight",
                 "Record the flight, for nearmiss replay.")
          .key(SDL_SCANCODE_F8)
          .does([](FlightContext& context, const Wish&) { toggleSession(context); }),
      CommandRow(Program, RecordProfile, "record_profile", "record the profile",
                 "Record frame times, for nearmiss report.")
          .key(SDL_SCANCODE_F9)
          .does([](FlightContext& context, const Wish&) { toggleRecording(context); }),
      CommandRow(Program, Photo, "photo_mode", "photo mode",
                 "Photo mode: free camera, fine screenshots.")
          .key(SDL_SCANCODE_F3)
          .onOff([](FlightContext& context, Control& control) {
            control.on = context.modes.photo.on();
          })
          .does([](FlightContext& context, const Wish&) { context.modes.photo.toggle(context); }),
  };
}

std::vector<Command> windowCommands() {
  using enum Action;
  using enum KeyGroup;
  return {
      CommandRow(Program, Screenshot, "screenshot", "screenshot", "Screenshot.")
          .key(SDL_SCANCODE_F10)
          .does(
              [](FlightContext& context, const Wish&) { context.records.screenshotAsked = true; }),
      CommandRow(Program, FullScreen, "full_screen", "full screen", "Full screen.")
          .key(SDL_SCANCODE_F11)
          .always()
          .does([](FlightContext& context, const Wish&) {
            if (context.screen.window) context.screen.window->toggleFullScreen();
          }),
      CommandRow(Program, "change_keys", "change keys",
                 "Change keys: any number for each command, also for one hand.")
          .does([](FlightContext& context, const Wish&) { openKeyPage(context); }),
      CommandRow(Program, "restore_defaults", "restore defaults",
                 "Restore the default view, camera, sound, keys and text size.")
          .does([](FlightContext& context, const Wish&) {
            useSettings(context, {});
            context.say("settings", "defaults restored");
          }),
      CommandRow(Program, "quit", "quit", "Quit, after a question.")
          .does([](FlightContext& context, const Wish&) { context.ui.pages.quitAsked = true; }),
      CommandRow(Program, PageUp, "page_up", "page up", "Scroll help or numbers up.")
          .key(SDL_SCANCODE_PAGEUP)
          .repeats()
          .hidden()
          .does([](FlightContext& context, const Wish&) { context.ui.pages.scroll -= pageLines; }),
      CommandRow(Program, PageDown, "page_down", "page down", "Scroll help or numbers down.")
          .key(SDL_SCANCODE_PAGEDOWN)
          .repeats()
          .hidden()
          .does([](FlightContext& context, const Wish&) { context.ui.pages.scroll += pageLines; }),
      CommandRow(Program, Back, "close", "close", "Close what is open, then ask to quit.")
          .key(SDL_SCANCODE_ESCAPE)
          .always()
          .hidden()
          .does([](FlightContext& context, const Wish&) { closeTopmost(context); }),
      CommandRow(Program, Confirm, "say_yes", "confirm", "Confirm; fly on from here in a replay.")
          .key(SDL_SCANCODE_RETURN, SDL_SCANCODE_KP_ENTER)
          .always()
          .hidden()
          .does(confirm),
  };
}

}  // namespace

std::vector<Command> programCommands() {
  std::vector<Command> all = pageCommands();
  for (Command& command : windowCommands()) all.push_back(command);
  return all;
}

}  // namespace nearmiss::app::fly
