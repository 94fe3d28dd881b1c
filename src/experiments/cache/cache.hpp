// The cache experiment: how many bytes of keys and values a model keeps while it generates, and what a step
// reads.
#pragma once

#include "core/counted.hpp"
#include "experiments/cache/cache_shape.hpp"
#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

struct CacheRun {
  Tape tape;
  CacheShape shape;
  std::string name;                     // "Llama 3 8B", or the model_type of a config.json
  const CachePreset* preset = nullptr;  // none: a config.json
  double length = 0.0;                  // tokens of each sequence
  double batch = 1.0;                   // sequences
  double bytes_per_number = 2.0;
  std::size_t page = 16;       // tokens
  std::size_t reserved = 0;    // tokens of a sequence, where memory is taken beforehand
  Tensor<double> lengths;      // (n): that of the run, then 64, 128, ...
  Tensor<double> bytes;        // (n): of all sequences
  Tensor<double> requests;     // (r): lengths up to the reserved one
  Tensor<double> paged;        // (r): share of the memory in use, of whole pages
  Tensor<double> reservation;  // (r): the same of what was reserved

  static CacheRun compute(const Arguments& arguments, const Context& context);

  double bytes_of_token() const { return shape.of_token() * bytes_per_number; }
  double bytes_of_later_token() const { return shape.of_later_token() * bytes_per_number; }
  double bytes_now() const { return bytes(0); }
  bool grows() const { return shape.of_token() > 0.0; }
  /// Weights that a step reads in 16 bit; 0 where nothing says how many there are.
  double bytes_of_weights() const { return preset == nullptr ? 0.0 : 2.0 * preset->reads; }
  double pages() const { return std::ceil(length / static_cast<double>(page)); }
  /// "3000 tokens".
  Text tokens() const { return counted(static_cast<std::size_t>(length), "token"); }
  /// Share of the pages' tokens that are none.
  double paged_waste() const { return 1.0 - length / (pages() * static_cast<double>(page)); }
  double reserved_waste() const { return 1.0 - length / static_cast<double>(reserved); }
};

/// "MHA", "GQA", "MQA", "MLA", or none.
Text cache_kind(const CacheShape& shape);
/// "128 KiB", "68.6 KiB": three digits.
std::string binary_text(double bytes);
/// "99.7 %", "99.7%": three digits.
Text percent_text(double share);
/// "61 layers · (512 + 64) · 2 bytes = 70272 bytes".
Text cache_equation(const CacheShape& shape, double bytes_per_number);

std::vector<Invariant> invariants(const CacheRun& run);
std::vector<Block> body(const CacheRun& run, const std::vector<Stage>& stages);
std::vector<Figure> figures(const CacheRun& run);

}  // namespace attnlab
