// SPDX-License-Identifier: MIT
/// Pairs of handles as an array.
#pragma once

#include <nearmiss/world.h>
#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss::python {

/// Returns an array with two columns: the handles returned by handlesOf(pair).
template <class Pair>
pybind11::array_t<std::uint32_t> columnsOf(const std::vector<Pair>& pairs, const auto& handlesOf) {
  pybind11::array_t<std::uint32_t> array(
      {static_cast<pybind11::ssize_t>(pairs.size()), pybind11::ssize_t{2}});
  auto out = array.template mutable_unchecked<2>();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const HandlePair bodies = handlesOf(pairs[i]);
    out(static_cast<pybind11::ssize_t>(i), 0) = static_cast<std::uint32_t>(bodies.a);
    out(static_cast<pybind11::ssize_t>(i), 1) = static_cast<std::uint32_t>(bodies.b);
  }
  return array;
}

inline pybind11::array_t<std::uint32_t> columnsOf(const std::vector<HandlePair>& pairs) {
  return columnsOf(pairs, [](const HandlePair& pair) { return pair; });
}

}  // namespace nearmiss::python
