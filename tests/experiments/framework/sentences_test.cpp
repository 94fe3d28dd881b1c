// What titles and sentences claim holds in the run that makes them, whatever its parameters: each claim is
// read in both languages and decided anew by the run's arrays.
#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "reports.hpp"

namespace attnlab {
namespace {

struct OddRun {
  const char* experiment;
  Flags flags;
  std::vector<InputArray> arrays;
};

InputArray zeros(const std::string& name, std::size_t rows, std::size_t columns) {
  return own(name, {rows, columns}, Numbers(rows * columns, 0.0));
}

std::vector<OddRun> odd_runs() {
  return {
      {"dot-product", {}, {}},
      {"dot-product", {{"a", "1,0"}, {"b", "0,1"}, {"c", "0,-1"}}, {}},
      {"vectors", {}, {}},
      {"vectors", {{"count", "2"}, {"query-angle", "90"}}, {}},
      {"scaling", {}, {}},
      {"scaling", {{"keys", "2"}, {"seed", "3"}}, {}},
      {"scaling", {{"high-dim", "4"}, {"keys", "2000"}}, {}},
      {"variance", {}, {}},
      {"variance", {{"dims", "1"}}, {}},
      {"additive", {}, {}},
      {"additive", {}, {zeros("query", 3, 128)}},
      {"additive", {{"keys", "1"}}, {}},
      {"lookup", {}, {}},
      {"lookup", {{"temperature", "0.001"}}, {}},
      {"lookup", {{"query", "60"}}, {}},
      {"lookup", {{"query", "45"}}, {}},
      {"encoder", {}, {}},
      {"encoder", {}, {zeros("x", 6, 16)}},
      {"recurrence", {}, {}},
      {"recurrence", {{"tokens", "3"}, {"radius", "0.9,1.1"}}, {}},
      {"recurrence", {{"radius", "1"}}, {}},
      {"filters", {}, {}},
      {"filters", {{"scale", "0.000000001"}}, {}},
      {"filters", {{"noise", "10"}}, {}},
      {"filters", {{"window", "1"}, {"alpha", "1"}}, {}},
      {"self-attention", {}, {}},
      {"self-attention", {}, {zeros("x", 4, 8)}},
      {"self-attention", {{"scale", "100"}}, {}},
      {"heads", {}, {}},
      {"heads", {}, {zeros("x", 6, 16)}},
      {"heads", {{"tokens", "1"}}, {}},
      {"masks", {}, {}},
      {"masks", {{"queries", "1"}, {"keys", "1"}}, {}},
      {"masks", {{"hidden", "float16"}, {"mask", "causal"}}, {}},
      {"permutation", {}, {}},
      {"permutation", {{"order", "0,1,2,3,4"}}, {}},
      {"positional", {}, {}},
      {"positional", {{"base", "1"}}, {}},
      {"positional", {{"width", "2"}}, {}},
      {"variants", {}, {}},
      {"variants", {{"kv-heads", "8"}, {"window", "1"}, {"mixing", "0"}}, {}},
      {"variants", {{"window", "20"}}, {}},
      {"rope", {}, {}},
      {"rope", {{"width", "2"}, {"factor", "1"}}, {}},
      {"flash", {}, {}},
      {"flash", {{"tile", "12"}, {"length", "128"}, {"block", "1"}}, {}},
      {"flash", {{"magnitude", "1000000"}}, {}},
      {"flash", {{"hidden", "8"}, {"after", "1"}}, {}},
      {"cache", {}, {}},
      {"cache", {{"model", "opt-13b"}, {"length", "1"}}, {}},
  };
}

const Experiment& named(const std::string& name) {
  const std::vector<Experiment>& all = experiments();
  return *std::find_if(all.begin(), all.end(), [&](const Experiment& one) { return one.name == name; });
}

/// Titles, descriptions, captions and paragraphs.
std::string reported_by(const Report& report, Language language) {
  std::string all;
  for (const Figure& one : report.figures)
    all +=
        one.title.in(language) + "\n" + one.description.in(language) + "\n" + one.caption.in(language) + "\n";
  for (const Block& block : report.body) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph != nullptr) all += paragraph->text.in(language) + "\n";
  }
  return all;
}

// --- The deciding numbers, from arrays alone

double largest(const Numbers& numbers) { return *std::max_element(numbers.begin(), numbers.end()); }

double spread(const Numbers& numbers) {
  return largest(numbers) - *std::min_element(numbers.begin(), numbers.end());
}

/// How far the rows of an array (rows, columns) lie apart.
double rows_at_gap(const Report& report, const std::string& name) {
  const std::vector<std::size_t>& shape = stage(report, name).array.shape;
  double most = 0.0;
  for (std::size_t column = 0; column < shape.at(1); ++column) {
    Numbers down;
    for (std::size_t row = 0; row < shape.at(0); ++row) down.push_back(row_of(report, name, row).at(column));
    most = std::max(most, spread(down));
  }
  return most;
}

