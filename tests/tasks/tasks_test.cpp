// What every task must reach with its defaults, and what holds of every training.
#include "io/learned_model.hpp"
#include "results/derivation/recomputed_trace.hpp"
#include "results/report/terminal.hpp"
#include "source_dir.hpp"
#include "tasks/all_tasks.hpp"
#include "tasks/contrast/contrast.hpp"
#include "tasks/framework/training_report.hpp"
#include "trained.hpp"

namespace attnlab {
namespace {

std::vector<std::string> says(const Report& report, Language language) {
  std::vector<std::string> found;
  for (const Block& block : report.body) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph != nullptr && paragraph->role == Role::say) found.push_back(paragraph->text.in(language));
  }
  return found;
}

/// Headings and paragraphs, and of each figure its title, caption and description.
std::vector<std::string> sentences_of(const Report& report, Language language) {
  std::vector<std::string> found;
  for (const Block& block : report.body) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph != nullptr) found.push_back(paragraph->text.in(language));
  }
  for (const Figure& figure : report.figures) {
    for (const Text* text : {&figure.title, &figure.caption, &figure.description})
      found.push_back(text->in(language));
  }
  return found;
}

void check_task(const std::string& word, const Typed& typed, const std::string& name, double least) {
  INFO(word);
  Typed all = typed;
  if (!trains_fully) all.emplace_back("steps", "20");
  const Report report = trained(word, all);
  CHECK(violations(report.invariants).empty());
  if (trains_fully) CHECK(scalar(report, name) >= least);
}

TEST_CASE("every task reaches with its defaults what it is there to show") {
  check_task("reverse", {{"no-control", "on"}}, "held_out_accuracy", 0.999);
  check_task("reverse", {{"no-control", "on"}, {"seed", "3"}}, "antidiagonal_weight", 0.9);
  check_task("dictionary", {}, "held_out_accuracy", 0.99);
  check_task("dictionary", {{"seed", "1"}}, "weight_on_the_value", 0.9);
  check_task("induction", {{"no-control", "on"}}, "held_out_accuracy", 0.99);
  check_task("sink", {{"no-control", "on"}}, "held_out_accuracy", 0.99);
  check_task("shapes", {}, "held_out_accuracy", 0.9);
  check_task("shapes", {{"seed", "1"}}, "weight_on_the_odd", 0.8);
  check_task("sense", {}, "held_out_accuracy", 0.98);
  check_task("sense", {{"sentences", "ja"}, {"seed", "2"}}, "held_out_accuracy", 0.98);
  check_task("agreement", {}, "held_out_accuracy", 0.98);
  check_task("agreement", {{"grammar", "ja"}, {"seed", "4"}}, "held_out_accuracy", 0.98);
  check_task("topic", {{"sentences", "en"}, {"seed", "3"}}, "held_out_accuracy", 0.98);
}

TEST_CASE("the odd shape gets an even share before anything is learned, and what is said is no more") {
  const Report report = trained("shapes", {{"steps", "1"}});
  CHECK(scalar(report, "weight_on_the_odd") < 0.1);
  CHECK(find_named(report.figures, "pictures")->title.en().find("The class token gives the odd shape") == 0);
  CHECK(joined(says(report, Language::en), " ").find("attends to the odd shape") == std::string::npos);
}

TEST_CASE("the arrays of a vision transformer give its weights: softmax(Q K^T / sqrt(d))") {
  const Report report = trained("shapes", {{"steps", "3"}, {"grid", "2"}, {"dtype", "float64"}});
  const Array& query = find_named(report.stages, "query")->array;
  const Array& key = find_named(report.stages, "key")->array;
  const Array& weights = find_named(report.stages, "weights")->array;
  REQUIRE(query.shape == std::vector<std::size_t>{2, 4, 5, 16});
  REQUIRE(weights.shape == std::vector<std::size_t>{2, 4, 5, 5});
  for (std::size_t head = 0; head < 8; ++head) {
    for (std::size_t i = 0; i < 5; ++i) {
      std::vector<double> row(5);
      double sum = 0.0;
      for (std::size_t k = 0; k < 5; ++k) {
        double product = 0.0;
        for (std::size_t d = 0; d < 16; ++d)
          product += query.data[(head * 5 + i) * 16 + d] * key.data[(head * 5 + k) * 16 + d];
        sum += row[k] = std::exp(product / 4.0);
      }
      for (std::size_t k = 0; k < 5; ++k)
        CHECK(weights.data[(head * 5 + i) * 5 + k] == doctest::Approx(row[k] / sum).epsilon(1e-12));
    }
  }
  const Array& picture = find_named(report.stages, "picture")->array;
  CHECK(picture.shape == std::vector<std::size_t>{20, 20, 3});
  CHECK(*std::max_element(picture.data.begin(), picture.data.end()) <= 1.0);
  CHECK(*std::min_element(picture.data.begin(), picture.data.end()) >= 0.0);
}

/// A world with a model that comes along, or another one.
Report told_of_world(const std::string& language, const LearnedModel& model) {
  const Experiment& experiment = task_named("world");
  Arguments arguments = arguments_of(experiment, {{"language", language}});
  arguments.sources.model = model;
  return run(experiment, arguments);
}

