// SPDX-License-Identifier: MIT
#include <engine/base/atomic_file.h>
#include <engine/base/resources.h>
#include <engine/game/best_runs.h>
#include <engine/game/run_levels.h>
#include <engine/scene/json_limits.h>
#include <engine/scene/toml_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "record/free_name.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

fs::path tableOf(const fs::path& folder) { return folder / "runs.json"; }

/// Null means no limit, because JSON has no infinity.
Json budgetJson(nanoseconds budget) {
  return budget == nanoseconds::max() ? Json() : Json(budget.count());
}
nanoseconds budgetOf(const Json& value) {
  return value.is_null() ? nanoseconds::max() : nanoseconds(wholeNumber<std::int64_t>(value));
}

Json jsonOf(const BestRun& run) {
  return {{"points", run.points},
          {"date", run.date},
          {"scene", run.scene},
          {"seed", run.seed},
          {"least_budget_ns", budgetJson(run.minBudget)},
          {"greatest_budget_ns", budgetJson(run.maxBudget)},
          {"near_misses", run.nearMisses},
          {"hits", run.hits},
          {"false_hits", run.falseHits},
          {"longest_streak", run.longestStreak},
          {"session", run.session}};
}

/// Throws if a value is missing or has another type.
BestRun runOf(const Json& about) {
  const auto count = [&about](const char* name) {
    return wholeNumber<std::uint32_t>(about.at(name));
  };
  BestRun run{wholeNumber<std::int64_t>(about.at("points")),
              about.at("date"),
              about.at("scene"),
              wholeNumber<std::uint64_t>(about.at("seed")),
              budgetOf(about.at("least_budget_ns")),
              budgetOf(about.at("greatest_budget_ns")),
              count("near_misses"),
              count("hits"),
              count("false_hits"),
              count("longest_streak"),
              about.at("session")};
  // This name is used to delete files, so it must be one of ours in this folder
  if (!run.session.starts_with("run-") || !run.session.ends_with(".session") ||
      fs::path(run.session).filename() != run.session)
    run.session.clear();
  return run;
}

/// Returns `nullopt` if the text is not a table of this version.
std::optional<BestRuns> parsed(const std::string& text) {
  if (!jsonExcess(text).empty()) return std::nullopt;
  const Json table = Json::parse(text, nullptr, false);
  try {
    if (table.is_discarded() || table.at("version") != 1) return std::nullopt;
    BestRuns found;
    std::vector<BestRun>& runs = found.runs;
    for (const Json& about : table.at("runs")) runs.push_back(runOf(about));
    std::ranges::stable_sort(runs, std::greater(), &BestRun::points);
    if (runs.size() > BestRuns::most) runs.resize(BestRuns::most);
    const auto levels = table.find("levels");
    if (levels != table.end())
      for (const auto& [scene, won] : levels->get_ref<const Json::object_t&>())
        found.levels[scene] = wholeNumber<std::uint32_t>(won);
    return found;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string textOf(const BestRuns& kept) {
  Json table{{"version", 1}, {"runs", Json::array()}, {"levels", Json::object()}};
  for (const BestRun& run : kept.runs) table["runs"].push_back(jsonOf(run));
  for (const auto& [scene, won] : kept.levels) table["levels"][scene] = won;
  return table.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// "run-20260131-1745.session", from the date.
std::string sessionName(const std::string& date) {
  std::string digits;
  for (const char c : date)
    if (c >= '0' && c <= '9')
      digits += c;
    else if (c == ' ')
      digits += '-';
  return "run-" + digits + ".session";
}

}  // namespace

fs::path bestRunsFolder() {
  const fs::path data = userDataFolder();
  return data.empty() ? fs::path() : data / "runs";
}

Result<BestRuns> readBestRuns(const fs::path& folder) {
  BestRuns table;
  const fs::path file = tableOf(folder);
  const auto text = readTextFile(file, "a table of runs");
  if (!text && text.error().code == ErrorCode::NotFound) return table;
  if (!text && text.error().code == ErrorCode::Unreadable) return text.error();
  if (text)
    if (auto found = parsed(*text)) return *std::move(found);
  // Never overwrite an unknown file
  const fs::path aside = freeName(folder / "runs-damaged.json");
  std::error_code failed;
  fs::rename(file, aside, failed);
  if (failed) return cannotWrite(aside, failed.value());
  table.note = fmt::format(
      "\"{}\" is not a table of runs: it was renamed to \"{}\", and a new table was started",
      file.string(), aside.filename().string());
  return table;
}

std::size_t levelsWon(const BestRuns& table, const std::string& scene) {
  if (const auto won = table.levels.find(scene); won != table.levels.end()) return won->second;
  std::int64_t best = 0;
  for (const BestRun& run : table.runs)
    if (run.scene == scene) best = std::max(best, run.points);
  return static_cast<std::size_t>(
      std::ranges::count_if(runGoals, [best](std::int64_t goal) { return goal <= best; }));
}

Result<StoredRun> storeRun(const fs::path& folder, BestRun run, const SessionSaving& save) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return cannotWrite(folder, failed.value());
  auto table = readBestRuns(folder);
  if (!table) return table.error();
  StoredRun kept{*std::move(table), std::nullopt};
  std::vector<BestRun>& runs = kept.table.runs;

  // After earlier runs with equal points
  const auto place = std::ranges::upper_bound(runs, run.points, std::greater(), &BestRun::points);
  const auto rank = static_cast<std::size_t>(place - runs.begin());
  // Before the run counts in a table that stores no levels
  const std::size_t won = std::max(levelsWon(kept.table, run.scene), run.level);
  kept.table.levels[run.scene] = won;
  if (run.points <= 0 || rank >= BestRuns::most) {
    if (run.level == 0) return kept;
    if (auto written = writeWhole(tableOf(folder), textOf(kept.table)); !written)
      return written.error();
    return kept;
  }
  const fs::path session = freeName(folder / sessionName(run.date));
  if (save) {
    run.session = session.filename().string();
    if (auto saved = save(session); !saved) return saved.error();
  }
  runs.insert(place, std::move(run));
  std::string leaving;
  if (runs.size() > BestRuns::most) {
    leaving = std::move(runs.back().session);
    runs.pop_back();
  }
  if (auto written = writeWhole(tableOf(folder), textOf(kept.table)); !written) {
    fs::remove(session, failed);
    return written.error();
  }
  if (!leaving.empty()) fs::remove(folder / leaving, failed);
  kept.rank = rank;
  return kept;
}

}  // namespace nearmiss::engine
