// A trained model as a safetensors file: its parameters under GPT-2's names, and in the metadata what is
// needed to run it again.
#pragma once

#include "io/tensor_file.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// The report's model, float32 where it was trained so. The metadata also get the task, the command that made
/// it and the parameters that were typed. Identical input gives identical bytes.
std::string model_safetensors(const Report& report, const std::string& command);

/// What model_safetensors wrote; `file` may also be the name of a model that comes along ("induction").
/// Throws Error (failed) for a file that is none, and for a model of another task.
LearnedModel read_model(const std::string& file, const std::string& task);

/// A file, or, where there is none of that name, the model that comes along under it. Throws Error (failed),
/// naming those, where there is neither.
TensorFile stored_model(const std::string& name);

/// Whether a file or folder stands there; a folder hides no model that comes along under its name.
bool is_on_disk(const std::string& name);

/// "agreement", "dictionary", ...: every data/models/*.safetensors.
std::vector<std::string> shipped_models();

/// The name of the model that comes along for this language where there is one for each: "world.ja" of
/// "world"; else the name itself.
std::string shipped_for(const std::string& name, Language language);

/// Whether a model comes along under the name, for a language at least.
bool comes_along(const std::string& name);

}  // namespace attnlab
