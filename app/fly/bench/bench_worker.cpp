// SPDX-License-Identifier: MIT
#include "fly/bench/bench_worker.h"

#include <exception>
#include <utility>

namespace nearmiss::app::fly {

BenchWorker::BenchWorker() {
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  } catch (const std::exception&) {
    // No thread can be had: then there is no answer
  }
}

BenchWorker::~BenchWorker() {
  thread_.request_stop();
  wake_.notify_all();
}

void BenchWorker::ask(std::shared_ptr<Bench> bench, const BenchSetup& setup) {
  {
    const std::scoped_lock lock(mutex_);
    question_ = Question{std::move(bench), setup};
  }
  wake_.notify_one();
}

std::shared_ptr<const BenchWorker::Answer> BenchWorker::latest() {
  const std::scoped_lock lock(mutex_);
  return answer_;
}

void BenchWorker::await() {
  std::unique_lock lock(mutex_);
  if (thread_.joinable()) done_.wait(lock, [this] { return !question_ && !busy_; });
}

void BenchWorker::work(const std::stop_token& stop) {
  while (true) {
    Question question;
    {
      std::unique_lock lock(mutex_);
      busy_ = false;
      done_.notify_all();
      if (!wake_.wait(lock, stop, [this] { return question_.has_value(); })) return;
      question = *std::exchange(question_, std::nullopt);
      busy_ = true;
    }
    try {
      Result<BenchReading> reading = question.bench->read(question.setup);
      auto answer = std::make_shared<const Answer>(
          Answer{std::move(question.bench), question.setup, std::move(reading)});
      const std::scoped_lock lock(mutex_);
      answer_ = std::move(answer);
    } catch (const std::exception&) {
      // Results that memory is lacking for are not shown
    }
  }
}

}  // namespace nearmiss::app::fly
