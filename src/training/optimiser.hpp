// From gradients to the next parameters: AdamW and SGD, the learning rate over the steps, clipping.
#pragma once

#include <cstddef>
#include <vector>

namespace attnlab {

/// In the order of --optimizer's words.
enum class OptimiserKind { adamw, sgd };

/// constant, or a cosine from the full rate down to 0 (Loshchilov and Hutter 2017, eq. 5, without restarts).
enum class RateCourse { constant, cosine };

struct OptimiserSettings {
  OptimiserKind kind = OptimiserKind::adamw;
  double rate = 3e-3;
  RateCourse course = RateCourse::cosine;
  std::size_t warm_up =
      0;                  // steps in which the rate rises evenly to its full size (Vaswani et al. 2017, 5.3)
  double decay = 0.0;     // λ of AdamW
  double momentum = 0.9;  // of SGD
  double clip = 1.0;  // the gradient's largest norm (Pascanu et al. 2013, algorithm 1); 0: as long as it is
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double eps = 1e-8;
};

/// The rate of step 0, 1, ..., steps - 1.
double rate_of(const OptimiserSettings& settings, std::size_t step, std::size_t steps);

/// What the gradient is multiplied with: 1, or what makes its norm `clip`, as torch.nn.utils.clip_grad_norm_.
template <class T>
T clipping(const std::vector<T>& gradient, double clip);

/// AdamW (Loshchilov and Hutter 2019, algorithm 2), as torch.optim.AdamW computes it:
///   m = β₁ m + (1 − β₁) g,   v = β₂ v + (1 − β₂) g²
///   w = w − η λ w − η m̂ / (√v̂ + ε)   with   m̂ = m / (1 − β₁ᵗ),   v̂ = v / (1 − β₂ᵗ)
/// SGD with momentum (Polyak 1964), as torch.optim.SGD:
///   m = μ m + g,   w = w − η m
template <class T>
class Optimiser {
 public:
  Optimiser(const OptimiserSettings& settings, std::size_t parameters);

  /// The next step at this rate, with the gradient times `factor`.
  void step(std::vector<T>& parameters, const std::vector<T>& gradient, T factor, double rate);

 private:
  OptimiserSettings settings_;
  std::size_t taken_ = 0;
  std::vector<T> mean_;
  std::vector<T> square_;
};

}  // namespace attnlab
