// Steps of training on all processors, with the same bits whatever their number.
#pragma once

#include "core/for_each.hpp"
#include "training/model.hpp"
#include "training/optimiser.hpp"

namespace attnlab {

struct BatchLoss {
  double loss = 0.0;  // mean over the targets that count
  double accuracy = 0.0;
};

/// A batch is divided into the same parts on every machine; each part has room and a gradient of its own, and
/// the gradients are added up in the parts' order. A part too large for its room is computed piece by piece.
template <class T>
class Trainer {
 public:
  /// `steps` in all, for the course of the rate; batches have about so many sequences.
  Trainer(Model<T>& model, const OptimiserSettings& settings, std::size_t steps, std::size_t sequences,
          ForEach for_each = on_all_processors());

  /// Forwards, backwards, and a step of the optimiser. The loss is that before the step.
  BatchLoss step(const Batch& batch);

  /// Forwards alone, of any number of sequences.
  BatchLoss evaluate(const Batch& batch);

  /// How many numbers of type T it has room for beside the model.
  static double numbers_of(const ModelShape& shape, std::size_t sequences);

 private:
  /// The loss of the batch's parts, piece by piece; behind each work(part) may go on from there.
  template <class Work>
  BatchLoss piece_by_piece(const Batch& batch, T share, const Work& work);

  Model<T>& model_;
  OptimiserSettings settings_;
  Optimiser<T> optimiser_;
  std::size_t steps_;
  std::size_t done_ = 0;
  std::vector<Pass<T>> passes_;
  std::vector<std::vector<T>> gradients_;
  ForEach for_each_;
};

}  // namespace attnlab
