// Which BLAS multiplies the matrices here, and with which of its kernels: speed and last digits depend on it.
#pragma once

#include "core/text.hpp"

namespace attnlab {

struct BlasLibrary {
  std::string name;           // "OpenBLAS"
  std::string version;        // "0.3.21"
  std::string core;           // "Haswell": the processor that its kernels were written for
  std::string configuration;  // as the library tells it, in one line
};

/// OpenBLAS chooses its kernels at run time, once; OPENBLAS_CORETYPE=Haswell overrules it.
BlasLibrary blas_library();

/// What to do where its kernels use less of this processor than it has; nothing where they fit.
std::optional<Text> faster_kernels(const BlasLibrary& library);

}  // namespace attnlab
