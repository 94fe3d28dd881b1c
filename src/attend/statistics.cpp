// Six numbers per head that tell what kind of head it is, and the names of what is shown.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "attend/run.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

std::size_t matrices_per_entry(const AttendRun& run) {
  return run.has_heads ? run.batch.back() : run.summaries.size();
}

[[noreturn]] void refuse_index(const std::string& flag, std::size_t given, std::size_t count) {
  throw Error(ErrorKind::usage,
              {fmt::format("--{} {} はありません（0 から {} まで）", flag, given, count - 1),
               fmt::format("there is no --{} {}; they go from 0 to {}", flag, given, count - 1)},
              {fmt::format("例：--{} 0", flag), fmt::format("for example --{} 0", flag)});
}

[[noreturn]] void refuse_head(std::size_t given) {
  throw Error(ErrorKind::usage,
              {fmt::format("--head {} とありますが、ヘッドがありません", given),
               fmt::format("--head {}, but there are no heads", given)},
              {"--head を省くか、--heads でヘッド数を指定してください",
               "leave out --head, or say with --heads how many there are"});
}

Text row_name(const AttendRun& run, std::size_t row) {
  const std::size_t matrix = row / run.queries;
  const std::size_t query = row % run.queries;
  const std::string label = run.labels.empty() ? "" : fmt::format(" ({})", run.labels[query]);
  if (run.summaries.size() == 1) {
    return {fmt::format("クエリ {}{}", query, label), fmt::format("query {}{}", query, label)};
  }
  const std::size_t each = matrices_per_entry(run);
  const std::size_t entry = run.has_heads ? matrix / each : matrix;
  Text place{fmt::format("要素 {}", entry), fmt::format("entry {}", entry)};
  if (run.has_heads) {
    const bool batched = run.summaries.size() > each;
    place = {fmt::format("{}ヘッド {}", batched ? fmt::format("要素 {} の", entry) : "", matrix % each),
             fmt::format("head {}{}", matrix % each, batched ? fmt::format(" of entry {}", entry) : "")};
  }
  return {fmt::format("{} のクエリ {}{}", place.ja(), query, label),
          fmt::format("query {}{} of {}", query, label, place.en())};
}

/// Whether the same queries read nothing in every matrix: then one list names them all.
bool same_everywhere(const AttendRun& run) {
  for (std::size_t row = run.queries; row < run.nothing_read.size(); ++row) {
    if (run.nothing_read[row] != run.nothing_read[row % run.queries]) return false;
  }
  return true;
}

}  // namespace

const std::vector<Statistic>& statistics() {
  using Statistics = WeightStatistics;
  static const std::vector<Statistic> all{
      {"entropy",
       {"エントロピー", "Entropy"},
       {"エントロピー（nat）", "Entropy (nats)"},
       "H",
       [](const Statistics& s) { return s.entropy; }},
      {"largest_weight",
       {"最大", "Largest"},
       {"最大の注意度", "Largest weight"},
       "m",
       [](const Statistics& s) { return s.largest; }},
      {"mean_distance",
       {"平均距離", "Distance"},
       {"読む距離の平均", "Mean distance read"},
       "D",
       [](const Statistics& s) { return s.distance; }},
      {"first_token_share",
       {"先頭", "First"},
       {"先頭のキーへの注意度", "Weight on the first key"},
       "f",
       [](const Statistics& s) { return s.on_first; }},
      {"diagonal_share",
       {"自分", "Own"},
       {"自分の位置への注意度", "Weight on the own place"},
       "d",
       [](const Statistics& s) { return s.on_own; }},
      {"previous_token_share",
       {"1 つ前", "Previous"},
       {"1 つ前のキーへの注意度", "Weight on the previous key"},
       "p",
       [](const Statistics& s) { return s.on_previous; }},
  };
  return all;
}

