// The random numbers against NumPy's and PyTorch's own.
#include "random/numpy_random.hpp"
#include "random/torch_random.hpp"
#include "verification/function_checks.hpp"

namespace attnlab {
namespace {

/// Equal in every bit, or not at all.
VerifyCheck exact(const std::string& stage, std::uint32_t seed, bool equal) {
  const double error = equal ? 0.0 : infinity;
  const Text detail = Text::same(fmt::format("seed {}", seed));
  return {{error, error, 0.0, equal}, Section::functions, "numpy_random", stage, detail};
}

/// NumPy's normals depend in their last bit on whether the C library's log fuses multiply-adds here.
bool is_of_numpy(const std::string& checksum, const Json& stream) {
  return checksum == stream.at("checksum_of_million_randn") ||
         checksum == stream.at("checksum_of_million_randn_without_fma");
}

// PyTorch computes log, cos and sin of a block by vector approximations: within 1e-6 of the library's.
constexpr double of_blocks = 1e-6;
// Fewer than 16 normals are computed in double and rounded: the last bit of a float at most.
constexpr double of_singles = 2.5e-7;
// Uniform in ±1/√in: one rounding of a float below 1.
constexpr double of_linear = 6e-8;

/// Absolute differences; nine stored digits name one float.
VerifyCheck near(const std::string& stage, const Text& detail, const Tensor<float>& got, const Json& stored,
                 double allowed) {
  std::vector<double> expected = stored_array(stored).data;
  for (double& value : expected) value = static_cast<double>(static_cast<float>(value));
  Deviation found = deviation(numbers_of(got), expected, 0.0);
  found.allowed = allowed;
  found.agrees = found.absolute <= allowed;
  return {found, Section::functions, "torch_random", stage, detail};
}

}  // namespace

Checks check_numpy_random(const Json& file) {
  Checks checks;
  for (const Json& stream : file) {
    const auto seed = stream.at("seed").get<std::uint32_t>();
    NumpyRandom uniforms(seed);
    NumpyRandom normals(seed);
    NumpyRandom mixed(seed);
    const auto add = [&](const std::string& stage, bool equal) {
      checks.push_back(exact(stage, seed, equal));
    };
    const auto is_stored = [&](const std::string& stage, const std::vector<double>& numbers) {
      add(stage, numbers == stored_array(stream.at(stage)).data);
    };
    const auto five = [](auto draw) { return std::vector<double>{draw(), draw(), draw(), draw(), draw()}; };
    const auto uniform = [&] { return uniforms.uniform(); };
    const auto normal = [&] { return normals.normal(); };
    is_stored("rand", five(uniform));
    is_stored("randn", five(normal));
    is_stored("randn_rand_randn_randn", {mixed.normal(), mixed.uniform(), mixed.normal(), mixed.normal()});
    uniforms = NumpyRandom(seed);
    normals = NumpyRandom(seed);
    const std::string million = "checksum_of_million_rand";
    add(million, checksum_of_million(uniform) == stream.at(million));
    add(million + "n", is_of_numpy(checksum_of_million(normal), stream));
  }
  return checks;
}

Checks check_torch_random(const Json& file) {
  Checks checks;
  for (const Json& stream : file) {
    const auto seed = stream.at("seed").get<std::uint32_t>();
    const Text detail = Text::same(fmt::format("seed {}", seed));
    const auto add = [&](const std::string& stage, const Tensor<float>& got, const Json& stored,
                         double allowed) { checks.push_back(near(stage, detail, got, stored, allowed)); };
    for (const auto& [name, stored] : stream.items()) {
      TorchRandom random(seed);
      if (name == "rand") add(name, random.rand({stored.at("data").size()}), stored, 0.0);
      if (name.rfind("randn_", 0) != 0) continue;
      const std::size_t count = stored.at("data").size();
      add(name, random.randn({count}), stored, count < 16 ? of_singles : of_blocks);
    }
    TorchRandom mixed(seed);  // randn(3), randn(18), rand(2), randn(2), randn(1): a kept sine in between
    const Json& parts = stream.at("mixed");
    add("mixed", mixed.randn({3}), parts.at(0), of_singles);
    add("mixed", mixed.randn({18}), parts.at(1), of_blocks);
    add("mixed", mixed.rand({2}), parts.at(2), 0.0);
    add("mixed", mixed.randn({2}), parts.at(3), of_singles);
    add("mixed", mixed.randn({1}), parts.at(4), of_singles);
    TorchRandom linear(seed);
    for (const Json& stored : stream.at("linear")) {
      const TorchLinear layer =
          linear.linear(stored.at("in").get<std::size_t>(), stored.at("out").get<std::size_t>());
      add("linear_weight", layer.weight, stored.at("weight"), of_linear);
      add("linear_bias", layer.bias, stored.at("bias"), of_linear);
    }
  }
  return checks;
}

}  // namespace attnlab
