#include "model/attribution.hpp"

namespace attnlab {
namespace {

using Vector = std::vector<double>;

double product_of(const Vector& one, const Vector& other) {
  return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
}

double mean_of(const Vector& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Vector row_of(const Tensor<float>& rows, std::size_t row) {
  const std::size_t width = rows.shape().back();
  const float* const begin = rows.data() + row * width;
  return {begin, begin + width};
}

void add_to(Vector& sum, const Vector& term) {
  std::transform(sum.begin(), sum.end(), term.begin(), sum.begin(), std::plus<>());
}

// --- 1. A norm whose mean and deviation stay ------------------------------------------------------------

/// A norm of one vector x: (x - mean) / deviation · gain + bias, the mean of RMS norm being 0.
struct FrozenNorm {
  double mean = 0.0;
  double deviation = 1.0;
  Vector gain;
  Vector bias;
};

FrozenNorm frozen_norm(const std::optional<ModelNorm>& norm, const Vector& stream) {
  FrozenNorm frozen{0.0, 1.0, Vector(stream.size(), 1.0), Vector(stream.size(), 0.0)};
  if (!norm) return frozen;
  if (norm->type == NormType::layer) frozen.mean = mean_of(stream);
  double squares = 0.0;
  for (const double value : stream) squares += (value - frozen.mean) * (value - frozen.mean);
  frozen.deviation = std::sqrt(squares / static_cast<double>(stream.size()) + static_cast<double>(norm->eps));
  frozen.gain.assign(norm->gain.begin(), norm->gain.end());
  if (norm->bias) frozen.bias.assign(norm->bias->begin(), norm->bias->end());
  return frozen;
}

// --- 2. The stream as a sum of parts --------------------------------------------------------------------

/// x W of one head: x (head_width) times its rows of W_O, (heads · head_width, width).
Vector through_output(const StoredMatrix& matrix, const float* weights, std::size_t first,
                      const Vector& head_output) {
  const std::size_t width = matrix.out();
  Vector added(width);
  for (std::size_t i = 0; i < head_output.size(); ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const std::size_t at = matrix.out_in() ? j * matrix.in() + first + i : (first + i) * width + j;
      added[j] += head_output[i] * static_cast<double>(weights[at]);
    }
  }
  return added;
}

void add_heads(const ModelLayer& layer, std::size_t number, const LayerStages& stages,
               const Ablation& without, std::size_t place, std::vector<StreamPart>& parts) {
  const std::size_t heads = stages.head_output.shape()[0];
  const std::size_t n = stages.head_output.shape()[1];
  const std::size_t head_width = stages.head_output.shape()[2];
  const Floats weights = layer.output.matrix.values();
  for (std::size_t head = 0; head < heads; ++head) {
    StreamPart part{StreamPartKind::head, number, head, Vector(layer.output.matrix.out())};
    if (without.layers.count(number) + without.heads.count({number, head}) == 0)
      part.vector = through_output(layer.output.matrix, weights.data, head * head_width,
                                   row_of(stages.head_output, head * n + place));
    parts.push_back(std::move(part));
  }
}

/// What attention adds is the RMS norm of the sum of these terms: each times gain / deviation.
void norm_together(const ModelNorm& rms, std::vector<StreamPart>& parts, std::size_t first, Vector& bias) {
  Vector sum = bias;
  for (std::size_t i = first; i < parts.size(); ++i) add_to(sum, parts[i].vector);
  const FrozenNorm norm = frozen_norm(rms, sum);
  const auto scale = [&norm](Vector& term) {
    for (std::size_t i = 0; i < term.size(); ++i) term[i] *= norm.gain[i] / norm.deviation;
  };
  for (std::size_t i = first; i < parts.size(); ++i) scale(parts[i].vector);
  scale(bias);
}

std::vector<StreamPart> parts_of(const LanguageModel& model, const ForwardPass& pass, const Ablation& without,
                                 std::size_t place) {
  std::vector<StreamPart> parts{{StreamPartKind::embedding, 0, 0, row_of(pass.embedded, place)}};
  Vector biases(model.architecture.width);
  for (std::size_t number = 0; number < pass.layers.size(); ++number) {
    const ModelLayer& layer = model.weights.layers[number];
    const LayerStages& stages = pass.layers[number];
    const std::size_t first = parts.size();
    add_heads(layer, number, stages, without, place, parts);
    Vector bias(model.architecture.width);
    if (layer.output.bias && without.layers.count(number) == 0)
      add_to(bias, {layer.output.bias->begin(), layer.output.bias->end()});
    if (layer.attention_output_norm) norm_together(*layer.attention_output_norm, parts, first, bias);
    add_to(biases, bias);
    if (layer.has_mlp()) parts.push_back({StreamPartKind::mlp, number, 0, row_of(stages.mlp, place)});
  }
  parts.push_back({StreamPartKind::biases, 0, 0, std::move(biases)});
  return parts;
}

// --- 3. From the stream to the logit --------------------------------------------------------------------

/// A line of the unembedding: w · x + b is the logit of x, once it is normed.
struct Readout {
  Vector weights;  // (width)
  double bias = 0.0;
};

Readout readout_of(const Projection& head, const LogitQuestion& question) {
  const auto of_token = [&head](std::size_t token) {
    const std::vector<float> column = head.matrix.column(token);
    return Readout{{column.begin(), column.end()},
                   head.bias ? static_cast<double>(head.bias->data()[token]) : 0.0};
  };
  Readout readout = of_token(question.token);
  if (!question.against) return readout;
  const Readout other = of_token(*question.against);
  std::transform(readout.weights.begin(), readout.weights.end(), other.weights.begin(),
                 readout.weights.begin(), std::minus<>());
  readout.bias -= other.bias;
  return readout;
}

/// By the definition, so that it holds the sum of the contributions against something.
double logit_of_stream(const Vector& stream, const FrozenNorm& norm, const Readout& readout) {
  double logit = readout.bias;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    const double normed = (stream[i] - norm.mean) / norm.deviation * norm.gain[i] + norm.bias[i];
    logit += readout.weights[i] * normed;
  }
  return logit;
}

/// Centring a vector and then reading it is reading it with what is centred.
Vector direction_of(const FrozenNorm& norm, Vector direction, bool is_centred) {
  const double mean = is_centred ? mean_of(direction) : 0.0;
  for (double& value : direction) value = (value - mean) / norm.deviation;
  return direction;
}

}  // namespace

