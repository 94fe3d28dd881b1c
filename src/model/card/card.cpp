// `attnlab model DIR|config.json --figure architecture`.
#include "model/card/card.hpp"

#include "core/error.hpp"
#include "core/named.hpp"
#include "experiments/cache/cache.hpp"
#include "experiments/framework/book.hpp"
#include "io/learned_model.hpp"
#include "model/session.hpp"

namespace attnlab {
namespace {

struct CardFiles : OpenedFiles {  // NOLINT(bugprone-exception-escape): that of moving JSON
  Checkpoint checkpoint;
};

/// Of a folder or a .json the configuration alone.
Checkpoint opened_config(const std::string& path) {
  std::filesystem::path file = path;
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored) && is_file(file / "config.json")) file /= "config.json";
  if (file.extension() != ".json") return open_checkpoint(shipped_for(path, Language::en));
  Checkpoint checkpoint;
  checkpoint.name = path;
  checkpoint.place = file.string();
  checkpoint.config = json_of_file(checkpoint.place);
  checkpoint.files = {checkpoint.place};
  return checkpoint;
}

std::shared_ptr<const OpenedFiles> open_card_files(const Arguments& arguments) {
  const ReadsBelow files_folder(arguments.sources.folder);
  if (!arguments.is_set("model")) refuse_model("no_model");
  const auto files = std::make_shared<CardFiles>();
  files->checkpoint = opened_config(arguments.text("model"));
  files->names = files->checkpoint.files;
  return files;
}

void record_parameters(ModelCard& card) {
  if (!card.parameters) return;
  std::vector<double> each;
  std::vector<double> times;
  for (const CountedPart& part : card.parameters->parts) {
    each.push_back(static_cast<double>(part.each));
    times.push_back(static_cast<double>(part.times));
  }
  Tape& tape = card.tape;
  const Tensor<double> numbers = tape.input("each", to_tensor(each), {"parts"});
  const Tensor<double> counts = tape.input("times", to_tensor(times), {"parts"});
  const auto line = [&](std::size_t i) {
    return worked::equation(worked::entry("parameters", {i}),
                            {worked::together({times[i], "·", each[i]}), times[i] * each[i]});
  };
  tape.step("parameters", "n · k", numbers * counts, {"parts"},
            derived::worked({"each", "times"}, worked::lines(each.size(), line), "each * times"));
}

Table parts_table(const ModelCard& card) {
  Table table{{{"部分", "part"}, {"個数", "numbers"}, {"回数", "times"}, {"合計", "together"}}};
  for (const CountedPart& part : card.parameters->parts)
    table.rows.push_back(
        {part.name, with_commas(part.each), std::to_string(part.times), with_commas(part.each * part.times)});
  table.rows.push_back({Text{"合計", "total"}, "", "", with_commas(card.parameters->total())});
  return table;
}

std::vector<Block> card_body(const ModelCard& card) {
  std::vector<Block> blocks;
  blocks.reserve(8);
  blocks.emplace_back(Paragraph::heading("モデルの設定：{}", "What the configuration says: {}", card.type));
  if (card.parameters) {
    blocks.emplace_back(parts_table(card));
    blocks.emplace_back(Paragraph::say("{} 層、パラメータは {} 個です。", "{1} parameters in {0} layers.",
                                       card.layers(), with_commas(card.parameters->total())));
  }
  if (card.cache)
    blocks.emplace_back(Paragraph::say("1 トークンの KV キャッシュは、16 ビットで {}（{}）です。",
                                       "A token takes {} of KV cache in 16 bit ({}).",
                                       binary_text(2.0 * card.cache->of_token()), cache_kind(*card.cache)));
  for (const Text& reason : card.unread)
    blocks.emplace_back(Paragraph::note("読めないもの：{}", "Not read: {}", reason));
  return blocks;
}

/// The first figure of `cache`, of this configuration.
Figure cache_figure(const ModelCard& card) {
  Arguments arguments(cache_experiment().parameters);
  arguments.set("model", card.type.empty() ? "config.json" : card.type);
  arguments.sources.contents["model"] = card.config.dump();
  Figure figure = figures(CacheRun::compute(arguments, quiet_context())).front();
  figure.name = "cache";
  return figure;
}

Report run_card(const Arguments& arguments, const Context& /*context*/) {
  const auto files = std::static_pointer_cast<const CardFiles>(arguments.sources.files);
  ModelCard card = card_of(files->checkpoint);
  record_parameters(card);
  Report report;
  report.stages = card.tape.stages();
  report.origins = card.tape.origins();
  if (card.parameters)
    report.scalars.push_back({"parameters", static_cast<double>(card.parameters->total())});
  if (card.cache) report.scalars.push_back({"kib_per_token", 2.0 * card.cache->of_token() / 1024.0});
  report.body = card_body(card);
  report.figures = {architecture_figure(card)};
  if (card.cache) report.figures.push_back(cache_figure(card));
  return report;
}

}  // namespace

std::size_t ModelCard::layers() const { return family ? family->architecture.layers : cache->layers.size(); }
std::size_t ModelCard::heads() const { return family ? family->architecture.heads : cache->heads; }
std::size_t ModelCard::kv_heads() const { return family ? family->architecture.kv_heads : cache->kv_heads; }

ModelCard card_of(const Checkpoint& checkpoint) {
  ModelCard card;
  card.config = checkpoint.config;
  card.type = word_in(checkpoint.config, "model_type");
  try {
    card.family = family_of(checkpoint);
    card.type = card.family->architecture.type;
    card.parameters = parameters_of(*card.family, checkpoint.config);
  } catch (const Error& error) {
    card.unread.push_back(error.message());
  }
  try {
    card.cache = cache_shape_of(checkpoint.config.dump(), checkpoint.place);
  } catch (const Error& error) {
    if (!card.family) throw;  // then nothing of it is known
    card.unread.push_back(error.message());
  }
  return card;
}

std::string with_commas(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

const Experiment& card_experiment() {
  static const Experiment card = [] {
    Experiment experiment = Experiment{"model",
                                       {"モデルの設定だけから、その構造を描く",
                                        "the architecture of a model, from its configuration alone"},
                                       {"手持ちのモデル", "your own model"},
                                       some_model_parameters({"model"}),
                                       run_card}
                                .with_positionals({"model"});
    experiment.kind = ExperimentKind::user_files;
    experiment.open = open_card_files;
    return experiment;
  }();
  return card;
}

}  // namespace attnlab
