#include "training/optimiser.hpp"

#include <algorithm>
#include <cmath>

#include "attention/lanes.hpp"
#include "core/constants.hpp"

namespace attnlab {

double rate_of(const OptimiserSettings& settings, std::size_t step, std::size_t steps) {
  const auto place = static_cast<double>(step);
  const auto rising = static_cast<double>(settings.warm_up);
  if (step < settings.warm_up) return settings.rate * (place + 1.0) / rising;
  if (settings.course == RateCourse::constant || steps <= settings.warm_up) return settings.rate;
  const double share = (place - rising) / (static_cast<double>(steps) - rising);
  return settings.rate * 0.5 * (1.0 + std::cos(pi * share));
}

template <class T>
T clipping(const std::vector<T>& gradient, double clip) {
  if (clip == 0.0) return T(1);
  constexpr std::size_t at_once = 256;  // so few that their sum in float is good
  double sum = 0.0;
  for (std::size_t i = 0; i < gradient.size(); i += at_once) {
    const T* g = gradient.data() + i;
    sum += static_cast<double>(sum_of_products(std::min(at_once, gradient.size() - i), g, g));
  }
  return static_cast<T>(std::min(1.0, clip / (std::sqrt(sum) + 1e-6)));
}

template <class T>
Optimiser<T>::Optimiser(const OptimiserSettings& settings, std::size_t parameters)
    : settings_(settings),
      mean_(parameters, T(0)),
      square_(settings.kind == OptimiserKind::adamw ? parameters : 0, T(0)) {}

template <class T>
void Optimiser<T>::step(std::vector<T>& parameters, const std::vector<T>& gradient, T factor, double rate) {
  ++taken_;
  const auto eta = static_cast<T>(rate);
  if (settings_.kind == OptimiserKind::sgd) {
    const auto mu = static_cast<T>(settings_.momentum);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      mean_[i] = mu * mean_[i] + factor * gradient[i];
      parameters[i] -= eta * mean_[i];
    }
    return;
  }
  const auto t = static_cast<double>(taken_);
  const auto beta_1 = static_cast<T>(settings_.beta_1);
  const auto beta_2 = static_cast<T>(settings_.beta_2);
  const auto keep = static_cast<T>(1.0 - rate * settings_.decay);
  const auto size = static_cast<T>(rate / (1.0 - std::pow(settings_.beta_1, t)));
  const auto root = static_cast<T>(std::sqrt(1.0 - std::pow(settings_.beta_2, t)));
  const auto eps = static_cast<T>(settings_.eps);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const T g = factor * gradient[i];
    mean_[i] = beta_1 * mean_[i] + (1 - beta_1) * g;
    square_[i] = beta_2 * square_[i] + (1 - beta_2) * g * g;
    parameters[i] = keep * parameters[i] - size * mean_[i] / (std::sqrt(square_[i]) / root + eps);
  }
}

template float clipping(const std::vector<float>&, double);
template double clipping(const std::vector<double>&, double);
template class Optimiser<float>;
template class Optimiser<double>;

}  // namespace attnlab
