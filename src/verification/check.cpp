// Makes checks, and gathers those of one stage into a line.
#include "verification/check.hpp"

namespace attnlab {
namespace {

/// How much of what is allowed was used up: above 1 it fails.
double used_up(const VerifyCheck& check) {
  if (check.absolute == 0.0) return 0.0;
  return check.allowed > 0.0 ? check.absolute / check.allowed : infinity;
}

struct SectionWords {
  std::string name;
  Text title;
};

/// In the order of Section.
const SectionWords& words_of(Section section) {
  static const std::array<SectionWords, sections.size()> words{{
      {"expected", {"文書の数値", "Numbers of the documents"}},
      {"invariants", {"常に成り立つべき性質", "Invariants"}},
      {"derivations", {"各段階の再計算（単純なループ）", "Stages computed again by plain loops"}},
      {"attend",
       {"手持ちのテンソルのアテンション（NumPy と PyTorch の結果）",
        "Attention over given tensors against NumPy and PyTorch"}},
      {"layers",
       {"層の各段階（PyTorch と NumPy の結果）", "Layers, stage by stage, against PyTorch and NumPy"}},
      {"runs", {"実験全体（NumPy の結果）", "Whole experiments against NumPy"}},
      {"functions", {"関数と乱数（NumPy の結果）", "Functions and random numbers against NumPy"}},
  }};
  return words.at(static_cast<std::size_t>(section));
}

}  // namespace

std::string name_of(Section section) { return words_of(section).name; }

Text title_of(Section section) { return words_of(section).title; }

void append(Checks& checks, const Checks& more) { checks.insert(checks.end(), more.begin(), more.end()); }

VerifyCheck failed_check(Section section, const std::string& subject, const std::string& stage,
                         const Text& why) {
  return {{infinity, infinity, 0.0, false}, section, subject, stage, why};
}

Checks summarised(const Checks& checks) {
  struct Group {
    std::size_t place;  // in the result
    std::size_t cases;
  };
  std::map<std::tuple<Section, std::string, std::string>, Group> groups;
  Checks result;
  for (const VerifyCheck& check : checks) {
    if (!check.agrees) {
      result.push_back(check);
      continue;
    }
    const auto [found, is_new] =
        groups.try_emplace({check.section, check.subject, check.stage}, Group{result.size(), 0});
    Group& group = found->second;
    ++group.cases;
    if (is_new) {
      result.push_back(check);
      continue;
    }
    VerifyCheck& line = result[group.place];
    if (used_up(check) > used_up(line)) line = check;
    line.detail = text("{} 通り", "{} cases", group.cases);
  }
  return result;
}

}  // namespace attnlab