TEST_CASE("the models of the small world know its grammar: stories that were held out go on rightly") {
  if (!trains_fully) return;
  for (const char* language : {"en", "ja"}) {
    INFO(language);
    const Report report =
        told_of_world(language, read_model(std::string("world.") + language, "train world"));
    CHECK(violations(report.invariants).empty());
    CHECK(scalar(report, "held_out_loss") - scalar(report, "source_entropy") < 0.1);
    CHECK(scalar(report, "held_out_loss") - scalar(report, "held_out_entropy") < 0.1);
    CHECK(scalar(report, "held_out_loss") > scalar(report, "held_out_entropy"));
    CHECK(scalar(report, "agreement_accuracy") >= 0.95);
    CHECK(scalar(report, "name_accuracy") >= 0.9);
    CHECK(scalar(report, "bank_accuracy") >= 0.95);
    const std::string answered = joined(says(report, Language::en), " ");
    CHECK(answered.find("is right at least nine times in ten where the story determines it") !=
          std::string::npos);
    for (const char* mark : {"agreement", "name", "bank", "reason"})
      CHECK(answered.find(mark) != std::string::npos);
    const Figure* next = find_named(report.figures, "next");
    REQUIRE(next != nullptr);
    CHECK(next->title.en().find("Context decides the next word") == 0);
    CHECK(next->title.en().find(std::string(language) == "en" ? "tired" : "疲れ") != std::string::npos);
    CHECK(next->title.en().find(std::string(language) == "en" ? "wide" : "広") != std::string::npos);
  }
}

TEST_CASE("a world that was trained for a step is told to know nothing") {
  if (!trains_fully) return;
  const Report report = trained("world", {{"steps", "1"}});
  CHECK(joined(says(report, Language::en), " ").find("nine times in ten") == std::string::npos);
  CHECK(find_named(report.figures, "learning")->title.en().find("still far from") != std::string::npos);
  CHECK(find_named(report.figures, "next")->title.en().find("Most likely after") == 0);
  CHECK(find_named(report.figures, "reads")->title.en() ==
        "What the heads of the small world's language model attend to");
  CHECK(scalar(report, "agreement_accuracy") < 0.5);
}

TEST_CASE("what a mark loses without a head is what the model without this head's rows of W_O loses") {
  if (!trains_fully) return;
  LearnedModel model = read_model("world.en", "train world");
  const Report whole = told_of_world("en", model);
  const auto& map = std::get<HeatMap>(find_named(whole.figures, "ablation")->panels.front().content);
  const std::size_t columns = map.values.columns;
  REQUIRE(columns == 17);
  for (const std::size_t head : {std::size_t{4}, std::size_t{14}}) {
    LearnedModel cut = model;
    for (auto& [name, array] : cut.tensors) {
      if (name != fmt::format("h.{}.attn.c_proj.weight", head / 4)) continue;
      const std::size_t rows = array.shape[0] / 4;  // (in, out): what a head gives stands in its rows
      const auto first = array.data.begin() + static_cast<std::ptrdiff_t>(head % 4 * rows * array.shape[1]);
      std::fill_n(first, rows * array.shape[1], 0.0);
    }
    const Report without = told_of_world("en", cut);
    const auto& again = std::get<HeatMap>(find_named(without.figures, "ablation")->panels.front().content);
    for (std::size_t mark = 0; mark < map.values.rows; ++mark)
      CHECK(again.values.values[mark * columns] == map.values.values[mark * columns + head + 1]);
  }
}

TEST_CASE("sentences are translated into another order of words, and reading the word that is said shows") {
  if (!trains_fully) return;
  const Report report = trained("translate", {{"input", "Tom gave the book to Mary yesterday ."}});
  CHECK(violations(report.invariants).empty());
  CHECK(scalar(report, "held_out_accuracy") >= 0.95);
  CHECK(scalar(report, "alignment_weight") >= 0.5);
  const std::string answered = joined(sentences_of(report, Language::en), " ");
  CHECK(answered.find("→ “トム は 昨日 メアリー に 本 を あげた 。”") != std::string::npos);
  const auto& map = std::get<HeatMap>(find_named(report.figures, "alignment")->panels.front().content);
  CHECK(map.values.rows == 10);  // nine words and the end
  CHECK(map.values.columns == 8);
  for (std::size_t row = 0; row < map.values.rows; ++row) {
    double sum = 0.0;
    for (std::size_t key = 0; key < map.values.columns; ++key) sum += map.values.at(row, key);
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-6));
  }
}

TEST_CASE(
    "it becomes il or elle by what it stands for, and a model that learned nothing translates nothing") {
  if (!trains_fully) return;
  const Report report = trained("translate", {{"to", "fr"}, {"seed", "1"}});
  CHECK(scalar(report, "held_out_accuracy") >= 0.95);
  const Figure* pronoun = find_named(report.figures, "pronoun");
  REQUIRE(pronoun != nullptr);
  CHECK(pronoun->panels.size() == 4);
  CHECK(pronoun->caption.en().find("parce qu' elle était trop fatiguée , la vache") != std::string::npos);
  CHECK(pronoun->caption.en().find("parce qu' il était trop large , la vache") != std::string::npos);
  const Report untrained = trained("translate", {{"to", "fr"}, {"steps", "1"}});
  CHECK(scalar(untrained, "held_out_accuracy") == 0.0);
  CHECK(find_named(untrained.figures, "pronoun")->title.en().find("To say elle") == std::string::npos);
  const std::string title = find_named(untrained.figures, "alignment")->title.en();
  CHECK(title.find("attends to") != std::string::npos);  // with its weight, which is that of an even share
  CHECK(title.find("(0.9") == std::string::npos);
}

TEST_CASE("a model that is to say the next word may not read it") {
  for (const char* word : {"text", "world", "translate"})
    CHECK_THROWS_WITH_AS(trained(word, {{"mask", "none"}, {"steps", "1"}}),
                         doctest::Contains("see the words"), Error);
}

