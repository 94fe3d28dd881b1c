// --watch: what was made is made again when a file that it was made of changes.
#pragma once

#include "attnlab/command_line/parser.hpp"

namespace attnlab {

struct Watched {
  std::vector<std::filesystem::path> inputs;     // names of files, and words that name none
  std::filesystem::path page = {};               // that is shown; "" for none
  std::vector<std::filesystem::path> made = {};  // what is served with it
};

/// Puts down what its run reads, what it may read before anything can fail, and what it has made; `is_first`
/// is to say what it makes.
using Make = std::function<void(bool is_first, Watched& watched)>;

/// Throws Error (usage) where none of them is a file, before anything is made.
void require_files(const std::vector<std::filesystem::path>& inputs);

/// Makes at once, and again whenever one of the inputs has changed and rests, until Ctrl-C. A page is served
/// on the loopback address, and shows itself anew. What goes wrong later is told, and what stands is left.
/// Throws Error as the first making does.
Ending watch(const Make& make, Language language);

}  // namespace attnlab
