#include "training/trainer.hpp"

#include <algorithm>

#include "core/for_each.hpp"

namespace attnlab {
namespace {

/// Enough for four processors, and for parts of a size that BLAS likes.
constexpr std::size_t parts = 4;

/// The sequences first, ..., first + count - 1 of part `index`.
struct Part {
  std::size_t first;
  std::size_t count;
};
Part part_of(std::size_t sequences, std::size_t index) {
  const std::size_t first = sequences * index / parts;
  return {first, sequences * (index + 1) / parts - first};
}

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
                    std::size_t sequences, std::size_t threads)
    : model_(model),
      settings_(settings),
      optimiser_(settings, model.places.size),
      steps_(steps),
      passes_(parts, Pass<T>(model, sequences_at_once(model.shape, largest_part(sequences)))),
      gradients_(parts, std::vector<T>(model.places.size)),
      losses_(parts),
      crew_(threads > 0 ? threads : std::min(parts, free_processors())) {}

template <class T>
double Trainer<T>::numbers_of(const ModelShape& shape, std::size_t sequences) {
  const std::size_t room = sequences_at_once(shape, largest_part(sequences));
  const auto parameters = static_cast<double>(places_of(shape).size);
  return static_cast<double>(parts) * (parameters + numbers_of_pass(shape, room)) + 2.0 * parameters;
}

template <class T>
template <class Work>
void Trainer<T>::piece_by_piece(std::size_t part, std::size_t sequences, const Work& work) {
  const auto [first, count] = part_of(sequences, part);
  const std::size_t room = passes_[part].sequences();
  for (std::size_t at = first; at < first + count; at += room)
    work(passes_[part], at, std::min(room, first + count - at));
}

template <class T>
BatchLoss Trainer<T>::step(const Batch& batch) {
  const T share = T(1) / static_cast<T>(batch.counted());
  crew_.run(parts, [&](std::size_t index) {
    std::vector<T>& gradient = gradients_[index];
    std::fill(gradient.begin(), gradient.end(), T(0));
    losses_[index] = {};
    piece_by_piece(index, batch.sequences, [&](Pass<T>& pass, std::size_t first, std::size_t count) {
      pass.forward(model_, batch, first, count);
      losses_[index] += pass.loss(batch, share);
      pass.backward(model_, gradient.data());
    });
  });
  std::vector<T>& gradient = gradients_.front();
  for (std::size_t part = 1; part < parts; ++part) {
    const std::vector<T>& other = gradients_[part];
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += other[i];
  }
  const T factor = clipping(gradient, settings_.clip);
  optimiser_.step(model_.parameters, gradient, factor, rate_of(settings_, done_, steps_));
  ++done_;
  return mean_of(losses_);
}

template <class T>
BatchLoss Trainer<T>::evaluate(const Batch& batch, const std::vector<std::vector<bool>>& silent) {
  crew_.run(parts, [&](std::size_t index) {
    losses_[index] = {};
    piece_by_piece(index, batch.sequences, [&](Pass<T>& pass, std::size_t first, std::size_t count) {
      pass.forward(model_, batch, first, count, silent);
      losses_[index] += pass.loss(batch, T(1));
    });
  });
  return mean_of(losses_);
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace attnlab
