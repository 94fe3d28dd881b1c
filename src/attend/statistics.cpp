// Six numbers per head that tell what kind of head it is, and the names of what is shown.
#include "attend/run.hpp"
#include "core/named.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

std::size_t matrices_per_entry(const AttendRun& run) {
  return run.has_heads ? run.batch.back() : run.summaries.size();
}

[[noreturn]] void refuse_index(const std::string& flag, std::size_t provided, std::size_t count) {
  refuse_usage(text("--{} {} はありません（0 から {} まで）", "there is no --{} {}; they go from 0 to {}",
                    flag, provided, count - 1),
               text("例：--{} 0", "for example --{} 0", flag));
}

Text row_name(const AttendRun& run, std::size_t row) {
  const std::size_t matrix = row / run.queries;
  const std::size_t query = row % run.queries;
  const std::string label = run.labels.empty() ? "" : fmt::format(" ({})", run.labels[query]);
  if (run.summaries.size() == 1) {
    return text("クエリ {}{}", "query {}{}", query, label);
  }
  const std::size_t each = matrices_per_entry(run);
  const std::size_t entry = run.has_heads ? matrix / each : matrix;
  Text place = text("要素 {}", "entry {}", entry);
  if (run.has_heads) {
    const bool batched = run.summaries.size() > each;
    place = text("{1}ヘッド {0}", "head {0}{1}", matrix % each,
                 batched ? text("要素 {} の", " of entry {}", entry) : Text::none());
  }
  return text("{2} のクエリ {0}{1}", "query {0}{1} of {2}", query, label, place);
}

/// Whether the same queries are flagged in every matrix: then one list names them all.
bool same_everywhere(const RowFlags& flags, std::size_t queries) {
  for (std::size_t row = queries; row < flags.size(); ++row) {
    if (flags[row] != flags[row % queries]) return false;
  }
  return true;
}

}  // namespace

const std::vector<Statistic>& statistics() {
  static const std::vector<Statistic> all = [] {
    constexpr std::array of{&WeightStatistics::entropy,  &WeightStatistics::largest,
                            &WeightStatistics::distance, &WeightStatistics::on_first,
                            &WeightStatistics::on_own,   &WeightStatistics::on_previous};
    std::vector<Statistic> read;
    for (const Sentences& row : read_sentences(attend_file("statistics"), "statistic")) {
      read.push_back({row.at("stage").en(), row.at("code").en(), row.at("column"), row.at("name"),
                      row.at("letter").en(), of.at(read.size())});
    }
    return read;
  }();
  return all;
}

std::vector<ShownMatrix> all_matrices(const AttendRun& run) {
  const std::size_t each = matrices_per_entry(run);
  std::vector<ShownMatrix> shown;
  if (!run.has_heads) {
    if (run.settings.entry >= each) refuse_index("entry", run.settings.entry, each);
    for (std::size_t i = 0; i < each; ++i) {
      shown.push_back({i, each == 1 ? Text{"注意度", "Weights"} : text("要素 {}", "Entry {}", i)});
    }
    return shown;
  }
  const std::size_t entries = run.summaries.size() / each;
  if (run.settings.entry >= entries) refuse_index("entry", run.settings.entry, entries);
  for (std::size_t head = 0; head < each; ++head) {
    shown.push_back({run.settings.entry * each + head, text("ヘッド {}", "Head {}", head)});
  }
  return shown;
}

Text of_entry(const AttendRun& run) {
  if (!run.has_heads || run.summaries.size() <= matrices_per_entry(run)) return Text::none();
  return text("バッチの要素 {}：", "Entry {} of the batch: ", run.settings.entry);
}

std::vector<ShownMatrix> shown_matrices(const AttendRun& run) {
  std::vector<ShownMatrix> all = all_matrices(run);
  if (run.settings.head) {
    if (!run.has_heads) {
      refuse_usage(text("--head {} とありますが、ヘッドがありません", "--head {}, but there are no heads",
                        *run.settings.head),
                   {"--head を省くか、--heads でヘッド数を指定してください",
                    "leave out --head, or say with --heads how many there are"});
    }
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

Text flagged_rows(const AttendRun& run, const RowFlags& flags) {
  constexpr std::size_t most = 8;
  const bool same = same_everywhere(flags, run.queries) && flags.size() > run.queries;
  const std::size_t rows = same ? run.queries : flags.size();
  Text list = Text::none();
  std::size_t all = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!flags[row]) continue;
    if (++all > most) continue;
    const std::string label = run.labels.empty() ? "" : fmt::format(" ({})", run.labels[row % run.queries]);
    const Text name = same ? text("クエリ {}{}", "query {}{}", row, label) : row_name(run, row);
    list = all == 1 ? name : text("{}、{}", "{}, {}", list, name);
  }
  if (all > most) {
    list = {fmt::format("{} など {} 行", list.ja(), all),
            fmt::format("{} and {} more", list.en(), all - most)};
  }
  if (!same) return list;
  return text("{}（どの{}でも）", "{} (in every {})", list,
              run.has_heads ? Text{"ヘッド", "head"} : Text{"要素", "entry"});
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
  const char* scores = find_named(run.stages, "masked") == nullptr ? "scores" : "masked";
  const char* first = run.settings.readable.alignment == CausalAlignment::top_left ? ", first=0" : "";
  std::vector<Stage> stages;
  for (const Statistic& statistic : statistics()) {
    Array array{run.batch, axes, {}, DType::float64};
    std::vector<Chain> lines;
    for (std::size_t i = 0; i < run.summaries.size(); ++i) {
      const double value = run.summaries[i].statistics.*statistic.of;
      array.data.push_back(value);
      if (i < worked::most_lines) {
        lines.push_back(worked::equation(worked::indexed(statistic.letter, i), {worked::number(value)}));
      }
    }
    const std::vector<std::string> operands =
        run.weights_kept ? std::vector<std::string>{"weights"} : std::vector<std::string>{};
    const std::string code = fmt::format(fmt::runtime(statistic.code), first);
    Derivation mean =
        derived::worked(operands, std::move(lines), fmt::format("mean_of_readers({}, {})", code, scores));
    if (run.dtype == DType::float32) mean.rounding = rounding_in_float32;
    stages.push_back({statistic.stage, formula::call("mean", formula::sym(statistic.letter)),
                      std::move(array), std::move(mean)});
  }
  return stages;
}

}  // namespace attnlab
