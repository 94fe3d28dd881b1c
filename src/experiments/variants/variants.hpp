// Attention's variants of today as plain values: what changes in one formula, beside plain attention on the
// same inputs, and an equality that must hold.
#pragma once

#include "core/sentences.hpp"
#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

struct AttentionVariant;

/// What one variant gives; its steps stand on the tape.
struct VariantRun {
  Tensor<double> found;              // in the variant's own way
  Tensor<double> expected;           // in another way, or by its formula
  std::vector<Scalar> numbers = {};  // that its sentences name
  std::string message = "message";   // which sentence its title is: another where it is plain attention
  const AttentionVariant* variant = nullptr;
};

/// The numbers of its stages, called as the variant calls them.
struct VariantStages {
  const Tape& tape;
  std::string prefix;

  Tensor<double> operator()(const std::string& name) const { return tape.numbers_of(prefix + name); }
};

struct AttentionVariant {
  VariantRun (*compute)(Tape& tape, const Arguments& arguments) = nullptr;
  /// The panels on their page; the words are those of variants.toml.
  Figure (*draw)(const VariantStages& stages, const VariantRun& run) = nullptr;
  std::vector<DeclaredInput> inputs = {};
  std::string name = {};   // what `attnlab variants NAME` takes
  Sentences words = {};    // its [[variant]] of variants.toml
  double tolerance = 0.0;  // of what must hold, where the numbers are near 1

  const Text& says(const std::string& what) const { return words.at(what); }
};

/// Every variant: the table.
const std::vector<AttentionVariant>& attention_variants();

/// What computes and draws them, by name.
using ComputedVariants = std::map<std::string, AttentionVariant>;
ComputedVariants variants_of_the_cache();
ComputedVariants variants_of_visible_keys();
ComputedVariants variants_of_scored_keys();
ComputedVariants variants_of_mixed_weights();
ComputedVariants variants_without_softmax();

/// One variant, or all of them.
struct VariantsRun {
  Tape tape;
  std::vector<VariantRun> runs;

  static VariantsRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Invariant> invariants(const VariantsRun& run);
/// One for each variant, named after it.
std::vector<Figure> figures(const VariantsRun& run);

// --- What variants share

/// A sentence of the variant with its numbers.
Text variant_text(const VariantRun& run, const std::string& what);

/// The number of that name.
double number_of(const VariantRun& run, const std::string& name);

/// "grouped_": the beginning of its arrays' names.
std::string variant_prefix(const AttentionVariant& variant);

/// Puts on the tape what no operation makes: the first entry of each step of its first axis written out by
/// `how`, and an expression of NumPy.
using HowWritten = std::function<worked::Piece(std::size_t step)>;
Tensor<double> write_entries(Tape& tape, const std::string& name, Spelt formula, const Tensor<double>& values,
                             Axes axes, std::vector<std::string> operands, const std::string& code,
                             const HowWritten& how);

/// "query" and "key", standard normals (tokens, width), and their scores Q Kᵀ / √d under that name.
void draw_scores(Tape& tape, std::size_t tokens, std::size_t width, const std::string& scores = "scores");

/// The weights behind a mask, its code in NumPy: stages NAME_mask, NAME_masked and NAME_weights.
Tensor<double> record_visible(Tape& tape, const std::string& name, const Tensor<bool>& visible,
                              const std::string& code);

/// The same behind a causal mask.
Tensor<double> record_plain_causal(Tape& tape, std::size_t tokens);

/// A matrix of a stage as a map, whose cells answer with that stage.
HeatMap map_of(const VariantStages& stages, const std::string& name, std::size_t index = 0);
/// Cells of weight 0 are struck out.
HeatMap visible_map(const VariantStages& stages, const std::string& name);

/// softmax(Q Kᵀ / √d) V, its stages behind a prefix.
AttentionStages<double> attend_as(Tape& tape, const std::string& prefix, const std::string& query,
                                  const std::string& key, const std::string& value,
                                  std::optional<double> scale = {});

}  // namespace attnlab
