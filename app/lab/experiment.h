// SPDX-License-Identifier: MIT
/// An experiment of the lab: its name, its options and how it runs, all in its own file, which ends
/// with an ExperimentEntry. `nearmiss lab`, its help and its lists come from these.
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

/// A share of an experiment's work items, for runs on several machines. Items are dealt out in
/// turn: shard 1 of 4 has items 0, 4, 8 and so on.
struct Shard {
  static constexpr std::size_t maxCount = 10'000;

  std::size_t index = 1;  ///< from 1
  std::size_t count = 1;

  [[nodiscard]] bool has(std::size_t item) const noexcept { return item % count == index - 1; }
  /// True if it is all there is.
  [[nodiscard]] bool whole() const noexcept { return count == 1; }
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Where results go unless --out names another folder: in the working folder.
inline constexpr std::string_view usualFolder = "lab-results";

/// Input of every experiment.
struct ExperimentCommand {
  std::filesystem::path folder = usualFolder;  ///< made where there is none
  bool quick = false;
  Shard shard;
  bool resume = false;  ///< does nothing where the folder has the whole result already
};

/// The options of one command, each bound to what it fills. Names that are not known, and numbers
/// that are out of range, are refused with a sentence.
class OptionList {
 public:
  explicit OptionList(CLI::App& app) : app_(app) {}

  /// A whole number, a number, or several of them; defined for those that experiments have.
  template <class Value>
  void number(const char* name, Value& value, double low, double high, const char* meaning);
  /// @param known empty: any name
  void name(const char* name, std::string& value, std::vector<std::string_view> known,
            const char* meaning);
  void names(const char* name, std::vector<std::string>& values,
             std::vector<std::string_view> known, const char* meaning);

  // Those that several experiments have
  void seed(std::uint64_t& seed, const char* meaning);
  void steps(int& steps, const char* meaning);
  void rounds(int& rounds);
  void levels(int& levels, const char* meaning);
  /// @param fewest 0 where 0 means all cores
  void workers(int& workers, int fewest);

 private:
  CLI::App& app_;
};

/// A command whose options have been added, and what runs it once they are filled. The command
/// lives as long as this.
struct PreparedExperiment {
  std::shared_ptr<ExperimentCommand> command;
  std::function<int()> run;  ///< returns an ExitCode
};

struct Experiment {
  std::string_view name;
  std::string_view summary;
  std::string_view quick;  ///< the part left by --quick
  std::function<PreparedExperiment(OptionList& options)> prepare;
  /// Fills what hangs on the rows of several work items; null where nothing does.
  void (*finish)(ExperimentResult& result) = nullptr;
};

/// @param Command an ExperimentCommand with the options of this one
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