TEST_CASE("a word reads its topic, which does not read it") {
  const Report report = trained("topic", {});
  const Figure* figure = find_named(report.figures, "asymmetry");
  REQUIRE(figure != nullptr);
  constexpr std::size_t tokens = 10;
  constexpr std::size_t name = 5;  // 吾輩 は 猫 で あり 名前 は まだ ない 。
  double there = 0.0;
  double back = 0.0;
  for (const Panel& panel : figure->panels) {
    const auto& map = std::get<HeatMap>(panel.content);
    there += map.values.values.at(name * tokens) / 2.0;
    back += map.values.values.at(name) / 2.0;
    CHECK(std::count(map.marked.begin(), map.marked.end(), true) == 3);
  }
  CHECK(there == doctest::Approx(scalar(report, "weight_on_who")));
  CHECK(back == doctest::Approx(scalar(report, "weight_back")));
  if (!trains_fully) return;
  CHECK(scalar(report, "held_out_accuracy") >= 0.98);
  CHECK(scalar(report, "weight_on_who") > 0.4);
  CHECK(scalar(report, "weight_back") < 0.15);
}

TEST_CASE("what is left out costs the task its accuracy") {
  if (!trains_fully) return;
  const Report reverse = trained("reverse", {});
  CHECK(scalar(reverse, "control_accuracy") < 0.5);  // without positions
  const Report induction = trained("induction", {{"seed", "1"}});
  CHECK(scalar(induction, "control_accuracy") <= 0.35);  // with one layer
  CHECK(scalar(induction, "prefix_matching_score") >= 0.9);
  CHECK(scalar(trained("agreement", {}), "nearest_noun_accuracy") < 0.6);
}

TEST_CASE("weight that nobody needs lies on the first token, unless a query may read nothing") {
  const Report report = trained("sink", {{"seed", "3"}, {"steps", trains_fully ? "2000" : "10"}});
  CHECK(violations(report.invariants).empty());
  const bool tells_of_sink =
      says(report, Language::en).front().find("With 1 added to the denominator") != std::string::npos;
  CHECK(tells_of_sink == trains_fully);  // ten steps have taught nothing
  CHECK(find_named(report.figures, "sink") != nullptr);
  const Report other = trained("sink", {{"softmax", "plus-one"}, {"steps", "10"}});
  CHECK(find_named(other.figures, "sink") == nullptr);  // there is nothing to compare with
  CHECK(find_named(other.invariants, "weights_sum_to_at_most_one") != nullptr);
  CHECK(violations(other.invariants).empty());
  if (!trains_fully) return;
  const Report sunk = trained("sink", {{"softmax", "plus-one"}, {"rate", "0.02"}, {"seed", "3"}});
  CHECK(scalar(sunk, "first_token_weight") > 0.5);  // though it need not
  CHECK(says(sunk, Language::en).front().find("Weights sum to 1") == std::string::npos);
  CHECK(scalar(report, "first_token_weight") > 0.6);
  CHECK(scalar(report, "first_token_weight_plus_one") < 0.1);
}

TEST_CASE("a gated head is measured beside a plain one, with five seeds") {
  const Report report = trained("sink", {{"gate", "on"}, {"steps", trains_fully ? "400" : "10"}});
  const Chart& chart = std::get<Chart>(find_named(report.figures, "seeds")->panels.front().content);
  const auto mean_of_points = [&](std::size_t series) {
    const std::vector<double>& weights = std::get<Points>(chart.layers.at(series)).y;
    REQUIRE(weights.size() == 5);
    return std::accumulate(weights.begin(), weights.end(), 0.0) / 5.0;
  };
  CHECK(scalar(report, "mean_first_token_weight") == doctest::Approx(mean_of_points(0)));
  CHECK(scalar(report, "mean_first_token_weight_gated") == doctest::Approx(mean_of_points(1)));
  CHECK(scalar(report, "first_token_weight") == std::get<Points>(chart.layers.at(0)).y.front());
  CHECK(std::get<Points>(chart.layers.at(0)).y[0] != std::get<Points>(chart.layers.at(0)).y[1]);
  for (const auto& other :
       std::vector<std::pair<std::string, std::string>>{{"no-control", "on"}, {"softmax", "plus-one"}})
    CHECK_THROWS_WITH_AS(trained("sink", {{"gate", "on"}, other}), doctest::Contains("plain head"), Error);
  if (trains_fully) CHECK(mean_of_points(1) < mean_of_points(0) - 0.1);
}

TEST_CASE("a control that falls behind is compared with in words where the task has any") {
  // Half a training of the gated control: 0.2 behind, and train sink says nothing of a lead in accuracy.
  const Report report = trained("sink", {{"gate", "on"}, {"share", "0.5"}, {"steps", "52"}});
  CHECK(find_named(report.figures, "seeds") != nullptr);
}

TEST_CASE("the figure of silenced heads names the one that costs most, and no comparison") {
  const Report report = trained("agreement", {{"steps", trains_fully ? "800" : "10"}});
  const Figure& figure = *find_named(report.figures, "ablation");
  const auto& bars = std::get<Bars>(std::get<Chart>(figure.panels.front().content).layers.front());
  REQUIRE(bars.values.size() == 4);  // everything, without head 0, without head 1, the nearest noun
  if (!trains_fully) return;
  const double worst = std::min(bars.values[1], bars.values[2]);
  CHECK(bars.values[3] < worst);
  CHECK(figure.title.en() == fmt::format("Without Head {} the accuracy falls from {:.2f} to {:.2f}",
                                         worst == bars.values[1] ? 0 : 1, bars.values[0], worst));
}

