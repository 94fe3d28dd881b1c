#include "io/learned_model.hpp"

#include "core/embedded_file.hpp"
#include "core/json.hpp"
#include "core/utf8.hpp"
#include "core/version.hpp"
#include "io/report_files.hpp"
#include "io/unreadable.hpp"

namespace attnlab {

/// Every data/models/*.safetensors.
const std::vector<EmbeddedFile>& model_files();

namespace {

std::string name_of_model(const EmbeddedFile& file) {
  return std::filesystem::path(file.path).stem().string();
}

const EmbeddedFile* shipped_file(const std::string& name) {
  for (const EmbeddedFile& file : model_files()) {
    if (name_of_model(file) == name) return &file;
  }
  return nullptr;
}

bool is_shipped(const std::string& name) { return shipped_file(name) != nullptr; }

}  // namespace

bool is_on_disk(const std::string& name) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(name, ignored);
  const bool is_hidden = is_folder && (is_shipped(name) || is_shipped(name + ".en"));
  return std::filesystem::exists(name, ignored) && !is_hidden;
}

TensorFile stored_model(const std::string& name) {
  if (is_on_disk(name)) return open_tensors(name);
  if (const EmbeddedFile* const file = shipped_file(name))
    return tensors_in({file->text, nullptr}, TensorFormat::safetensors, name);
  if (std::filesystem::path(name).extension().empty()) {
    refuse_file(
        name,
        {"そのようなファイルも付属のモデルもありません", "there is no such file, and no model of that name"},
        text("付属のモデルは {} です", "the models that come along are {}", joined(shipped_models(), ", ")));
  }
  return open_tensors(name);
}

namespace {

const Text train_again{"attnlab train の --save-model で保存し直してください",
                       "save one with attnlab train --save-model"};

/// The parameters that decide what the model is: those that were typed, but for files and what was asked of
/// it.
Json settings_json(const Report& report) {
  Json settings = Json::object();
  for (const UsedParameter& parameter : report.parameters) {
    const bool is_requested = parameter.name == "model" || parameter.name == "input" ||
                              parameter.name == "text" || parameter.name == "pairs";
    if (!parameter.is_default && !is_requested) settings[parameter.name] = parameter.text;
  }
  return settings;
}

}  // namespace

std::string model_safetensors(const Report& report, const std::string& command) {
  const LearnedModel& model = report.trained.model.value();
  Json header = Json::object();
  Json& metadata = header["__metadata__"];
  metadata = {{"format", "attnlab"}, {"version", version}, {"task", report.experiment}, {"command", command}};
  metadata["settings"] = settings_json(report).dump();
  for (const auto& [name, value] : model.metadata) metadata[name] = value;
  std::string bytes;
  for (const auto& [name, array] : model.tensors) {
    const std::size_t begin = bytes.size();
    bytes += numbers_of(array);
    header[name] = {{"dtype", array.dtype == DType::float32 ? "F32" : "F64"},
                    {"shape", array.shape},
                    {"data_offsets", {begin, bytes.size()}}};
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string file;
  append_little_endian(file, std::uint64_t{text.size()});
  return file + text + bytes;
}

std::vector<std::string> shipped_models() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : model_files()) names.push_back(name_of_model(file));
  return names;
}

LearnedModel read_model(const std::string& file, const std::string& task) {
  const TensorFile stored = stored_model(file);
  LearnedModel model{{}, stored.metadata};
  const auto written = model.metadata.find("task");
  if (stored.format != TensorFormat::safetensors || written == model.metadata.end()) {
    refuse_file(file, {"attnlab が学習したモデルではありません", "it is no model that attnlab trained"},
                train_again);
  }
  if (written->second != task) {
    refuse_file(file,
                text("{} のモデルで、{} のものではありません", "it is a model of `{}`, not of `{}`",
                     printable(written->second), task),
                text("attnlab {} --model で使ってください", "use it with attnlab {} --model",
                     printable(written->second)));
  }
  std::size_t size = 0;
  for (const StoredTensor& tensor : stored.tensors) {
    size += size_of(tensor);
    if (size > largest_array_size) {
      refuse_file(file, in_array(tensor.name), {"大きすぎます", "it is too large"}, train_again);
    }
    const Tensor<double> values = load<double>(tensor);
    const bool is_single = tensor.encoding.type == ElementType::float32;
    model.tensors.emplace_back(
        tensor.name,
        Array{tensor.shape, {}, {values.begin(), values.end()}, is_single ? DType::float32 : DType::float64});
  }
  return model;
}

std::string shipped_for(const std::string& name, Language language) {
  const std::string of_language = name + (language == Language::ja ? ".ja" : ".en");
  return is_on_disk(name) || !is_shipped(of_language) ? name : of_language;
}

bool comes_along(const std::string& name) {
  return is_shipped(name) || is_shipped(shipped_for(name, Language::en));
}

}  // namespace attnlab
