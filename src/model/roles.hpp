// What each head does with its weight, measured on a text.
#pragma once

#include "model/model.hpp"

namespace attnlab {

/// Means over the queries of a head; NaN where no query could show it (no token occurs twice). Source of the
/// last two: Elhage et al. 2021; Olsson et al. 2022.
struct HeadRoles {
  double previous = 0.0;  // weight on the token before, of queries that have one
  double own = 0.0;       // on the query itself
  double first = 0.0;     // on the first token, of the queries behind it
  double same = 0.0;      // on earlier tokens of the same kind, of queries that have such
  double followed = 0.0;  // on what stood behind these: induction
  double entropy = 0.0;   // nats
};

/// The measures in the order of tables and figures.
struct RoleMeasure {
  std::string name;  // of its scalar and panel: "previous"
  double HeadRoles::*of;
  Text title;
};
const std::vector<RoleMeasure>& role_measures();

/// The roles of one head, row by row.
class RoleSums {
 public:
  /// The weights of the query at that place over all keys.
  void add(const float* row, std::size_t query, const std::vector<std::size_t>& tokens);
  HeadRoles roles() const;

 private:
  struct Mean {
    double sum = 0.0;
    std::size_t count = 0;
    void add(double value) {
      sum += value;
      ++count;
    }
    double value() const { return count == 0 ? std::nan("") : sum / static_cast<double>(count); }
  };
  Mean previous_, own_, first_, same_, followed_, entropy_;
};

/// weights (heads, n, n) of one layer over these tokens: one entry per head.
std::vector<HeadRoles> roles_of(const Tensor<float>& weights, const std::vector<std::size_t>& tokens);

}  // namespace attnlab