double Attribution::sum() const {
  double all = 0.0;
  for (const StreamPart& part : parts) all += part.contribution;
  return all;
}

bool is_attributable(const LanguageModel& model) {
  return model.has_words() && !model.weights.transform &&
         model.architecture.norm_position != NormPosition::post && model.architecture.logit_cap == 0.0;
}

Attribution attribution_of(const LanguageModel& model, const ForwardPass& pass, const Ablation& without,
                           std::size_t place, const LogitQuestion& question) {
  Attribution attribution{question, parts_of(model, pass, without, place)};
  Vector stream(model.architecture.width);
  for (const StreamPart& part : attribution.parts) add_to(stream, part.vector);

  const std::optional<ModelNorm>& final_norm = model.weights.final_norm;
  const FrozenNorm norm = frozen_norm(final_norm, stream);
  const Readout readout = readout_of(*model.weights.head, question);
  attribution.logit = logit_of_stream(stream, norm, readout);
  attribution.readout = readout.weights;
  std::transform(norm.gain.begin(), norm.gain.end(), readout.weights.begin(), attribution.readout.begin(),
                 std::multiplies<>());
  attribution.direction =
      direction_of(norm, attribution.readout, final_norm && final_norm->type == NormType::layer);
  for (StreamPart& part : attribution.parts)
    part.contribution = product_of(part.vector, attribution.direction);
  attribution.parts.back().contribution += product_of(norm.bias, readout.weights) + readout.bias;
  return attribution;
}

double logit_of(const LogitQuestion& question, const float* logits) {
  const auto logit = static_cast<double>(logits[question.token]);
  return question.against ? logit - static_cast<double>(logits[*question.against]) : logit;
}

}  // namespace attnlab