TEST_CASE("the accuracy without a head is that of the model with this head's rows of W_O zero") {
  for (const char* word : {"agreement", "induction"}) {
    const Experiment& experiment = task_named(word);
    LearnedModel model = read_model(word, experiment.name);
    const auto run_it = [&](const LearnedModel& with) {
      Arguments arguments(experiment.parameters);
      arguments.sources.model = with;
      return run(experiment, arguments);
    };
    const Array without = stage(run_it(model), "accuracy_without_head").array;
    const std::size_t heads = without.shape[1];
    for (std::size_t i = 0; i < without.data.size(); ++i) {
      INFO(word, " ", i);
      LearnedModel cut = model;
      for (auto& [name, array] : cut.tensors) {
        if (name != fmt::format("h.{}.attn.c_proj.weight", i / heads)) continue;
        const std::size_t rows = array.shape[0] / heads;  // (in, out): what a head gives stands in its rows
        const auto first =
            array.data.begin() + static_cast<std::ptrdiff_t>(i % heads * rows * array.shape[1]);
        std::fill_n(first, rows * array.shape[1], 0.0);
      }
      CHECK(scalar(run_it(cut), "held_out_accuracy") == without.data[i]);
    }
  }
}

TEST_CASE("the control without 1/√d is the training with --scale none") {
  const Typed few{{"steps", "60"}, {"batch", "16"}, {"width", "64"}, {"no-control", "on"}};
  Typed ablated = few;
  ablated.emplace_back("ablate", "on");
  Typed unscaled = few;
  unscaled.emplace_back("scale", "none");
  const double control = scalar(trained("reverse", ablated), "accuracy_without_scaling");
  CHECK(control == scalar(trained("reverse", unscaled), "held_out_accuracy"));
  CHECK(control != scalar(trained("reverse", few), "held_out_accuracy"));
}

TEST_CASE("no held-out sequence is trained on, and where there are too few to draw, it is said") {
  for (const char* word : {"topic", "sense", "agreement"}) {
    for (const char* language : {"en", "ja"}) {
      const std::string parameter = std::string(word) == "agreement" ? "grammar" : "sentences";
      CHECK(scalar(trained(word, {{parameter, language}, {"steps", "60"}}), "held_out_met") == 0.0);
    }
  }
  const Report small = trained("reverse", {{"length", "2"}, {"symbols", "2"}, {"steps", "20"}});
  CHECK(scalar(small, "held_out_met") == 256.0);
  for (const std::string& sentence : sentences_of(small, Language::en)) {
    INFO(sentence);
    CHECK(sentence.find("never trained on") == std::string::npos);
  }
}

TEST_CASE("of a training that failed nobody says that it succeeded, nor of one that hardly began") {
  const std::vector<std::string> claims{"learns to",
                                        "A head attends to",
                                        "take shape",
                                        "is right in",
                                        "are answered, too",
                                        "unseen sentences",
                                        "as the head learns",
                                        "as the anti",
                                        "score rises",
                                        "alone does not",
                                        "attends to the same",
                                        "memorised",
                                        "lowers the error",
                                        "it uses earlier",
                                        "has learned wh",
                                        "attend to the values",
                                        "Attending to what",
                                        "attention to the distant",
                                        "attends to the subject",
                                        "attends to what",
                                        "from any distance",
                                        "gives it a meaning",
                                        "attends to 吾輩",
                                        "学ぶ：",
                                        "生まれる",
                                        "形になる",
                                        "立ち上がる",
                                        "決められません",
                                        "同じ場所を参照",
                                        "覚えたのではあり",
                                        "減らす",
                                        "も使っています",
                                        "参照します（",
                                        "主語を参照する：",
                                        "手がかりの語を読む：",
                                        "答えられる",
                                        "nine times in ten",
                                        "close to the",
                                        "続けられるように",
                                        " に近い",
                                        "正しく選ぶ",
                                        "意味が決まる"};
  const std::vector<Typed> failures{{{"steps", "1"}}, {{"steps", "30"}, {"rate", "1e-9"}}};
  Context without_clock = quiet_context();  // a report says what another run gives, too: no time
  without_clock.seconds = []() -> double { throw std::logic_error("a training looked at the clock"); };
  std::string lines;
  for (int i = 0; i < 16; ++i)
    lines += fmt::format("{}{}\t{}\n", "abcd"[i / 4], "abcd"[i % 4], "abcd"[i % 4]);
  for (const Experiment& experiment : tasks()) {
    if (!experiment.may_be_stopped || find_named(experiment.parameters, "steps") == nullptr) continue;
    for (const Typed& typed : failures) {
      if (experiment.name == "train kernel" && typed.size() == 1) continue;  // one step does lower its error
      if (experiment.name == "train world" && !trains_fully) continue;
      INFO(experiment.name, " ", typed.size());
      Arguments arguments = arguments_of(experiment, typed);
      if (find_named(experiment.parameters, "pairs") != nullptr && experiment.name == "train pairs") {
        arguments.set("pairs", "pairs.tsv");
        arguments.sources.contents["pairs"] = lines;
      }
      const Report report = run(experiment, arguments, without_clock);
      for (const Language language : {Language::ja, Language::en}) {
        for (const std::string& sentence : sentences_of(report, language)) {
          for (const std::string& claim : claims) {
            INFO(claim, " in ", sentence);
            CHECK(sentence.find(claim) == std::string::npos);
          }
        }
      }
      if (experiment.name == "train world") {
        CHECK(says(report, Language::en).front().find("Not learned so far: ") == 0);
        continue;
      }
      if (experiment.name == "train kernel" || experiment.name == "train pairs" ||
          experiment.name == "train text")
        continue;
      CHECK(says(report, Language::en).front().find("The task has not been learned: the accuracy is 0.") ==
            0);
      CHECK(report.figures[0].title.en().find(" → ") != std::string::npos);
      CHECK(report.figures[1].title.en().find("Loss ") == 0);
      CHECK(report.figures[2].title.en().find("The sharpest heads up to step") == 0);
    }
  }
  const Report rotary = trained("reverse", {{"positions", "rotary"}, {"steps", "20"}, {"no-control", "on"}});
  CHECK(says(rotary, Language::en).front().find("Rotary positions encode only the distance") !=
        std::string::npos);
}

