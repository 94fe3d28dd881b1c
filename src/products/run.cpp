#include "products/run.hpp"

#include <chrono>

namespace attnlab {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace attnlab
