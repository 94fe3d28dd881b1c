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
};

/// A task's own words.
struct Story {
  Text heading;
  Text data;                 // one sentence: what is read, what is to be said
  Text weights_title;        // the messages of the figures
  Text weights_description;  // for those who cannot see it
  Text learning_title;
  std::vector<Block> closing = {};   // what to say, what is misunderstood
  std::vector<Scalar> scalars = {};  // beside those of every training
  std::vector<Control> controls = {};
  std::vector<Figure> figures = {};  // beside those of every training
};

/// The accuracy on the held-out sequences without one head after the other: (layers, heads).
Tensor<double> accuracy_without_heads(const Learned& learned);

Report report_of(const Learned& learned, const Story& story);

/// --ablate: trains again without positions, without the division by √d, and with one head, as far as the
/// model has them; each becomes a control.
void add_ablations(const Lesson& lesson, const Arguments& arguments, const Context& context, Story& story);

// --- Figures (figures.cpp)

/// Every head over the example, before and after.
Figure weights_figure(const Learned& learned, const Story& story);
/// Loss and accuracy over the steps, and the lesson's measure of its heads.
Figure learning_figure(const Learned& learned, const Story& story);
/// The sharpest heads at five moments, between which the loss falls about equally far.
Figure forming_figure(const Learned& learned);
/// The sharpest heads at every moment that was kept, as the frames of a film.
std::vector<Figure> forming_film(const Learned& learned);
/// What is left of the accuracy without one of the heads, and in the control runs.
Figure ablation_figure(const Learned& learned, const Story& story, const Tensor<double>& without_heads);

/// The lesson's measure before and after: "0.06 → 0.97".
std::string development(const Learned& learned);

/// On which sequences, after how many steps, with how many parameters: what captions say.
Text told(const Learned& learned);

}  // namespace attnlab
