// Sets the checks in aligned columns, or as one JSON object.
#include "verification/verify.hpp"

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/terminal_width.hpp"
#include "core/utf8.hpp"
#include "core/version.hpp"

namespace attnlab {
namespace {

constexpr std::size_t page_columns = 120;
constexpr std::size_t number_columns = 8;

constexpr std::string_view green = "\x1b[32m";

/// As many characters as fit, an ellipsis in place of the rest.
std::string shortened(const std::string& text, std::size_t columns) {
  if (display_width(text) <= columns) return text;
  std::string kept;
  for (const char32_t character : decode_utf8(text).value_or(U"")) {
    const std::string letter = encode_utf8(character);
    if (display_width(kept + letter) + 1 > columns) break;
    kept += letter;
  }
  return kept + "…";
}

std::string number_text(double value) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return "inf";
  return value == 0.0 ? "0" : fmt::format("{:.1e}", value);
}

struct Columns {
  std::size_t subject = 0;
  std::size_t stage = 0;
};

Columns columns_of(const Checks& lines) {
  Columns columns;
  for (const VerifyCheck& line : lines) {
    columns.subject = std::max(columns.subject, display_width(line.subject));
    columns.stage = std::max(columns.stage, display_width(line.stage));
  }
  return columns;
}

std::string heading(Section section, const Columns& columns, Language language, Colouring colouring) {
  const Text labels = {"最大誤差  相対誤差  許容誤差", " abs err   rel err   allowed"};
  const std::string title =
      padded(title_of(section).in(language), 6 + columns.subject + 2 + columns.stage + 2);
  return "\n" + styled(title, ansi::bold, colouring) + labels.in(language) + "\n";
}

std::string line_of(const VerifyCheck& check, const Columns& columns, Language language,
                    Colouring colouring) {
  const std::string mark =
      check.agrees ? styled("PASS", green, colouring) : styled("FAIL", ansi::bold_red, colouring);
  const std::string numbers =
      fmt::format("{:>{}}  {:>{}}  {:>{}}", number_text(check.absolute), number_columns,
                  number_text(check.relative), number_columns, number_text(check.allowed), number_columns);
  const std::size_t taken = 6 + columns.subject + 2 + columns.stage + 2 + 3 * number_columns + 4 + 2;
  const Text words = check.origin == NumberSource::printed
                         ? attnlab::text("{}（掲載値）", "{} (printed)", check.detail)
                         : check.detail;
  const std::string detail = shortened(words.in(language), page_columns - std::min(taken, page_columns - 1));
  return mark + "  " + padded(check.subject, columns.subject) + "  " + padded(check.stage, columns.stage) +
         "  " + numbers + (detail.empty() ? "" : "  " + detail) + "\n";
}

/// Nothing where no number of a document was checked.
Text origins_text(const Summary& summary) {
  if (summary.printed + summary.computed == 0) return Text::none();
  return attnlab::text(
      "。文書の数値のうち {} 件は文書に載っている値、{} 件は文書の式とコードから NumPy か PyTorch で計算した値",
      "; of the documents' numbers {} are printed in them, {} computed by NumPy or PyTorch from their formulas and code",
      summary.printed, summary.computed);
}

/// What one can cite: of which version how many checks pass, and what stands behind their numbers.
std::string summary_line(const Summary& summary, double seconds, Language language, Colouring colouring) {
  const bool passes = summary.failed == 0;
  const Text words =
      passes ? attnlab::text("{} 件すべて合格（{:.2f} 秒）", "all {} checks pass ({:.2f} s)", summary.checks,
                             seconds)
             : attnlab::text("{} 件中 {} 件が不合格（{:.2f} 秒）", "{1} of {0} checks fail ({2:.2f} s)",
                             summary.checks, summary.failed, seconds);
  return "\n" + styled(passes ? "PASS" : "FAIL", passes ? green : ansi::bold_red, colouring) + "  attnlab " +
         version + Text{"：", ": "}.in(language) + words.in(language) + origins_text(summary).in(language) +
         "\n";
}

}  // namespace

Summary summary_of(const Checks& checks) {
  const auto failed =
      std::count_if(checks.begin(), checks.end(), [](const VerifyCheck& check) { return !check.agrees; });
  const auto count = [&](NumberSource origin) {
    return static_cast<std::size_t>(std::count_if(checks.begin(), checks.end(),
                                                  [&](const auto& check) { return check.origin == origin; }));
  };
  return {checks.size(), static_cast<std::size_t>(failed), count(NumberSource::printed),
          count(NumberSource::computed)};
}

std::string verification_text(const Checks& checks, double seconds, Language language, Colouring colouring) {
  std::string text;
  for (const Section section : sections) {
    Checks lines;
    std::copy_if(checks.begin(), checks.end(), std::back_inserter(lines),
                 [section](const VerifyCheck& check) { return check.section == section; });
    if (lines.empty()) continue;
    // Only what was measured case by case is gathered; elsewhere each check says where its number stands.
    const bool is_by_case =
        section == Section::attend || section == Section::layers || section == Section::functions;
    if (is_by_case) lines = summarised(lines);
    const Columns columns = columns_of(lines);
    text += heading(section, columns, language, colouring);
    for (const VerifyCheck& line : lines) text += line_of(line, columns, language, colouring);
  }
  text += summary_line(summary_of(checks), seconds, language, colouring);
  return text.substr(1);  // no blank line before the first heading
}

std::string verification_json(const Checks& checks) {
  const Summary summary = summary_of(checks);
  Json list = Json::array();
  for (const VerifyCheck& check : checks) {
    list.push_back({{"section", name_of(check.section)},
                    {"subject", check.subject},
                    {"stage", check.stage},
                    {"detail", check.detail},
                    {"absolute_error", json_number(check.absolute)},
                    {"relative_error", json_number(check.relative)},
                    {"allowed", json_number(check.allowed)},
                    {"pass", check.agrees}});
    if (check.origin) list.back()["origin"] = name_of(*check.origin);
  }
  return json_line({{"schema", 1},
                    {"version", version},
                    {"checks", list},
                    {"summary",
                     {{"checks", summary.checks},
                      {"failed", summary.failed},
                      {"printed", summary.printed},
                      {"computed", summary.computed},
                      {"pass", summary.failed == 0}}}});
}

void conclude(const Checks& checks, const Selection& selection) {
  if (checks.empty()) {
    refuse_usage(text("--only {} に当てはまる確認がありません", "no check belongs to --only {}",
                      quotation(selection.subject)),
                 {"名前は `attnlab verify` の 2 列目にあります",
                  "the second column of `attnlab verify` has the names"});
  }
  const Summary summary = summary_of(checks);
  if (summary.failed == 0) return;
  refuse_failed(
      text("{1} 件中 {0} 件の確認が不合格です", "{} of {} checks fail", summary.failed, summary.checks),
      {"FAIL の行を見てください", "see the lines marked FAIL"});
}

}  // namespace attnlab
