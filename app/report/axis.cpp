// SPDX-License-Identifier: MIT
#include "report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nearmiss::app::report {
namespace {

constexpr double characterWidth = 6.9;  ///< of digits at 11 pixels, in the widest common font

/// Returns true if a byte starts a UTF-8 character.
bool beginsCharacter(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

/// Multiples of a step within a range.
std::vector<double> multiples(double step, double low, double high) {
  std::vector<double> values;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1.0)
    values.push_back(k == 0.0 ? 0.0 : k * step);
  return values;
}

}  // namespace

double widthOf(std::string_view text) noexcept {
  return characterWidth *
         static_cast<double>(std::count_if(text.begin(), text.end(), beginsCharacter));
}

std::string truncate(std::string_view text, double width) {
  if (widthOf(text) <= width) return std::string(text);
  const auto longest = static_cast<std::size_t>(std::max(width / characterWidth - 1.0, 1.0));
  std::size_t characters = 0, end = 0;
  for (; end < text.size(); ++end)
    if (beginsCharacter(text[end]) && ++characters > longest) break;
  return std::string(text.substr(0, end)) + "…";
}

std::string shortNumber(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double size = std::abs(value);
  if (size >= 1000.0 && size < 1e7) return fmt::format("{:.0f}", value);
  std::string text = fmt::format("{:.4g}", value);
  // Shorten "1e-05" to "1e-5"
  const std::size_t e = text.find('e');
  if (e != std::string::npos) {
    if (text[e + 1] == '+') text.erase(e + 1, 1);
    const std::size_t digits = text[e + 1] == '-' ? e + 2 : e + 1;
    while (text[digits] == '0' && digits + 1 < text.size()) text.erase(digits, 1);
  }
  return text;
}

Axis::Axis(bool logarithmic, double low, double high, bool fromZero) : logarithmic_(logarithmic) {
  if (!(low <= high)) low = high = 1.0;
  low_ = logarithmic_ ? std::log10(low) : low;
  high_ = logarithmic_ ? std::log10(high) : high;
  if (fromZero && !logarithmic_ && low_ > 0.0 && low_ < 0.5 * high_) low_ = 0.0;
  const double minRoom = logarithmic_ ? 0.15 : std::max(1e-12, 0.1 * std::abs(high_));
  const double room = high_ - low_ > 1e-9 * std::abs(high_) ? 0.04 * (high_ - low_) : minRoom;
  if (logarithmic_ || low_ != 0.0) low_ -= room;
  if (logarithmic_ || high_ != 0.0) high_ += room;
  if (!(low_ < high_)) high_ = low_ + 1.0;
}

void Axis::setPixels(double atLow, double atHigh) noexcept {
  from_ = atLow;
  to_ = atHigh;
}

bool Axis::shows(double value) const noexcept {
  return std::isfinite(value) && (!logarithmic_ || value > 0.0);
}

double Axis::at(double value) const noexcept {
  const double place = logarithmic_ ? std::log10(value) : value;
  return from_ + (place - low_) / (high_ - low_) * (to_ - from_);
}

double Axis::base() const noexcept {
  return logarithmic_ ? from_ : at(std::clamp(0.0, low_, high_));
}

std::vector<std::vector<double>> Axis::tickChoices() const {
  std::vector<std::vector<double>> choices;
  const auto addLinear = [&choices](double low, double high) {
    for (const double wanted : {8.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0}) {
      const double rough = (high - low) / wanted;
      const double decade = std::pow(10.0, std::floor(std::log10(rough)));
      const double step = decade * (rough <= 1.0 * decade   ? 1.0
                                    : rough <= 2.0 * decade ? 2.0
                                    : rough <= 5.0 * decade ? 5.0
                                                            : 10.0);
      choices.push_back(multiples(step, low, high));
    }
  };
  if (!logarithmic_) {
    addLinear(low_, high_);
    return choices;
  }
  const auto addDecades = [&](const std::vector<double>& parts, double every) {
    std::vector<double> values;
    for (const double decade : multiples(every, std::floor(low_ / every) * every, high_))
      for (const double part : parts)
        if (const double place = decade + std::log10(part); place >= low_ && place <= high_)
          values.push_back(std::pow(10.0, place));
    if (!values.empty()) choices.push_back(std::move(values));
  };
  addDecades({1.0, 2.0, 5.0}, 1.0);
  addDecades({1.0, 3.0}, 1.0);
  for (const double every : {1.0, 2.0, 3.0, 5.0, 10.0, 20.0}) addDecades({1.0}, every);
  // Less than a decade contains few or no powers of ten
  if (high_ - low_ < 1.0) addLinear(std::pow(10.0, low_), std::pow(10.0, high_));
  return choices;
}

template <class Room>
std::vector<Tick> Axis::ticks(const Room& roomOf) const {
  std::vector<Tick> best;
  for (const std::vector<double>& values : tickChoices()) {
    std::vector<Tick> ticks;
    bool fits = true;
    double end = -1e9;
    // In ascending pixels, so that each label only needs to avoid the previous one
    for (const double value : values) ticks.push_back({value, shortNumber(value)});
    if (from_ > to_) std::reverse(ticks.begin(), ticks.end());
    for (const Tick& tick : ticks) {
      const double half = 0.5 * roomOf(tick), middle = at(tick.value);
      fits = fits && middle - half >= end;
      end = middle + half;
    }
    if (fits && ticks.size() > best.size()) best = std::move(ticks);
    if (best.size() > 2) break;
  }
  return best;
}

std::vector<Tick> Axis::ticksAcross() const {
  return ticks([](const Tick& tick) { return widthOf(tick.label) + 10.0; });
}

std::vector<Tick> Axis::ticksUpward() const {
  return ticks([](const Tick&) { return 1.8 * lineHeight; });
}

}  // namespace nearmiss::app::report
