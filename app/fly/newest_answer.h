// SPDX-License-Identifier: MIT
/// Questions that take longer than a frame may, answered on a thread of their own.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace nearmiss::app::fly {

/// Answers the newest question: one that has not been begun is replaced by the next.
template <class Question, class Answer>
class NewestAnswer {
 public:
  /// `answer` is called on the thread, by one question at a time.
  explicit NewestAnswer(std::function<Answer(Question)> answer) : answer_(std::move(answer)) {}
  ~NewestAnswer() {
    thread_.request_stop();
    wake_.notify_all();
  }
  NewestAnswer(const NewestAnswer&) = delete;
  NewestAnswer& operator=(const NewestAnswer&) = delete;

  void ask(Question question) {
    if (!thread_.joinable()) start();
    {
      const std::scoped_lock lock(mutex_);
      question_ = std::move(question);
    }
    wake_.notify_one();
  }
  /// Null before the first.
  [[nodiscard]] std::shared_ptr<const Answer> latest() {
    const std::scoped_lock lock(mutex_);
    return latest_;
  }
  /// Waits until no question is left.
  void await() {
    std::unique_lock lock(mutex_);
    if (thread_.joinable()) done_.wait(lock, [this] { return !question_ && !busy_; });
  }

 private:
  /// At the first question, so that a window that asks none opens sooner.
  void start() {
    try {
      thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    } catch (const std::exception&) {
      // Without a thread there is no answer
    }
  }

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
        // Memory ran out: the answer before stays
      }
    }
  }

  std::function<Answer(Question)> answer_;
  std::mutex mutex_;
  std::condition_variable_any wake_, done_;
  std::optional<Question> question_;
  bool busy_ = false;
  std::shared_ptr<const Answer> latest_;
  std::jthread thread_;  // the last to come and the first to go
};

}  // namespace nearmiss::app::fly
