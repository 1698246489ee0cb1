// SPDX-License-Identifier: MIT
/// Compares the bodies of a bench on a thread of its own, so that no model holds the window up.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "fly/bench/bench.h"

namespace nearmiss::app::fly {

class BenchWorker {
 public:
  struct Answer {
    std::shared_ptr<const Bench> bench;
    BenchSetup setup;  ///< what it is about
    Result<BenchReading> reading;
  };

  BenchWorker();
  ~BenchWorker();

  /// Replaces a question that waits.
  void ask(std::shared_ptr<Bench> bench, const BenchSetup& setup);
  /// The last one; null before the first.
  [[nodiscard]] std::shared_ptr<const Answer> latest();
  /// Waits until nothing waits.
  void await();

 private:
  void work(const std::stop_token& stop);

  struct Question {
    std::shared_ptr<Bench> bench;
    BenchSetup setup;
  };
  std::mutex mutex_;
  std::condition_variable_any wake_, done_;
  std::optional<Question> question_;
  bool busy_ = false;
  std::shared_ptr<const Answer> answer_;
  std::jthread thread_;  // the last to come and the first to go
};

}  // namespace nearmiss::app::fly
