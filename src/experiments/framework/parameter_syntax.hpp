// Parameters that several experiments share: one declaration and one parser each for scale and labels.
#pragma once

#include "core/tensor.hpp"
#include "experiments/framework/parameter.hpp"

namespace attnlab {

// --- Declarations, to be listed in Experiment::parameters ------------------------------------------------

/// `--scale none|default|NUMBER`: what multiplies the scores before softmax.
Parameter scale_parameter(const std::string& default_text);

/// `--labels a,b,c|neko`: one word per token; not given, the labels are "Token 0", "Token 1", ...
Parameter labels_parameter();

/// `--seed N`: the seed of np.random.RandomState, 0 to 2^32 - 1.
Parameter seed_parameter(const std::string& default_text);

// --- Parsers ---------------------------------------------------------------------------------------------

/// The value for AttentionOptions::scale. "none" is a factor of 1; "default" is nullopt, that is 1 /
/// sqrt(d_k); a number is itself and must be positive, at most 1e6. Throws Error (usage) otherwise.
std::optional<double> parse_scale(const std::string& text);

/// `count` labels from the arguments' "labels". "neko" takes the first words of 吾輩 は 猫 で ある 。 名前 は
/// まだ ない 。 (11 words). Throws Error (usage) when the number of words is not `count`.
std::vector<std::string> token_labels(const Arguments& arguments, std::size_t count);

/// Whether words are typed that are names of as many tokens: neither none nor "neko".
bool words_count_tokens(const Arguments& arguments);

/// Typed labels make as many tokens where no other number was given. Throws Error (usage) for a number of
/// words that "tokens" does not take.
Arguments with_labelled_tokens(Arguments arguments);

/// The words typed after the flag; else those of the example where it has as many, or numbers. Throws Error
/// (usage) when the number of typed words is not `rows`.
std::vector<ShortText> names_of_rows(const Arguments& arguments, const std::string& flag, std::size_t rows,
                                     const std::vector<ShortText>& of_example);

/// What a caption adds where the labels were typed: that the input is random all the same. Else nothing.
Text note_on_labels(bool are_words);

/// " Untrained: almost uniform." where that was measured.
Text note_on_untrained(bool is_almost_uniform);

}  // namespace attnlab
