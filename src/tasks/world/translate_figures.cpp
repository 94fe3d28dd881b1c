#include <xtensor/xview.hpp>

#include "core/utf8.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "tasks/world/translate.hpp"

namespace attnlab {
namespace {

/// What each head of cross-attention reads where the pronoun is to be said. (layers · heads, source words)
Matrix read_for_the_pronoun(const Tensor<double>& weights, std::size_t place) {
  const std::size_t heads = weights.shape()[0] * weights.shape()[1];
  const std::size_t words = weights.shape()[3];
  Matrix rows{heads, words, {}};
  for (std::size_t head = 0; head < heads; ++head) {
    const double* row = weights.data() + (head * weights.shape()[2] + place) * words;
    rows.values.insert(rows.values.end(), row, row + words);
  }
  return rows;
}

std::size_t place_of(const std::vector<int>& words, const std::vector<std::string>& spelt, const Text& word) {
  const auto is_it = [&](int number) { return spelt[static_cast<std::size_t>(number)] == word.en(); };
  return static_cast<std::size_t>(std::find_if(words.begin(), words.end(), is_it) - words.begin());
}

/// Where il or elle is said; the first word of a model that says neither.
std::size_t place_of_pronoun(const std::vector<int>& answered, const std::vector<std::string>& spelt) {
  for (std::size_t i = 0; i < answered.size(); ++i) {
    const std::string& word = spelt[static_cast<std::size_t>(answered[i])];
    if (word == "il" || word == "elle") return i;
  }
  return 0;
}

/// Where the largest weight of a word is that is no mark.
std::size_t strongest_link(const Tensor<double>& weights, const std::vector<std::string>& queries) {
  const std::set<std::string> marks{".", "。", "¶"};
  const std::size_t keys = weights.shape()[1];
  std::size_t place = 0;
  double most = -1.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights.flat(i) <= most || marks.count(queries[i / keys]) == 1) continue;
    most = weights.flat(i);
    place = i;
  }
  return place;
}

}  // namespace

Figure alignment_figure(const Learned& learned, const Translation& translation, std::size_t head,
                        const TaskWords& words) {
  const std::vector<std::string>& spelt = learned.task.words;
  const std::size_t heads = learned.model.shape.heads;
  const Tensor<double> of_head =
      xt::view(translation.weights, head / heads, head % heads, xt::all(), xt::all());
  std::vector<int> answered = translation.answered;
  answered.push_back(0);  // the end
  const std::vector<std::string> said = spelled(answered, spelt);
  const std::vector<std::string> source = spelled(translation.source, spelt);
  const std::size_t link = strongest_link(of_head, said);
  std::vector<bool> named(of_head.size(), false);
  named[link] = true;
  const TaskWords of_it = words.with({{"head", head_through_layers(learned.model.shape, head)},
                                      {"said_word", said[link / source.size()]},
                                      {"source_word", source[link % source.size()]},
                                      {"link", of_head.flat(link)}});
  return Figure{"alignment", of_it("alignment")}
      .described(of_it("alignment_description"))
      .captioned(of_it("alignment_caption"))
      .panel(Text::none(), HeatMap{"alignment", to_matrix(of_head)}
                               .rows(words("said_axis"), short_texts(said))
                               .columns(words("source_axis"), short_texts(source))
                               .coloured(weight_colours())
                               .marking(std::move(named)))
      .on_page(8.4, 7.6);
}

Figure pronoun_figure(const Learned& learned, const Model<double>& random, const TaskWords& words) {
  const std::vector<std::string>& spelt = learned.task.words;
  const std::array<std::vector<int>, 2> sources{numbered(words.plain("pronoun_1").en(), spelt),
                                                numbered(words.plain("pronoun_2").en(), spelt)};
  const std::size_t animal = place_of(sources[0], spelt, words.plain("pronoun_animal"));
  const std::size_t road = place_of(sources[0], spelt, words.plain("pronoun_road"));
  std::array<Matrix, 2> rows;
  std::array<Matrix, 2> controls;
  std::array<std::string, 2> pronouns;
  std::array<std::string, 2> answered;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Translation translation = translated(learned.model, sources[i]);
    const std::size_t place = place_of_pronoun(translation.answered, spelt);
    rows[i] = read_for_the_pronoun(translation.weights, place);
    controls[i] = read_for_the_pronoun(weights_of(random, sources[i], translation.answered), place);
    answered[i] = joined(spelled(translation.answered, spelt), " ");
    pronouns[i] = translation.answered.empty() ? spelt.front()
                                               : spelt[static_cast<std::size_t>(translation.answered[place])];
  }
  // The head whose reading turns most from the one noun to the other.
  const auto turn = [&](std::size_t head) {
    return rows[0].at(head, animal) - rows[1].at(head, animal) + rows[1].at(head, road) -
           rows[0].at(head, road);
  };
  std::size_t best = 0;
  for (std::size_t head = 0; head < rows[0].rows; ++head) best = turn(head) > turn(best) ? head : best;
  const TaskWords of_it = words.with({{"head", head_through_layers(learned.model.shape, best)},
                                      {"pronoun_1", pronouns[0]},
                                      {"pronoun_2", pronouns[1]},
                                      {"animal", words.plain("pronoun_animal")},
                                      {"road", words.plain("pronoun_road")},
                                      {"animal_1", rows[0].at(best, animal)},
                                      {"animal_2", rows[1].at(best, animal)},
                                      {"road_1", rows[0].at(best, road)},
                                      {"road_2", rows[1].at(best, road)},
                                      {"said_1", answered[0]},
                                      {"said_2", answered[1]}});
  const bool turns = rows[0].at(best, animal) >= 0.5 && rows[1].at(best, road) >= 0.5;
  Figure figure{"pronoun", of_it(turns ? "pronoun" : "pronoun_alike")};
  figure.description = of_it("pronoun_description");
  figure.caption = of_it("pronoun_caption");
  std::vector<ShortText> names;
  for (std::size_t head = 0; head < rows[0].rows; ++head)
    names.emplace_back(head_through_layers(learned.model.shape, head));
  for (const bool is_learned : {true, false}) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      std::vector<bool> marked(rows[i].values.size(), false);
      for (const std::size_t noun : {animal, road}) marked[best * rows[i].columns + noun] = is_learned;
      figure.panels.push_back(
          {words.with({{"pronoun", pronouns.at(i)}})(is_learned ? "pronoun_panel" : "pronoun_control"),
           HeatMap{fmt::format("pronoun_{}{}", is_learned ? "" : "random_", i + 1),
                   is_learned ? rows[i] : controls[i]}
               .rows(Text::none(), names)
               .columns(Text::none(), short_texts(spelled(sources[i], spelt)))
               .coloured(weight_colours())
               .marking(std::move(marked))});
    }
  }
  figure.columns = 2;
  figure.shared_scale = weight_colours();
  figure.shared_axes = true;
  figure.page = {12.0, 9.0};
  return figure;
}

}  // namespace attnlab
