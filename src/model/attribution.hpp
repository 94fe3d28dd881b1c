// Direct logit attribution: what each part of a model adds to the logit of one token.
#pragma once

#include "model/model.hpp"

namespace attnlab {

enum class StreamPartKind { embedding, head, mlp, biases };

/// A term of the sum that the residual stream is at one token.
struct StreamPart {
  StreamPartKind kind = StreamPartKind::embedding;
  std::size_t layer = 0;       // of a head or an MLP
  std::size_t head = 0;        // of a head
  std::vector<double> vector;  // (width): what it adds to the stream
  double contribution = 0.0;   // what that adds to the logit
};

/// The logit of a token, or by how much it exceeds that of another one.
struct LogitQuestion {
  std::size_t token = 0;
  std::optional<std::size_t> against = {};
};

struct Attribution {
  LogitQuestion question;
  std::vector<StreamPart> parts;       // the embedding, layer by layer its heads and its MLP, the biases
  std::vector<double> readout = {};    // (width): the token's column of the unembedding times the norm's gain
  std::vector<double> direction = {};  // (width): what a vector's product with it adds to the logit
  double logit = 0.0;                  // computed from the sum of all parts, in double

  double sum() const;  // of the contributions: the logit
};

/// Whether the logit is a sum over parts: not where each addition is normalised (BERT), nor where the words
/// come after a transform, nor where logits are capped (Gemma 2).
bool is_attributable(const LanguageModel& model);

/// At `place`, with the mean and the deviation of the final norm frozen at those of this text, and likewise
/// of norms of what attention adds (OLMo 2). The parts are computed in double from the heads' outputs.
/// Source: Elhage et al. 2021, “A Mathematical Framework for Transformer Circuits”; the frozen norm:
/// McDougall et al. 2023, “Copy Suppression”.
Attribution attribution_of(const LanguageModel& model, const ForwardPass& pass, const Ablation& without,
                           std::size_t place, const LogitQuestion& question);

/// logit(token), less logit(against).
double logit_of(const LogitQuestion& question, const float* logits);

}  // namespace attnlab
