#include "exercise/grading.hpp"

#include "core/named.hpp"
#include "core/utf8.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

/// The array of the file that is meant for the stage.
const NamedArray* array_for(const Stage& stage, const std::vector<std::string>& requested,
                            const std::vector<NamedArray>& submitted) {
  if (const NamedArray* found = find_named(submitted, stage.name)) return found;
  if (requested.size() == 1 && submitted.size() == 1) return &submitted.front();
  const NamedArray* fitting = nullptr;
  for (const NamedArray& array : submitted) {
    const bool is_named = std::find(requested.begin(), requested.end(), array.name) != requested.end();
    if (is_named || !in_shape(array, stage.array.shape)) continue;
    if (fitting != nullptr) return nullptr;  // which of them is meant, nobody knows
    fitting = &array;
  }
  return fitting;
}

/// Whose answer it is.
const AnswerKey* owner_of(const NamedArray& array, const std::string& stage,
                          const std::vector<AnswerKey>& everyone) {
  const auto owner = std::find_if(everyone.begin(), everyone.end(), [&](const AnswerKey& key) {
    const std::optional<Comparison> comparison =
        compare_in_shape(array, key.answers[index_of(key.answers, stage)].array, 0.0);
    return comparison && comparison->agrees;
  });
  return owner == everyone.end() ? nullptr : &*owner;
}

/// "weights: softmax along the wrong axis".
Text reported_of(const std::string& stage, const Text& what) { return text("{}：{}", "{}: {}", stage, what); }

/// What many may have in common.
Text kind_of(const Check& check, bool is_of_others) {
  if (is_of_others) return {"ほかの学生の問題の答え", "the answer to another student's sheet"};
  if (check.diagnosis) return check.diagnosis->what;
  if (!check.shape_fits) return {"形が違う", "of another shape"};
  return {"ほかの値（原因は分からない）", "other values, nobody knows why"};
}

Text with_next(const Text& before, const Text& next) {
  if (before.en().empty()) return next;
  return text("{}／{}", "{} / {}", before, next);
}

std::string csv_cell(const std::string& words) {
  static const std::string formula_marks = "=+-@\t\r";
  const bool is_formula = !words.empty() && formula_marks.find(words.front()) != std::string::npos;
  if (!is_formula && words.find_first_of(",\"\n\r") == std::string::npos) return words;
  std::string quoted = is_formula ? "\"'" : "\"";
  for (const char letter : words) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

}  // namespace

Mark graded(const Student& student, const Report& report, const std::vector<std::string>& requested,
            const std::vector<NamedArray>& submitted, const std::vector<AnswerKey>& everyone,
            const std::map<std::string, Text>& foreign) {
  Mark mark{student, Handing::wrong};
  std::size_t right = 0;
  for (const std::string& name : requested) {
    const Stage& wanted = stage(report, name);
    const auto other = foreign.find(name);
    const NamedArray* array = other == foreign.end() ? array_for(wanted, requested, submitted) : nullptr;
    if (array == nullptr) {
      const Text why = other == foreign.end() ? Text{"この配列がありません", "no such array"}
                                              : text("数値の配列ではありません（{}）",
                                                     "it is no array of numbers ({})", other->second);
      mark.diagnosis = with_next(mark.diagnosis, reported_of(name, why));
      add_once(mark.mistakes, why);
      continue;
    }
    const Check check = check_stage(report.stages, name, *array, report.origins);
    if (agrees(check)) {
      ++right;
      continue;
    }
    const AnswerKey* owner = owner_of(*array, name, everyone);
    const Text why = owner == nullptr
                         ? reason_of(check)
                         : text("{} の問題の答えです", "it is the answer to {}'s sheet", owner->id);
    mark.diagnosis = with_next(mark.diagnosis, reported_of(name, why));
    add_once(mark.mistakes, kind_of(check, owner != nullptr));
  }
  mark.share = static_cast<double>(right) / static_cast<double>(requested.size());
  if (right == requested.size()) {
    mark.status = Handing::right;
  } else if (right > 0) {
    mark.status = Handing::partly;
  }
  return mark;
}

std::string name_of(Handing status) {
  static constexpr std::array<const char*, 5> names{"right", "partly", "wrong", "missing", "unreadable"};
  return names.at(static_cast<std::size_t>(status));
}

std::string marks_csv(const std::vector<Mark>& marks, Language language, bool with_byte_order_mark) {
  std::string csv = std::string(with_byte_order_mark ? byte_order_mark : "");
  csv += "id,name,status,mark,diagnosis\n";
  for (const Mark& mark : marks) {
    const bool was_read = mark.status != Handing::missing && mark.status != Handing::unreadable;
    const std::string points = was_read ? fmt::format("{:.0f}", 100.0 * mark.share) : "";
    csv += fmt::format("{},{},{},{},{}\n", csv_cell(mark.student.id), csv_cell(mark.student.name),
                       name_of(mark.status), points, csv_cell(mark.diagnosis.in(language)));
  }
  return csv;
}

}  // namespace attnlab
