// SPDX-License-Identifier: MIT
/// Linked into test programs that are declared to have one thread: they end if they start another,
/// for then the Thread sanitizer has to see them.
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

extern "C" int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) {
  std::fputs("a test that starts threads must say THREADS in nearmiss_test()\n", stderr);
  std::abort();
}
