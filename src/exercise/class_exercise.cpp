#include "exercise/class_exercise.hpp"

#include "core/json.hpp"
#include "core/named.hpp"
#include "core/sha256.hpp"
#include "core/utf8.hpp"
#include "io/file_bytes.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

constexpr int record_schema = 1;

[[noreturn]] void refuse_record(const std::string& file) {
  refuse_file(file, Text::none(), {"exercise の記録ではありません", "it is no record of an exercise"},
              {"`attnlab exercise` を実行したフォルダーを --sheets で指定してください",
               "name the folder that `attnlab exercise` has written with --sheets"});
}

const Experiment& experiment_of(const Json& record, const std::string& file) {
  const auto name = record.at("experiment").get<std::string>();
  const Experiment* found = find_named(experiments(), name);
  if (found != nullptr) return *found;
  refuse_file(file, Text::none(), text("実験 {} はありません", "there is no experiment {}", quotation(name)),
              {"`attnlab list` で確かめてください", "`attnlab list` shows the experiments"});
}

}  // namespace

std::string record_of(const ClassExercise& exercise) {
  Json record;
  record["schema"] = record_schema;
  record["experiment"] = exercise.experiment->name;
  record["parameters"] = exercise.parameters;
  record["seed"] = exercise.seed;
  record["asked"] = exercise.requested;
  record["decimals"] = exercise.decimals;
  return record.dump(2) + "\n";
}

ClassExercise read_record(const std::filesystem::path& file) {
  const SharedBytes bytes = bytes_of(file.string());
  check_text_size(bytes.view, file.string());
  try {
    const Json record = Json::parse(bytes.view);
    const auto whole_number = [&](const char* key, std::uint64_t least, std::uint64_t most) {
      const std::optional<std::uint64_t> found = whole_number_of(record.at(key), least, most);
      if (!found) refuse_record(file.string());
      return *found;
    };
    whole_number("schema", record_schema, record_schema);
    ClassExercise exercise;
    exercise.experiment = &experiment_of(record, file.string());
    exercise.parameters = record.at("parameters").get<std::map<std::string, std::string>>();
    exercise.seed =
        static_cast<long long>(whole_number("seed", 0, std::numeric_limits<std::uint32_t>::max()));
    exercise.requested = record.at("asked").get<std::vector<std::string>>();
    exercise.decimals = static_cast<int>(whole_number("decimals", 1, most_given_decimals));
    const std::vector<Parameter>& known = exercise.experiment->parameters;
    const bool fits =
        std::all_of(exercise.parameters.begin(), exercise.parameters.end(),
                    [&](const auto& entry) { return find_named(known, entry.first) != nullptr; });
    if (!fits || exercise.requested.empty()) refuse_record(file.string());
    return exercise;
  } catch (const Json::exception&) {
    refuse_record(file.string());
  }
}

std::uint32_t seed_of(long long class_seed, const std::string& id) {
  constexpr std::size_t digits = 8;  // of 32 bits
  const std::string hash = sha256(fmt::format("{}\n{}", class_seed, id));
  return static_cast<std::uint32_t>(std::stoul(hash.substr(0, digits), nullptr, 16));
}

Report run_of(const ClassExercise& exercise, const std::string& id) {
  Arguments arguments(exercise.experiment->parameters);
  for (const auto& [name, words] : exercise.parameters) arguments.set(name, words);
  if (find_named(exercise.experiment->parameters, "seed") != nullptr) {
    arguments.set("seed", std::to_string(seed_of(exercise.seed, id)));
  }
  return run_rounded(*exercise.experiment, arguments, exercise.decimals);
}

}  // namespace attnlab
