// Which files a model is made of.
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/learned_model.hpp"
#include "io/unreadable.hpp"
#include "model/checkpoint/checkpoint.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_folder(const std::string& name, const Text& missing) {
  refuse_file(name, missing,
              {"config.json と、model.safetensors か pytorch_model.bin のあるフォルダーを指定してください",
               "name a folder with config.json and model.safetensors or pytorch_model.bin"});
}

/// config.json of the folder, which must be there.
void read_config(const fs::path& folder, Checkpoint& checkpoint) {
  const fs::path config = folder / "config.json";
  if (!is_file(config) && checkpoint.tensors.empty())
    refuse_folder(checkpoint.name, {"config.json がありません", "it has no config.json"});
  if (!is_file(config)) {
    refuse_file(checkpoint.name,
                {"同じフォルダーに config.json がありません", "there is no config.json beside it"},
                text("モデルの config.json を同じフォルダーに置いてください{}",
                     "put the model's config.json into its folder{}", or_one_layer(checkpoint)));
  }
  checkpoint.place = config.string();
  checkpoint.config = json_of_file(checkpoint.place);
  checkpoint.files.push_back(checkpoint.place);
}

/// The tensors of a file in safetensors, or of PyTorch.
std::vector<StoredTensor> tensors_of_file(const fs::path& file, std::vector<std::string>& files) {
  files.push_back(file.string());
  TensorFile opened = open_tensors(file.string());
  if (opened.format == TensorFormat::safetensors) {
    for (StoredTensor& tensor : opened.tensors) tensor.file = file.string();
  }
  return everything_in(std::move(opened));
}

/// Those of all the files that the index names.
std::vector<StoredTensor> tensors_of_shards(const std::string& index, std::vector<std::string>& files) {
  files.push_back(index);
  const Config json = json_of_file(index);
  const auto map = json.find("weight_map");
  if (map == json.end() || !map->is_object()) {
    refuse_file(index, {"\"weight_map\" がありません", "it has no \"weight_map\""}, get_original_again);
  }
  std::set<std::string> shards;
  for (const auto& [tensor, shard] : map->items()) {
    const std::string name = shard.is_string() ? shard.get<std::string>() : "";
    // A shard lies beside its index: no path leads elsewhere.
    if (name.empty() || fs::path(name).filename() != name) {
      refuse_file(
          index, in_array(tensor), text("シャードの名前が {} です", "its shard is named {}", quotation(name)),
          {"フォルダーを含まないファイル名が必要です", "the name of a file without folders is needed"});
    }
    shards.insert(name);
  }
  std::vector<StoredTensor> tensors;
  std::set<std::string> found;
  for (const std::string& shard : shards) {
    const fs::path path = fs::path(index).parent_path() / shard;
    if (!is_file(path)) {
      refuse_file(index, text("シャード {} がありません", "the shard {} is missing", quotation(shard)),
                  {"同じフォルダーに置いてください", "put it into the same folder"});
    }
    for (StoredTensor& tensor : tensors_of_file(path, files)) {
      const auto listed = map->find(tensor.name);
      if (listed == map->end() || *listed != shard || !found.insert(tensor.name).second) continue;
      tensors.push_back(std::move(tensor));
    }
  }
  for (const auto& [tensor, shard] : map->items()) {
    if (found.count(tensor) == 1) continue;
    refuse_file(
        index, in_array(tensor),
        text("シャード {} にありません", "it is not in its shard {}", quotation(shard.get<std::string>())),
        {"シャードをもう一度入手してください", "get the shards again"});
  }
  return tensors;
}

