// `train sense`: the slides' *bank*. One word with two meanings, and somewhere in the sentence a word that
// tells which: the ambiguous word's vector is the same in every sentence until attention has moved it.
#include <xtensor/xview.hpp>

#include "experiments/framework/experiment_kit.hpp"
#include "tasks/framework/plane.hpp"
#include "tasks/framework/training_report.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t senses_held_out = 256;
constexpr std::size_t words_of_sentence = 9;
constexpr std::size_t sentences_in_the_plane = 60;

/// The words' numbers: the ambiguous one is 0, then the contexts of both meanings, then the fillers.
struct Ambiguity {
  std::string word;                                  // that has two meanings
  std::vector<std::string> meanings;                 // what is to be said there
  std::array<std::vector<std::string>, 2> contexts;  // that tell which
  std::vector<std::string> fillers;
  std::string example;  // a sentence of these words that is drawn; like the held-out ones never trained on
};

Ambiguity ambiguity_in(Language language) {
  const TaskWords words("sense");
  return {words.plain("word").in(language),
          words.list("meanings", language),
          {words.list("first_contexts", language), words.list("second_contexts", language)},
          words.list("fillers", language),
          words.plain("example").in(language)};
}

/// One in four pairs of a context word and its distance is never trained on.
bool is_unseen(int context, int distance) { return (context + 3 * distance + 40) % 4 == 0; }

/// The ambiguous word and one word of context at any two places, fillers at the others.
Batch draw_senses(NumpyRandom& random, std::size_t sequences, const Ambiguity& ambiguity, bool held_out) {
  const std::size_t n = words_of_sentence;
  const std::size_t of_each = ambiguity.contexts[0].size();
  Batch batch{sequences, n, std::vector<int>(sequences * n), std::vector<int>(sequences * n, no_target)};
  for (std::size_t i = 0; i < sequences; ++i) {
    int place = 0;
    int other = 0;
    int context = 0;
    do {
      place = draw_index(random, n);
      other = draw_index(random, n);
      context = draw_index(random, 2 * of_each);
    } while (place == other || is_unseen(context, place - other) != held_out);
    int* input = batch.inputs.data() + i * n;
    for (std::size_t k = 0; k < n; ++k) {
      input[k] = static_cast<int>(1 + 2 * of_each) + draw_index(random, ambiguity.fillers.size());
    }
    input[place] = 0;
    input[other] = 1 + context;
    batch.targets[i * n + static_cast<std::size_t>(place)] =
        static_cast<std::size_t>(context) < of_each ? 0 : 1;
  }
  return batch;
}

/// The ambiguous word reads the word that tells: one of the first `contexts` behind it.
std::vector<WantedRead> telling_word(const int* input, std::size_t n, std::size_t contexts) {
  const int* place = std::find(input, input + n, 0);
  const int* recorded = std::find_if(
      input, input + n, [&](int word) { return word > 0 && static_cast<std::size_t>(word) <= contexts; });
  return {{static_cast<std::size_t>(place - input), static_cast<std::size_t>(recorded - input)}};
}

/// The ambiguous word's vector in each of these sentences: (sentences, width).
Tensor<double> ambiguous_vectors(const Learned& learned, const Batch& batch, std::size_t layer) {
  Pass<double> pass(learned.model, batch.sequences);
  pass.forward(learned.model, batch, 0, batch.sequences);
  const StridedMatrix<const double> x = pass.stack().residual(layer);
  Tensor<double> vectors = Tensor<double>::from_shape({batch.sequences, x.columns});
  for (std::size_t i = 0; i < batch.sequences; ++i) {
    const int* input = batch.inputs.data() + i * batch.tokens;
    const auto place = static_cast<std::size_t>(std::find(input, input + batch.tokens, 0) - input);
    std::copy_n(x.row(i * batch.tokens + place), x.columns,
                vectors.begin() + static_cast<std::ptrdiff_t>(i * x.columns));
  }
  return vectors;
}

/// The direction in which the answers differ: (width)
Tensor<double> between_answers(const Learned& learned) {
  const std::size_t width = learned.task.shape.width;
  const double* answer = learned.model.parameters.data() + learned.model.places.answer.weight;  // (2, width)
  Tensor<double> direction = Tensor<double>::from_shape({width});
  for (std::size_t k = 0; k < width; ++k) direction(k) = answer[width + k] - answer[k];
  return direction;
}

