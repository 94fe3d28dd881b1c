#include "experiments/framework/nested_draws.hpp"

#include "core/error.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {
namespace {

const std::string nested = "nested";

/// The parameters that "nested:high-dim,keys" names; all sizes for "nested".
std::vector<std::string> sizes_in(const std::string& draws, const std::vector<Parameter>& parameters) {
  std::vector<std::string> sizes;
  for (const Parameter& parameter : parameters) {
    if (is_size(parameter)) sizes.push_back(parameter.name);
  }
  if (draws == nested) return sizes;
  const bool names_sizes = draws.rfind(nested + ":", 0) == 0;
  std::vector<std::string> named = split(draws.substr(draws.find(':') + 1), ",");
  const bool are_known = std::all_of(named.begin(), named.end(), [&](const std::string& name) {
    return std::find(sizes.begin(), sizes.end(), name) != sizes.end();
  });
  if (names_sizes && are_known) return named;
  refuse_usage(text("--draws の値「{}」を解釈できません", "--draws cannot be '{}'", printable(draws)),
               text("document、nested、または nested:{} のように大きさを指定してください（大きさは {}）",
                    "use document, nested, or sizes as in nested:{}; there are {}", sizes.front(),
                    joined(sizes, ", ")));
}

}  // namespace

Parameter draws_parameter() {
  return parameter(
      "draws", SyntaxKind{"document|nested[:SIZE,...]"}, "document",
      "乱数の引き方。document は文書のコードをこの大きさで実行した数。nested は既定の大きさで引いた数の先頭を取り、足りない分を続けた数（動画とスライダーが使います）。nested:SIZE はその大きさだけ",
      "document: what the document's code draws with these sizes; nested: the first of the numbers that the default sizes draw, continued where more are needed, as in films and sliders; nested:SIZE for some sizes alone");
}

bool is_size(const Parameter& parameter) {
  return std::holds_alternative<IntegerKind>(parameter.kind) && parameter.name != "seed";
}

std::optional<Arguments> run_before(Arguments& arguments) {
  const std::vector<Parameter>& parameters = arguments.parameters();
  if (find_named(parameters, "draws") == nullptr || arguments.text("draws") == "document")
    return std::nullopt;
  const std::vector<std::string> sizes = sizes_in(arguments.text("draws"), parameters);
  const std::set<std::string> others{"draws", "input", "labels"};
  Arguments before(parameters);
  before.read_below(arguments.folder());
  for (const Parameter& parameter : parameters) {
    const std::string& name = parameter.name;
    const bool is_kept =
        others.count(name) == 0 && std::find(sizes.begin(), sizes.end(), name) == sizes.end();
    if (is_kept && arguments.given(name)) before.set(name, arguments.text(name));
  }
  const auto shared = std::make_shared<FirstDraws>();
  arguments.share_draws(shared);
  before.share_draws(shared);
  return before;
}

Tensor<double> continued(const Tensor<double>& first, const std::vector<std::size_t>& shape,
                         const std::string& name, std::uint32_t seed) {
  std::vector<std::uint32_t> key{seed};
  for (const char letter : name) key.push_back(static_cast<unsigned char>(letter));
  const std::size_t before_place = key.size();
  const std::size_t width = shape.back();
  Tensor<double> all = Tensor<double>::from_shape(shape);
  std::vector<std::size_t> place(shape.size(), 0);  // of the row's first number
  for (std::size_t row = 0; row * width < all.size(); ++row) {
    std::size_t rest = row;
    for (std::size_t axis = shape.size() - 1; axis-- > 0; rest /= shape[axis])
      place[axis] = rest % shape[axis];
    bool is_in_first = first.dimension() == shape.size();
    for (std::size_t axis = 0; is_in_first && axis < shape.size(); ++axis)
      is_in_first = place[axis] < first.shape()[axis];
    const std::size_t kept = is_in_first ? std::min(width, first.shape().back()) : 0;
    double* numbers = all.data() + row * width;
    if (kept < width) {
      key.resize(before_place);
      for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
        key.push_back(static_cast<std::uint32_t>(place[axis]));
      const Tensor<double> own = NumpyRandom(key).randn({width});
      std::copy(own.begin(), own.end(), numbers);
    }
    if (kept > 0) std::copy_n(&first.element(place.begin(), place.end()), kept, numbers);
  }
  return all;
}

Text about_nested_draws() {
  return {"乱数は入れ子（既定の大きさの数の先頭を取り、足りない分を続ける）。",
          "Nested draws: the first of the numbers of the default size, continued where more are needed."};
}

}  // namespace attnlab
