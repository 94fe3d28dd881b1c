// Runs that come along, so that `claims` need not train for minutes.
#include <nlohmann/json.hpp>

#include "core/embedded_file.hpp"
#include "tasks/contrast/contrast.hpp"

namespace attnlab {

/// Every data/contrasts/*.json.
const std::vector<EmbeddedFile>& contrast_files();

ContrastRun kept_run(const Contrast& contrast) {
  const EmbeddedFile* file = find_file(contrast_files(), contrast.name + ".json");
  if (file == nullptr) throw std::logic_error("no data/contrasts/" + contrast.name + ".json");
  const nlohmann::json arrays = nlohmann::json::parse(file->text).at("arrays");
  const auto steps = arrays.at("steps").at("data").get<std::vector<double>>();
  const nlohmann::json& accuracy = arrays.at("accuracy").at("data");  // (variants, seeds, points)
  const auto shape = arrays.at("accuracy").at("shape").get<std::vector<std::size_t>>();
  ContrastRun run;
  run.contrast = &contrast;
  run.courses.assign(shape.at(0), {});
  run.done = shape.at(1);
  auto value = accuracy.begin();
  for (std::vector<Course>& courses : run.courses) {
    for (std::size_t seed = 0; seed < run.done; ++seed) {
      Course course{steps, {}};
      for (std::size_t point = 0; point < steps.size(); ++point) course.accuracy.push_back(*value++);
      courses.push_back(std::move(course));
    }
  }
  return run;
}

}  // namespace attnlab
