// SPDX-License-Identifier: MIT
/// An experiment of the lab: its name, options and implementation, in a separate file with an
/// ExperimentEntry. `nearmiss lab`, its help and its lists are built from these entries.
#pragma once

#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace nearmiss::app::lab {

struct ExperimentResult;

/// A share of an experiment's work items, for runs on several machines. Items are distributed
/// round-robin: shard 1 of 4 has items 0, 4, 8 and so on.
struct Shard {
  static constexpr std::size_t maxCount = 10'000;

  std::size_t index = 1;  ///< from 1
  std::size_t count = 1;

  [[nodiscard]] bool has(std::size_t item) const noexcept { return item % count == index - 1; }
  /// Returns true if there is only one shard.
  [[nodiscard]] bool whole() const noexcept { return count == 1; }
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Default folder of results, in the working folder.
inline constexpr std::string_view defaultFolder = "lab-results";

/// Input of every experiment.
struct ExperimentCommand {
  std::filesystem::path folder = defaultFolder;  ///< created if missing
  bool quick = false;
  Shard shard;
  bool resume = false;  ///< does nothing if the folder has the complete result
};

/// The options of one command, each bound to a variable. Unknown names and numbers out of range are
/// rejected with a message.
class OptionList {
 public:
  explicit OptionList(CLI::App& app) : app_(app) {}

  /// A number or a list of numbers, integer or real; defined for the types that experiments use.
  template <class Value>
  void number(const char* name, Value& value, double low, double high, const char* meaning);
  /// @param known valid names; empty: any name
  void name(const char* name, std::string& value, std::vector<std::string_view> known,
            const char* meaning);
  void names(const char* name, std::vector<std::string>& values,
             std::vector<std::string_view> known, const char* meaning);

  // Options of several experiments
  void seed(std::uint64_t& seed, const char* meaning);
  void steps(int& steps, const char* meaning);
  void rounds(int& rounds);
  void levels(int& levels, const char* meaning);
  /// @param fewest 0 if 0 means all cores
  void workers(int& workers, int fewest);

 private:
  CLI::App& app_;
};

/// A command with its options, and the function that runs it after parsing. Owns the command.
struct PreparedExperiment {
  std::shared_ptr<ExperimentCommand> command;
  std::function<int()> run;  ///< returns an ExitCode
};

struct Experiment {
  std::string_view name;
  std::string_view summary;
  std::string_view quick;  ///< the part that --quick keeps, in words
  std::function<PreparedExperiment(OptionList& options)> prepare;
  /// Fills in values that depend on the rows of several work items; null if there are none.
  void (*finish)(ExperimentResult& result) = nullptr;
};

/// @param Command an ExperimentCommand with this experiment's options
template <class Command>
[[nodiscard]] Experiment makeExperiment(std::string_view name, std::string_view summary,
                                        std::string_view quick,
                                        void (*addOptions)(OptionList&, Command&),
                                        int (*run)(const Command&),
                                        void (*finish)(ExperimentResult&) = nullptr) {
  const auto prepare = [addOptions, run](OptionList& options) {
    const auto command = std::make_shared<Command>();
    addOptions(options, *command);
    return PreparedExperiment{command, [command, run] { return run(*command); }};
  };
  return {name, summary, quick, prepare, finish};
}

/// Adds an experiment to the catalogue. One per experiment, with static lifetime.
struct ExperimentEntry {
  explicit ExperimentEntry(Experiment experiment);
};

}  // namespace nearmiss::app::lab
