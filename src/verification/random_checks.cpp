#include "verification/random_checks.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "random/numpy_random.hpp"
#include "random/torch_random.hpp"
#include "verification/stream_checksum.hpp"

namespace attnlab {
namespace {

/// Equal in every bit, or not at all.
VerifyCheck exact(const std::string& stage, std::uint32_t seed, bool equal) {
  VerifyCheck check =
      failed_check(Section::functions, "numpy_random", stage, Text::same(fmt::format("seed {}", seed)));
  if (equal) {
    check.absolute = check.relative = 0.0;
    check.passes = true;
  }
  return check;
}

/// NumPy's normals depend in their last bit on whether the C library's log fuses multiply-adds here.
bool is_of_numpy(const std::string& checksum, const StoredJson& stream) {
  return checksum == stream.at("checksum_of_million_randn").get<std::string>() ||
         checksum == stream.at("checksum_of_million_randn_without_fma").get<std::string>();
}

}  // namespace

std::vector<VerifyCheck> check_numpy_random(const StoredJson& file) {
  std::vector<VerifyCheck> checks;
  for (const StoredJson& stream : file) {
    const auto seed = stream.at("seed").get<std::uint32_t>();
    NumpyRandom uniforms(seed);
    NumpyRandom normals(seed);
    NumpyRandom mixed(seed);
    const auto five = [](auto draw) { return std::vector<double>{draw(), draw(), draw(), draw(), draw()}; };
    const auto uniform = [&] { return uniforms.uniform(); };
    const auto normal = [&] { return normals.normal(); };
    checks.push_back(exact("rand", seed, five(uniform) == stored_array(stream.at("rand")).data));
    checks.push_back(exact("randn", seed, five(normal) == stored_array(stream.at("randn")).data));
    const std::vector<double> interleaved{mixed.normal(), mixed.uniform(), mixed.normal(), mixed.normal()};
    const char* kept = "randn_rand_randn_randn";
    checks.push_back(exact(kept, seed, interleaved == stored_array(stream.at(kept)).data));

    uniforms = NumpyRandom(seed);
    normals = NumpyRandom(seed);
    const char* million_uniforms = "checksum_of_million_rand";
    const char* million_normals = "checksum_of_million_randn";
    checks.push_back(exact(million_uniforms, seed,
                           checksum_of_million(uniform) == stream.at(million_uniforms).get<std::string>()));
    checks.push_back(exact(million_normals, seed, is_of_numpy(checksum_of_million(normal), stream)));
  }
  return checks;
}

namespace {

// PyTorch computes log, cos and sin of a block by vector approximations: within 1e-6 of the library's.
constexpr double of_blocks = 1e-6;
// Fewer than 16 normals are computed in double and rounded: the last bit of a float at most.
constexpr double of_singles = 2.5e-7;
// Uniform in ±1/√in: one rounding of a float below 1.
constexpr double of_linear = 6e-8;

/// Absolute differences; nine stored digits name one float.
VerifyCheck near(const std::string& stage, const Text& detail, const Tensor<float>& got,
                 const StoredJson& stored, double allowed) {
  std::vector<double> expected = stored_array(stored).data;
  for (double& value : expected) value = static_cast<double>(static_cast<float>(value));
  Deviation found = deviation(numbers_of(got), expected, 0.0);
  found.allowed = allowed;
  found.agrees = found.absolute <= allowed;
  return check_of(Section::functions, "torch_random", stage, detail, found);
}

}  // namespace

std::vector<VerifyCheck> check_torch_random(const StoredJson& file) {
  std::vector<VerifyCheck> checks;
  for (const StoredJson& stream : file) {
    const auto seed = stream.at("seed").get<std::uint32_t>();
    const Text detail = Text::same(fmt::format("seed {}", seed));
    for (const auto& [name, stored] : stream.items()) {
      TorchRandom random(seed);
      if (name == "rand")
        checks.push_back(near(name, detail, random.rand({stored.at("data").size()}), stored, 0.0));
      if (name.rfind("randn_", 0) != 0) continue;
      const std::size_t count = stored.at("data").size();
      checks.push_back(
          near(name, detail, random.randn({count}), stored, count < 16 ? of_singles : of_blocks));
    }
    TorchRandom mixed(seed);  // randn(3), randn(18), rand(2), randn(2), randn(1): a kept sine in between
    const StoredJson& parts = stream.at("mixed");
    checks.push_back(near("mixed", detail, mixed.randn({3}), parts.at(0), of_singles));
    checks.push_back(near("mixed", detail, mixed.randn({18}), parts.at(1), of_blocks));
    checks.push_back(near("mixed", detail, mixed.rand({2}), parts.at(2), 0.0));
    checks.push_back(near("mixed", detail, mixed.randn({2}), parts.at(3), of_singles));
    checks.push_back(near("mixed", detail, mixed.randn({1}), parts.at(4), of_singles));
    TorchRandom linear(seed);
    for (const StoredJson& stored : stream.at("linear")) {
      const TorchLinear layer =
          linear.linear(stored.at("in").get<std::size_t>(), stored.at("out").get<std::size_t>());
      checks.push_back(near("linear_weight", detail, layer.weight, stored.at("weight"), of_linear));
      checks.push_back(near("linear_bias", detail, layer.bias, stored.at("bias"), of_linear));
    }
  }
  return checks;
}

}  // namespace attnlab