TEST_CASE("who stops while heads are silenced, or in a control, is told what is missing") {
  Context context = quiet_context();
  int requested = 0;
  context.stops = [&] { return ++requested > 21; };  // 20 steps, a head
  const Report report = trained("agreement", {{"steps", "20"}}, context);
  CHECK(scalar(report, "steps") == 20.0);
  CHECK(find_named(report.stages, "accuracy_without_head") == nullptr);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings.front().en().find("stopped at head 1 of 2") == 0);
  requested = 0;
  context.stops = [&] { return ++requested > 25; };
  const Report control = trained("reverse", {{"steps", "20"}}, context);  // in the 5th step of its control
  CHECK(find_named(control.scalars, "control_accuracy") == nullptr);
  requested = 0;
  CHECK_THROWS_WITH_AS(trained("contrast", {{"of", "positions"}, {"seeds", "1"}}, context),
                       doctest::Contains("nothing to compare"), Error);
}

TEST_CASE("heads of a large model are not silenced one by one, and a training beyond the memory is refused") {
  const Experiment& experiment = task_named("reverse");
  const Task task = reversal(Arguments(experiment.parameters));
  Learned learned{task, Model<double>(task.shape), {}, {}};
  learned.task.shape.width = learned.task.shape.hidden = 1 << 14;
  CHECK(ablate_heads(learned, quiet_context()).left_out->en().find("the model is large") !=
        std::string::npos);
  Task vast = task;
  vast.shape.width = vast.shape.hidden = vast.shape.tokens = 1 << 16;
  const LearningSettings settings = learning_settings(Arguments(experiment.parameters));
  CHECK_THROWS_WITH_AS(learn(vast, settings, quiet_context()), doctest::Contains("GB of memory"), Error);
  LearningSettings many = settings;
  many.examples = 20'000'000;  // 128 bytes each
  CHECK_THROWS_WITH_AS(learn(task, many, quiet_context()), doctest::Contains("lower --examples"), Error);
  Task slow = task;
  slow.shape.width = slow.shape.hidden = 512;
  many = settings;
  many.batch = 1'000'000;
  CHECK_THROWS_WITH_AS(learn(slow, many, quiet_context()), doctest::Contains("one step of this training"),
                       Error);
}

TEST_CASE("a typed sequence is answered in the key point, and nothing of the test stands beside it") {
  const Experiment& experiment = task_named("reverse");
  Arguments arguments = arguments_of(experiment, {{"input", "1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6"}});
  arguments.sources.model = read_model("reverse", experiment.name);
  const Report report = run(experiment, arguments);
  CHECK(says(report, Language::en).front() ==
        "The model's answer, after “1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6”: 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1");
  const std::string all = to_terminal(report.body, Language::en, Colouring::plain);
  CHECK(all.find("accuracy without") == std::string::npos);
}

TEST_CASE("a training has a key point, with a comparison and without") {
  for (const char* word : {"reverse", "induction"}) {
    for (const char* alone : {"on", "off"}) {
      const Report report = trained(word, {{"no-control", alone}, {"steps", "5"}});
      CHECK(std::any_of(report.body.begin(), report.body.end(), [](const Block& block) {
        const auto* paragraph = std::get_if<Paragraph>(&block);
        return paragraph != nullptr && paragraph->role == Role::say;
      }));
    }
  }
}

TEST_CASE("--ablate trains without each thing that the model has") {
  const Report report = trained("agreement", {{"ablate", "on"}, {"steps", trains_fully ? "800" : "10"}});
  for (const char* name :
       {"accuracy_without_positions", "accuracy_without_scaling", "accuracy_with_one_head"})
    CHECK(scalar(report, name) >= 0.0);
  const Report bare = trained("sense", {{"ablate", "on"}, {"steps", "10"}, {"scale", "none"}});
  CHECK(find_named(bare.scalars, "accuracy_without_positions") == nullptr);  // it has none, and one head
  CHECK(find_named(bare.scalars, "accuracy_without_scaling") == nullptr);
  CHECK(find_named(bare.scalars, "accuracy_with_one_head") == nullptr);
  if (!trains_fully) return;
  CHECK(scalar(report, "accuracy_without_positions") < scalar(report, "held_out_accuracy") - 0.1);
}

TEST_CASE("a learned width predicts better than the one before, and both better than the mean") {
  const Report report = trained("kernel", {});
  CHECK(scalar(report, "held_out_error") < scalar(report, "held_out_error_unlearned"));
  CHECK(scalar(report, "held_out_error_unlearned") < scalar(report, "held_out_error_of_the_mean"));
}

TEST_CASE("a language model learns more than pairs of characters tell") {
  const Report report = trained("text", {{"steps", trains_fully ? "600" : "5"}});
  if (trains_fully) CHECK(scalar(report, "held_out_loss") < scalar(report, "bigram_loss"));
}

TEST_CASE("the same seed trains the same numbers, another seed others") {
  const Typed few{{"steps", "20"}, {"no-control", "on"}};
  const std::vector<double> once = stage(trained("reverse", few), "loss").array.data;
  CHECK(stage(trained("reverse", few), "loss").array.data == once);
  Typed other = few;
  other.emplace_back("seed", "1");
  CHECK(stage(trained("reverse", other), "loss").array.data != once);
}

