#include "colour_vision.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/constants.hpp"

namespace attnlab {
namespace {

using Triple = std::array<double, 3>;
using Transform = std::array<Triple, 3>;

constexpr Transform machado_protanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Transform machado_deuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Transform machado_tritanopia{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
// IEC 61966-2-1, D65.
constexpr Transform srgb_to_xyz{{{0.4124564, 0.3575761, 0.1804375},
                                 {0.2126729, 0.7151522, 0.0721750},
                                 {0.0193339, 0.1191920, 0.9503041}}};
constexpr Triple white{0.95047, 1.0, 1.08883};

double to_linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}
double to_srgb(double light) {
  const double clamped = std::clamp(light, 0.0, 1.0);
  return clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * std::pow(clamped, 1.0 / 2.4) - 0.055;
}

Triple linear(const Colour& colour) {
  return {to_linear(colour.red), to_linear(colour.green), to_linear(colour.blue)};
}

Triple times(const Transform& transform, const Triple& vector) {
  Triple result{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) result[row] += transform[row][column] * vector[column];
  }
  return result;
}

Colour from_linear(const Triple& light) { return {to_srgb(light[0]), to_srgb(light[1]), to_srgb(light[2])}; }

double degrees(double radians) { return radians * 180.0 / pi; }
double radians(double degrees) { return degrees * pi / 180.0; }

double hue(double a, double b) {
  if (a == 0.0 && b == 0.0) return 0.0;
  const double angle = degrees(std::atan2(b, a));
  return angle < 0.0 ? angle + 360.0 : angle;
}

double to_the_7th(double x) { return std::pow(x, 7.0); }

}  // namespace

Colour seen_by(Vision vision, const Colour& colour) {
  const Triple light = linear(colour);
  switch (vision) {
    case Vision::normal: return colour;
    case Vision::protanopia: return from_linear(times(machado_protanopia, light));
    case Vision::deuteranopia: return from_linear(times(machado_deuteranopia, light));
    case Vision::tritanopia: return from_linear(times(machado_tritanopia, light));
    case Vision::grey: {
      const double luminance = times(srgb_to_xyz, light)[1];
      return from_linear({luminance, luminance, luminance});
    }
  }
  return colour;
}

Lab lab_of(const Colour& colour) {
  Triple f = times(srgb_to_xyz, linear(colour));
  for (std::size_t i = 0; i < 3; ++i) {
    const double ratio = f[i] / white[i];
    constexpr double knee = 6.0 / 29.0;
    f[i] = ratio > knee * knee * knee ? std::cbrt(ratio) : ratio / (3.0 * knee * knee) + 4.0 / 29.0;
  }
  return {116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])};
}

// The steps and letters of Sharma, Wu and Dalal's paper, equations 2 to 22.
double difference(const Lab& one, const Lab& other) {
  const double c_mean = (std::hypot(one.a, one.b) + std::hypot(other.a, other.b)) / 2.0;
  const double g = 0.5 * (1.0 - std::sqrt(to_the_7th(c_mean) / (to_the_7th(c_mean) + to_the_7th(25.0))));
  const double a1 = (1.0 + g) * one.a;
  const double a2 = (1.0 + g) * other.a;
  const double c1 = std::hypot(a1, one.b);
  const double c2 = std::hypot(a2, other.b);
  const double h1 = hue(a1, one.b);
  const double h2 = hue(a2, other.b);

  const bool grey = c1 * c2 == 0.0;
  double turn = grey ? 0.0 : h2 - h1;
  if (turn > 180.0) turn -= 360.0;
  if (turn < -180.0) turn += 360.0;
  const double d_lightness = other.lightness - one.lightness;
  const double d_chroma = c2 - c1;
  const double d_hue = 2.0 * std::sqrt(c1 * c2) * std::sin(radians(turn / 2.0));

  const double l = (one.lightness + other.lightness) / 2.0;
  const double c = (c1 + c2) / 2.0;
  double h = h1 + h2;
  if (!grey) {
    if (std::abs(h1 - h2) > 180.0) h += h < 360.0 ? 360.0 : -360.0;
    h /= 2.0;
  }
  const double t = 1.0 - 0.17 * std::cos(radians(h - 30.0)) + 0.24 * std::cos(radians(2.0 * h)) +
                   0.32 * std::cos(radians(3.0 * h + 6.0)) - 0.20 * std::cos(radians(4.0 * h - 63.0));
  const double theta = 30.0 * std::exp(-std::pow((h - 275.0) / 25.0, 2.0));
  const double r_c = 2.0 * std::sqrt(to_the_7th(c) / (to_the_7th(c) + to_the_7th(25.0)));
  const double s_l = 1.0 + 0.015 * std::pow(l - 50.0, 2.0) / std::sqrt(20.0 + std::pow(l - 50.0, 2.0));
  const double s_c = 1.0 + 0.045 * c;
  const double s_h = 1.0 + 0.015 * c * t;
  const double r_t = -std::sin(radians(2.0 * theta)) * r_c;
  return std::sqrt(std::pow(d_lightness / s_l, 2.0) + std::pow(d_chroma / s_c, 2.0) +
                   std::pow(d_hue / s_h, 2.0) + r_t * d_chroma / s_c * d_hue / s_h);
}

}  // namespace attnlab