/// The ambiguous word in sentences of both meanings, before and after attention.
Figure plane_figure(const Learned& learned, const Ambiguity& ambiguity, const TaskWords& task_words) {
  const Batch& all = learned.task.held_out;
  const std::size_t sentences = std::min(sentences_in_the_plane, all.sequences);
  const Batch batch{sentences, all.tokens, all.inputs, all.targets};
  const Tensor<double> before = ambiguous_vectors(learned, batch, 0);
  const Tensor<double> after = ambiguous_vectors(learned, batch, learned.task.shape.layers);
  const Tensor<double> plane = plane_along(between_answers(learned), after);
  const Tensor<double> start = matmul(before, plane);
  const Tensor<double> end = matmul(after, plane);
  std::size_t right = 0;  // sentences on their meaning's side
  std::array<Points, 3> points;
  points[2] = Points{"before", {}, {}, muted_ink, task_words("plane_before")};
  for (std::size_t meaning = 0; meaning < 2; ++meaning) {
    points[meaning] = Points{fmt::format("after_{}", meaning),
                             {},
                             {},
                             series_ink(meaning == 0 ? 0 : 1),
                             task_words.with({{"meaning", ambiguity.meanings[meaning]}})("plane_after")};
  }
  for (std::size_t i = 0; i < sentences; ++i) {
    int meaning = 0;
    for (std::size_t k = 0; k < batch.tokens; ++k)
      meaning = std::max(meaning, batch.targets[i * batch.tokens + k]);
    Points& here = points[static_cast<std::size_t>(meaning)];
    here.x.push_back(end(i, 0));
    here.y.push_back(end(i, 1));
    points[2].x.push_back(start(i, 0));
    points[2].y.push_back(start(i, 1));
    right += (meaning == 0 ? end(i, 0) < 0.0 : end(i, 0) > 0.0) ? 1U : 0U;
  }
  const TaskWords words = task_words.with({{"sentences", sentences}, {"right", right}});
  return Figure{"plane", words("plane")}
      .described(words("plane_description"))
      .captioned(words("plane_caption"))
      .panel(
          Chart{Axis{words("plane_along")}, Axis{words("plane_across")}, {points[2], points[0], points[1]}})
      .on_page(8.5, 6.0);
}

std::vector<WordGroup> telling_words(const Ambiguity& ambiguity) {
  std::vector<WordGroup> groups;
  int word = 1;
  for (std::size_t meaning = 0; meaning < 2; ++meaning) {
    WordGroup group{TaskWords("sense", {{"meaning", ambiguity.meanings[meaning]}})("kind"), {}};
    for (std::size_t i = 0; i < ambiguity.contexts[meaning].size(); ++i) group.words.push_back(word++);
    groups.push_back(std::move(group));
  }
  return groups;
}

Task senses(const Arguments& arguments) {
  const Ambiguity ambiguity = ambiguity_in(language_named(arguments.text("sentences")).value());
  const std::size_t contexts = 2 * ambiguity.contexts[0].size();
  Task task{"sense",
            {{"word", ambiguity.word}, {"first", ambiguity.meanings[0]}, {"second", ambiguity.meanings[1]}}};
  task.words = all_words({{ambiguity.word}, ambiguity.contexts[0], ambiguity.contexts[1], ambiguity.fillers});
  task.answers = ambiguity.meanings;
  task.shape = model_shape(arguments, task.words.size(), 2, words_of_sentence);
  task.draw = [ambiguity](NumpyRandom& random, std::size_t sequences) {
    return draw_senses(random, sequences, ambiguity, false);
  };
  hold_out(task, arguments, senses_held_out, [&](NumpyRandom& random, std::size_t sequences) {
    return draw_senses(random, sequences, ambiguity, true);
  });
  const std::vector<int> example = numbered(ambiguity.example, task.words);
  const auto place = std::find(example.begin(), example.end(), 0) - example.begin();
  task.example = requested_at(static_cast<std::size_t>(place), example, 0);  // of the first meaning
  task.measure = head_measure(task, "weight_on_the_context", [contexts](const int* input, std::size_t n) {
    return telling_word(input, n, contexts);
  });
  const LearningSettings settings = learning_settings(arguments);
  task.complete = [ambiguity, settings](const Learned& learned, TrainingReport& training) {
    training.figures = {plane_figure(learned, ambiguity, training.words)};
    if (!shows_words(learned.task.shape)) return;
    training.figures.push_back(words_figure(learned, first_model(learned.task, settings),
                                            telling_words(ambiguity), training.words("these")));
  };
  return task;
}

}  // namespace

Experiment sense_task() {
  const Parameter sentences = TaskWords("sense").flag("sentences", ChoiceKind{{"en", "ja"}}, "en");
  return learning_task("sense", training_parameters({sentences}, {{"steps", "600"}, {"positions", "none"}}),
                       learned_report<senses>);
}

}  // namespace attnlab
