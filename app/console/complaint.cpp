// SPDX-License-Identifier: MIT
#include "console/complaint.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace nearmiss::app {

void printStderr(std::string_view text) noexcept {
  // Uses neither streams nor memory, because the error may be about these
  while (!text.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

namespace {

/// Collects a line for a single write, so that lines of several processes do not mix.
class Line {
 public:
  void add(std::string_view text) noexcept {
    for (const char c : text) {
      if (size_ + 1 == line_.size()) flush();
      const auto code = static_cast<unsigned char>(c);
      line_[size_++] = code < ' ' || code == 0x7f ? '?' : c;
    }
  }
  void end() noexcept {
    line_[size_++] = '\n';
    flush();
  }

 private:
  void flush() noexcept {
    printStderr({line_.data(), size_});
    size_ = 0;
  }
  std::array<char, 1024> line_;
  std::size_t size_ = 0;
};

}  // namespace

void complain(std::string_view sentence, std::string_view reason) noexcept {
  Line line;
  line.add("nearmiss: ");
  line.add(sentence);
  if (!reason.empty()) line.add(": ");
  line.add(reason);
  line.end();
}

int complain(const Error& error, ExitCode otherwise) noexcept {
  complain(error.message.empty() ? std::string_view("not enough memory") : error.message);
  if (error.code == ErrorCode::Cancelled) return Interrupted;
  return error.code == ErrorCode::OutOfMemory ? Environment : otherwise;
}

void complainOfAll(std::span<const std::string> warnings, bool verbose) noexcept {
  constexpr std::size_t lines = 3;
  const std::size_t shown = verbose || warnings.size() <= lines ? warnings.size() : lines - 1;
  for (const std::string& warning : warnings.first(shown)) complain(warning);
  if (shown == warnings.size()) return;
  std::array<char, 24> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), warnings.size() - shown).ptr;
  Line line;
  line.add("nearmiss: and ");
  line.add({digits.data(), static_cast<std::size_t>(end - digits.data())});
  line.add(" more warnings; --verbose prints all");
  line.end();
}

}  // namespace nearmiss::app
