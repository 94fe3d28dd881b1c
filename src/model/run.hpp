// One run of `model` as plain values: what the trace, the words and the figures are made of.
#pragma once

#include "model/generation.hpp"
#include "model/lens.hpp"
#include "model/long_maps.hpp"
#include "model/patching.hpp"
#include "model/roles.hpp"
#include "model/soundness.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// What follows from the model, the tokens and what is left out: pages and films ask for it again and again.
struct ModelPass {
  ForwardPass forward;
  std::vector<std::vector<HeadRoles>> roles;  // (layers, heads)
  Lens lens;
  std::vector<float> last;               // logits behind the last token
  Cache cache;                           // of the tokens
  std::optional<LongMaps> in_long = {};  // of a long text, in the place of its weights
  std::optional<Breakdown> breakdown = {};
  double largest_usual = 1.0;  // where the colours of all heads end
  /// (layers, heads): by how many nats ln p of the answer changes without a head, where that is soon
  /// computed.
  std::optional<Tensor<double>> changes = {};
  std::optional<Patching> patching = {};

  /// (heads, side, side): the weights of a layer, or their map.
  const Tensor<float>& map(std::size_t layer) const {
    return in_long ? in_long->maps[layer] : forward.layers[layer].weights;
  }
};

struct ModelRun {
  const OpenedModel& opened;
  ModelSettings settings;
  Tokens tokens = {};
  std::vector<std::string> labels = {};  // of the tokens
  bool takes_any_tokens = false;         // as a program: it reads the list `tokens`, not the run's own
  std::shared_ptr<const ModelPass> pass = {};
  std::shared_ptr<const ModelPass> whole = {};  // nothing left out; the same where nothing is
  std::size_t layer = 0;                        // of the head that is drawn
  std::size_t head = 0;
  std::size_t query = 0;
  std::size_t answer = 0;  // the place whose word is said: the last, or the masked one
  std::vector<GeneratedToken> generation = {};
  std::optional<Tensor<double>> ablation =
      {};  // (layers, heads): by how many nats ln p of the answer changes
  Tokens corrupt = {};
  std::optional<Attribution> attribution = {};

  const Architecture& architecture() const { return opened.model.architecture; }
  bool leaves_out() const { return !settings.without_text.empty(); }
  bool has_words() const { return opened.model.has_words(); }
  const HeadRoles& roles(std::size_t of_layer, std::size_t of_head) const {
    return pass->roles[of_layer][of_head];
  }
};

/// The run up to the pass and the head that is drawn, of arguments whose files are open.
ModelRun begun_run(const Arguments& provided, const Context& context);

/// So many tokens may a text have whose weights are all kept.
std::size_t longest_kept(const Architecture& architecture);

/// Every layer and every head, as far as a page has room and the experiment has these parameters: opened on
/// the head that is drawn.
std::vector<DeclaredSlider> model_sliders(Arguments& arguments);

/// Of the logits, the row at the answer's place: of a long text the only one.
std::size_t answer_row(const ModelRun& run, const ModelPass& pass);

/// Probabilities of the words at the answer's place.
std::vector<double> answer_of(const ModelRun& run, const ModelPass& pass);

/// Whether there is one: not of a model without words, nor where the numbers broke down.
bool has_answer(const ModelRun& run, const ModelPass& pass);

/// "L5 H1".
std::string name_of_head(std::size_t layer, std::size_t head);

/// A token in a title: “tired”.
Text named_token(const ModelRun& run, std::size_t token);

/// A token as a sentence quotes it: “ tired”, with the blank before it.
std::string quoted_token(const ModelRun& run, std::size_t token);

// --- Parts of the report
/// Its stages, how NumPy computes them, and what that begins with; or why no program can.
void record_model(const ModelRun& run, Report& report);
/// What a program of the run begins with (program.cpp): these tensors, out of their files where these are
/// safetensors, else by value, the mask and the angles; or why no program can be written.
void record_origins(const ModelRun& run, bool keeps_layers, const std::set<std::string>& tensors,
                    Report& report);
/// read(tokens): the logits behind every token, as a function of Python; what it begins with are the report's
/// origins, or why no program can be written.
void record_reading(const ModelRun& own, Report& report);
std::vector<Scalar> model_scalars(const ModelRun& run);
std::vector<Invariant> model_invariants(const ModelRun& run);
std::vector<Block> model_body(const ModelRun& run);
std::vector<Figure> model_figures(const ModelRun& run);
/// Why this token: of its logit, and of the corrupted text (attribution_figures.cpp).
std::vector<Figure> explaining_figures(const ModelRun& run);
void record_explanations(const ModelRun& run, Report& report);

/// "gpt2: 12 layers, 12 heads, ...".
Text model_summary(const OpenedModel& opened);

/// `attnlab model DIR --list`: family, sizes, tokenizer, what was not read.
std::string model_listing(const OpenedModel& opened, Language language);

}  // namespace attnlab
