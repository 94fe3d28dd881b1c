#include "tasks/tasks.hpp"

namespace attnlab {

const std::vector<Experiment>& tasks() {
  static const std::vector<Experiment> table{reverse_task(), induction_task()};
  return table;
}

}  // namespace attnlab
