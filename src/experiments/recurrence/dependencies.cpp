// What must be there before what: the steps that no number of processors can save.
#include "experiments/recurrence/recurrence.hpp"

namespace attnlab {
namespace {

/// What a result reads; results are numbered in an order in which they can be computed.
struct Reads {
  std::vector<std::size_t> tokens;
  std::vector<std::size_t> results;  // earlier ones
};

Dependencies dependencies_of(const std::vector<Reads>& all) {
  const std::size_t count = all.size();
  Dependencies found{Tensor<double>::from_shape({count}), Tensor<double>::from_shape({count, count})};
  found.paths.fill(infinity);
  for (std::size_t i = 0; i < count; ++i) {
    double ready = 0.0;
    for (const std::size_t token : all[i].tokens) found.paths(i, token) = 1.0;
    for (const std::size_t earlier : all[i].results) {
      ready = std::max(ready, found.steps(earlier));
      for (std::size_t token = 0; token < count; ++token) {
        found.paths(i, token) = std::min(found.paths(i, token), found.paths(earlier, token) + 1.0);
      }
    }
    found.steps(i) = ready + 1.0;
  }
  return found;
}

}  // namespace

Dependencies rnn_dependencies(std::size_t tokens) {
  std::vector<Reads> all;
  for (std::size_t i = 0; i < tokens; ++i) {
    all.push_back({{i}, i == 0 ? std::vector<std::size_t>{} : std::vector<std::size_t>{i - 1}});
  }
  return dependencies_of(all);
}

Dependencies attention_dependencies(std::size_t tokens) {
  std::vector<std::size_t> every(tokens);
  std::iota(every.begin(), every.end(), std::size_t{0});
  return dependencies_of(std::vector<Reads>(tokens, Reads{every, {}}));
}

Dependencies generation_dependencies(std::size_t tokens) {
  std::vector<Reads> all;
  for (std::size_t i = 0; i < tokens; ++i) {
    std::vector<std::size_t> written(i);
    std::iota(written.begin(), written.end(), std::size_t{0});
    all.push_back({{0}, written});
  }
  return dependencies_of(all);
}

}  // namespace attnlab