void read_folder(const fs::path& folder, Checkpoint& checkpoint) {
  read_config(folder, checkpoint);
  for (const char* name : {"model.safetensors", "pytorch_model.bin"}) {
    const fs::path whole = folder / name;
    const fs::path index = folder / (std::string(name) + ".index.json");
    if (is_file(whole)) {
      take_tensors(tensors_of_file(whole, checkpoint.files), checkpoint);
      return;
    }
    if (is_file(index)) {
      take_tensors(tensors_of_shards(index.string(), checkpoint.files), checkpoint);
      return;
    }
  }
  refuse_folder(checkpoint.name, {"model.safetensors も pytorch_model.bin もありません",
                                  "it has neither model.safetensors nor pytorch_model.bin"});
}

/// What attnlab wrote beside the weights that it trained. Throws Error (failed) where it is no such thing.
void read_embedded_config(const TensorFile& file, Checkpoint& checkpoint) {
  checkpoint.place = file.name;
  const auto words = file.metadata.find("words");
  try {
    checkpoint.config = Config::parse(file.metadata.at("config"));
    if (words != file.metadata.end())
      checkpoint.words = Config::parse(words->second).get<std::vector<std::string>>();
  } catch (const Config::exception&) {
    refuse_file(file.name, {"付属の情報が読めません", "its metadata cannot be read"},
                {"attnlab train の --save-model で保存し直してください",
                 "save it again with attnlab train --save-model"});
  }
}

/// Whether it is a zip archive, as torch.save writes: llama2.c's files are called .bin, too.
bool is_zip(const std::string& path) { return bytes_of(path).view.rfind("PK\3\4", 0) == 0; }

/// A file in safetensors, or the name of a model that comes along.
void read_file(const std::string& path, Checkpoint& checkpoint) {
  const TensorFile file = stored_model(path);
  take_tensors(everything_in(file), checkpoint);
  if (is_file(path)) {
    checkpoint.files.push_back(path);
    for (StoredTensor& tensor : checkpoint.tensors) tensor.file = path;
  }
  const auto task = file.metadata.find("task");
  if (file.metadata.count("config") == 1) {
    read_embedded_config(file, checkpoint);
  } else if (task != file.metadata.end()) {
    refuse_file(path,
                text("`{}` のモデルで、層を重ねただけのものではありません",
                     "it is a model of `{}`, which is no plain stack of layers", printable(task->second)),
                text("attnlab {} --model で使ってください", "use it with attnlab {} --model",
                     printable(task->second)));
  } else {
    read_config(fs::path(path).parent_path(), checkpoint);
  }
}

}  // namespace

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

void take_tensors(std::vector<StoredTensor> tensors, Checkpoint& checkpoint) {
  checkpoint.wrapper = wrapper_of(tensors);
  checkpoint.tensors = std::move(tensors);
  leave_out(checkpoint.wrapper, checkpoint.tensors);
}

Checkpoint open_checkpoint(const std::string& path) {
  Checkpoint checkpoint;
  checkpoint.name = path;
  std::error_code ignored;
  const std::string extension = lower_case(fs::path(path).extension().string());
  if (fs::is_directory(path, ignored) && is_on_disk(path)) {
    read_folder(path, checkpoint);
  } else if (extension == ".safetensors" || ((extension.empty() || comes_along(path)) && !is_file(path))) {
    read_file(path, checkpoint);
  } else if (extension == ".pt" || extension == ".pth" || extension == ".ckpt" ||
             (extension == ".bin" && is_zip(path))) {
    read_pytorch(path, checkpoint);
    if (checkpoint.config.is_null()) read_config(fs::path(path).parent_path(), checkpoint);
  } else if (extension == ".bin") {
    read_llama2c(path, checkpoint);
  } else if (extension == ".gguf") {
    read_gguf(path, checkpoint);
  } else {
    refuse_usage(text("{} はモデルのファイルではありません", "{} is no file of a model", quotation(path)),
                 {"フォルダーか、.safetensors、.pt、.pth、.bin、.gguf のファイルを指定してください",
                  "name a folder, or a file .safetensors, .pt, .pth, .bin or .gguf"});
  }
  return checkpoint;
}

}  // namespace attnlab
