#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "tasks/world/world.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_marks = 2;
constexpr std::size_t heads_shown = 4;
constexpr std::size_t most_bars = 6;

/// The heads without which a mark suffers, the worst first; the worst alone where none is missed.
std::vector<std::size_t> costliest_heads(const MarkedPlaces& mark) {
  constexpr double missed = 0.03;
  std::vector<std::size_t> order(mark.without.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return mark.without[a] < mark.without[b]; });
  const auto last = std::find_if(order.begin() + 1, order.end(), [&](std::size_t head) {
    return mark.without[head] > mark.accuracy - missed;
  });
  order.resize(std::min(heads_shown, static_cast<std::size_t>(last - order.begin())));
  return order;
}

/// The way to a mark's example, and what every head attends to on it: (layers, heads, tokens, tokens).
struct WayToMark {
  std::vector<int> before;
  Tensor<double> weights;
  std::string next;
};

WayToMark way_to(const Learned& learned, const World& world, const MarkedPlaces& mark) {
  const auto [number, place] = mark.example.value();
  const std::vector<int>& story = world.held_out[number].words;
  WayToMark way{{story.begin(), story.begin() + static_cast<std::ptrdiff_t>(place)},
                {},
                world.grammar.words()[static_cast<std::size_t>(story[place])]};
  way.weights = weights_over(learned.model, {1, place, way.before, std::vector<int>(place, no_target)});
  return way;
}

/// What heads read at the last word before the place: a row a head, a column a word.
Panel reads_panel(const Learned& learned, const World& world, const MarkedPlaces& mark,
                  const TaskWords& words) {
  const WayToMark way = way_to(learned, world, mark);
  const std::vector<std::size_t> heads = costliest_heads(mark);
  const std::size_t tokens = way.before.size();
  Matrix rows{heads.size(), tokens, {}};
  std::vector<bool> marked;
  std::vector<ShortText> names;
  for (const std::size_t head : heads) {
    const double* row = way.weights.data() + ((head * tokens) + tokens - 1) * tokens;
    rows.values.insert(rows.values.end(), row, row + tokens);
    constexpr double most = 0.5;  // of the row: more than all others together
    for (std::size_t i = 0; i < tokens; ++i) marked.push_back(row[i] > most);
    names.emplace_back(
        text("{}：{:.2f}", "{}: {:.2f}", head_through_layers(learned.task.shape, head), mark.without[head]));
  }
  return {words.with({{"mark", words("mark_" + mark.name)}, {"next", way.next}})("reads_panel"),
          HeatMap{"reads_" + mark.name, rows}
              .rows(words("head"), names)
              .columns(Text::none(), short_texts(spelled(way.before, world.grammar.words())))
              .coloured(weight_colours())
              .marking(marked)};
}

/// A sentence of world.toml behind the sign of a beginning.
Batch sentence_of(const World& world, const Text& sentence) {
  std::vector<int> tokens = numbered(sentence.in(world.language), world.grammar.words());
  tokens.insert(tokens.begin(), 0);
  return {1, tokens.size(), tokens, std::vector<int>(tokens.size(), no_target)};
}

}  // namespace

bool needs_a_head(const MarkedPlaces& mark) {
  return mark.places >= fewest_places && mark.cost() >= clear_fall && mark.needs(mark.costliest_head());
}

std::optional<Figure> roles_figure(const Learned& learned, const World& world, const TaskWords& words) {
  constexpr std::size_t most_heads = 3;
  std::vector<const MarkedPlaces*> marks;
  for (const MarkedPlaces& mark : world.marks)
    if (mark.example && needs_a_head(mark)) marks.push_back(&mark);
  std::stable_sort(marks.begin(), marks.end(),
                   [](const MarkedPlaces* a, const MarkedPlaces* b) { return a->cost() > b->cost(); });
  std::set<std::size_t> shown;
  std::vector<Text> names;
  Figure figure{"weights"};
  for (const MarkedPlaces* mark : marks) {
    const std::size_t head = mark->costliest_head();
    if (shown.size() == most_heads || !shown.insert(head).second) continue;
    const WayToMark way = way_to(learned, world, *mark);
    const std::size_t tokens = way.before.size();
    const double* first = way.weights.data() + head * tokens * tokens;
    const std::vector<ShortText> spelt = short_texts(spelled(way.before, world.grammar.words()));
    names.push_back(words("mark_" + mark->name));
    figure.panels.push_back({words.with({{"mark", names.back()},
                                         {"head", head_through_layers(learned.task.shape, head)}})("role"),
                             HeatMap{"role_" + mark->name, {tokens, tokens, {first, first + tokens * tokens}}}
                                 .rows(Text::none(), spelt)
                                 .columns(Text::none(), spelt)
                                 .coloured(weight_colours())});
  }
  if (figure.panels.empty()) return std::nullopt;
  const TaskWords of_them = words.with({{"marks", listed(names)}});
  figure.title = of_them("roles");
  return std::move(figure)
      .described(of_them("roles_description"))
      .captioned(text("{}{}", "{}{}", of_them("roles_caption"), note_on_heads_of_layers()))
      .sharing_scale(weight_colours())
      .on_page(14.0, 6.4);
}

