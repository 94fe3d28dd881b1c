// Reads the words of --over and makes the values.
#include "sweep/sweep.hpp"

#include "core/error.hpp"
#include "core/escape.hpp"
#include "experiments/framework/parameter_value.hpp"

namespace attnlab {
namespace {

constexpr std::size_t usual_frames = 40;
constexpr double most_whole_numbers = 100.0;  // that are all shown unless FRAMES says otherwise

struct Request {
  const Parameter& parameter;
  const std::string& words;
  const std::string& pattern;
  const std::string& flag;
};

[[noreturn]] void refuse(const Request& request, const Text& problem, const Text& hint) {
  const std::string typed = quotation(request.parameter.name + "=" + request.words);
  throw Error(ErrorKind::usage, attnlab::text("--{}：{}", "--{}: {}", request.flag + " " + typed, problem),
              hint);
}

[[noreturn]] void refuse_form(const Request& request) {
  const std::string name = request.parameter.name;
  refuse(request, {"値の範囲として読めません", "this is no range of values"},
         attnlab::text("{0}=始め:終わり[:lin|log][:コマ数] か {0}=A,B,C の形で指定してください",
                       "write {0}=FROM:TO[:lin|log][:FRAMES] or {0}=A,B,C", name));
}

// --- A range

enum class Spacing { even, logarithmic };

struct Range {
  std::string from;
  std::string to;
  double low = 0.0;   // from as a number
  double high = 0.0;  // to
  Spacing spacing = Spacing::even;
  std::optional<std::size_t> frames;
};

double finite_number(const Request& request, const std::string& text) {
  const std::optional<double> value = parse_number<double>(text);
  if (!value || !std::isfinite(*value)) refuse_form(request);
  return *value;
}

template <class Count>
void check_frames(const Request& request, Count frames) {
  if (frames >= static_cast<Count>(least_frames) && frames <= static_cast<Count>(most_frames)) return;
  refuse(request, attnlab::text("コマ数は {} です", "the number of frames is {}", frames),
         attnlab::text("{}〜{} にしてください", "choose {} to {}", least_frames, most_frames));
}

Range read_range(const Request& request) {
  const std::vector<std::string> parts = split(request.words, ":");
  if (parts.size() < 2 || parts.size() > 4) refuse_form(request);
  Range range{parts[0], parts[1], finite_number(request, parts[0]), finite_number(request, parts[1]), {}, {}};
  std::size_t next = 2;
  if (next < parts.size() && (parts[next] == "lin" || parts[next] == "log")) {
    if (parts[next] == "log") range.spacing = Spacing::logarithmic;
    ++next;
  }
  if (next < parts.size()) {
    const std::optional<long long> frames = parse_number<long long>(parts[next++]);
    if (!frames) refuse_form(request);
    check_frames(request, *frames);
    range.frames = static_cast<std::size_t>(*frames);
  }
  if (next < parts.size()) refuse_form(request);
  if (range.low == range.high) {
    refuse(request, {"始めと終わりが同じです", "both ends are the same"},
           {"違う値にしてください", "choose two different values"});
  }
  if (range.spacing == Spacing::logarithmic && std::min(range.low, range.high) <= 0.0) {
    refuse(request, {"log には正の範囲が必要です", "log needs a positive range"},
           {"0 より大きい範囲にするか lin にしてください", "choose ends above 0, or lin"});
  }
  return range;
}

double value_at(const Range& range, double part) {
  if (range.spacing == Spacing::even) return range.low + (range.high - range.low) * part;
  return range.low * std::pow(range.high / range.low, part);
}

/// The inverse: where a value lies between the ends.
double place_of(const Range& range, double value) {
  const bool even = range.spacing == Spacing::even;
  const double part = even ? (value - range.low) / (range.high - range.low)
                           : std::log(value / range.low) / std::log(range.high / range.low);
  return std::clamp(part, 0.0, 1.0);
}

bool is_whole(const std::string& text) { return parse_number<long long>(text).has_value(); }

bool takes_whole_numbers(const Request& request, const Range& range) {
  if (std::holds_alternative<IntegerKind>(request.parameter.kind)) return true;
  const bool is_list = std::holds_alternative<NumbersKind>(request.parameter.kind);
  return !request.pattern.empty() && !is_list && is_whole(range.from) && is_whole(range.to);
}

std::size_t decimals_typed(const std::string& text) {
  const std::size_t point = text.find('.');
  return point == std::string::npos                                             ? 0
         : text.find_first_not_of("0123456789", point + 1) == std::string::npos ? text.size() - point - 1
                                                                                : 0;
}

/// Decimals that tell a tenth of this length.
std::size_t decimals_for(double length) {
  return static_cast<std::size_t>(std::clamp(1.0 - std::floor(std::log10(length) + 1e-9), 0.0, 15.0));
}

std::string rounded(double value, std::size_t decimals) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return is_zero && text.front() == '-' ? text.substr(1) : text;
}

/// The text of one value that need not be whole.
std::string text_of(const Range& range, double value, double step) {
  if (range.spacing == Spacing::logarithmic) return rounded(value, decimals_for(value / 10.0));
  return rounded(
      value, std::max({decimals_for(std::abs(step)), decimals_typed(range.from), decimals_typed(range.to)}));
}

std::size_t frames_of(const Range& range, bool whole) {
  const double numbers = std::abs(range.high - range.low) + 1.0;
  const bool all = whole && range.spacing == Spacing::even && numbers <= most_whole_numbers;
  return range.frames.value_or(all ? static_cast<std::size_t>(std::llround(numbers)) : usual_frames);
}

/// Decimals that are 0 in every value say nothing: "0.0", "5.0" become "0", "5".
void drop_common_zeros(std::vector<std::string>& texts) {
  const auto ends_in_zero = [](const std::string& text) {
    return text.find('.') != std::string::npos && text.back() == '0';
  };
  while (std::all_of(texts.begin(), texts.end(), ends_in_zero)) {
    for (std::string& text : texts)
      text.erase(text[text.size() - 2] == '.' ? text.size() - 2 : text.size() - 1);
  }
}

void add(SweepValues& values, const std::string& text, double place) {
  if (!values.texts.empty() && values.texts.back() == text) return;
  values.texts.push_back(text);
  values.places.push_back(place);
}

void add_range(const Request& request, SweepValues& values) {
  const Range range = read_range(request);
  const bool whole = takes_whole_numbers(request, range);
  if (whole && !(is_whole(range.from) && is_whole(range.to))) {
    refuse(request, {"この値は整数です", "this parameter takes whole numbers"},
           {"両端を整数にしてください", "choose whole numbers for both ends"});
  }
  const std::size_t frames = std::max(least_frames, frames_of(range, whole));
  const double step = (range.high - range.low) / static_cast<double>(frames - 1);
  for (std::size_t i = 0; i < frames; ++i) {
    const double value = value_at(range, static_cast<double>(i) / static_cast<double>(frames - 1));
    const double shown = whole ? std::round(value) : value;
    std::string text = whole ? rounded(shown, 0) : text_of(range, value, step);
    if (i == 0 && parse_number<double>(text) != range.low) text = range.from;
    if (i + 1 == frames && parse_number<double>(text) != range.high) text = range.to;
    add(values, text, place_of(range, shown));
  }
  if (range.spacing == Spacing::even) drop_common_zeros(values.texts);
}

// --- A list

void add_list(const Request& request, SweepValues& values) {
  const std::vector<std::string> parts = split(request.words, ",");
  check_frames(request, parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) refuse_form(request);
    if (std::find(values.texts.begin(), values.texts.end(), parts[i]) != values.texts.end()) {
      refuse(request, attnlab::text("{} が 2 回あります", "{} stands there twice", parts[i]),
             {"一度だけにしてください", "name it once"});
    }
    add(values, parts[i], static_cast<double>(i) / static_cast<double>(parts.size() - 1));
  }
}

