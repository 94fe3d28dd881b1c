// `attnlab inspect`: the tensors of a file, one line each.
#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/counted.hpp"
#include "core/terminal_width.hpp"
#include "core/utf8.hpp"
#include "io/inspection.hpp"

namespace attnlab {
namespace {

constexpr std::size_t columns = 8;
constexpr std::size_t left_aligned = 3;  // name, shape, dtype

using Row = std::array<std::string, columns>;

Row headings(Language language) {
  if (language == Language::ja) return {"名前", "形状", "型", "最小", "最大", "平均", "NaN", "±∞"};
  return {"name", "shape", "dtype", "min", "max", "mean", "NaN", "±inf"};
}

/// As it can be typed after FILE:.
std::string shown_name(const std::string& name, Language language) {
  if (!name.empty()) return name;
  return language == Language::ja ? "（名前なし）" : "(unnamed)";
}

std::string type_text(const StoredTensor& tensor, Language language) {
  const bool ja = language == Language::ja;
  std::string text = type_of(tensor);
  if (tensor.encoding.big_endian && size_of(tensor.encoding.type) > 1) {
    text += ja ? "・ビッグエンディアン" : ", big-endian";
  }
  if (tensor.fortran_order) text += ja ? "・Fortran 順" : ", Fortran order";
  return text;
}

Row row_of(const StoredTensor& tensor, const std::optional<TensorSummary>& summary, Language language) {
  const auto number = [&](double value) {
    return summary && summary->finite != 0 ? fmt::format("{:.6g}", value) : "–";
  };
  const auto count = [&](std::size_t value) { return summary ? fmt::format("{}", value) : "–"; };
  const TensorSummary known = summary.value_or(TensorSummary{});
  return {shown_name(tensor.name, language),
          shape_text(tensor.shape),
          type_text(tensor, language),
          number(known.smallest),
          number(known.largest),
          number(known.mean),
          count(known.nans),
          count(known.infinities)};
}

Row foreign_row(const StoredTensor& foreign, Language language) {
  Row row;
  row.fill("–");
  row[0] = shown_name(foreign.name, language);
  if (!foreign.shape.empty()) row[1] = shape_text(foreign.shape);
  row[2] = foreign.foreign->in(language);
  return row;
}

std::string table(const std::vector<Row>& rows) {
  std::array<std::size_t, columns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < columns; ++i) {
      const std::string spaces(widths[i] - display_width(row[i]), ' ');
      text += (i == 0 ? "" : "  ") + (i < left_aligned ? row[i] + spaces : spaces + row[i]);
    }
    text += '\n';
  }
  return text;
}

std::string heading(const Inspection& inspection, Language language) {
  std::size_t bytes = 0;
  for (const StoredTensor& tensor : inspection.file.tensors) bytes += stored_bytes(tensor);
  const std::size_t count = inspection.file.tensors.size();
  const std::string file = quotation(inspection.file.name);
  const std::string format = name_of(inspection.file.format);
  return text("{}：{} 形式、テンソル {} 個、{} バイト\n\n", "{}: {}, {}, {}\n\n", file, format,
              counted(count, "tensor"), counted(bytes, "byte"))
      .in(language);
}

std::string remark(const Inspection& inspection, Language language) {
  const std::vector<std::optional<TensorSummary>>& summaries = inspection.summaries;
  const Text finite{"最小・最大・平均は有限の値についてのものです。\n",
                    "min, max and mean are those of the finite values.\n"};
  const Text unread{"–：大きいので値を読んでいません。--full を付けるとすべて読みます。\n",
                    "–: not read, because it is large; --full reads every value.\n"};
  const Text foreign{"数値の配列として読めないものは、型だけを挙げています。\n",
                     "what cannot be read as an array of numbers is listed by its type alone.\n"};
  std::string text;
  const auto is_odd = [](const auto& summary) { return summary && summary->nans + summary->infinities > 0; };
  if (std::any_of(summaries.begin(), summaries.end(), is_odd)) text += finite.in(language);
  const auto is_unread = [](const auto& summary) { return !summary; };
  if (std::any_of(summaries.begin(), summaries.end(), is_unread)) text += unread.in(language);
  if (!inspection.file.foreign.empty()) text += foreign.in(language);
  for (const StoredTensor& tensor : inspection.file.tensors) {
    const std::optional<Text> doubt = doubt_of(tensor, inspection.file.name);
    if (doubt) text += doubt->in(language) + "\n";
  }
  return text.empty() ? text : "\n" + text;
}

std::string inspection_text(const Inspection& inspection, Language language) {
  std::vector<Row> rows{headings(language)};
  for (std::size_t i = 0; i < inspection.summaries.size(); ++i) {
    rows.push_back(row_of(inspection.file.tensors[i], inspection.summaries[i], language));
  }
  for (const StoredTensor& foreign : inspection.file.foreign) rows.push_back(foreign_row(foreign, language));
  return heading(inspection, language) + table(rows) + remark(inspection, language);
}

Ending run_inspect(const ParsedCommand& parsed, Language language) {
  const std::string words =
      only_topic(parsed, {"inspect にファイルがありません", "inspect needs a file"},
                 {"例：attnlab inspect weights.npz", "for example: attnlab inspect weights.npz"});
  const Printing printing = read_printing(parsed);
  ProgressBar bar;
  const auto show = [&](double fraction, const std::string& name) {
    bar.show(fraction, shown_name(name, language));
  };
  const Inspection inspection =
      inspect(open_anything(words), parsed.is_set("full") ? Extent::full : Extent::quick, show);
  bar.clear();
  write_output(printing == Printing::json ? inspection_json(inspection)
                                          : inspection_text(inspection, language));
  return Ending::done;
}

}  // namespace

Command inspect_command() {
  return {"inspect",
          command_words("inspect"),
          {{{"範囲", "Which values"}, {flag("full")}}, report_group({json_flag()}), general_group()},
          run_inspect,
          {" ファイル[:配列名]", " FILE[:NAME]"},
          [](const std::vector<Command>&) {
            return Offer{{}, Offer::Paths::files};
          }};
}

}  // namespace attnlab
