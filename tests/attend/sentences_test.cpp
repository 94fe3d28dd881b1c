// What `attend` says, in both languages.
#include "attend/sentence.hpp"
#include "sentence_values.hpp"

namespace attnlab {
namespace {

TEST_CASE("every sentence of attend names the same values in both languages, and an error has its hint") {
  const EmbeddedFile& file = attend_file("sentences");
  CHECK(check_sentences(file) > 80);
  const Sentences all = read_sentences(file);
  for (const auto& entry : all) {
    const auto& [key, sentence] = entry;
    const std::size_t end = key.rfind("_hint");
    if (end == std::string::npos || end + 5 != key.size()) continue;
    INFO(entry.first);
    CHECK(all.count(key.substr(0, end)) == 1);
  }
  CHECK_THROWS_WITH_AS(refuse_attend("rope_width", {{"width", std::size_t{8}}, {"head", std::size_t{4}}}),
                       doctest::Contains("--rope-width 8 is more than a head's width 4"), Error);
}

}  // namespace
}  // namespace attnlab