TEST_CASE("float32 and float64 learn the same, up to rounding") {
  Typed few{{"steps", "20"}, {"no-control", "on"}};
  const std::vector<double> single = stage(trained("reverse", few), "loss").array.data;
  few.emplace_back("dtype", "float64");
  const std::vector<double> twice = stage(trained("reverse", few), "loss").array.data;
  REQUIRE(single.size() == twice.size());
  for (std::size_t i = 0; i < single.size(); ++i) CHECK(single[i] == doctest::Approx(twice[i]).epsilon(1e-4));
  CHECK(single != twice);
}

TEST_CASE("a loss that is no number ends the run with the step and the likely cause") {
  std::string message;
  try {
    trained("reverse", {{"rate", "1e9"}, {"clip", "0"}, {"steps", "50"}});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::failed);
    message = error.message(Language::en);
  }
  CHECK(message.find("the loss is not a number at step") != std::string::npos);
  CHECK(message.find("--rate") + message.find("a tenth") != 2 * std::string::npos);
}

TEST_CASE("a training that went astray is said to have, and a model of no numbers is refused") {
  const Report astray = trained("agreement", {{"rate", "1e9"}, {"steps", "1"}});
  REQUIRE(!astray.warnings.empty());
  CHECK(astray.warnings.front().en().find("the training diverged (loss 1.04") == 0);
  CHECK(trained("agreement", {{"steps", "1"}}).warnings.empty());
  const Experiment& experiment = task_named("reverse");
  const LearnedModel model = trained("reverse", {{"steps", "1"}, {"no-control", "on"}}).trained.model.value();
  const std::size_t last = model.tensors.size() - 1;  // of the answer, behind all weights
  for (const auto& [tensor, value] : std::vector<std::pair<std::size_t, double>>{
           {0, std::nan("")}, {0, HUGE_VAL}, {0, 1e308}, {last, std::nan("")}, {last, HUGE_VAL}}) {
    LearnedModel broken = model;
    broken.tensors[tensor].second.data[0] = value;
    Arguments arguments(experiment.parameters);
    arguments.sources.model = broken;
    CHECK_THROWS_WITH_AS(run(experiment, arguments),
                         doctest::Contains("this model's results are not numbers"), Error);
  }
}

TEST_CASE("who stops a run gets what there is") {
  int requested = 0;
  Context context = quiet_context();
  context.stops = [&] { return ++requested > 30; };
  const Report report = trained("reverse", {{"no-control", "on"}}, context);
  CHECK(scalar(report, "steps") == 30.0);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings.front().en() == "stopped after 30 of 1000 steps; this is what there is");
}

