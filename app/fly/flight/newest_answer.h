// SPDX-License-Identifier: MIT
/// Answers questions that take longer than a frame on another thread.
#pragma once

#include <engine/base/threads.h>

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace nearmiss::app::fly {

/// Answers the newest question: a question that has not been started is replaced by the next one.
template <class Question, class Answer>
class NewestAnswer {
 public:
  /// `answer` runs on the thread, for one question at a time.
  explicit NewestAnswer(std::function<Answer(Question)> answer) : answer_(std::move(answer)) {}
  ~NewestAnswer() {
    thread_.request_stop();
    wake_.notify_all();
  }
  NewestAnswer(const NewestAnswer&) = delete;
  NewestAnswer& operator=(const NewestAnswer&) = delete;

  void ask(Question question) {
    // Started at the first question, so that the window opens faster. Without a thread there are no
    // answers
    if (!thread_.joinable())
      thread_ = engine::startThread([this](const std::stop_token& stop) { work(stop); });
    {
      const std::scoped_lock lock(mutex_);
      question_ = std::move(question);
    }
    wake_.notify_one();
  }
  /// Returns the newest answer, or null before the first.
  [[nodiscard]] std::shared_ptr<const Answer> latest() {
    const std::scoped_lock lock(mutex_);
    return latest_;
  }
  /// Waits until all questions are answered.
  void await() {
    std::unique_lock lock(mutex_);
    if (thread_.joinable()) done_.wait(lock, [this] { return !question_ && !busy_; });
  }

 private:
  void work(const std::stop_token& stop) {
    while (true) {
      std::optional<Question> question;
      {
        std::unique_lock lock(mutex_);
        busy_ = false;
        done_.notify_all();
        if (!wake_.wait(lock, stop, [this] { return question_.has_value(); })) return;
        question = std::exchange(question_, std::nullopt);
        busy_ = true;
      }
      try {
        auto found = std::make_shared<const Answer>(answer_(*std::move(question)));
        const std::scoped_lock lock(mutex_);
        latest_ = std::move(found);
      } catch (const std::exception&) {
        // Out of memory: keep the previous answer
      }
    }
  }

  std::function<Answer(Question)> answer_;
  std::mutex mutex_;
  std::condition_variable_any wake_, done_;
  std::optional<Question> question_;
  bool busy_ = false;
  std::shared_ptr<const Answer> latest_;
  std::jthread thread_;  // last, so that it is destroyed first
};

}  // namespace nearmiss::app::fly
