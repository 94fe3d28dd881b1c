#include "products/lecture/block_building.hpp"
#include "catalogue/input_files.hpp"
#include "core/named.hpp"
#include "core/similar_words.hpp"
#include "products/figure_files.hpp"

#include "claims/claim.hpp"
#include "lecture/markdown.hpp"

namespace attnlab {
namespace {

bool is_wanted(const Block& block, const BlockAttributes& parts) {
  if (std::holds_alternative<Table>(block)) return parts.has("table");
  const auto* paragraph = std::get_if<Paragraph>(&block);
  if (paragraph == nullptr) return false;
  return (paragraph->role == Role::say && parts.has("say")) ||
         (paragraph->role == Role::misunderstanding && parts.has("misunderstanding")) ||
         (paragraph->role == Role::note && parts.has("note"));
}

BuiltBlock report_of(const Report& report, const BlockAttributes& parts) {
  BuiltReport built;
  for (const Block& block : report.body) {
    if (is_wanted(block, parts)) built.blocks.push_back(block);
  }
  if (!built.blocks.empty()) return built;
  refuse_usage(
      text("{} の報告にその部分はありません", "the report of {} has no such part", report.experiment),
      {"別の部分を選んでください", "choose other parts"});
}

BuiltBlock formula_of(const Report& report, const std::string& name) {
  const Stage* stage = find_named(report.stages, name);
  if (stage == nullptr) refuse_name({"段階", "stage"}, name, names_of(report.stages));
  if (stage->formula.kind == Formula::Kind::row && stage->formula.parts.empty()) {
    refuse_usage(text("{} は入力なので、式がありません", "{} is an input and has no formula", name),
                 {"計算で得られる段階を選んでください", "choose a stage that is computed"});
  }
  return BuiltEquation{formula::row({formula::sym(name), formula::sym("="), stage->formula})};
}

BuiltBlock explanation_of(const Report& report, const BlockRun& request) {
  const std::string row = request.row == 0 ? "" : fmt::format(" --row {}", request.row);
  return BuiltReport{{},
                     explain(report, request.run.experiment->shows, request.row),
                     command_of(report) + " --explain" + row};
}

BuiltBlock program_of(const Report& report, const BlockRun& request) {
  const std::string command = command_of(report);
  const char* library = library_names.at(static_cast<std::size_t>(request.library));
  return BuiltCode{fmt::format("{} --code {}", command, library),
                   python_program(report, request.library, request.look.language, command)};
}

BuiltBlock claim_of(const std::string& id, Language language) {
  const Claim* claim = find_claim(id);
  if (claim == nullptr) refuse_name({"主張", "claim"}, id, claim_ids());
  const CheckedClaim checked = checked_claim(*claim, attnlab_mathematics());
  const Verdict verdict = checked.finding.verdict;
  return BuiltClaim{key_of(verdict),
                    name_of(verdict).in(language),
                    claim->place.in(language),
                    claim->quote.in(language),
                    checked.evidence.in(language),
                    verdict == Verdict::holds ? "" : checked.corrected.in(language)};
}

BuiltBlock block_of(const CommandBlock& block, const Workshop& workshop, BuiltPart& part) {
  BlockRun requested = workshop.read(block, workshop.lecture);
  if (!block.on_slide) requested.place = OnSlide::nowhere;
  if (requested.shown == Shown::claim) return claim_of(requested.claim, workshop.lecture.language);
  part.inputs = inputs_of(requested.run.arguments);
  if (requested.shown == Shown::sliders) return sliders_of(requested, block.attributes, workshop, part);
  if (requested.shown == Shown::film) return film_of(requested, block.attributes, workshop, part);
  const Report& report = workshop.runs.report(requested.run);
  switch (requested.shown) {
    case Shown::report: return report_of(report, block.attributes);
    case Shown::explanation: return explanation_of(report, requested);
    case Shown::program: return program_of(report, requested);
    case Shown::formula: return formula_of(report, block.attributes.values.at("stage"));
    default:
      return BuiltFigures{draw_figures(requested, block.attributes, block.attributes.name, workshop, part)};
  }
}

/// What goes wrong is told with the document's line.
template <class Work>
auto at_line(const Workshop& workshop, std::size_t line, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw error.at(place_of(workshop.lecture.file, line));
  }
}

BuiltBlock block_of(const StepsBlock& steps, const Workshop& workshop, BuiltPart& part) {
  BuiltSteps built;
  for (const CommandBlock& step : steps.steps) {
    at_line(workshop, step.line, [&] {
      BlockRun requested = workshop.read(step, workshop.lecture);
      if (!step.on_slide) requested.place = OnSlide::nowhere;
      if (requested.shown != Shown::figures || requested.figure.empty())
        refuse_usage({"手順の図が決まりません", "the step names no figure"},
                     {"--figure で図を選んでください", "choose it with --figure"});
      const std::string stem =
          steps.name.empty() ? stem_of(requested.run.experiment->name, requested.figure) : steps.name;
      const std::string name = fmt::format("{}-step-{}", stem, built.figures.size() + 1);
      for (const std::filesystem::path& input : inputs_of(requested.run.arguments))
        part.inputs.push_back(input);
      for (BuiltFigure& figure : draw_figures(requested, step.attributes, name, workshop, part))
        built.figures.push_back(std::move(figure));
    });
  }
  return built;
}

/// Every mistake is told with its line.
std::string html_of(const TextBlock& text, const Workshop& workshop, BuiltPart& part) {
  const auto place = [&](std::size_t line) { return place_of(workshop.lecture.file, text.line + line); };
  const auto picture = [&](const std::string& target) { return address_of_picture(target, workshop, part); };
  return markdown_html(text.markdown, {place, picture, workshop.lecture.notes});
}

BuiltBlock block_of(const TextBlock& text, const Workshop& workshop, BuiltPart& part) {
  return BuiltText{html_of(text, workshop, part), text.on_slide};
}

BuiltBlock block_of(const QuestionBlock& question, const Workshop& workshop, BuiltPart& part) {
  return BuiltQuestion{
      html_of(question.question, workshop, part), html_of(question.answer, workshop, part), {}};
}

BuiltBlock block_of(const NotesBlock& notes, const Workshop& workshop, BuiltPart& part) {
  BuiltNotes built;
  built.notes.reserve(notes.notes.size());
  for (const TextBlock& note : notes.notes) built.notes.push_back(html_of(note, workshop, part));
  return built;
}

BuiltBlock block_of(const EquationBlock& equation, const Workshop& /*workshop*/, BuiltPart& /*part*/) {
  return BuiltEquation{equation.formula};
}

BuiltBlock block_of(const BreakBlock& /*end*/, const Workshop& /*workshop*/, BuiltPart& /*part*/) {
  return BuiltBreak{};
}

/// As it would be typed: what tells one run from another.
std::string typed_run(const Run& typed) {
  std::string run = typed.experiment->name;
  for (const Parameter& parameter : typed.experiment->parameters) {
    if (typed.arguments.is_set(parameter.name))
      run += "\n" + parameter.name + "=" + typed.arguments.text(parameter.name);
  }
  return run;
}

}  // namespace

const Report& LectureRuns::report(const Run& requested) {
  Kept* kept = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    kept = &kept_[typed_run(requested)];
  }
  std::call_once(kept->once, [&] {
    kept->report = run(*requested.experiment, requested.arguments);
    require_invariants(kept->report);
  });
  return kept->report;
}

BuiltPart built_part(const LectureBlock& block, const Workshop& workshop) {
  BuiltPart part;
  const auto build = [&] {
    return std::visit([&](const auto& content) { return block_of(content, workshop, part); }, block.content);
  };
  const bool is_command = std::holds_alternative<CommandBlock>(block.content);  // others show a line within
  part.block = is_command ? at_line(workshop, block.line, build) : build();
  const auto* question = std::get_if<QuestionBlock>(&block.content);
  if (question != nullptr && question->guess) {
    std::get<BuiltQuestion>(part.block).guess =
        at_line(workshop, question->guess->line, [&] { return guess_of(*question->guess, workshop, part); });
  }
  return part;
}

}  // namespace attnlab