TEST_CASE(
    "a step written out follows from its inputs, its gradient is the loss's slope, and the loss falls") {
  for (const std::string seed : {"0", "1", "2"}) {
    const Report report =
        trained("step", {{"seed", seed}, {"tokens", "4"}, {"width", "3"}, {"rate", "0.01"}});
    CHECK(violations(report.invariants).empty());  // the gradient among them, against central differences
    CHECK(scalar(report, "loss_after") < scalar(report, "loss"));
    const std::vector<Stage> again = recomputed(report.stages);
    for (std::size_t i = 0; i < again.size(); ++i) {
      const std::vector<double>& got = again[i].array.data;
      for (std::size_t k = 0; k < got.size(); ++k) {
        CHECK(got[k] == doctest::Approx(report.stages[i].array.data[k]).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("the loss of a step too far is what NumPy says, though the answer's probability has become 0") {
  // numpy.random.seed(0), then randn for X, W_Q, W_K and W_V; the loss is the mean of
  // numpy.logaddexp.reduce(o, axis=1) - (o * y).sum(axis=1), its gradient by central differences of three
  // widths, extrapolated to 0.
  const Report report = trained("step", {{"rate", "200"}});
  CHECK(scalar(report, "loss_after") == doctest::Approx(427.740941577).epsilon(1e-9));
  CHECK(violations(report.invariants).empty());
}

TEST_CASE("the models that come along have learned their tasks, and training again gives the same heads") {
  std::size_t models = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_dir() / "data" / "models")) {
    if (file.path().extension() != ".safetensors") continue;
    ++models;
    const std::string word = file.path().stem();
    INFO(word);
    const bool is_world = word.find("world.") == 0;  // its accuracies are held by a test of its own
    const std::string task_word = word.substr(0, word.find('.'));
    CHECK(file.file_size() < (word != task_word ? 1'500'000 : 200'000));
    if (is_world) continue;
    const Experiment& experiment = task_named(task_word);
    LearnedModel model = read_model(file.path(), experiment.name);
    Arguments arguments(experiment.parameters);
    take_model(model, arguments);
    const Report report = run(experiment, arguments);
    CHECK(violations(report.invariants).empty());
    if (word == "text") {
      CHECK(scalar(report, "held_out_loss") < scalar(report, "bigram_loss"));
    } else {
      CHECK(scalar(report, "held_out_accuracy") >= 0.98);
    }
    if (word != "reverse" || !trains_fully) continue;
    const Report again = trained("reverse", {{"no-control", "on"}});
    const std::vector<double>& weights = stage(report, "weights").array.data;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      CHECK(std::abs(stage(again, "weights").array.data[i] - weights[i]) < 0.05);
    }
  }
  CHECK(models == 11);
}

TEST_CASE("a saved model brings its settings, but no file that is read and nothing that was typed") {
  for (const char* word : {"text", "pairs"}) {
    CAPTURE(word);
    Arguments arguments(task_named(word).parameters);
    arguments.set("steps", "7");
    LearnedModel model;
    model.metadata["settings"] =
        R"({"text": "/etc/hostname", "pairs": "1", "model": "m", "heads": "2", "steps": "3", "none": "1"})";
    take_model(model, arguments);
    for (const char* name : {"text", "pairs", "model"})
      if (find_named(arguments.parameters(), name) != nullptr) CHECK(!arguments.is_set(name));
    CHECK(arguments.text("heads") == "2");
    CHECK(arguments.text("steps") == "7");
    CHECK(arguments.sources.model.has_value());
  }
}

TEST_CASE("the contrasts that come along are those that training gives") {
  for (const Contrast& contrast : contrasts()) {
    if (contrast.name == "score") continue;  // decides no claim
    const ContrastRun kept = kept_run(contrast);
    CHECK(kept.courses.size() == contrast.variants.size());
    CHECK(kept.done == 5);
  }
  if (!trains_fully) return;
  const Contrast& positions = *find_named(contrasts(), "positions");
  const ContrastRun kept = kept_run(positions);
  const ContrastRun again = train_contrast(positions, 1, 3, quiet_context());
  for (std::size_t variant = 0; variant < positions.variants.size(); ++variant) {
    CHECK(again.courses[variant][0].steps == kept.courses[variant][3].steps);
    CHECK(std::abs(again.last(variant, 0) - kept.last(variant, 3)) < 0.02);
  }
}

TEST_CASE("every mistake looks well and is not, and the right way is well") {
  for (const std::string of : {"period", "mask", "axis", "padding", "examples"}) {
    INFO(of);
    if (!trains_fully && of != "padding") continue;
    const Report report = trained("mistakes", {{"of", of}, {"seeds", "1"}, {"seed", "2"}});
    if (!trains_fully) continue;
    CHECK(scalar(report, "measured_right") > 0.98);
    CHECK(scalar(report, "wanted_right") > 0.98);
    CHECK(scalar(report, "measured_wrong") > 0.9);
    CHECK(scalar(report, "wanted_wrong") < 0.95);
  }
}

TEST_CASE("one token says what stands at the mirrored place, and nothing else is its target") {
  const Report report = trained("reverse", {{"steps", "1"}, {"length", "5"}, {"no-control", "on"}});
  const auto& weights = stage(report, "weights").array;
  CHECK(weights.shape == std::vector<std::size_t>{1, 1, 5, 5});
}

TEST_CASE("what does not fit together is refused with a hint") {
  const auto refusal = [](const std::string& word, const Typed& typed) {
    try {
      trained(word, typed);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return error.message(Language::en);
    }
    return std::string("none");
  };
  CHECK(refusal("reverse", {{"heads", "3"}}) ==
        "--width 32 cannot be split over --heads 3; choose a divisor of 32");
  CHECK(refusal("reverse", {{"width", "6"}, {"heads", "2"}, {"positions", "rotary"}}) ==
        "rotary positions turn pairs of coordinates, but a head has 3; make --width divided by --heads even");
  CHECK(refusal("induction", {{"longest", "20"}}).find("choose --shortest <= --longest") !=
        std::string::npos);
  CHECK(refusal("pairs", {}).find("--pairs is missing") == 0);
  CHECK(refusal("reverse", {{"input", "1 x"}}).find("'x' is not a word of this task") != std::string::npos);
  CHECK(refusal("reverse", {{"input", "11111111111111111"}}).find("--input has 17 words") == 0);
}

TEST_CASE("a saved model answers as the one that was trained, and only for its own task's words") {
  const Typed few{{"steps", "30"}, {"no-control", "on"}, {"mlp", "8"}, {"norm", "pre"}};
  const Report report = trained("reverse", few);
  const Experiment& experiment = task_named("reverse");
  Arguments arguments = arguments_of(experiment, few);
  arguments.sources.model = report.trained.model.value();
  const Report again = run(experiment, arguments);
  CHECK(scalar(again, "held_out_accuracy") == scalar(report, "held_out_accuracy"));
  CHECK(stage(again, "weights").array.data.size() == stage(report, "weights").array.data.size());
  const std::vector<double>& weights = stage(report, "weights").array.data;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    CHECK(stage(again, "weights").array.data[i] == doctest::Approx(weights[i]).epsilon(1e-4));
  }
  Arguments other = arguments_of(experiment, {{"symbols", "12"}, {"mlp", "8"}, {"norm", "pre"}});
  other.sources.model = report.trained.model.value();
  CHECK_THROWS_AS(run(experiment, other), Error);
  Arguments thin = arguments_of(experiment, {{"mlp", "9"}, {"norm", "pre"}});
  thin.sources.model = report.trained.model.value();
  CHECK_THROWS_AS(run(experiment, thin), Error);
}

TEST_CASE("a task of the user's own is learned from a file") {
  std::string lines;
  for (int i = 0; i < 256; ++i) {  // the first of four letters
    for (int k = 6; k >= 0; k -= 2) lines += fmt::format("{} ", "abcd"[i >> k & 3]);
    lines += fmt::format("\t{}\n", "wxyz"[i >> 6]);
  }
  const Experiment& experiment = task_named("pairs");
  Arguments arguments =
      arguments_of(experiment, {{"pairs", "pairs.tsv"}, {"steps", trains_fully ? "300" : "5"}});
  arguments.sources.contents["pairs"] = lines;
  const Report report = run(experiment, arguments);
  CHECK(scalar(report, "held_out_met") == 0.0);
  if (trains_fully) CHECK(scalar(report, "held_out_in_full") > 0.99);

  const auto refusal = [&](const std::string& contents) {
    arguments.sources.contents["pairs"] = contents;
    try {
      run(experiment, arguments);
    } catch (const Error& error) {
      return error.message(Language::en);
    }
    return std::string("none");
  };
  CHECK(refusal("a\tb\nno tab\n").find("line 2 of pairs.tsv does not hold one tab") == 0);
  CHECK(refusal("a\tb\n\tb\n").find("line 2 of pairs.tsv has an empty input or target") == 0);
  CHECK(refusal("a\tb\n").find("pairs.tsv holds only 1 different input; give at least 10") == 0);
  CHECK(refusal("a b c\tx\nc b a\ty\n" + std::string("a b c\tx\n")).find("only 2 different inputs") !=
        std::string::npos);
}

TEST_CASE("what a file says twice is not held out and trained on: labels at random stay at chance") {
  std::string lines;
  NumpyRandom random(5);
  std::vector<std::string> different;
  for (int i = 0; i < 60; ++i) {
    std::string line;
    for (int k = 0; k < 6; ++k) line += fmt::format("{} ", "abcdef"[draw_index(random, 6)]);
    different.push_back(fmt::format("{}\t{}\n", line, "wxyz"[draw_index(random, 4)]));
  }
  for (int copy = 0; copy < 4; ++copy) {
    for (const std::string& line : different) lines += line;
  }
  lines += "a a\tw\na a\tx\n";  // of which no model can say both
  const Experiment& experiment = task_named("pairs");
  Arguments arguments =
      arguments_of(experiment, {{"pairs", "pairs.tsv"}, {"steps", trains_fully ? "300" : "5"}});
  arguments.sources.contents["pairs"] = lines;
  const Report report = run(experiment, arguments);
  CHECK(scalar(report, "held_out_met") == 0.0);
  if (trains_fully) CHECK(scalar(report, "held_out_in_full") < 0.7);  // 1.000 where copies were held out
  const std::string answered = joined(sentences_of(report, Language::en), " ");
  CHECK(answered.find("61 different inputs, 6 of them never trained on") != std::string::npos);
  CHECK(answered.find("Lines that repeat another one: 180.") != std::string::npos);
  CHECK(answered.find("Inputs with more than one target: 1;") != std::string::npos);
}

TEST_CASE("a model of the user's own text or pairs answers without their file") {
  std::string lines;
  for (int i = 0; i < 16; ++i)
    lines += fmt::format("{}{}\t{}{}\n", "abcd"[i / 4], "abcd"[i % 4], "abcd"[i % 4], "abcd"[i / 4]);
  const Experiment& experiment = task_named("pairs");
  Arguments arguments = arguments_of(experiment, {{"pairs", "pairs.tsv"}, {"steps", "20"}});
  arguments.sources.contents["pairs"] = lines;
  const LearnedModel model = run(experiment, arguments).trained.model.value();
  const auto answered = [&](const Typed& typed) {
    Arguments requested = arguments_of(experiment, typed);
    requested.sources.contents["pairs"] = lines;
    requested.sources.model = model;
    const Report report = run(experiment, requested);
    CHECK(violations(report.invariants).empty());
    CHECK((find_named(report.scalars, "held_out_accuracy") != nullptr) == requested.is_set("pairs"));
    return says(report, Language::en).front();
  };
  CHECK(answered({{"input", "ab"}}) == answered({{"input", "ab"}, {"pairs", "pairs.tsv"}}));
  CHECK(answered({{"input", "ab"}}).find("The model's answer: ") == 0);
  CHECK_THROWS_WITH_AS(answered({}), doctest::Contains("neither --input nor --pairs"), Error);

  const Experiment& text = task_named("text");
  std::string words;
  for (int i = 0; i < 100; ++i) words += "abab cdcd ";
  Arguments corpus = arguments_of(text, {{"text", "x.txt"}, {"length", "8"}, {"steps", "20"}});
  corpus.sources.contents["text"] = words;
  Arguments alone = arguments_of(text, {{"input", "ab c"}});
  alone.sources.model = run(text, corpus).trained.model.value();
  const Report report = run(text, alone);
  CHECK(stage(report, "weights").array.shape == std::vector<std::size_t>{2, 4, 4, 4});
  CHECK(says(report, Language::en).front().find("After “ab␣c” the model expects") == 0);
}

TEST_CASE("a model that comes along is read by its name, and what is none is refused with those that are") {
  CHECK(shipped_models() == std::vector<std::string>{"agreement", "dictionary", "induction", "reverse",
                                                     "sense", "text", "topic", "translate.en-fr",
                                                     "translate.en-ja", "world.en", "world.ja"});
  CHECK(shipped_for("world", Language::ja) == "world.ja");
  CHECK(shipped_for("sense", Language::ja) == "sense");
  CHECK(comes_along("world"));
  CHECK(!comes_along("wor"));
  CHECK(read_model("sense", "train sense").tensors.size() ==
        read_model(source_dir() / "data" / "models" / "sense.safetensors", "train sense").tensors.size());
  CHECK_THROWS_WITH_AS(read_model("nope", "train sense"), doctest::Contains("induction, reverse"), Error);
}

TEST_CASE("learned words lie on their answer's side, and random ones do not") {
  const Report report = trained("agreement", {});
  const Figure& figure = *find_named(report.figures, "words");
  if (!trains_fully) return;
  for (std::size_t panel = 0; panel < 2; ++panel) {
    bool all_right = true;
    std::size_t kind = 0;
    for (const Layer& layer : std::get<Chart>(figure.panels[panel].content).layers) {
      const auto* points = std::get_if<Points>(&layer);
      if (points == nullptr) continue;
      for (const double x : points->x) all_right = all_right && (x > 0.0) == (kind == 1);
      ++kind;
    }
    CHECK(all_right == (panel == 1));
  }
}

TEST_CASE("a text that is too short is refused") {
  const Experiment& experiment = task_named("text");
  Arguments arguments = arguments_of(experiment, {{"text", "short.txt"}});
  arguments.sources.contents["text"] = "猫である。";
  CHECK_THROWS_AS(run(experiment, arguments), Error);
}

}  // namespace
}  // namespace attnlab
