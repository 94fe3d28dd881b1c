#include "tasks/tasks.hpp"

namespace attnlab {

const std::vector<Experiment>& tasks() {
  static const std::vector<Experiment> table{
      step_task(),      reverse_task(),   dictionary_task(), induction_task(), sink_task(), shapes_task(),
      sense_task(),     agreement_task(), topic_task(),      kernel_task(),    text_task(), world_task(),
      translate_task(), pairs_task(),     contrast_task(),   mistakes_task()};
  return table;
}

}  // namespace attnlab
