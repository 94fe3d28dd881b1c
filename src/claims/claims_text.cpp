#include "claims/claims_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/terminal_width.hpp"

namespace attnlab {
namespace {

constexpr std::size_t page_width = 80;
constexpr std::size_t indent = 4;

std::string_view mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "✓";
    case Verdict::fails:
      return "✗";
    case Verdict::holds_only_if:
      return "△";
    case Verdict::remark:
      break;
  }
  return "※";
}

std::string_view style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "\x1b[32m";
    case Verdict::fails:
      return "\x1b[1;31m";
    case Verdict::holds_only_if:
      return "\x1b[1;33m";
    case Verdict::remark:
      break;
  }
  return "\x1b[1;36m";
}

struct Setting {
  Language language;
  Colouring colouring;
};

std::string styled(const std::string& text, std::string_view style, Setting setting) {
  return setting.colouring == Colouring::plain ? text : std::string(style) + text + "\x1b[0m";
}

/// A paragraph below the claim's first line; `lead` begins it, later lines stand below its text.
std::string paragraph(const std::string& lead, const std::string& text) {
  const std::size_t begin = indent + display_width(lead);
  std::string lines;
  for (const std::string& line : wrapped(text, page_width - begin)) {
    lines += std::string(lines.empty() ? indent : begin, ' ') + (lines.empty() ? lead : "") + line + "\n";
  }
  return lines;
}

std::string set(const CheckedClaim& checked, Setting setting) {
  const Claim& claim = *checked.claim;
  const Finding& finding = checked.finding;
  const bool ja = setting.language == Language::ja;
  const std::string verdict =
      fmt::format("{} {}", mark_of(finding.verdict), name_of(finding.verdict).in(setting.language));
  std::string text =
      styled(verdict, style_of(finding.verdict), setting) + "  " + claim.place.in(setting.language) + "\n";
  text += paragraph("", ja ? "「" + claim.quote.ja() + "」" : "\"" + claim.quote.en() + "\"");
  text += paragraph(ja ? "実行：" : "run: ", finding.evidence.in(setting.language));
  if (finding.verdict != Verdict::holds) {
    text += paragraph("→ ", finding.corrected.in(setting.language));
  }
  return text;
}

std::size_t count(const std::vector<CheckedClaim>& claims, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(claims.begin(), claims.end(),
                    [verdict](const CheckedClaim& checked) { return checked.finding.verdict == verdict; }));
}

std::string summary(const std::vector<CheckedClaim>& claims, Language language) {
  const std::size_t holds = count(claims, Verdict::holds);
  const std::size_t conditional = count(claims, Verdict::holds_only_if);
  const std::size_t fails = count(claims, Verdict::fails);
  const std::size_t remarks = count(claims, Verdict::remark);
  if (language == Language::ja) {
    return fmt::format("{} 文：成り立つ {}、条件つき {}、成り立たない {}、補足 {}\n", claims.size(), holds,
                       conditional, fails, remarks);
  }
  return fmt::format("{} sentences: {} hold, {} hold only if, {} fail, {} remarks\n", claims.size(), holds,
                     conditional, fails, remarks);
}

Text about_the_quotes() {
  return {
      "引用は、手元のテキスト（変換されたもので、原文と違うことがあります）の数語です。どれも優れた教材で、"
      "ここに書いたのは実行して分かったことだけです。",
      "Quotations are a few words of the text as supplied (converted; it may differ from the original). "
      "These "
      "are good books and lectures; what stands here is only what running them showed."};
}

}  // namespace

std::string letter_of(Document document) {
  return fmt::format("{}", static_cast<char>('A' + static_cast<int>(document)));
}

Text title_of(Document document) {
  switch (document) {
    case Document::textbook:
      return {"A 教科書 2.2 節", "A  textbook, section 2.2"};
    case Document::course:
      return {"B 講座 1 週目 1 日目", "B  course, week 1 day 1"};
    case Document::notebook:
      return {"C ノートブック", "C  notebook"};
    case Document::article:
      return {"D 記事", "D  article"};
    case Document::slides:
      break;
  }
  return {"E 講義スライド", "E  lecture slides"};
}

Text name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return {"成り立つ", "holds"};
    case Verdict::fails:
      return {"成り立たない", "fails"};
    case Verdict::holds_only_if:
      return {"条件つきで成り立つ", "holds only if"};
    case Verdict::remark:
      break;
  }
  return {"補足", "remark"};
}

std::string claims_text(const std::vector<CheckedClaim>& claims, Language language, Colouring colouring) {
  const Setting setting{language, colouring};
  std::string text;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Document document = claims[i].claim->document;
    if (i == 0 || claims[i - 1].claim->document != document) {
      text += (i == 0 ? "" : "\n") + styled(title_of(document).in(language), "\x1b[1m", setting) + "\n";
    }
    text += "\n" + set(claims[i], setting);
  }
  text += "\n" + summary(claims, language);
  for (const std::string& line : wrapped(about_the_quotes().in(language), page_width)) text += line + "\n";
  return text;
}

}  // namespace attnlab
