#include "attnlab/lecture/block_building.hpp"

#include "attnlab/claims/claim_block.hpp"
#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/terminal/console.hpp"
#include "lecture/markdown.hpp"

namespace attnlab {
namespace {

/// What blocks are built from.
struct Workshop {
  const Lecture& lecture;
  LectureRuns& runs;
};

BuiltBlock block_in(const TextBlock& text, Language language, Workshop /*workshop*/) {
  return BuiltText{text.markdown.in(language)};
}

BuiltBlock block_in(const QuestionBlock& question, Language language, Workshop /*workshop*/) {
  return BuiltQuestion{question.question.in(language), question.answer.in(language)};
}

BuiltBlock block_in(const BreakBlock& /*end*/, Language /*language*/, Workshop /*workshop*/) {
  return BuiltBreak{};
}

BuiltBlock block_in(const EquationBlock& equation, Language /*language*/, Workshop workshop) {
  if (equation.typed) return BuiltEquation{*equation.typed};
  const Report& report = workshop.runs.report(equation.run);
  const Stage* stage = find_named(report.stages, equation.stage);
  if (stage == nullptr) refuse_name({"段階", "stage"}, equation.stage, names_of(report.stages));
  if (stage->formula.kind == Formula::Kind::row && stage->formula.parts.empty()) {
    refuse_usage(text("{} は入力なので、式がありません", "{} is an input and has no formula", stage->name),
                 {"計算で得られる段階を選んでください", "choose a stage that is computed"});
  }
  return BuiltEquation{formula::row({formula::sym(stage->name), formula::sym("="), stage->formula})};
}

bool is_wanted(const Block& block, const std::vector<ReportPart>& parts) {
  const auto wants = [&](ReportPart part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  };
  if (std::holds_alternative<Table>(block)) return wants(ReportPart::table);
  const auto* paragraph = std::get_if<Paragraph>(&block);
  if (paragraph == nullptr) return false;
  return (paragraph->role == Role::say && wants(ReportPart::say)) ||
         (paragraph->role == Role::misunderstanding && wants(ReportPart::misunderstanding)) ||
         (paragraph->role == Role::note && wants(ReportPart::note));
}

BuiltBlock block_in(const ReportBlock& asked, Language /*language*/, Workshop workshop) {
  const Report& report = workshop.runs.report(asked.run);
  BuiltReport built;
  for (const Block& block : report.body) {
    if (is_wanted(block, asked.parts)) built.blocks.push_back(block);
  }
  const bool explains =
      std::find(asked.parts.begin(), asked.parts.end(), ReportPart::explain) != asked.parts.end();
  if (explains) built.explanation = explain(report, experiment_of(asked.run).shows, 0);
  if (built.blocks.empty() && !explains) {
    refuse_usage(
        text("{} の報告にその部分はありません", "the report of {} has no such part", report.experiment),
        {"parts に別の部分を選んでください", "choose other parts"});
  }
  return built;
}

BuiltBlock block_in(const CodeBlock& code, Language language, Workshop workshop) {
  const Report& report = workshop.runs.report(code.run);
  const bool is_numpy = code.library == CodeLibrary::numpy;
  const std::string command = command_of(report);
  return BuiltCode{command + (is_numpy ? " --code numpy" : " --code torch"),
                   python_program(report, is_numpy ? Library::numpy : Library::torch, language, command)};
}

BuiltBlock block_in(const ClaimBlock& asked, Language language, Workshop /*workshop*/) {
  if (const std::optional<BuiltClaim> claim = built_claim(asked.id, language)) return *claim;
  refuse_name({"主張", "claim"}, asked.id, claim_ids());
}

/// The one run that a block asks for, or nullptr.
const LectureRun* run_of(const BlockContent& content) {
  if (const auto* report = std::get_if<ReportBlock>(&content)) return &report->run;
  if (const auto* code = std::get_if<CodeBlock>(&content)) return &code->run;
  const auto* film = std::get_if<FilmBlock>(&content);
  if (film != nullptr && film->over.empty()) return &film->figure;
  const auto* equation = std::get_if<EquationBlock>(&content);
  return equation == nullptr || equation->typed ? nullptr : &equation->run;
}

bool is_drawn_elsewhere(const BlockContent& content) {
  return std::holds_alternative<FigureBlock>(content) || std::holds_alternative<StepsBlock>(content);
}

MovingBlock built_in(const BlockContent& content, Language language, Workshop workshop) {
  if (const auto* sliders = std::get_if<SlidersBlock>(&content))
    return sliders_in(*sliders, workshop.lecture, language);
  if (const auto* film = std::get_if<FilmBlock>(&content))
    return film_in(*film, workshop.lecture, language, workshop.runs);
  return std::visit(
      [&](const auto& block) -> MovingBlock {
        using Kind = std::decay_t<decltype(block)>;
        constexpr bool is_plain = !std::is_same_v<Kind, FigureBlock> && !std::is_same_v<Kind, StepsBlock> &&
                                  !std::is_same_v<Kind, SlidersBlock> && !std::is_same_v<Kind, FilmBlock>;
        if constexpr (is_plain) return {block_in(block, language, workshop), {}};
        return {BuiltBreak{}, {}};
      },
      content);
}

/// So that a mistake in the Markdown is told before anything is written, with its line.
void check_words(const BuiltBlock& block) {
  if (const auto* text = std::get_if<BuiltText>(&block)) markdown_html(text->markdown);
  if (const auto* question = std::get_if<BuiltQuestion>(&block)) {
    markdown_html(question->question);
    markdown_html(question->answer);
  }
}

void add_block(const LectureBlock& block, Workshop workshop, const std::string& place, BuiltBlocks& built) {
  if (const LectureRun* run = run_of(block.content)) {
    const Experiment& experiment = experiment_of(*run);
    for (const std::filesystem::path& input :
         inputs_of(with_files(experiment, arguments_of(*run, experiment, workshop.lecture.folder))))
      built.inputs.push_back(input);
  }
  for (const Language language : workshop.lecture.languages) {
    MovingBlock one = built_in(block.content, language, workshop);
    check_words(one.block);
    built.inputs.insert(built.inputs.end(), one.inputs.begin(), one.inputs.end());
    for (const Text& warning : one.warnings) {
      add_once(built.warnings,
               attnlab::text("{} ({}): {}", "{} ({}): {}", place, code_of(language), warning));
    }
    built.of[&block].push_back(std::move(one.block));
  }
}

}  // namespace

BuiltBlocks built_blocks(const Lecture& lecture, const std::string& manifest, LectureRuns& runs) {
  BuiltBlocks built;
  for (const LectureSection& section : lecture.sections) {
    for (const LectureBlock& block : section.blocks) {
      if (is_drawn_elsewhere(block.content)) continue;
      const std::string place = place_of(manifest, block.line);
      try {
        add_block(block, {lecture, runs}, place, built);
      } catch (const Error& error) {
        throw error.at(place);
      }
    }
  }
  return built;
}

}  // namespace attnlab