double asymmetry(const Report& report, const std::string& name) {
  double most = 0.0;
  const std::size_t size = stage(report, name).array.shape.at(0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j)
      most = std::max(most, std::abs(row_of(report, name, i).at(j) - row_of(report, name, j).at(i)));
  }
  return most;
}

/// The factor per step that fits best, from the logarithms.
double factor_per_step(const Numbers& sizes) {
  const double middle = 0.5 * static_cast<double>(sizes.size() - 1);
  double above = 0.0;
  double below = 0.0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double away = static_cast<double>(i) - middle;
    above += away * std::log(sizes[i]);
    below += away * away;
  }
  return std::exp(above / below);
}

/// Weight on samples of the sine's own sign over weight on those of the other sign.
double sign_preference(const Report& report) {
  const Numbers& clean = values(report, "clean");
  double own_sign = 0.0;
  double other_sign = 0.0;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const Numbers row = row_of(report, "attention_weights", i);
    for (std::size_t j = 0; j < clean.size(); ++j)
      ((clean[i] > 0.0) == (clean[j] > 0.0) ? own_sign : other_sign) += row[j];
  }
  return own_sign / other_sign;
}

double distance(const Report& report, const std::string& name) {
  const Numbers& clean = values(report, "clean");
  double sum = 0.0;
  for (std::size_t i = 0; i < clean.size(); ++i) sum += std::pow(values(report, name).at(i) - clean[i], 2);
  return std::sqrt(sum / static_cast<double>(clean.size()));
}

/// Whether a tile raises the maximum of keys that were seen before it.
bool rises_behind_its_first_tile(const Report& report) {
  const Numbers& maximum = values(report, "running_maximum");
  bool rises = false;
  for (std::size_t tile = 1; tile < maximum.size(); ++tile)
    rises |= std::isfinite(maximum[tile - 1]) && maximum[tile] > maximum[tile - 1];
  return rises;
}

/// By how much a column of the encoding moves from row to row, all in all.
double movement(const Report& report, std::size_t column) {
  double sum = 0.0;
  for (std::size_t row = 1; row < stage(report, "encoding").array.shape.at(0); ++row)
    sum += std::abs(row_of(report, "encoding", row)[column] - row_of(report, "encoding", row - 1)[column]);
  return sum;
}

struct Claim {
  const char* experiment;
  const char* en;
  const char* ja;
  std::function<bool(const Report&)> holds;
};

