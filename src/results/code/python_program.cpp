// The program's parts in order: its heading, the functions that it uses, the draws, the stages, the values of
// the run.
#include "results/code/python_program.hpp"

#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "core/version.hpp"
#include "results/check/check.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

constexpr std::size_t line_width = 88;  // as the formatter Black has it

// --- Numbers

std::string number_text(double value, const std::string& digits) {
  if (std::isnan(value)) return "math.nan";
  if (std::isinf(value)) return value < 0.0 ? "-math.inf" : "math.inf";
  return digits;
}

/// Every digit: what the run began with.
std::string exact(double value) { return number_text(value, python_repr(value)); }

/// Nine digits: what is compared.
std::string nine_digits(double value) { return number_text(value, fmt::format("{:.9g}", value)); }

using Digits = std::string (*)(double);

/// The innermost rows fill their lines, each axis outside of them is a step of the indentation.
std::string nested(const std::vector<std::size_t>& shape, std::size_t axis, const double*& value,
                   Digits digits, std::size_t indent, std::size_t beside = 0) {
  if (axis == shape.size()) return digits(*value++);
  const std::string margin(indent + 4, ' ');
  std::vector<std::string> items;
  for (std::size_t i = 0; i < shape[axis]; ++i) {
    items.push_back(nested(shape, axis + 1, value, digits, indent + 4));
  }
  std::string in_a_line = "[" + joined(items, ", ") + "]";
  if (indent + in_a_line.size() + beside <= line_width && in_a_line.find('\n') == std::string::npos)
    return in_a_line;
  std::string text = "[";
  std::size_t column = line_width;
  for (const std::string& item : items) {
    const bool breaks = axis + 1 < shape.size() || column + item.size() + 2 > line_width;
    text += breaks ? "\n" + margin : " ";
    column = (breaks ? margin.size() : column + 1) + item.size() + 1;
    text += item + ",";
  }
  return text + "\n" + std::string(indent, ' ') + "]";
}

/// [[1.0, 2.0], [3.0, 4.0]]; `beside` characters stand on the line of its bracket.
std::string list_of(const std::vector<std::size_t>& shape, const std::vector<double>& values, Digits digits,
                    std::size_t beside) {
  const double* value = values.data();
  return nested(shape, 0, value, digits, 0, beside);
}

struct Dialect {
  Library library;
  ProgramValues values;
};

/// np.array([...]), or its name in the npz; an axis of length 0 is told by its shape.
std::string array_code(const Stage& provided, Dialect dialect) {
  const std::string& name = provided.name;
  const std::vector<std::size_t>& shape = provided.array.shape;
  const std::vector<double>& values = provided.array.data;
  const std::string kind = provided.array.dtype == DType::float32 ? "np.float32" : "np.float64";
  if (values.empty()) return fmt::format("np.zeros(({},))", joined(shape, ", "));
  if (dialect.values == ProgramValues::beside) {
    const std::string stored = fmt::format("stored[\"{}\"]", name);
    return dialect.library == Library::torch ? fmt::format("torch.from_numpy({})", stored) : stored;
  }
  const std::size_t beside = name.size() + 42;  // " = torch.tensor(..., dtype=torch.float64)"
  return fmt::format("np.array({}, dtype={})", list_of(shape, values, exact, beside), kind);
}

// --- The functions

bool is_letter(char letter) { return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0; }

/// Whether `code` calls the function of that name.
bool calls(const std::string& code, const std::string& name) {
  for (std::size_t at = code.find(name + "("); at != std::string::npos; at = code.find(name + "(", at + 1)) {
    if (at == 0 || (!is_letter(code[at - 1]) && code[at - 1] != '.')) return true;
  }
  return false;
}

struct Function {
  std::string name;
  std::string code;
};

/// The functions of helpers.py, in its order.
const std::vector<Function>& all_functions() {
  static const std::vector<Function> functions = [] {
    const std::string file(code_files().front().text);
    std::vector<Function> found;
    for (std::size_t at = file.find("\ndef "); at != std::string::npos;) {
      const std::size_t next = file.find("\ndef ", at + 1);
      std::string code = file.substr(at + 1, next == std::string::npos ? next : next - at);
      code.erase(code.find_last_not_of('\n') + 1);
      found.push_back({code.substr(4, code.find('(') - 4), code + "\n"});
      at = next;
    }
    return found;
  }();
  return functions;
}

