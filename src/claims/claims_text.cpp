// Checked claims as terminal text and as JSON.
#include "claims/claim.hpp"

#include "core/json.hpp"
#include "core/terminal_width.hpp"

namespace attnlab {
namespace {

constexpr std::size_t indent = 4;

struct VerdictLook {
  const char* mark;
  const char* style;
  const char* key;  // in JSON
  Text name;
};

/// In the order of Verdict.
const VerdictLook& look_of(Verdict verdict) {
  static const std::array<VerdictLook, 4> looks{
      {{"✓", "\x1b[32m", "holds", {"成り立つ", "holds"}},
       {"✗", "\x1b[1;31m", "fails", {"成り立たない", "fails"}},
       {"△", "\x1b[1;33m", "holds_only_if", {"条件つきで成り立つ", "holds only if"}},
       {"※", "\x1b[1;36m", "remark", {"補足", "remark"}}}};
  return looks.at(static_cast<std::size_t>(verdict));
}

/// A paragraph below the claim's first line; `lead` begins it, later lines stand below its text.
std::string paragraph(const std::string& lead, const std::string& text) {
  const std::size_t begin = indent + display_width(lead);
  return indented(text, begin, begin).replace(indent, begin - indent, lead);
}

std::string set(const CheckedClaim& checked, Language language, Colouring colouring) {
  const auto& [claim, finding, evidence, corrected] = checked;
  const VerdictLook& look = look_of(finding.verdict);
  const std::string verdict = name_of(finding.verdict).in(language);
  std::string text = styled(verdict, look.style, colouring) + "  " + claim->place.in(language) + "\n";
  text += paragraph("", attnlab::text("「{}」", "“{}”", claim->quote).in(language));
  text += paragraph(Text{"実行：", "run: "}.in(language), evidence.in(language));
  if (finding.verdict != Verdict::holds) text += paragraph("→ ", corrected.in(language));
  return text;
}

std::size_t count(const std::vector<CheckedClaim>& claims, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(claims.begin(), claims.end(),
                    [verdict](const CheckedClaim& checked) { return checked.finding.verdict == verdict; }));
}

Text summary(const std::vector<CheckedClaim>& claims) {
  return text("{} 文：成り立つ {}、条件つき {}、成り立たない {}、補足 {}\n",
              "sentences: {}; holds: {}, holds only if: {}, fails: {}, remark: {}\n", claims.size(),
              count(claims, Verdict::holds), count(claims, Verdict::holds_only_if),
              count(claims, Verdict::fails), count(claims, Verdict::remark));
}

Text about_the_quotes() {
  return {
      "引用は、手元のテキスト（変換されたもので、原文と違うことがあります）の数語です。どれも優れた教材で、ここに書いたのは実行して分かったことだけです。",
      "Quotations are a few words of the text as supplied (converted; it may differ from the original). These are good books and lectures; what stands here is only what running them showed."};
}

}  // namespace

std::string letter_of(Document document) {
  return fmt::format("{}", static_cast<char>('A' + static_cast<int>(document)));
}

Text title_of(Document document) {
  static const std::array<Text, every_document.size()> titles{
      {{"A 教科書 2.2 節", "A  textbook, section 2.2"},
       {"B 講座 1 週目 1 日目", "B  course, week 1 day 1"},
       {"C ノートブック", "C  notebook"},
       {"D 記事", "D  article"},
       {"E 講義スライド", "E  lecture slides"}}};
  return titles.at(static_cast<std::size_t>(document));
}

std::string key_of(Verdict verdict) { return look_of(verdict).key; }

Text name_of(Verdict verdict) {
  const VerdictLook& look = look_of(verdict);
  return text("{} {}", "{} {}", look.mark, look.name);
}

std::string claims_text(const std::vector<CheckedClaim>& claims, Language language, Colouring colouring) {
  std::string text;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Document document = claims[i].claim->document;
    if (i == 0 || claims[i - 1].claim->document != document) {
      text += (i == 0 ? "" : "\n") + styled(title_of(document).in(language), ansi::bold, colouring) + "\n";
    }
    text += "\n" + set(claims[i], language, colouring);
  }
  return text + "\n" + summary(claims).in(language) + indented(about_the_quotes().in(language), 0, 0);
}

std::string claims_json(const std::vector<CheckedClaim>& claims) {
  Json list = Json::array();
  Json counts = {{"holds", 0}, {"holds_only_if", 0}, {"fails", 0}, {"remark", 0}};
  for (const auto& [claim, finding, evidence, corrected] : claims) {
    Json numbers = Json::object();
    for (const Scalar& number : finding.numbers) numbers[number.name] = json_number(number.value);
    const std::string verdict = key_of(finding.verdict);
    counts[verdict] = counts[verdict].get<int>() + 1;
    list.push_back({{"id", claim->id},
                    {"document", letter_of(claim->document)},
                    {"place", claim->place},
                    {"quote", claim->quote},
                    {"verdict", verdict},
                    {"evidence", evidence},
                    {"corrected", finding.verdict == Verdict::holds ? Json() : Json(corrected)},
                    {"numbers", numbers}});
  }
  return json_line({{"schema", 1}, {"claims", list}, {"counts", counts}});
}

}  // namespace attnlab