std::vector<ShownMatrix> all_matrices(const AttendRun& run) {
  const std::size_t each = matrices_per_entry(run);
  std::vector<ShownMatrix> shown;
  if (!run.has_heads) {
    if (run.settings.entry >= each) refuse_index("entry", run.settings.entry, each);
    for (std::size_t i = 0; i < each; ++i) {
      shown.push_back({i, each == 1 ? Text{"注意度", "Weights"}
                                    : Text{fmt::format("要素 {}", i), fmt::format("Entry {}", i)}});
    }
    return shown;
  }
  const std::size_t entries = run.summaries.size() / each;
  if (run.settings.entry >= entries) refuse_index("entry", run.settings.entry, entries);
  for (std::size_t head = 0; head < each; ++head) {
    shown.push_back(
        {run.settings.entry * each + head, {fmt::format("ヘッド {}", head), fmt::format("Head {}", head)}});
  }
  return shown;
}

std::vector<ShownMatrix> shown_matrices(const AttendRun& run) {
  std::vector<ShownMatrix> all = all_matrices(run);
  if (run.settings.head) {
    if (!run.has_heads) refuse_head(*run.settings.head);
    if (*run.settings.head >= all.size()) refuse_index("head", *run.settings.head, all.size());
    return {all[*run.settings.head]};
  }
  return as_many_as_fit(std::move(all));
}

std::vector<ShownMatrix> as_many_as_fit(std::vector<ShownMatrix> matrices) {
  if (matrices.size() > most_shown) matrices.erase(matrices.begin() + most_shown, matrices.end());
  return matrices;
}

std::size_t count_without_keys(const AttendRun& run) {
  return static_cast<std::size_t>(std::count(run.nothing_read.begin(), run.nothing_read.end(), true));
}

Text rows_without_keys(const AttendRun& run) {
  constexpr std::size_t most = 8;
  const bool same = same_everywhere(run) && run.nothing_read.size() > run.queries;
  const std::size_t rows = same ? run.queries : run.nothing_read.size();
  std::string ja;
  std::string en;
  std::size_t named = 0;
  std::size_t all = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!run.nothing_read[row]) continue;
    if (++all > most) continue;
    const std::string label = run.labels.empty() ? "" : fmt::format(" ({})", run.labels[row % run.queries]);
    const Text name =
        same ? Text{fmt::format("クエリ {}{}", row, label), fmt::format("query {}{}", row, label)}
             : row_name(run, row);
    ja += (named == 0 ? "" : "、") + name.ja();
    en += (named++ == 0 ? "" : ", ") + name.en();
  }
  if (all > most) {
    ja += fmt::format(" など {} 行", all);
    en += fmt::format(" and {} more", all - most);
  }
  if (same) {
    ja += run.has_heads ? "（どのヘッドでも）" : "（どの要素でも）";
    en += run.has_heads ? " (in every head)" : " (in every entry)";
  }
  return {ja, en};
}

std::vector<std::string> axes_of(std::size_t rank, const std::vector<std::string>& last) {
  std::vector<std::string> axes;
  const std::size_t batches = rank - last.size();
  for (std::size_t i = 0; i < batches; ++i) {
    axes.push_back(batches == 1 ? "batch" : fmt::format("batch_{}", i));
  }
  axes.insert(axes.end(), last.begin(), last.end());
  return axes;
}

std::vector<Stage> statistic_stages(const AttendRun& run) {
  const std::vector<std::string> axes = axes_of(
      run.batch.size(), run.has_heads ? std::vector<std::string>{"heads"} : std::vector<std::string>{});
  std::vector<Stage> stages;
  for (const Statistic& statistic : statistics()) {
    Array array{run.batch, axes, {}, DType::float64};
    std::vector<Chain> lines;
    for (std::size_t i = 0; i < run.summaries.size(); ++i) {
      const double value = statistic.of(run.summaries[i].statistics);
      array.data.push_back(value);
      if (i < worked::most_lines) {
        lines.push_back(worked::equation(worked::indexed(statistic.letter, i), {worked::number(value)}));
      }
    }
    const std::vector<std::string> operands =
        run.weights_kept ? std::vector<std::string>{"weights"} : std::vector<std::string>{};
    stages.push_back({statistic.stage, formula::call("mean", formula::sym(statistic.letter)),
                      std::move(array), derived::worked(operands, std::move(lines))});
  }
  return stages;
}

}  // namespace attnlab