/// Those that the code calls, and those that these call.
std::string functions_of(const std::string& code) {
  std::string all = code;
  std::set<std::string> used;
  for (bool grows = true; grows;) {
    grows = false;
    for (const Function& function : all_functions()) {
      if (!calls(all, function.name) || !used.insert(function.name).second) continue;
      all += function.code;
      grows = true;
    }
  }
  std::string text;
  for (const Function& function : all_functions()) {
    if (used.count(function.name) != 0) text += "\n\n" + function.code;
  }
  return text;
}

// --- The random numbers

/// randn(*shape), by the library of the program and that of the numbers; NumPy's own needs no other name.
std::string normals_function(Library library, bool numbers_of_torch) {
  if (!numbers_of_torch) {
    if (library == Library::numpy) return "";
    return R"(

def randn(*shape):
    """NumPy's standard normals."""
    return torch.from_numpy(stream.randn(*shape))
)";
  }
  const std::string text = R"(

def randn(*shape):
    """PyTorch's standard normals: float32 numbers, here as float64."""
    drawn = torch.randn(*shape, dtype=torch.float32)
)";
  return text + "    return drawn." +
         (library == Library::numpy ? "numpy().astype(np.float64)" : "double()") + "\n";
}

/// Whether random numbers of that library ("numpy", "torch") go into the run, so that its programs need it.
bool draws_from(const std::vector<Origin>& origins, const std::string& rng) {
  return std::any_of(origins.begin(), origins.end(), [&](const Origin& origin) {
    return origin.kind == Origin::Kind::stream && origin.name == rng;
  });
}

/// From here on randn draws from this stream.
std::string stream_code(const Origin& stream, Library library) {
  if (stream.name == "torch") return fmt::format("torch.manual_seed({})\n", stream.code);
  const char* name = library == Library::numpy ? "randn" : "stream";
  const char* method = library == Library::numpy ? ".randn" : "";
  const char* module = library == Library::numpy ? "np" : "numpy";
  return fmt::format("{} = {}.random.RandomState({}){}\n", name, module, stream.code, method);
}

/// name = code, in parentheses and on several lines where it is long.
std::string assignment(const std::string& name, const std::string& code) {
  std::string line = name + " = " + code + "\n";
  if (line.size() <= line_width || code.find('\n') != std::string::npos) return line;
  constexpr std::string_view margin = "\n    ";
  std::string text = name + " = (";
  std::size_t column = line_width;
  for (const std::string& piece : split(code, " ")) {
    const bool breaks = column + 1 + piece.size() > line_width;
    text += breaks ? std::string(margin) : " ";
    text += piece;
    column = (breaks ? margin.size() - 1 : column + 1) + piece.size();
  }
  return text + "\n)\n";
}

bool draws(const std::string& code) { return calls(code, "randn") || calls(code, "linear_layer"); }

/// What the run began with, as it is kept.
Stage values_of(const Origin& origin) {
  return {origin.name,
          {},
          {origin.shape, {}, origin.values, origin.is_float32 ? DType::float32 : DType::float64}};
}

/// Of an array that the user gave instead, the draw is made all the same: the others keep their numbers.
std::string origin_code(const Origin& origin, Dialect dialect) {
  switch (origin.kind) {
    case Origin::Kind::stream: return stream_code(origin, dialect.library);
    case Origin::Kind::opened:
      return fmt::format("{} = {}tensors_of({})\n", origin.name,
                         dialect.library == Library::torch ? "torch_" : "", origin.file);
    case Origin::Kind::function: return origin.code;
    case Origin::Kind::read:
      return fmt::format("{}{}{} = {}\n", draws(origin.code) ? origin.code + "\n" : "",
                         origin.file.empty() ? "" : "# " + origin.file + "\n", origin.name,
                         array_code(values_of(origin), dialect));
    default:
      return assignment(origin.name,
                        origin.code.empty() ? array_code(values_of(origin), dialect) : origin.code);
  }
}

// --- The stages

/// A stage that nothing gives: its values stand for it.
Stage values_of(const Stage& stage) {
  Stage values{stage.name, {}, stage.array};
  if (stage.derivation.rounding > 0.0) values.array.dtype = DType::float64;
  return values;
}

