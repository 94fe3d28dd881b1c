// Positions off by one: queries count from 0, keys from 1.
#include "attention/positional.hpp"
#include "experiments/mistakes/mistakes.hpp"

namespace attnlab {
namespace {

constexpr std::size_t positions = 8;
constexpr std::size_t encoding_width = 32;
constexpr double base = 10000.0;

/// How far the most similar position lies from the own one, at most over all rows.
double displacement(const Tensor<double>& similarity) {
  return worst_of(positions, [&](std::size_t row) {
    return std::abs(static_cast<double>(largest_in_row(similarity, row)) - static_cast<double>(row));
  });
}

/// The positions from `first` on.
void record_encoding(Tape& tape, const std::string& name, std::size_t first) {
  const Tensor<double> all = sinusoidal_encoding(positions + first, encoding_width, base);
  const Tensor<double> encoding = xt::view(all, xt::range(first, positions + first), xt::all());
  const auto line = [&](std::size_t n) {
    return worked::sinusoids(n + first, &encoding(n, 0), encoding_width, base);
  };
  tape.step(name, "r_n", encoding, {"positions", "width"},
            derived::worked({}, worked::lines(positions, line),
                            fmt::format("sinusoidal_encoding(np.arange({}) + {}, {})", positions, first,
                                        encoding_width)));
}

MistakeRun off_by_one(Tape& tape) {
  record_encoding(tape, "encoding", 0);
  Tensor<double> right = tape.product_with_transpose("right", "r_m · r_n", "encoding", "encoding", pair_axes);
  record_encoding(tape, "wrong_encoding", 1);
  return compared(
      std::move(right),
      tape.product_with_transpose("wrong", "r_m · r_{n+1}", "encoding", "wrong_encoding", pair_axes),
      displacement);
}

}  // namespace

ShownMistakes mistakes_of_positions() {
  return {{"off-by-one",
           {off_by_one,
            HeatMap{"similarity"}
                .rows({"クエリの位置", "Query position"})
                .columns({"キーの位置", "Key position"})
                .coloured({Palette::viridis, 0.0, 1.0, {"内積", "Dot product"}})
                .with_numbers(1),
            RowNames::numbers, Framed::largest_of_row, InputKind::fixed}}};
}

}  // namespace attnlab
