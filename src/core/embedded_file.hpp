// Files that are compiled into the program: an installed attnlab verifies itself in any folder.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

struct EmbeddedFile {
  std::string_view path;  // below the folder that was embedded: "layers/linear.json"
  std::string_view text;
};

/// The file of that path, or nullptr.
inline const EmbeddedFile* find_file(const std::vector<EmbeddedFile>& files, std::string_view path) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [path](const EmbeddedFile& file) { return file.path == path; });
  return found == files.end() ? nullptr : &*found;
}

// Written by cmake/Embed.cmake, in the order of the paths.

/// Every data/reference/*/*.json.
const std::vector<EmbeddedFile>& reference_files();

/// Every src/experiments/*/expected.toml.
const std::vector<EmbeddedFile>& expected_files();

/// Every data/inputs/*.txt: the word vectors of `pooling`.
const std::vector<EmbeddedFile>& input_files();

/// data/inputs/sentences.toml: what trained models have made of a sentence.
const std::vector<EmbeddedFile>& sentence_files();

/// src/experiments/mistakes/mistakes.toml.
const std::vector<EmbeddedFile>& mistakes_files();

/// src/experiments/variants/variants.toml.
const std::vector<EmbeddedFile>& variants_files();

/// src/results/check/mistakes.toml.
const std::vector<EmbeddedFile>& mistake_words_files();

/// src/experiments/cache/cache.toml.
const std::vector<EmbeddedFile>& cache_files();

/// What PyTorch gives for `heads --variant parity`: src/experiments/heads/pytorch_{output,weights}.txt.
const std::vector<EmbeddedFile>& heads_pytorch_files();

/// src/results/code/helpers.py: the functions of `--code`.
const std::vector<EmbeddedFile>& code_files();

/// src/page/assets/page.{css,js}: the style and the script of a page with sliders.
const std::vector<EmbeddedFile>& page_files();

/// src/lecture/assets/lecture.{css,js}: the style of a lecture's page, and the script that presents it.
const std::vector<EmbeddedFile>& lecture_files();

/// data/lectures/*.md: the lectures that come along, one language each.
const std::vector<EmbeddedFile>& lecture_documents();

/// extras/attnlab.{lua,py}: pandoc's filter and Python's module.
const std::vector<EmbeddedFile>& extra_files();

/// src/products/site/assets/site.{css,js}, and data/site/*.md: what the pages of `attnlab site` begin with.
const std::vector<EmbeddedFile>& site_files();
const std::vector<EmbeddedFile>& site_texts();

/// Every src/claims/*.toml.
const std::vector<EmbeddedFile>& claim_files();

/// Every src/attend/*.toml.
const std::vector<EmbeddedFile>& attend_files();

/// Every src/model/*.toml.
const std::vector<EmbeddedFile>& model_text_files();

/// Every src/tasks/*.toml.
const std::vector<EmbeddedFile>& task_word_files();

/// data/texts/*.txt: what is learned where no text is given.
const std::vector<EmbeddedFile>& text_files();

/// data/completion/attnlab.{bash,fish,zsh}: the scripts with which shells complete.
const std::vector<EmbeddedFile>& completion_files();

/// apps/attnlab/command_line/{commands,flags}.toml.
const std::vector<EmbeddedFile>& command_line_files();

/// apps/attnlab/documents/documents.toml: what help, manual page and `about` say besides commands and flags.
const std::vector<EmbeddedFile>& document_files();

}  // namespace attnlab