std::string stage_code(const Stage& stage, const Report& report, Dialect dialect) {
  if (differs_by_run(stage) || find_named(report.origins, stage.name) != nullptr) return "";
  std::string code = numpy_code(stage, report.stages);
  if (code.empty() && stage.derivation.operation == Derivation::Operation::input) {
    code = array_code(values_of(stage), dialect);
  }
  if (code.empty()) {
    refuse_usage(text("{} の {} は Python で書けません", "{}: {} cannot be written in Python",
                      report.experiment, stage.name),
                 {"--code は付けないでください", "leave --code out"});
  }
  const std::string formula = to_terminal(stage.formula);
  return (formula.empty() ? "" : "# " + formula + "\n") + assignment(stage.name, code);
}

/// The values that no line of code gives.
std::vector<Stage> typed_arrays(const Report& report) {
  std::vector<Stage> arrays;
  for (const Origin& origin : report.origins) {
    const bool has_values = origin.kind != Origin::Kind::opened;
    if (has_values && (origin.kind == Origin::Kind::read || origin.code.empty()))
      arrays.push_back(values_of(origin));
  }
  for (const Stage& stage : report.stages) {
    const bool is_typed = stage.derivation.operation == Derivation::Operation::input &&
                          stage.derivation.code.empty() && find_named(report.origins, stage.name) == nullptr;
    if (is_typed) arrays.push_back(values_of(stage));
  }
  return arrays;
}

std::size_t count_of(const std::vector<Stage>& arrays) {
  return std::accumulate(arrays.begin(), arrays.end(), std::size_t{0},
                         [](std::size_t sum, const Stage& one) { return sum + one.array.data.size(); });
}

void require_program(const Report& report, ProgramValues values) {
  const Text leave_out{"--code は付けないでください", "leave --code out"};
  if (report.program.missing) refuse_usage(*report.program.missing, leave_out);
  constexpr std::size_t most = 100'000;
  const std::size_t count = count_of(typed_arrays(report));
  if (count <= most || values == ProgramValues::beside) return;
  refuse_usage(text("--code のプログラムに書く値が {} 個あり、上限の {} 個を超えます",
                    "the program of --code would hold {} values, more than {}", count, most),
               text("小さな入力を使うか、{}", "use a smaller input, or {}", leave_out));
}

// --- The values of the run

constexpr std::size_t most_values = 64;
constexpr std::size_t shown_of_many = 8;

/// Of a large array its shape, its sum and every so many-th value.
std::string assertion(const Stage& stage, const std::vector<Stage>& trace, bool is_coarse) {
  const Array& array = stage.array;
  const std::string& name = stage.name;
  const double rounding = stage.derivation.rounding;
  const std::vector<const Array*> operands = operands_of(stage, trace);
  const bool is_single = array.dtype == DType::float32 ||
                         std::any_of(operands.begin(), operands.end(),
                                     [](const Array* operand) { return operand->dtype == DType::float32; });
  const std::string tail = is_coarse        ? ", 1e-4)"
                           : rounding > 0.0 ? fmt::format(", {:g})", rounding)
                           : is_single      ? ", 1e-5)"
                                            : ")";
  if (is_coarse && rounding > 0.0) return "";  // float32 numbers leave nothing of it
  if (array.data.empty()) return fmt::format("assert {}.size == 0\n", name);
  if (array.data.size() <= most_values) {
    return fmt::format("assert agrees({}, {}{}\n", name,
                       list_of(array.shape, array.data, nine_digits, name.size() + 24), tail);
  }
  const std::size_t every = array.data.size() / (shown_of_many - 1);
  std::vector<double> some;
  for (std::size_t i = 0; i < array.data.size(); i += every) some.push_back(array.data[i]);
  const double sum = std::accumulate(array.data.begin(), array.data.end(), 0.0);
  std::string text = fmt::format("assert {}.shape == {}\n", name, shape_text(array.shape));
  if (std::isfinite(sum) && rounding == 0.0) {
    text += fmt::format("assert agrees({}.sum(), {}{}\n", name, nine_digits(sum), tail);
  }
  return text + fmt::format("assert agrees({}.reshape(-1)[::{}], {}{}\n", name, every,
                            list_of({some.size()}, some, nine_digits, name.size() + 44), tail);
}

/// The weights and the output, or else what was computed last.
std::vector<std::string> main_arrays(const std::vector<Stage>& stages) {
  std::vector<std::string> names;
  for (const char* name : {"weights", "output"}) {
    const Stage* stage = find_named(stages, name);
    if (stage != nullptr && !differs_by_run(*stage)) names.emplace_back(name);
  }
  if (!names.empty()) return names;
  const auto last = std::find_if_not(stages.rbegin(), stages.rend(), differs_by_run);
  if (last != stages.rend()) names.push_back(last->name);
  return names;
}

