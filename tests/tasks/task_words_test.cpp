// What the tasks say, in both languages.
#include "tasks/framework/task_words.hpp"

#include <doctest/doctest.h>

#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

/// The names of the values in a sentence, without how they are written.
std::set<std::string> values_in(const std::string& sentence) {
  std::set<std::string> names;
  for (std::size_t at = sentence.find('{'); at != std::string::npos; at = sentence.find('{', at + 1)) {
    names.insert(sentence.substr(at + 1, sentence.find_first_of(":}", at) - at - 1));
  }
  return names;
}

TEST_CASE("every sentence of a task names the same values in both languages") {
  std::size_t sentences = 0;
  for (const EmbeddedFile& file : task_word_files()) {
    for (const auto& [key, sentence] : read_sentences(file)) {
      INFO(file.path, " ", key);
      const bool is_one_for_both = sentence.ja() == sentence.en();  // KEY_en itself
      if (is_one_for_both) continue;
      CHECK(values_in(sentence.ja()) == values_in(sentence.en()));
      ++sentences;
    }
  }
  CHECK(sentences > 200);
}

TEST_CASE("a sentence is filled with numbers and with words of its own language, and misses no value") {
  const Text sentence{"{who}は {share:.2f}", "{share:.1f} for {who}, {count}"};
  const SentenceValues values{{"who", Text{"猫", "the cat"}}, {"share", 0.25}, {"count", std::size_t{3}}};
  CHECK(filled(sentence, values).ja() == "猫は 0.25");
  CHECK(filled(sentence, values).en() == "0.2 for the cat, 3");
  CHECK_THROWS_AS(filled(sentence, {{"share", 0.25}}), fmt::format_error);
  CHECK_THROWS_AS(TaskWords("juggling"), std::logic_error);
}

}  // namespace
}  // namespace attnlab
