// One line of a computation as it stands on a blackboard.
#pragma once

#include "core/formula.hpp"

namespace attnlab {

/// left = a ≈ b: each link is a relation and what stands behind it.
struct Chain {
  struct Link {
    std::string relation;  // "=", "≈", "<", "→"
    Formula right;
  };
  Formula left;
  std::vector<Link> links;
};

}  // namespace attnlab

extern template class std::vector<attnlab::Chain::Link>;
extern template class std::vector<attnlab::Chain>;
