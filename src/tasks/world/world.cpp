// `train world`: a language model over the words of a small world, whose grammar is known: how good is good
// is computed, and what is held out is held out by construction.
#include "tasks/world/world.hpp"

#include "core/utf8.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t stories_held_out = 512;
constexpr std::size_t tokens_read = 64;  // the longest story has fewer
constexpr double near_the_source = 0.1;  // nats a word

/// Rows of stories one behind the other, the last as far as there is room: the sign that ends one begins the
/// next.
Batch draw_rows(NumpyRandom& random, std::size_t sequences, const WorldGrammar& grammar) {
  Batch batch{sequences, tokens_read, {}, {}};
  std::vector<int> row;
  for (std::size_t i = 0; i < sequences; ++i) {
    row = {0};
    while (row.size() <= tokens_read) {
      const std::vector<int> training = draw_stories(random, 1, grammar, false).front().words;
      row.insert(row.end(), training.begin() + 1, training.end());
    }
    batch.inputs.insert(batch.inputs.end(), row.begin(), row.begin() + tokens_read);
    batch.targets.insert(batch.targets.end(), row.begin() + 1, row.begin() + 1 + tokens_read);
  }
  return batch;
}

std::string recorded(const WorldGrammar& grammar, const WorldStory& training) {
  return joined(spelled({training.words.begin() + 1, training.words.end() - 1}, grammar.words()), " ");
}

/// The first story that asks for it, and of it only what it asks for.
Batch example_of(const std::vector<WorldStory>& stories, const std::string& mark) {
  const auto interruption = [&](const WorldStory& training) {
    return std::any_of(training.requested.begin(), training.requested.end(),
                       [&](const RequestedPlace& requested) { return requested.mark == mark; });
  };
  const WorldStory& training = *std::find_if(stories.begin(), stories.end(), interruption);
  Batch row = rows_of({training});
  std::fill(row.targets.begin(), row.targets.end(), no_target);
  for (const RequestedPlace& requested : training.requested)
    row.targets[requested.place - 1] = training.words[requested.place];
  return row;
}

Table table_of_marks(const Learned& learned, const World& world, const TaskWords& words) {
  Table table;
  for (const char* column :
       {"column_mark", "column_places", "column_right", "column_last_word", "column_without"})
    table.header.push_back(words(column));
  for (const MarkedPlaces& mark : world.marks) {
    const auto number = [](double share) { return fmt::format("{:.2f}", share); };
    ShortText without = mark.without.empty() ? ShortText("-") : words("no_head_matters");
    if (const std::size_t head = mark.costliest_head(); !mark.without.empty() && mark.needs(head)) {
      without = text("{:.2f}（{} なし）", "{:.2f} without {}", mark.without[head],
                     head_through_layers(learned.task.shape, head));
    }
    table.rows.push_back({words("mark_" + mark.name), std::to_string(mark.places), number(mark.accuracy),
                          number(mark.by_last_word), without});
  }
  return table;
}

/// Which marks are learned, which are not, and which head one of them cannot do without: as it was measured.
std::vector<Block> conclusions(const Learned& learned, const World& world, const TaskWords& words) {
  std::vector<Text> known;
  std::vector<Text> unknown;
  const MarkedPlaces* costliest = nullptr;
  for (const MarkedPlaces& mark : world.marks) {
    if (mark.places < fewest_places) continue;
    const bool is_known =
        mark.accuracy >= 0.9 && is_clearly_above(mark.accuracy, mark.by_last_word, mark.places, clear_lead);
    (is_known ? known : unknown).push_back(words("mark_" + mark.name));
    if (needs_a_head(mark) && (costliest == nullptr || mark.cost() > costliest->cost())) costliest = &mark;
  }
  std::vector<Block> blocks;
  if (!known.empty()) blocks.emplace_back(words.with({{"marks", listed(known)}}).say("known"));
  if (!unknown.empty())
    blocks.emplace_back(words.with({{"marks", listed(unknown)}})
                            .paragraph(known.empty() ? Role::say : Role::text, "unknown"));
  if (costliest != nullptr) {
    const std::size_t head = costliest->costliest_head();
    blocks.emplace_back(words
                            .with({{"mark", words("mark_" + costliest->name)},
                                   {"head", head_through_layers(learned.task.shape, head)},
                                   {"right", costliest->accuracy},
                                   {"fallen", costliest->without[head]}})
                            .say("costliest"));
  }
  blocks.emplace_back(words.misunderstanding());
  return blocks;
}

Report run_world(const Arguments& arguments, const Context& context) {
  const std::string& language = arguments.text("language");
  World world{language_named(language).value(), WorldGrammar(language)};
  NumpyRandom random(learning_settings(arguments).seed + 2);
  world.held_out = draw_stories(random, stories_held_out, world.grammar, true);
  Task task{"world"};
  task.words = task.answers = world.grammar.words();
  task.shape = model_shape(arguments, task.words.size(), task.words.size(), tokens_read);
  require_reading_back(task.shape);
  task.draw = [grammar = world.grammar](NumpyRandom& stream, std::size_t sequences) {
    return draw_rows(stream, sequences, grammar);
  };
  task.held_out = rows_of(world.held_out);
  task.example = example_of(world.held_out, "reason");
  task.typed_beginning = task.words.front();
  task.ablates_heads = false;
  double nats = 0.0;
  for (const WorldStory& training : world.held_out) nats += training.nats;
  const double of_held_out = nats / static_cast<double>(task.held_out.counted());
  const SourceEntropy entropy = world.grammar.entropy();
  task.values = {{"vocabulary", task.words.size() - 1},
                 {"world", TaskWords("world").plain("world_" + language)},
                 {"entropy", entropy.per_word()},
                 {"of_held_out", of_held_out},
                 {"story", recorded(world.grammar, world.held_out.front())}};
  const Learned learned = learned_from(task, arguments, context);
  const double excess = learned.points.back().loss - of_held_out;
  if (context.state) context.state(training_words()("silencing_all"));
  world.marks = examined(learned.model, world.held_out, world.grammar, !learned.was_stopped());
  TrainingReport training = training_report_of(learned);
  const TaskWords words = training.words.with({{"excess", excess}});
  if (excess > near_the_source) training.learning_title = words("learning_far");
  training.scalars = {{"source_entropy", entropy.per_word()}, {"held_out_entropy", of_held_out}};
  for (const MarkedPlaces& mark : world.marks)
    training.scalars.push_back({mark.name + "_accuracy", mark.accuracy});
  training.figures = {next_figure(learned, world, words)};
  if (!learned.was_stopped()) {
    training.weights = roles_figure(learned, world, words);
    training.figures.push_back(reads_figure(learned, world, words));
    training.figures.push_back(ablated_figure(learned, world, words));
  }
  training.closing = {words.paragraph(Role::text, excess > near_the_source ? "far" : "near"),
                      words.paragraph(Role::heading, "marks"), table_of_marks(learned, world, words)};
  for (Block& block : conclusions(learned, world, words)) training.closing.push_back(std::move(block));
  return report_of(learned, std::move(training), context);
}

}  // namespace

Experiment world_task() {
  const Parameter language = TaskWords("world").flag("language", ChoiceKind{{"en", "ja"}}, "en");
  return learning_task("world",
                       training_parameters({language}, {{"layers", "4"},
                                                        {"heads", "4"},
                                                        {"width", "64"},
                                                        {"mlp", "256"},
                                                        {"norm", "pre"},
                                                        {"mask", "causal"},
                                                        {"activation", "gelu"},
                                                        {"batch", "32"},
                                                        {"steps", "6000"}}),
                       run_world);
}

}  // namespace attnlab