bool has_no_number(const Stage& stage) {
  return std::any_of(stage.array.data.begin(), stage.array.data.end(),
                     [](double value) { return !std::isfinite(value); });
}

std::string section(const Text& title, Language language) {
  return fmt::format("\n# --- {}\n\n", title.in(language));
}

/// As comments: whatever words a command holds, they are no code. In the first two lines Python takes
/// "coding=..." for the file's encoding, unless the first one says it.
std::string heading(const std::string& command, Language language) {
  std::string text;
  std::string line = "#";
  for (const std::string& word : split(command, " ")) {
    if (line.size() + 1 + word.size() + 2 > line_width && line.size() > 1) {
      text += line + " \\\n";
      line = "#    ";
    }
    line += " " + word;
  }
  const Text what = attnlab::text(
      "この実行の配列をすべて計算し直し、attnlab {} の値と比べます。",
      "Computes every array of this run again, and compares it with what attnlab {} gave.", version);
  const bool names_coding = command.find("coding") != std::string::npos;  // "--input encoding=x.npy"
  return fmt::format("{}{}{}\n#\n# {}\n\n", names_coding ? "# coding: utf-8\n" : "", text, line,
                     what.in(language));
}

std::string imports(const std::string& code, Library library, bool needs_numpy, bool needs_torch) {
  std::string text;
  const bool loads = code.find("pathlib.") != std::string::npos;
  if (code.find("math.") != std::string::npos) text += "import math\n";
  if (loads) text += "import pathlib\n";
  if (code.find("json.") != std::string::npos) text = "import json\n" + text;
  if (!text.empty()) text += "\n";
  if (library == Library::numpy) text += "import numpy as np\n";
  if (library == Library::torch && (needs_numpy || loads)) text += "import numpy\n";
  if (needs_torch) text += "import torch\n";
  return text;
}

}  // namespace

std::vector<Stage> arrays_beside(const Report& report) {
  constexpr std::size_t most_written = 500;
  std::vector<Stage> arrays = typed_arrays(report);
  if (report.program.missing || count_of(arrays) <= most_written) arrays.clear();
  return arrays;
}

std::string python_program(const Report& report, Library library, Language language,
                           const std::string& command, ProgramValues values) {
  require_program(report, values);
  const Dialect dialect{library, values};
  const bool numpy_numbers = draws_from(report.origins, "numpy");
  const bool torch_numbers = draws_from(report.origins, "torch");
  std::string beginning;
  if (values == ProgramValues::beside) {
    beginning = fmt::format("stored = {}.load(pathlib.Path(__file__).with_suffix(\".arrays.npz\"))\n",
                            library == Library::numpy ? "np" : "numpy");
  }
  for (const Origin& origin : report.origins) beginning += origin_code(origin, dialect);
  std::string computation;
  std::string comparison;
  for (const Stage& stage : report.stages) {
    computation += stage_code(stage, report, dialect);
    if (!differs_by_run(stage)) comparison += assertion(stage, report.stages, torch_numbers);
  }
  for (const std::string& name : main_arrays(report.stages)) {
    comparison += fmt::format("print(\"{0} =\", {0}, sep=\"\\n\")\n", name);
  }
  std::string code;
  if (!beginning.empty()) {
    code += section({"はじめの配列（乱数はこの順に引きます）",
                     "What the run begins with; random numbers in the order of the draws"},
                    language);
    code += beginning;
  }
  code += section({"計算", "The computation"}, language) + computation;
  code += section({"attnlab の値と比べる", "What attnlab gave"}, language) + comparison;
  std::string functions = functions_of(code);
  if (library == Library::torch) {
    code = torch_code(code) + report.program.torch_ending;
    functions = torch_code(functions);
  } else {
    code += report.program.numpy_ending;
  }
  if (numpy_numbers || torch_numbers) functions = normals_function(library, torch_numbers) + functions;
  std::string settings;
  if (library == Library::torch) settings = "\ntorch.set_default_dtype(torch.float64)\n";
  if (library == Library::numpy && std::any_of(report.stages.begin(), report.stages.end(), has_no_number)) {
    settings = "\nnp.seterr(all=\"ignore\")  # infinities and NaN are part of this run\n";
  }
  return heading(command, language) +
         imports(functions + code, library, numpy_numbers || functions.find("numpy.") != std::string::npos,
                 torch_numbers || library == Library::torch) +
         settings + functions + "\n" + code;
}

}  // namespace attnlab
