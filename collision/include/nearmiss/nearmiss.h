// SPDX-License-Identifier: MIT
/// The core of the library. Its parts for experts are in nearmiss/advanced/, rival methods in
/// nearmiss/rivals/, and the C functions in nearmiss_c.h.
#pragma once

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "Nearmiss needs C++20: compile with -std=c++20 or target_compile_features(... cxx_std_20)"
#endif

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>
#include <nearmiss/ray.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>
#include <nearmiss/spheres.h>
#include <nearmiss/time_budget.h>
#include <nearmiss/world.h>
