// What every task must reach with its defaults, and what holds of every training.
#include "io/learned_model.hpp"
#include "results/derivation/recompute.hpp"
#include "results/report/terminal.hpp"
#include "source_dir.hpp"
#include "tasks/contrast/contrast.hpp"
#include "tasks/framework/saved.hpp"
#include "trained.hpp"

namespace attnlab {
namespace {

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
  check_task("sense", {}, "held_out_accuracy", 0.98);
  check_task("sense", {{"sentences", "ja"}, {"seed", "2"}}, "held_out_accuracy", 0.98);
  check_task("agreement", {}, "held_out_accuracy", 0.98);
  check_task("agreement", {{"grammar", "ja"}, {"seed", "4"}}, "held_out_accuracy", 0.98);
  check_task("topic", {{"sentences", "en"}, {"seed", "3"}}, "held_out_accuracy", 0.98);
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
  CHECK(message.find("the loss is no number any more at step") != std::string::npos);
  CHECK(message.find("--rate") + message.find("a tenth") != 2 * std::string::npos);
}

TEST_CASE("who stops a run gets what there is") {
  int asked = 0;
  Context context = quiet_context();
  context.stops = [&] { return ++asked > 30; };
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

TEST_CASE("the models that come along have learned their tasks, and training again gives the same heads") {
  std::size_t models = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_dir() / "data" / "models")) {
    if (file.path().extension() != ".safetensors") continue;
    ++models;
    const std::string word = file.path().stem();
    INFO(word);
    CHECK(file.file_size() < 200'000);
    const Experiment& task = task_named(word);
    LearnedModel model = read_model(file.path(), task.name);
    Arguments arguments(task.parameters);
    for (const auto& [name, text] : settings_of(model)) arguments.set(name, text);
    arguments.give_model(model);
    const Report report = run(task, arguments);
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
  CHECK(models == 7);
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
  CHECK(refusal("reverse", {{"input", "1 x"}}).find("'x' is no word of this task") != std::string::npos);
  CHECK(refusal("reverse", {{"input", "11111111111111111"}}).find("--input has 17 words") == 0);
}

TEST_CASE("a saved model answers as the one that was trained, and only for its own task's words") {
  const Typed few{{"steps", "30"}, {"no-control", "on"}, {"mlp", "8"}, {"norm", "pre"}};
  const Report report = trained("reverse", few);
  const Experiment& task = task_named("reverse");
  Arguments arguments = arguments_of(task, few);
  arguments.give_model(report.model.value());
  const Report again = run(task, arguments);
  CHECK(scalar(again, "held_out_accuracy") == scalar(report, "held_out_accuracy"));
  CHECK(stage(again, "weights").array.data.size() == stage(report, "weights").array.data.size());
  const std::vector<double>& weights = stage(report, "weights").array.data;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    CHECK(stage(again, "weights").array.data[i] == doctest::Approx(weights[i]).epsilon(1e-4));
  }
  Arguments other = arguments_of(task, {{"symbols", "12"}, {"mlp", "8"}, {"norm", "pre"}});
  other.give_model(report.model.value());
  CHECK_THROWS_AS(run(task, other), Error);
  Arguments thin = arguments_of(task, {{"mlp", "9"}, {"norm", "pre"}});
  thin.give_model(report.model.value());
  CHECK_THROWS_AS(run(task, thin), Error);
}

TEST_CASE("a task of the user's own is learned from a file") {
  std::string lines;
  for (int i = 0; i < 400; ++i) {  // the other of two letters
    const bool is_first = (i * 7919 + i / 3) % 2 == 0;
    lines += (is_first ? "a b c\tx\n" : "c b a\ty\n");
  }
  const Experiment& task = task_named("pairs");
  Arguments arguments = arguments_of(task, {{"pairs", "pairs.tsv"}, {"steps", trains_fully ? "200" : "5"}});
  arguments.give_contents("pairs", lines);
  const Report report = run(task, arguments);
  if (trains_fully) CHECK(scalar(report, "held_out_accuracy") > 0.99);

  const auto refusal = [&](const std::string& contents) {
    arguments.give_contents("pairs", contents);
    try {
      run(task, arguments);
    } catch (const Error& error) {
      return error.message(Language::en);
    }
    return std::string("none");
  };
  CHECK(refusal("a\tb\nno tab\n").find("line 2 of pairs.tsv does not hold one tab") == 0);
  CHECK(refusal("a\tb\n\tb\n").find("line 2 of pairs.tsv has an empty input or target") == 0);
  CHECK(refusal("a\tb\n").find("pairs.tsv holds only 1 pairs") == 0);
}

TEST_CASE("a model that comes along is read by its name, and what is none is refused with those that are") {
  CHECK(shipped_models() == std::vector<std::string>{"agreement", "dictionary", "induction", "reverse",
                                                     "sense", "text", "topic"});
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
  const Experiment& task = task_named("text");
  Arguments arguments = arguments_of(task, {{"text", "short.txt"}});
  arguments.give_contents("text", "猫である。");
  CHECK_THROWS_AS(run(task, arguments), Error);
}

}  // namespace
}  // namespace attnlab
