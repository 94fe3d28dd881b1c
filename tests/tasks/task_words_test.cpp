// What the tasks say, in both languages.
#include "tasks/framework/task_words.hpp"

#include <doctest/doctest.h>

#include "sentence_values.hpp"

namespace attnlab {
namespace {

TEST_CASE("every sentence of a task names the same values in both languages") {
  std::size_t sentences = 0;
  for (const EmbeddedFile& file : task_word_files()) sentences += check_sentences(file);
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
