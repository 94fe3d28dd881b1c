#include "attend/sentence.hpp"

namespace attnlab {

const EmbeddedFile& attend_file(const std::string& name) {
  return *find_file(attend_files(), name + ".toml");
}

Text attend_sentence(const std::string& key, const SentenceValues& values) {
  static const Sentences all = read_sentences(attend_file("sentences"));
  return filled(all.at(key), values);
}

void refuse_attend(const std::string& key, const SentenceValues& values, ErrorKind kind) {
  throw Error(kind, attend_sentence(key, values), attend_sentence(key + "_hint", values));
}

}  // namespace attnlab
