#include "exercise/class_figure.hpp"

namespace attnlab {
namespace {

struct Counted {
  Text mistake;
  std::size_t students = 0;
};

/// Each once, from the most frequent on; of equals the one that was met first.
std::vector<Counted> counted_mistakes(const std::vector<Mark>& marks) {
  std::vector<Counted> all;
  for (const Mark& mark : marks) {
    for (const Text& mistake : mark.mistakes) {
      const auto known = std::find_if(all.begin(), all.end(), [&](const Counted& one) {
        return one.mistake.en() == mistake.en() && one.mistake.ja() == mistake.ja();
      });
      if (known == all.end()) {
        all.push_back({mistake, 1});
      } else {
        ++known->students;
      }
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Counted& a, const Counted& b) { return a.students > b.students; });
  return all;
}

std::size_t count_of(const std::vector<Mark>& marks, Handing status) {
  return static_cast<std::size_t>(std::count_if(
      marks.begin(), marks.end(), [status](const Mark& mark) { return mark.status == status; }));
}

Text title_of(const std::vector<Mark>& marks, const std::vector<Counted>& mistakes) {
  const std::size_t right = count_of(marks, Handing::right);
  if (mistakes.empty()) return text("{} 人中 {} 人が正解", "{1} of {0} are right", marks.size(), right);
  return text("{0} 人中 {1} 人が正解。同じ間違いは多くて {2} 人（A）",
              "{1} of {0} are right; at most {2} made the same mistake (A)", marks.size(), right,
              mistakes.front().students);
}

}  // namespace

Figure class_figure(const std::vector<Mark>& marks, const Text& problem) {
  constexpr std::size_t most = 8;  // mistakes with a bar of their own
  const std::vector<Counted> mistakes = counted_mistakes(marks);
  std::vector<ShortText> names{Text{"正しい", "Right"}};
  std::vector<double> counts{static_cast<double>(count_of(marks, Handing::right))};
  Text caption = text("{}。", "{}.", problem);
  for (std::size_t i = 0; i < std::min(mistakes.size(), most); ++i) {
    const std::string letter(1, static_cast<char>('A' + static_cast<int>(i)));
    names.emplace_back(letter);
    counts.push_back(static_cast<double>(mistakes[i].students));
    caption = text("{} {}：{}。", "{} {}: {}.", caption, letter, mistakes[i].mistake);
  }
  if (mistakes.size() > most) {
    double others = 0.0;
    for (std::size_t i = most; i < mistakes.size(); ++i) others += static_cast<double>(mistakes[i].students);
    names.emplace_back(Text{"ほか", "Others"});
    counts.push_back(others);
  }
  for (const auto& [status, name] : {std::pair{Handing::missing, Text{"未提出", "Missing"}},
                                     std::pair{Handing::unreadable, Text{"読めない", "Unreadable"}}}) {
    if (count_of(marks, status) == 0) continue;
    names.emplace_back(name);
    counts.push_back(static_cast<double>(count_of(marks, status)));
  }
  Chart chart{Axis{Text::none()}.named(names), Axis{{"人数", "Students"}}};
  chart.layers.emplace_back(Bars{"students", counts}.with_numbers(0));
  return Figure{"class", title_of(marks, mistakes)}
      .described(
          {"棒グラフ。左から、正解した人数、間違いごとの人数（多い順）、未提出などの人数。",
           "Bars: from the left how many are right, how many made each mistake, the commonest first, and what is missing."})
      .captioned(std::move(caption))
      .panel(Text::none(), std::move(chart));
}

}  // namespace attnlab