Figure reads_figure(const Learned& learned, const World& world, const TaskWords& words) {
  std::vector<const MarkedPlaces*> shown;
  for (const MarkedPlaces& mark : world.marks) {
    if (mark.places >= fewest_places && mark.example) shown.push_back(&mark);
  }
  std::stable_sort(shown.begin(), shown.end(),
                   [](const MarkedPlaces* a, const MarkedPlaces* b) { return a->cost() > b->cost(); });
  shown.resize(std::min(most_marks, shown.size()));
  const MarkedPlaces& first = *shown.front();
  const TaskWords of_it =
      words.with({{"mark", words("mark_" + first.name)},
                  {"accuracy", first.accuracy},
                  {"head", head_through_layers(learned.task.shape, first.costliest_head())},
                  {"fallen", first.without[first.costliest_head()]},
                  {"shown", heads_shown}});
  Figure figure{"reads", of_it(!learned.has_gained() ? "weights"
                               : needs_a_head(first) ? "reads"
                                                     : "reads_nothing")};
  figure.description = of_it("reads_description");
  for (const MarkedPlaces* mark : shown) figure.panels.push_back(reads_panel(learned, world, *mark, words));
  const bool has_frame = std::any_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
    const std::vector<bool>& marked = std::get<HeatMap>(panel.content).marked;
    return std::count(marked.begin(), marked.end(), true) > 0;
  });
  figure.caption =
      text("{}{}", "{}{}", of_it("reads_caption"), has_frame ? of_it("reads_framed") : Text::none());
  figure.columns = 1;
  figure.shared_scale = weight_colours();
  figure.page = {10.0, 3.4 * static_cast<double>(shown.size()) + 1.4};
  return figure;
}

Figure ablated_figure(const Learned& learned, const World& world, const TaskWords& words) {
  std::vector<const MarkedPlaces*> shown;
  for (const MarkedPlaces& mark : world.marks) {
    if (mark.places >= fewest_places) shown.push_back(&mark);
  }
  const std::size_t heads = shown.front()->without.size();
  Matrix accuracy{shown.size(), heads + 1, {}};
  std::vector<ShortText> names{words("with_all")};
  for (std::size_t head = 0; head < heads; ++head)
    names.emplace_back(head_through_layers(learned.task.shape, head));
  std::vector<ShortText> marks;
  std::set<std::size_t> felt;
  for (const MarkedPlaces* mark : shown) {
    marks.emplace_back(words("mark_" + mark->name));
    accuracy.values.push_back(mark->accuracy);
    for (std::size_t head = 0; head < heads; ++head) {
      accuracy.values.push_back(mark->without[head]);
      if (mark->accuracy - mark->without[head] >= clear_fall && mark->needs(head)) felt.insert(head);
    }
  }
  const TaskWords of_it = words.with({{"felt", felt.size()}, {"heads", heads}});
  const Text title =
      learned.has_gained() ? of_it("silenced") : training_words(values_of(learned))("heads_in_turn");
  return Figure{"ablation", title}
      .described(of_it("silenced_description"))
      .captioned(of_it("silenced_caption"))
      .panel(Text::none(), HeatMap{"accuracy_without_head", accuracy}
                               .rows(Text::none(), marks)
                               .columns(words("silent_head"), names)
                               .coloured({Palette::blues, 0.0, 1.0, training_words()("accuracy")})
                               .with_numbers(2))
      .on_page(0.5 * static_cast<double>(heads) + 4.0, 7.0);
}

Figure next_figure(const Learned& learned, const World& world, const TaskWords& words) {
  const std::array<Text, 2> sentences{words.plain("sentence_1"), words.plain("sentence_2")};
  std::array<Likeliest, 2> next;
  for (std::size_t i = 0; i < next.size(); ++i)
    next[i] =
        likeliest_next(learned.model, sentence_of(world, sentences[i]), world.grammar.words(), most_bars);
  const std::string first = next[0].names.front().in(world.language);
  const std::string second = next[1].names.front().in(world.language);
  const bool is_sure = next[0].shares.front() >= 0.5 && next[1].shares.front() >= 0.5;
  const TaskWords of_it = words.with({{"first", first},
                                      {"second", second},
                                      {"first_share", next[0].shares.front()},
                                      {"second_share", next[1].shares.front()},
                                      {"sentence_1", sentences[0].in(world.language)},
                                      {"sentence_2", sentences[1].in(world.language)}});
  Figure figure = Figure{"next", of_it(first == second ? "next_same"
                                       : is_sure       ? "next"
                                                       : "next_unsure")}
                      .described(of_it("next_description"))
                      .captioned(of_it("next_caption"))
                      .in_columns(2)
                      .on_page(10.0, 4.8);
  for (std::size_t i = 0; i < next.size(); ++i) {
    figure.panels.push_back({of_it(i == 0 ? "next_first" : "next_second"),
                             Chart{Axis{words("next_axis")}.named(next[i].names),
                                   Axis{words("probability")}.within(0.0, 1.05),
                                   {Bars{fmt::format("next_{}", i + 1), next[i].shares}.with_numbers(2)}}});
  }
  return figure;
}

}  // namespace attnlab
