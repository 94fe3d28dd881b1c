// What is told of a training: numbers, tables and figures that all tasks share, around a task's own words.
#pragma once

#include "results/report/report.hpp"
#include "tasks/framework/saved.hpp"

namespace attnlab {

/// What the result is compared with: another training of the same task with one thing changed, or a rule.
struct Control {
  std::string scalar;  // "accuracy_without_positions"
  Text name;           // "without positions"
  double accuracy = 0.0;
  double measure = 0.0;         // the task's, where it has one and the control was trained
  Tensor<double> weights = {};  // likewise, over the example: (layers, heads, tokens, tokens)
};

/// A task's own words. Those that hold of a model that has learned the task are said of no other: where the
/// task has a measure, report_of() tells numbers alone of a head or an answer that has not come so far.
struct TrainingReport {
  TaskWords words;  // with this run's values
  Text heading;
  Text data;                    // one sentence: what is read, what is to be said
  Text weights_title;           // the messages of the figures: of a head that has found what to read
  Text weights_description;     // for those who cannot see it
  Text learning_title;          // of a model that has learned
  Text failure = Text::none();  // why it may not have
  std::optional<Text> typed_answer = {};  // to a typed sequence, where it is not said place by place
  std::vector<Block> learned = {};   // what to say, what is misunderstood: of such a head and such a model
  std::vector<Block> closing = {};   // whatever it has learned
  std::vector<Scalar> scalars = {};  // beside those of every training
  std::vector<Stage> stages = {};    // likewise
  std::vector<Control> controls = {};
  std::vector<Figure> figures = {};    // beside those of every training
  std::optional<Figure> weights = {};  // in the place of the maps of all heads, where these are many
};

/// The words of the task's task with the numbers of this training, to begin with.
TrainingReport training_report_of(const Learned& learned);

/// The numbers of a training that sentences name.
SentenceValues values_of(const Learned& learned);

/// The accuracy on the held-out sequences without one head after the other: (layers, heads).
struct Ablated {
  Tensor<double> accuracy;            // empty where nothing was measured
  std::optional<Text> left_out = {};  // and why
};

/// Asks the context before every head; not where there is nothing to measure with, or too much to do.
Ablated ablate_heads(const Learned& learned, const Context& context);

Report report_of(const Learned& learned, TrainingReport training, const Context& context);

/// The run of a task: learns the task and its control, lets it tell, and reports.
Report learn_and_report(const Task& task, const Arguments& arguments, const Context& context);
template <Task (*task_of)(const Arguments&)>
Report learned_report(const Arguments& arguments, const Context& context) {
  return learn_and_report(task_of(arguments), arguments, context);
}

/// By how much an accuracy must at least be ahead of another before a sentence rests on it.
constexpr double clear_lead = 0.2;

/// Of the whole work, for the progress bar.
struct Share {
  double from = 0.0;
  double to = 1.0;
};

/// Trains the task with another model and adds it to the controls. False where someone stopped it: then
/// there is nothing to compare with.
bool add_control(const Task& task, const ModelShape& shape, const Arguments& arguments,
                 const Context& context, Share share, Control control, TrainingReport& training);

/// --ablate: trains again without positions, without the division by √d, and with one head, as far as the
/// model has them; each becomes a control.
void add_ablations(const Task& task, const Arguments& arguments, const Context& context,
                   TrainingReport& training);

// --- Figures (figures.cpp)

/// Every head over the example, before and after.
Figure weights_figure(const Learned& learned, const TrainingReport& training);
/// Every head after the training, as lines between the words of the example.
Figure words_figure(const Learned& learned);
/// Loss and accuracy over the steps, and the task's measure of its heads.
Figure learning_figure(const Learned& learned, const TrainingReport& training);
/// The sharpest heads at five moments, between which the loss falls about equally far.
Figure forming_figure(const Learned& learned);
/// The sharpest heads at every moment that was kept, as the frames of a film.
std::vector<Figure> forming_film(const Learned& learned);
/// What is left of the accuracy without one of the heads, and in the control runs.
Figure ablation_figure(const Learned& learned, const TrainingReport& training,
                       const Tensor<double>& without_heads);

/// "L1 H0", of a head counted through all layers.
Text head_through_layers(const ModelShape& shape, std::size_t head);

/// Of every moment that was kept: the step, and what the held-out sequences said.
std::vector<double> steps_of(const Learned& learned);
std::vector<double> values_of_points(const Learned& learned, double Point::*value);

/// "never trained on", of the held-out sequences, or how many of them came up in the training all the same.
Text novelty(const Learned& learned);

/// On which sequences, after how many steps, with how many parameters: what captions say.
Text about_training(const Learned& learned);

}  // namespace attnlab
