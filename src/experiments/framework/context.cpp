#include "experiments/framework/context.hpp"

namespace attnlab {

Context quiet_context() {
  return {[] { return 0.0; }, [](double) {}};
}

}  // namespace attnlab
