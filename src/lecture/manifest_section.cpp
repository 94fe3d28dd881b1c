// The blocks of a section, each kind with its keys; they follow each other as they stand in the manifest.
#include "lecture/manifest_nodes.hpp"

namespace attnlab {
namespace {

LectureRun read_run(const ManifestNodes& nodes, const toml::table& table) {
  LectureRun run;
  run.experiment = nodes.word(nodes.required(table, "experiment"), "experiment");
  run.parameters = nodes.flags(table, "parameters");
  run.line = table.source().begin.line;
  return run;
}

/// What figures, steps, sliders and films have in common.
LectureFigure read_figure(const ManifestNodes& nodes, const toml::table& table) {
  LectureFigure figure;
  static_cast<LectureRun&>(figure) = read_run(nodes, table);
  figure.figure = nodes.optional_word(table, "figure");
  figure.look = nodes.flags(table, "look");
  if (const toml::node* caption = table.get("caption")) figure.caption = nodes.text(*caption, "caption");
  figure.name = nodes.file_stem(table, "name");
  return figure;
}

BlockContent read_figure_block(const ManifestNodes& nodes, const toml::table& table,
                               std::vector<LectureFigure>& figures) {
  nodes.check_keys(table, {"experiment", "figure", "parameters", "look", "caption", "name"});
  figures.push_back(read_figure(nodes, table));
  const LectureFigure& figure = figures.back();
  if (figure.figure.empty() && (figure.caption || !figure.name.empty())) {
    nodes.refuse(table,
                 {"name と caption は 1 枚の図に付けるものです", "name and caption belong to one figure"},
                 {"figure で図を選んでください", "choose it with figure"});
  }
  return FigureBlock{figures.size() - 1};
}

/// A step has what the block says, unless it says something else itself.
LectureFigure read_step(const ManifestNodes& nodes, const toml::table& table, const LectureFigure& common,
                        std::size_t number) {
  nodes.check_keys(table, {"figure", "parameters", "look", "caption"});
  LectureFigure step = common;
  step.line = table.source().begin.line;
  if (table.get("figure") != nullptr) step.figure = nodes.optional_word(table, "figure");
  for (const auto& [name, value] : nodes.flags(table, "parameters")) step.parameters[name] = value;
  for (const auto& [name, value] : nodes.flags(table, "look")) step.look[name] = value;
  if (const toml::node* caption = table.get("caption")) step.caption = nodes.text(*caption, "caption");
  if (step.figure.empty()) {
    nodes.refuse(table, {"手順の図が決まりません", "the step names no figure"},
                 {"figure で図を選んでください", "choose it with figure"});
  }
  const std::string stem = common.name.empty() ? common.experiment + "-" + step.figure : common.name;
  step.name = fmt::format("{}-step-{}", stem, number);
  std::replace(step.name.begin(), step.name.end(), ' ', '-');
  return step;
}

BlockContent read_steps(const ManifestNodes& nodes, const toml::table& table,
                        std::vector<LectureFigure>& figures) {
  constexpr std::size_t most = 20;
  nodes.check_keys(table, {"experiment", "figure", "parameters", "look", "name", "each"});
  const LectureFigure common = read_figure(nodes, table);
  const toml::node& each = nodes.required(table, "each");
  const std::vector<const toml::table*> steps = nodes.tables(table, "each");
  if (steps.size() < 2 || steps.size() > most) {
    nodes.refuse(each, text("手順の数は {} です", "the number of steps is {}", steps.size()),
                 text("2～{} 個にしてください", "give 2 to {}", most));
  }
  const StepsBlock block{figures.size(), steps.size()};
  for (std::size_t i = 0; i < steps.size(); ++i)
    figures.push_back(read_step(nodes, *steps[i], common, i + 1));
  return block;
}

BlockContent read_text(const ManifestNodes& nodes, const toml::table& table) {
  nodes.required(table, "ja");
  nodes.required(table, "en");
  return TextBlock{nodes.paragraphs(table, "text")};
}

BlockContent read_equation(const ManifestNodes& nodes, const toml::table& table) {
  nodes.check_keys(table, {"tex", "experiment", "stage", "parameters"});
  EquationBlock equation;
  const toml::node* tex = table.get("tex");
  if (tex == nullptr) {
    equation.run = read_run(nodes, table);
    equation.stage = nodes.word(nodes.required(table, "stage"), "stage");
    return equation;
  }
  nodes.check_keys(table, {"tex"});
  try {
    equation.typed = formula::read_tex(nodes.word(*tex, "tex"));
  } catch (const Error& error) {
    throw error.at(nodes.place(*tex));
  }
  return equation;
}

BlockContent read_report(const ManifestNodes& nodes, const toml::table& table) {
  static const ManifestKeys names{"say", "misunderstanding", "note", "table", "explain"};
  nodes.check_keys(table, {"experiment", "parameters", "parts"});
  ReportBlock report{read_run(nodes, table), {}};
  nodes.required(table, "parts");
  for (const std::string& name : nodes.choices(table, "parts", names)) {
    report.parts.push_back(
        static_cast<ReportPart>(std::find(names.begin(), names.end(), name) - names.begin()));
  }
  return report;
}

BlockContent read_code(const ManifestNodes& nodes, const toml::table& table) {
  nodes.check_keys(table, {"experiment", "parameters", "library"});
  const bool is_numpy = nodes.choice(table, "library", {"numpy", "torch"}) == "numpy";
  return CodeBlock{read_run(nodes, table), is_numpy ? CodeLibrary::numpy : CodeLibrary::torch};
}

BlockContent read_claim(const ManifestNodes& nodes, const toml::table& table) {
  nodes.check_keys(table, {"id"});
  return ClaimBlock{nodes.word(nodes.required(table, "id"), "id")};
}

BlockContent read_sliders(const ManifestNodes& nodes, const toml::table& table) {
  nodes.check_keys(table, {"experiment", "figure", "parameters", "look", "caption", "name", "slide"});
  return SlidersBlock{read_figure(nodes, table), nodes.words(table, "slide")};
}

BlockContent read_film(const ManifestNodes& nodes, const toml::table& table) {
  nodes.check_keys(table, {"experiment", "figure", "parameters", "look", "caption", "name", "over"});
  return FilmBlock{read_figure(nodes, table), nodes.optional_word(table, "over")};
}

BlockContent read_question(const ManifestNodes& nodes, const toml::table& table) {
  nodes.check_keys(table, {"question", "answer"});
  return QuestionBlock{nodes.paragraphs(nodes.required(table, "question"), "question"),
                       nodes.paragraphs(nodes.required(table, "answer"), "answer")};
}

BlockContent read_break(const ManifestNodes& nodes, const toml::table& table) {
  nodes.check_keys(table, {});
  return BreakBlock{};
}

using ReadBlock = BlockContent (*)(const ManifestNodes& nodes, const toml::table& table);
struct BlockKind {
  std::string_view key;
  ReadBlock read;
};
constexpr std::array<BlockKind, 9> block_kinds{{{"text", read_text},
                                                {"equation", read_equation},
                                                {"report", read_report},
                                                {"code", read_code},
                                                {"claim", read_claim},
                                                {"sliders", read_sliders},
                                                {"film", read_film},
                                                {"question", read_question},
                                                {"break", read_break}}};

/// Its tables are arrays, one for each kind of block: their lines tell in which order they stand.
struct PlacedTable {
  std::string_view key;
  const toml::table* table = nullptr;
};

std::vector<PlacedTable> blocks_in_order(const ManifestNodes& nodes, const toml::table& section,
                                         const ManifestKeys& keys) {
  std::vector<PlacedTable> placed;
  for (const std::string_view key : keys) {
    for (const toml::table* table : nodes.tables(section, key)) placed.push_back({key, table});
  }
  const auto position = [](const PlacedTable& one) {
    const toml::source_position& begin = one.table->source().begin;
    return std::pair(begin.line, begin.column);
  };
  std::sort(placed.begin(), placed.end(), [&](const PlacedTable& one, const PlacedTable& other) {
    return position(one) < position(other);
  });
  return placed;
}

BlockContent read_block(const ManifestNodes& nodes, const PlacedTable& placed,
                        std::vector<LectureFigure>& figures) {
  if (placed.key == "figure") return read_figure_block(nodes, *placed.table, figures);
  if (placed.key == "steps") return read_steps(nodes, *placed.table, figures);
  const auto* kind = std::find_if(block_kinds.begin(), block_kinds.end(),
                                  [&](const BlockKind& one) { return one.key == placed.key; });
  return kind->read(nodes, *placed.table);
}

}  // namespace

LectureSection read_section(const ManifestNodes& nodes, const toml::table& table) {
  ManifestKeys keys{"figure", "steps"};
  for (const BlockKind& kind : block_kinds) keys.push_back(kind.key);
  ManifestKeys known = keys;
  known.insert(known.begin(), "title");
  nodes.check_keys(table, known);
  LectureSection section{nodes.text(table, "title"), {}, {}};
  for (const PlacedTable& placed : blocks_in_order(nodes, table, keys)) {
    section.blocks.push_back({placed.table->source().begin.line, read_block(nodes, placed, section.figures)});
  }
  if (section.blocks.empty()) {
    nodes.refuse(table, {"節に何もありません", "the section is empty"},
                 {"[[section.figure]] や [[section.text]] を書いてください",
                  "write a [[section.figure]] or a [[section.text]]"});
  }
  return section;
}

}  // namespace attnlab
