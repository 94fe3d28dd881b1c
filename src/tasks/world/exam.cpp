#include "tasks/world/exam.hpp"

#include "training/crew.hpp"

namespace attnlab {

namespace {

constexpr std::size_t sequences_at_once = 32;
constexpr std::size_t stories_counted = 20000;

std::size_t largest_of(const float* row, std::size_t count) {
  return static_cast<std::size_t>(std::max_element(row, row + count) - row);
}

/// The likeliest word behind every place: (sequences · tokens).
std::vector<std::size_t> said_by(const Model<float>& model, const Batch& rows,
                                 const std::vector<std::vector<bool>>& silent) {
  Pass<float> pass(model, std::min(sequences_at_once, rows.sequences));
  std::vector<std::size_t> said;
  for (std::size_t first = 0; first < rows.sequences; first += pass.sequences()) {
    const std::size_t count = std::min(pass.sequences(), rows.sequences - first);
    const StridedMatrix<float> logits = pass.forward(model, rows, first, count, silent);
    for (std::size_t i = 0; i < logits.rows; ++i) said.push_back(largest_of(logits.row(i), logits.columns));
  }
  return said;
}

/// The commonest word behind every place's word, in stories that are trained on.
std::vector<std::size_t> said_by_pairs(const WorldGrammar& grammar, const Batch& rows) {
  const std::size_t size = grammar.words().size();
  std::vector<float> pairs(size * size);
  NumpyRandom random(0);
  for (std::size_t i = 0; i < stories_counted; ++i) {
    const WorldStory story = grammar.draw(random);
    if (story.is_held_out()) continue;
    for (std::size_t k = 0; k + 1 < story.words.size(); ++k)
      pairs[static_cast<std::size_t>(story.words[k]) * size + static_cast<std::size_t>(story.words[k + 1])] +=
          1.0F;
  }
  std::vector<std::size_t> said;
  for (const int word : rows.inputs)
    said.push_back(largest_of(pairs.data() + static_cast<std::size_t>(word) * size, size));
  return said;
}

/// Calls visit(asked, right) for every place that is asked for.
template <class Visit>
void for_each_answer(const std::vector<WorldStory>& stories, std::size_t tokens,
                     const std::vector<std::size_t>& said, const Visit& visit) {
  for (std::size_t i = 0; i < stories.size(); ++i) {
    for (const AskedPlace& asked : stories[i].asked) {
      const auto word = static_cast<int>(said[i * tokens + asked.place - 1]);
      visit(asked, asked.right.count(word) == 1);
    }
  }
}

/// The share of right answers, mark by mark.
std::vector<double> accuracies(const std::vector<MarkedPlaces>& marks, const std::vector<WorldStory>& stories,
                               std::size_t tokens, const std::vector<std::size_t>& said) {
  std::vector<double> shares(marks.size());
  for_each_answer(stories, tokens, said, [&](const AskedPlace& asked, bool is_right) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (is_right && marks[i].mark == asked.mark) shares[i] += 1.0 / static_cast<double>(marks[i].places);
    }
  });
  return shares;
}

std::vector<MarkedPlaces> marks_of(const std::vector<WorldStory>& stories) {
  std::vector<MarkedPlaces> marks;
  for (const WorldStory& story : stories) {
    for (const AskedPlace& asked : story.asked) {
      const auto found = std::find_if(marks.begin(), marks.end(),
                                      [&](const MarkedPlaces& mark) { return mark.mark == asked.mark; });
      if (found == marks.end()) {
        marks.push_back({asked.mark, 1});
      } else {
        ++found->places;
      }
    }
  }
  return marks;
}

std::optional<Asking> example_of(const MarkedPlaces& mark, const std::vector<WorldStory>& stories,
                                 std::size_t tokens, const std::vector<std::vector<std::size_t>>& said) {
  constexpr std::size_t fewest_words = 6;  // before it: of fewer there is little to read
  std::optional<Asking> any;
  std::optional<Asking> needing;
  for (std::size_t i = 0; i < stories.size(); ++i) {
    for (const AskedPlace& asked : stories[i].asked) {
      if (asked.mark != mark.mark || asked.place < fewest_words) continue;
      const auto is_right = [&](std::size_t answers) {
        return asked.right.count(static_cast<int>(said[answers][i * tokens + asked.place - 1])) == 1;
      };
      const auto keep = [&](std::optional<Asking>& shortest) {
        if (!shortest || asked.place < shortest->place) shortest = {i, asked.place};
      };
      keep(any);
      if (!mark.without.empty() && is_right(0) && !is_right(mark.costliest_head() + 1)) keep(needing);
    }
  }
  return needing ? needing : any;
}

Model<float> in_single(const Model<double>& model) {
  Model<float> copy(model.shape);
  std::transform(model.parameters.begin(), model.parameters.end(), copy.parameters.begin(),
                 [](double number) { return static_cast<float>(number); });
  return copy;
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

double MarkedPlaces::cost() const {
  return without.empty() ? 0.0 : accuracy - without[costliest_head()];
}

std::vector<MarkedPlaces> examined(const Model<double>& model, const std::vector<WorldStory>& stories,
                                   const WorldGrammar& grammar, bool silences) {
  const Batch rows = rows_of(stories);
  const Model<float> single = in_single(model);
  const ModelShape& shape = model.shape;
  const std::size_t heads = silences ? shape.layers * shape.heads : 0;
  std::vector<std::vector<std::size_t>> said(heads + 1);
  Crew().run(said.size(), [&](std::size_t index) {
    std::vector<std::vector<bool>> silent(shape.layers, std::vector<bool>(shape.heads, false));
    if (index > 0) silent[(index - 1) / shape.heads][(index - 1) % shape.heads] = true;
    said[index] = said_by(single, rows, silent);
  });
  std::vector<MarkedPlaces> marks = marks_of(stories);
  const auto shares = [&](const std::vector<std::size_t>& answers) {
    return accuracies(marks, stories, rows.tokens, answers);
  };
  const std::vector<double> all = shares(said.front());
  const std::vector<double> pairs = shares(said_by_pairs(grammar, rows));
  for (std::size_t i = 0; i < marks.size(); ++i) {
    marks[i].accuracy = all[i];
    marks[i].by_last_word = pairs[i];
  }
  for (std::size_t head = 0; head < heads; ++head) {
    const std::vector<double> without = shares(said[head + 1]);
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i].without.push_back(without[i]);
  }
  for (MarkedPlaces& mark : marks) mark.example = example_of(mark, stories, rows.tokens, said);
  return marks;
}

}  // namespace attnlab
