// The files that `attend` is pointed at: open, and not yet read as numbers.
#pragma once

#include "attend/settings.hpp"
#include "core/image.hpp"
#include "io/model_facts.hpp"

namespace attnlab {

/// One of query, key, value and x.
struct OpenedInput {
  std::string flag;
  std::string file;  // as it was typed
  StoredTensor tensor;
};

/// What --projections names: FILE or FILE:PREFIX. A tensor of that whole name is a prefix, too.
struct OpenedLayer {
  std::string name;  // FILE
  std::string prefix;
  TensorFile file;
  ModelFacts facts;
};

struct OpenedMask {
  std::string words;  // as they were typed
  TensorFormat format = TensorFormat::npy;
  StoredTensor tensor;
};

struct AttendFiles : OpenedFiles {
  std::vector<OpenedInput> inputs;
  std::optional<OpenedLayer> layer;
  std::vector<OpenedMask> masks;
  std::vector<std::string> labels;  // read, or as they were typed
  std::vector<std::string> key_labels;
  std::shared_ptr<const Image> picture;  // of --image
};

/// The words typed after the flag; or those of the file that it names (words_of_file), as never behind
/// words_sign, and the file becomes one of `files`. Throws Error: for labels that are too long, that are no
/// UTF-8, or that hold control characters.
std::vector<std::string> read_labels(const Arguments& arguments, const std::string& flag, OpenedFiles& files);

/// Throws Error (usage) when inputs are missing or contradict each other; Error naming a file that cannot be
/// read. Standard input can be one of them.
std::shared_ptr<const OpenedFiles> open_attend_files(const Arguments& arguments);

}  // namespace attnlab
