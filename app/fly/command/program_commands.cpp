// SPDX-License-Identifier: MIT
#include <cmath>

#include "fly/command/actions.h"
#include "fly/command/rows.h"

namespace nearmiss::app::fly {
namespace {

constexpr float pageLines = 6.0f;

/// Toggles a page and closes the others.
template <bool OpenPages::*page>
void turnPage(FlightContext& context, const Selection&) {
  OpenPages& pages = context.ui.pages;
  const bool wasOpen = pages.*page;
  pages.closePages();
  pages.*page = !wasOpen;
}

void openPanel(FlightContext& context, const Selection&) {
  // If a page covers the panel, close the page
  UiState& ui = context.ui;
  const bool covered = ui.pages.help || ui.pages.numbers || ui.pages.messages;
  ui.pages.controls = covered || !ui.pages.controls;
  ui.pages.closePages();
  closeKeyPage(context);
}

void confirm(FlightContext& context, const Selection&) {
  if (context.ui.pages.quitQuestion) context.stop();
}

/// A scale from 0 to 1 in steps of 0.05.
template <float Volumes::*volume>
CommandRow volumeRow(std::string_view name, std::string_view title, std::string_view sentence) {
  return CommandRow(KeyGroup::Program, name, title, sentence)
      .scale([](FlightContext& context, Control& control) {
        control.place = double{context.ui.view.volumes.*volume};
        control.value =
            control.place > 0.0 ? fmt::format("{:.0f} %", 100.0 * control.place) : "off";
      })
      .does([](FlightContext& context, const Selection& selection) {
        const double place = std::round(20.0 * selection.place.value_or(0.0)) / 20.0;
        context.ui.view.volumes.*volume = static_cast<float>(place);
      });
}

std::vector<Command> pageCommands() {
  using enum Action;
  using enum KeyGroup;
  return {
      CommandRow(Program, Help, "help", "help", "This help.")
          .safeIn(SafeIn::All)
          .key(SDL_SCANCODE_F1)
          .does(turnPage<&OpenPages::help>),
      CommandRow(Program, Action::Tour, "tour", "tour",
                 "Two-minute tour; your flight waits meanwhile.")
          .safeIn(SafeIn::Tour)
          .refusedInReplay()
          .shift(SDL_SCANCODE_F1)
          .does(
              [](FlightContext& context, const Selection&) { context.modes.tour.toggle(context); }),
      CommandRow(Program, "first_flight", "first flight",
                 "A minute that teaches to fly, one sentence at a time.")
          .endsTour()
          .refusedInReplay()
          .toggles<&FlightModes::first>(),
      CommandRow(Program, Action::Bench, "bench", "bench", "Bench: two bodies in the hand.")
          .shift(SDL_SCANCODE_F3)
          .toggles<&FlightModes::bench>(),
      CommandRow(Program, OpenControls, "panel", "control panel",
                 "Control panel: all of this by mouse.")
          .endsTour()
          .key(SDL_SCANCODE_F2)
          .hidden()
          .does(openPanel),
      CommandRow(Program, Sound, "sound", "sound", "All sound; its volumes are below.")
          .safeIn(SafeIn::All)
          .shift(SDL_SCANCODE_M)
          .onOff(
              [](FlightContext& context, Control& control) { control.on = !context.ui.view.muted; })
          .does(flip<&UiState::view, &ViewChoice::muted>)
          .says("sound: on", "sound: off"),
      volumeRow<&Volumes::effects>("effects_volume", "effects volume",
                                   "Volume of hits, passing ships and warnings; 0: off."),
      volumeRow<&Volumes::engine>("engine_volume", "engine volume",
                                  "Volume of your engine; 0: off."),
      volumeRow<&Volumes::music>("music_volume", "music volume",
                                 "Volume of the music, which follows near misses; 0: off."),
      CommandRow(Program, Numbers, "numbers", "numbers", "All numbers of one frame.")
          .safeIn(SafeIn::Tour | SafeIn::Rewind)
          .key(SDL_SCANCODE_F4)
          .does(turnPage<&OpenPages::numbers>),
      CommandRow(Program, MessageLog, "messages", "messages", "All messages so far, newest first.")
          .safeIn(SafeIn::Tour | SafeIn::Rewind)
          .shift(SDL_SCANCODE_F4)
          .does(turnPage<&OpenPages::messages>),
      CommandRow(Program, PinExplanation, "pin_explanation", "pin explanation",
                 "Pin the explanation at the mouse; again: release it.")
          .safeIn(SafeIn::All)
          .key(SDL_SCANCODE_SLASH)
          .hidden()
          .does([](FlightContext& context, const Selection&) {
            context.panels.hover.toggle(context.panels.spots, context.input.pointer());
          }),
      CommandRow(Program, RecordSession, "record_flight", "record the flight",
                 "Record the flight, for nearmiss replay.")
          .endsTour()
          .key(SDL_SCANCODE_F8)
          .does([](FlightContext& context, const Selection&) { toggleSession(context); }),
      CommandRow(Program, RecordProfile, "record_profile", "record the profile",
                 "Record frame times, for nearmiss report.")
          .endsTour()
          .key(SDL_SCANCODE_F9)
          .does([](FlightContext& context, const Selection&) { toggleRecording(context); }),
      CommandRow(Program, Photo, "photo_mode", "photo mode",
                 "Photo mode: free camera, fine screenshots.")
          .endsTour()
          .key(SDL_SCANCODE_F3)
          .toggles<&FlightModes::photo>(),
  };
}

std::vector<Command> windowCommands() {
  using enum Action;
  using enum KeyGroup;
  return {
      CommandRow(Program, Screenshot, "screenshot", "screenshot", "Screenshot.")
          .safeIn(SafeIn::All)
          .key(SDL_SCANCODE_F10)
          .does([](FlightContext& context, const Selection&) {
            context.records.screenshotRequested = true;
          }),
      CommandRow(Program, FullScreen, "full_screen", "full screen", "Full screen.")
          .safeIn(SafeIn::All)
          .key(SDL_SCANCODE_F11)
          .always()
          .does([](FlightContext& context, const Selection&) {
            if (context.screen.window) context.screen.window->toggleFullScreen();
          }),
      CommandRow(Program, "change_keys", "change keys",
                 "Change keys: any number for each command, also for one hand.")
          .does([](FlightContext& context, const Selection&) { openKeyPage(context); }),
      CommandRow(Program, "restore_defaults", "restore defaults",
                 "Restore the default view, camera, sound, keys and text size.")
          .does([](FlightContext& context, const Selection&) {
            useSettings(context, {});
            context.say("settings", "defaults restored");
          }),
      CommandRow(Program, "quit", "quit", "Quit, after a question.")
          .does([](FlightContext& context, const Selection&) {
            context.ui.pages.quitQuestion = true;
          }),
      CommandRow(Program, PageUp, "page_up", "page up", "Scroll help or numbers up.")
          .safeIn(SafeIn::All)
          .key(SDL_SCANCODE_PAGEUP)
          .repeats()
          .hidden()
          .does([](FlightContext& context, const Selection&) {
            context.ui.pages.scroll -= pageLines;
          }),
      CommandRow(Program, PageDown, "page_down", "page down", "Scroll help or numbers down.")
          .safeIn(SafeIn::All)
          .key(SDL_SCANCODE_PAGEDOWN)
          .repeats()
          .hidden()
          .does([](FlightContext& context, const Selection&) {
            context.ui.pages.scroll += pageLines;
          }),
      CommandRow(Program, Back, "close", "close", "Close what is open, then ask to quit.")
          .safeIn(SafeIn::Tour | SafeIn::Bench)
          .key(SDL_SCANCODE_ESCAPE)
          .always()
          .hidden()
          .does([](FlightContext& context, const Selection&) { closeTopmost(context); }),
      CommandRow(Program, Confirm, "say_yes", "confirm", "Confirm; fly on from here in a replay.")
          .safeIn(SafeIn::Tour | SafeIn::Bench)
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
