#include "core/error.hpp"

namespace attnlab {

Error::Error(ErrorKind kind, const Text& problem, const Text& hint)
    : kind_(kind), message_(problem.ja() + "。" + hint.ja(), problem.en() + "; " + hint.en()) {}

}  // namespace attnlab