std::vector<Claim> claims_of_runs() {
  return {
      {"dot-product", "but a·b goes from", "でも a·b は",
       [](const Report& r) { return std::abs(row_of(r, "products", 0)[1]) > 1e-12; }},
      {"vectors", "The closer the key, the larger", "近いキーほど注意度が大きい",
       [](const Report& r) { return spread(values(r, "weights")) > 1e-12; }},
      {"scaling", "now the differences are visible", "差が見えます",
       [](const Report& r) {
         return largest(values(r, "weights_high")) >= 0.5 && largest(values(r, "weights_high_scaled")) <= 0.5;
       }},
      {"variance", "Dot products spread like √d", "内積の標準偏差はほぼ √d",
       [](const Report& r) { return values(r, "std_raw").back() > 1.2 * values(r, "std_raw").front(); }},
      {"variance", "the wider the higher", "次元が高いほど広い",
       [](const Report& r) { return values(r, "std_raw").back() > 1.2 * values(r, "std_raw").front(); }},
      {"additive", "Without its hidden layer, all queries", "隠れ層がないと、どのクエリも同じ",
       [](const Report& r) { return rows_at_gap(r, "weights") > 1e-4; }},
      {"lookup", "Attention mixes all values", "アテンションはすべてのバリューを近さに応じて",
       [](const Report& r) {
         return largest(row_of(r, "weights", values(r, "temperature").size() - 1)) < 0.995;
       }},
      {"lookup", "dictionary returns", "辞書は「",
       [](const Report& r) { return largest(values(r, "scores")) > 1.0 - 1e-9; }},
      {"encoder", "Post-norm sets the length", "post-norm は長さを",
       [](const Report& r) {
         double squares = 0.0;
         for (const double value : values(r, "output")) squares += value * value;
         return squares > 0.9 * static_cast<double>(values(r, "output").size());
       }},
      {"recurrence", "has no trend", "傾向なし",
       [](const Report& r) {
         return std::abs(factor_per_step(values(r, "attention_gradient")) - 1.0) < 0.05;
       }},
      {"recurrence", " to 1.", "～1.", [](const Report& r) { return values(r, "radius").size() > 1; }},
      {"filters", "chequered", "市松模様", [](const Report& r) { return sign_preference(r) > 2.0; }},
      {"filters", "attention follow the sine", "アテンションは正弦波に沿い",
       [](const Report& r) {
         const double ema = distance(r, "ema_output");
         const double others =
             std::max(distance(r, "moving_average_output"), distance(r, "attention_output"));
         return others < 0.36 && others < ema;
       }},
      {"self-attention", "so the matrix is not symmetric", "行列は対称になりません",
       [](const Report& r) { return asymmetry(r, "weights") > 1e-12; }},
      {"self-attention", "The largest weight is", "最大の注意度 ",
       [](const Report& r) { return spread(values(r, "weights")) > 0.05; }},
      {"self-attention", "Small random weights", "小さな乱数の重み",
       [](const Report& r) { return largest(values(r, "scores")) < 0.25 && spread(values(r, "x")) > 0.0; }},
      {"heads", "so their weights differ", "注意度も違います",
       [](const Report& r) { return spread(values(r, "weights")) > 1e-12; }},
      {"heads", "run from -", "値は -", [](const Report&) { return false; }},  // a weight is never negative
      {"masks", "here the smallest sum", "ここでは最小で",
       [](const Report& r) { return scalar(r, "smallest_sum_when_zeroed_late") < 1.0; }},
      {"masks", "exp(−∞) = 0", "exp(−∞) = 0",
       [](const Report& r) {
         const Numbers& masked = values(r, "masked_causal");
         return std::any_of(masked.begin(), masked.end(), [](double x) { return std::isinf(x); }) ||
                masked.size() == 1;
       }},
      {"permutation", "a token at another position gives another", "位置が違えば出力が変わります",
       [](const Report& r) { return !std::is_sorted(values(r, "order").begin(), values(r, "order").end()); }},
      {"positional", "Columns on the left oscillate fast", "左の列ほど細かく振動",
       [](const Report& r) {
         return movement(r, 0) > 5.0 * movement(r, stage(r, "encoding").array.shape.at(1) - 1);
       }},
      {"positional", "low dimensions oscillate fast", "低い次元は速く",
       [](const Report& r) {
         return movement(r, 0) > 5.0 * movement(r, stage(r, "encoding").array.shape.at(1) - 1);
       }},
      {"variants", "query heads share a key and a value", "個ずつがキーとバリューを共有",
       [](const Report& r) { return stage(r, "grouped_shared_key").array.shape.at(0) < 8; }},
      {"variants", "sees itself alone", "自分しか見えない",
       [](const Report& r) { return scalar(r, "window_reach_5") == 1.0; }},
      {"variants", "tokens, layer by layer", "1、2、3 層目で",
       [](const Report& r) {
         return scalar(r, "window_reach_1") > 1.0 &&
                scalar(r, "window_reach_1") < scalar(r, "window_reach_2");
       }},
      {"variants", "Once heads are mixed", "ヘッドを混ぜると、",
       [](const Report& r) { return spread(values(r, "talking_mixing")) > 1.0; }},
      {"rope", "With the wrong pairing scores", "組み方を取り違えると、スコア",
       [](const Report& r) { return scalar(r, "largest_confusion") > 0.0; }},
      {"rope", "Four ways", "4 つの方法",
       [](const Report& r) {
         return row_of(r, "scaled_frequencies", 1).back() < row_of(r, "scaled_frequencies", 0).back();
       }},
      {"rope", "pair 0 by", "°、組 0 は",
       [](const Report& r) { return values(r, "frequencies").size() > 1; }},
      {"flash", "Without the factors f the output", "係数 f を省くと、出力", rises_behind_its_first_tile},
      {"flash", "All three are the same", "3 行とも同じ",
       [](const Report& r) { return scalar(r, "error_without_factors") < 1e-12; }},
      {"flash", "times fewer numbers", " 分の 1",
       [](const Report& r) { return values(r, "moved_plain").back() > values(r, "moved_tiles").back(); }},
      {"flash", "all keys so far are masked", "キーはすべてマスクされている",
       [](const Report& r) { return std::isinf(values(r, "running_maximum").front()); }},
      {"cache", "if every head kept its own", "全ヘッドが残せば",
       [](const Report& r) { return scalar(r, "kib_per_token") < 800.0; }},
  };
}

}  // namespace

TEST_CASE("What a run says of its result follows from the result, in both languages") {
  std::set<std::string> made;
  std::set<std::string> left_out;
  for (const OddRun& odd : odd_runs()) {
    const Report report = run_with(named(odd.experiment), odd.flags, odd.arrays);
    const std::string en = reported_by(report, Language::en);
    const std::string ja = reported_by(report, Language::ja);
    std::string flags = odd.experiment;
    for (const auto& [name, value] : odd.flags) flags += " --" + name + " " + value;
    for (const InputArray& array : odd.arrays) flags += " --input " + array.name;
    for (const Claim& claim : claims_of_runs()) {
      if (claim.experiment != std::string(odd.experiment)) continue;
      INFO(flags, ": ", std::string(claim.en));
      const bool is_made = contains(en, claim.en);
      CHECK(contains(ja, claim.ja) == is_made);
      CHECK((!is_made || claim.holds(report)));
      (is_made ? made : left_out).insert(claim.en);
    }
  }
  for (const Claim& claim : claims_of_runs()) {  // or the table would check nothing
    INFO(std::string(claim.en));
    CHECK((made.count(claim.en) == 1 || claim.en == std::string("run from -")));
    CHECK(left_out.count(claim.en) == 1);
  }
}

}  // namespace attnlab