std::string filled_in(const std::string& pattern, const std::string& value) {
  return pattern.empty() ? value : with_words(pattern, {{'@', value}});
}

}  // namespace

bool takes_number(const Parameter& parameter) {
  if (const auto* list = std::get_if<NumbersKind>(&parameter.kind)) return list->length.least <= 1;
  if (const auto* syntax = std::get_if<SyntaxKind>(&parameter.kind)) {
    return syntax->form.find("NUMBER") != std::string::npos ||
           syntax->form.find("DEGREES") != std::string::npos;
  }
  return std::holds_alternative<IntegerKind>(parameter.kind) ||
         std::holds_alternative<NumberKind>(parameter.kind);
}

SweepValues sweep_values(const Parameter& parameter, const std::string& words, const std::string& pattern,
                         const std::string& flag) {
  const Request request{parameter, words, pattern, flag};
  SweepValues values{parameter.name, {}, {}};
  if (words.find(',') != std::string::npos) {
    add_list(request, values);
  } else {
    add_range(request, values);
  }
  for (std::string& text : values.texts) text = filled_in(pattern, text);
  parse_value(parameter, values.texts.front());  // both ends first: the user typed them
  parse_value(parameter, values.texts.back());
  for (const std::string& text : values.texts) parse_value(parameter, text);
  check_frames(request, values.texts.size());
  return values;
}

}  // namespace attnlab
