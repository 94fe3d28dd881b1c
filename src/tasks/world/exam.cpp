#include "tasks/world/exam.hpp"

#include "core/for_each.hpp"
#include "core/named.hpp"

namespace attnlab {
namespace {

constexpr std::size_t stories_counted = 20000;

/// The commonest word behind every place's word, in stories that are trained on.
std::vector<int> answered_by_pairs(const WorldGrammar& grammar, const Batch& rows) {
  const std::size_t size = grammar.words().size();
  std::vector<std::size_t> pairs(size * size);
  NumpyRandom random(0);
  for (std::size_t i = 0; i < stories_counted; ++i) {
    const WorldStory story = grammar.draw(random);
    if (story.is_held_out()) continue;
    for (std::size_t k = 0; k + 1 < story.words.size(); ++k)
      pairs[static_cast<std::size_t>(story.words[k]) * size + static_cast<std::size_t>(story.words[k + 1])] +=
          1;
  }
  std::vector<int> answered;
  for (const int word : rows.inputs) {
    const auto first = pairs.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(word) * size);
    answered.push_back(
        static_cast<int>(std::max_element(first, first + static_cast<std::ptrdiff_t>(size)) - first));
  }
  return answered;
}

/// Whether what was said in the row that begins there is one of the words that may stand at the place.
bool is_right(const RequestedPlace& requested, const std::vector<int>& answered, std::size_t begin) {
  return requested.right.count(answered[begin + requested.place - 1]) == 1;
}

/// The share of right answers, mark by mark.
std::vector<double> accuracies(const std::vector<MarkedPlaces>& marks, const std::vector<WorldStory>& stories,
                               std::size_t tokens, const std::vector<int>& answered) {
  std::vector<double> shares(marks.size());
  for (std::size_t i = 0; i < stories.size(); ++i) {
    for (const RequestedPlace& requested : stories[i].requested) {
      if (!is_right(requested, answered, i * tokens)) continue;
      const MarkedPlaces* mark = find_named(marks, requested.mark);
      shares[static_cast<std::size_t>(mark - marks.data())] += 1.0 / static_cast<double>(mark->places);
    }
  }
  return shares;
}

std::vector<MarkedPlaces> marks_of(const std::vector<WorldStory>& stories) {
  std::vector<MarkedPlaces> marks;
  for (const WorldStory& story : stories) {
    for (const RequestedPlace& requested : story.requested) {
      if (find_named(marks, requested.mark) == nullptr) marks.push_back({requested.mark});
      ++find_named(marks, requested.mark)->places;
    }
  }
  return marks;
}

std::optional<Asking> example_of(const MarkedPlaces& mark, const std::vector<WorldStory>& stories,
                                 std::size_t tokens, const std::vector<std::vector<int>>& answered) {
  constexpr std::size_t fewest_words = 6;  // before it: of fewer there is little to read
  std::optional<Asking> any;
  std::optional<Asking> needing;
  for (std::size_t i = 0; i < stories.size(); ++i) {
    for (const RequestedPlace& requested : stories[i].requested) {
      if (requested.mark != mark.name || requested.place < fewest_words) continue;
      const auto keep = [&](std::optional<Asking>& shortest) {
        if (!shortest || requested.place < shortest->place) shortest = {i, requested.place};
      };
      keep(any);
      if (!mark.without.empty() && is_right(requested, answered[0], i * tokens) &&
          !is_right(requested, answered[mark.costliest_head() + 1], i * tokens))
        keep(needing);
    }
  }
  return needing ? needing : any;
}

}  // namespace

Batch rows_of(const std::vector<WorldStory>& stories) {
  Batch batch;
  for (const WorldStory& story : stories) batch.tokens = std::max(batch.tokens, story.words.size() - 1);
  for (const WorldStory& story : stories) {
    batch.inputs.insert(batch.inputs.end(), story.words.begin(), story.words.end() - 1);
    batch.targets.insert(batch.targets.end(), story.words.begin() + 1, story.words.end());
    batch.inputs.resize(++batch.sequences * batch.tokens, 0);
    batch.targets.resize(batch.inputs.size(), no_target);
  }
  return batch;
}

std::size_t MarkedPlaces::costliest_head() const {
  return static_cast<std::size_t>(std::min_element(without.begin(), without.end()) - without.begin());
}

bool MarkedPlaces::needs(std::size_t head) const { return is_clearly_above(accuracy, without[head], places); }

double MarkedPlaces::cost() const { return without.empty() ? 0.0 : accuracy - without[costliest_head()]; }

std::vector<MarkedPlaces> examined(const Model<double>& model, const std::vector<WorldStory>& stories,
                                   const WorldGrammar& grammar, bool ablates) {
  const Batch rows = rows_of(stories);
  const Model<float> single = model_in<float>(model);
  const ModelShape& shape = model.shape;
  const std::size_t heads = ablates ? shape.layers * shape.heads : 0;
  std::vector<std::vector<int>> answered(heads + 1);
  on_all_processors()(answered.size(), [&](std::size_t index) {
    answered[index] = answers_to(index == 0 ? single : without_head(single, index - 1), rows);
  });
  std::vector<MarkedPlaces> marks = marks_of(stories);
  const auto shares = [&](const std::vector<int>& answers) {
    return accuracies(marks, stories, rows.tokens, answers);
  };
  const std::vector<double> all = shares(answered.front());
  const std::vector<double> pairs = shares(answered_by_pairs(grammar, rows));
  for (std::size_t i = 0; i < marks.size(); ++i) {
    marks[i].accuracy = all[i];
    marks[i].by_last_word = pairs[i];
  }
  for (std::size_t head = 0; head < heads; ++head) {
    const std::vector<double> without = shares(answered[head + 1]);
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i].without.push_back(without[i]);
  }
  for (MarkedPlaces& mark : marks) mark.example = example_of(mark, stories, rows.tokens, answered);
  return marks;
}

}  // namespace attnlab
