// SPDX-License-Identifier: MIT
#include "fly/fly.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "fly/flight/throttle.h"
#include "fly/loop/key_script.h"
#include "fly/loop/loop.h"

namespace nearmiss::app::fly {
namespace {

/// Returns true if the next flight must be the same.
bool repeatable(const Options& options) {
  return options.window.headless || unattended(options) ||
         options.scene.clock == engine::ClockKind::Work;
}

/// Returns true if somebody flies: the user, or a script in the user's place.
bool attended(const Options& options) { return !options.script.empty() || !repeatable(options); }

/// Headless and repeatable runs and scripts ignore saved settings, unless a file is named.
SettingsMemory memoryFor(const Options& options, SettingsMemory memory) {
  const bool own = !repeatable(options) && options.script.empty();
  if (memory.file.empty() && own) memory.file = windowSettingsFile();
  return memory;
}

/// Returns Ok, or Usage after a complaint if a saved file would overwrite an input file.
int checkNotOverwritten(std::string_view option, const std::filesystem::path& file,
                        const InputFiles& inputs) {
  for (const std::filesystem::path& input : inputs) {
    if (file.empty() || input.empty() || !sameFile(file, input)) continue;
    complain(fmt::format("{} \"{}\" would replace the input \"{}\"", option, file.string(),
                         input.string()));
    return Usage;
  }
  return Ok;
}

/// Checks that neither outputs nor saved files overwrite an input file.
int checkFiles(const Options& options, const SettingsMemory& memory) {
  Options unposed = options;
  unposed.benchPose.clear();
  InputFiles inputs = inputsOf(unposed);
  InputFiles beside = inputs;
  beside.push_back(options.benchPose);
  if (const int exitCode = checkNotOverwritten("--window-settings", memory.file, beside);
      exitCode != Ok)
    return exitCode;
  inputs.push_back(memoryFor(options, memory).file);
  if (const int exitCode = checkNotOverwritten("--pose", options.benchPose, inputs); exitCode != Ok)
    return exitCode;
  inputs.push_back(options.benchPose);
  return checkOutputs(outputsOf(options), inputs);
}

int openWindow(const Options& options, std::unique_ptr<engine::SessionPlayer> player,
               SettingsMemory memory) {
  std::optional<KeyScript> script;
  if (!options.script.empty()) {
    auto read = KeyScript::read(options.script);
    if (!read) return complain(read.error(), Usage);
    script = *std::move(read);
  }
  auto window = Window::open(options);
  if (!window) return complain(window.error(), Environment);
  auto renderer = Renderer::create();
  if (!renderer) return complain(renderer.error(), Environment);
  Loop loop(options, *std::move(window), *std::move(renderer), std::move(player),
            memoryFor(options, std::move(memory)));
  if (script) loop.play(*std::move(script));
  return loop.run();
}

}  // namespace

int flyScene(const Options& options, SettingsMemory memory) {
  if (const int exitCode = checkFiles(options, memory); exitCode != Ok) return exitCode;
  // Install the handler for Ctrl-C before SDL does
  watchForInterrupts();
  // Report missing models before opening a window
  if (const auto models = engine::modelFilesOf(options.scene); !models)
    return complain(models.error(), BadModelOrScene);
  for (const std::string& model : options.bench)
    if (const auto found = engine::findModel(model); !found)
      return complain(found.error(), BadModelOrScene);
  Options flown = options;
  flown.scene.arena.flown = flown.scene.arena.flown || attended(options);
  flown.scene.playerShots = flown.scene.playerShots || attended(options);
  if (attended(options)) makeHeavy(flown.scene);
  return openWindow(flown, nullptr, std::move(memory));
}

int flySession(const Options& options, std::unique_ptr<engine::SessionPlayer> player) {
  return openWindow(options, std::move(player), {});
}

}  // namespace nearmiss::app::fly
