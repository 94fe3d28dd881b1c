// The variables of this process's environment.
#pragma once

#ifdef __APPLE__
#include <crt_externs.h>
#else
#include <unistd.h>
#endif

namespace attnlab {

/// NAME=VALUE each, and a null pointer behind the last.
inline char** environment_variables() {
#ifdef __APPLE__
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

}  // namespace attnlab
