#include "training/trainer.hpp"

#include <algorithm>

namespace attnlab {
namespace {

/// Enough for four processors, and for parts of a size that BLAS likes.
constexpr std::size_t parts = 4;

/// Where a part's sequences begin.
std::size_t first_of_part(std::size_t part, std::size_t sequences) { return sequences * part / parts; }

std::size_t largest_part(std::size_t sequences) { return (sequences + parts - 1) / parts; }

BatchLoss mean_of(const std::vector<LossSum>& sums) {
  LossSum all;
  for (const LossSum& sum : sums) all += sum;
  const auto counted = static_cast<double>(all.counted);
  return {all.loss / counted, static_cast<double>(all.correct) / counted};
}

}  // namespace

template <class T>
Trainer<T>::Trainer(Model<T>& model, const OptimiserSettings& settings, std::size_t steps,
                    std::size_t sequences, ForEach for_each)
    : model_(model),
      settings_(settings),
      optimiser_(settings, model.places.size),
      steps_(steps),
      passes_(parts, Pass<T>(model, sequences_at_once(model.shape, largest_part(sequences)))),
      gradients_(parts, std::vector<T>(model.places.size)),
      for_each_(std::move(for_each)) {}

template <class T>
double Trainer<T>::numbers_of(const ModelShape& shape, std::size_t sequences) {
  const std::size_t kept = sequences_at_once(shape, largest_part(sequences));
  const auto parameters = static_cast<double>(places_of(shape).size);
  return static_cast<double>(parts) * (parameters + numbers_of_pass(shape, kept)) + 2.0 * parameters;
}

template <class T>
template <class Work>
BatchLoss Trainer<T>::piece_by_piece(const Batch& batch, T share, const Work& work) {
  std::vector<LossSum> losses(parts);
  for_each_(parts, [&](std::size_t part) {
    Pass<T>& pass = passes_[part];
    const std::size_t end = first_of_part(part + 1, batch.sequences);
    for (std::size_t first = first_of_part(part, batch.sequences); first < end; first += pass.sequences()) {
      pass.forward(model_, batch, first, std::min(pass.sequences(), end - first));
      losses[part] += pass.loss(batch, share);
      work(part);
    }
  });
  return mean_of(losses);
}

template <class T>
BatchLoss Trainer<T>::step(const Batch& batch) {
  for (std::vector<T>& gradient : gradients_) std::fill(gradient.begin(), gradient.end(), T(0));
  const T share = T(1) / static_cast<T>(batch.counted());
  const BatchLoss loss = piece_by_piece(
      batch, share, [&](std::size_t part) { passes_[part].backward(model_, gradients_[part].data()); });
  std::vector<T>& gradient = gradients_.front();
  for (std::size_t part = 1; part < parts; ++part) {
    const std::vector<T>& other = gradients_[part];
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += other[i];
  }
  const T factor = clipping(gradient, settings_.clip);
  optimiser_.step(model_.parameters, gradient, factor, rate_of(settings_, done_, steps_));
  ++done_;
  return loss;
}

template <class T>
BatchLoss Trainer<T>::evaluate(const Batch& batch) {
  return piece_by_piece(batch, T(1), [](std::size_t) {});
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace attnlab
