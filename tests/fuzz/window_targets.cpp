// SPDX-License-Identifier: MIT
/// Readers of the window's own files.
#include "fly/modes/bench/bench_pose.h"
#include "fly/settings/window_settings.h"
#include "fuzz/target.h"

namespace nearmiss::fuzz {
namespace {

void readWindow(Bytes bytes) {
  std::vector<std::string> notes;
  const auto read = app::fly::parseWindowSettings(textOf(bytes), "window.toml", &notes);
  for (const std::string& note : notes) demandSentence(note);
  if (!read) return demandSentence(read.error().message);
  const std::string text = app::fly::writeWindowSettings(*read);
  const auto again = app::fly::parseWindowSettings(text, "again.toml");
  demand(again && *again == *read, "settings read back to the same");
}

void readPose(Bytes bytes) {
  const auto read = app::fly::parseBench(textOf(bytes), "x.toml", scratch());
  if (!read) return demandSentence(read.error().message);
  const std::string text = app::fly::writeBench(*read);
  const auto again = app::fly::parseBench(text, "again.toml", scratch());
  demand(again && app::fly::writeBench(*again) == text, "a pose reads back to the same");
}

}  // namespace

std::vector<Target> windowTargets() {
  using Seeds = std::vector<std::string>;
  return {
      {"window", readWindow,
       [] {
         return Seeds{
             "overlay = \"compact\"\nspheres = \"level 2\"\ncamera = \"orbit\"\nui_scale = 1.25\n"
             "palette = \"high-contrast\"\nmuted = true\n[keys]\npitch_up = [\"Up\", \"R\"]\n"
             "next_tree = [\"Shift+F\"]\nsound = []\n"};
       }},
      {"pose", readPose,
       [] {
         return Seeds{
             "[a]\nmodel = \"lamp\"\nposition = [0.5, 0.0, 1e-3]\nrotation = [1.0, 0.0, "
             "0.5, 0.0]\n[b]\nmodel = \"truck\"\n[limits]\nlevel = 3\ntime_us = 20.0\n"};
       }},
  };
}

}  // namespace nearmiss::fuzz
