#include "page/answers.hpp"

#include "core/named.hpp"
#include "plotting/layout/display_list.hpp"
#include "results/operations/operation.hpp"

namespace attnlab {
namespace {

// --- Which stage a grid shows

/// The grid's values are rows of the stage, beginning with `row`; the axes before the last count as one.
struct ShownRows {
  std::string stage;
  std::size_t row = 0;
};

bool same(double one, double other) { return one == other || (std::isnan(one) && std::isnan(other)); }

std::optional<std::size_t> row_in(const MarkGrid& grid, const Array& array) {
  if (grid.values.empty() || array.data.empty()) return std::nullopt;
  if (array.shape.empty() || array.shape.back() != grid.columns) return std::nullopt;
  const std::size_t rows = array.data.size() / grid.columns;
  for (std::size_t row = 0; row + grid.rows <= rows; ++row) {
    const auto begin = array.data.begin() + static_cast<std::ptrdiff_t>(row * grid.columns);
    if (std::equal(grid.values.begin(), grid.values.end(), begin, same)) return row;
  }
  return std::nullopt;
}

std::vector<ShownRows> sources_of(const MarkGrid& grid, const std::vector<Stage>& trace) {
  std::vector<ShownRows> sources;
  for (const Stage& stage : trace) {
    if (const std::optional<std::size_t> row = row_in(grid, stage.array))
      sources.push_back({stage.name, *row});
  }
  return sources;
}

/// As page.js knows the operation; "" where the value of an element follows from too many values to be
/// written out.
std::string name_in_page(const Derivation& derivation) {
  const OperationKind* kind = kind_of(derivation.operation);
  return kind == nullptr ? "" : kind->in_page;
}

bool is_product(Operation operation) {
  return operation == Operation::product || operation == Operation::product_with_transpose;
}

/// A product of longer rows is not written out: of its terms few would be shown.
constexpr std::size_t most_terms = 64;

bool is_short(const Stage& factor) {
  return !factor.array.shape.empty() && factor.array.shape.back() <= most_terms;
}

/// The stage, and what it was computed from up to the factors of a product.
void add_with_operands(const std::string& name, const std::vector<Stage>& trace,
                       std::set<std::string>& names) {
  const Stage* stage = find_named(trace, name);
  if (stage == nullptr || !names.insert(name).second || name_in_page(stage->derivation).empty()) return;
  for (const std::string& operand : stage->derivation.operands) {
    if (is_product(stage->derivation.operation)) {
      const Stage* factor = find_named(trace, operand);
      if (factor != nullptr && is_short(*factor)) names.insert(operand);
    } else {
      add_with_operands(operand, trace, names);
    }
  }
}

// --- All frames together

/// A grid in every frame; nullptr where it does not exist.
struct GridInFrames {
  std::string id;
  std::vector<const MarkGrid*> in_frame;

  const MarkGrid& first() const {
    return **std::find_if(in_frame.begin(), in_frame.end(),
                          [](const MarkGrid* existing) { return existing != nullptr; });
  }
};

std::vector<GridInFrames> grids_in(const std::vector<AnsweringFrame>& frames) {
  std::vector<GridInFrames> grids;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    for (const MarkGrid& grid : frames[i].grids) {
      auto known = std::find_if(grids.begin(), grids.end(),
                                [&](const GridInFrames& one) { return one.id == grid.id; });
      if (known == grids.end()) {
        grids.push_back({grid.id, std::vector<const MarkGrid*>(frames.size(), nullptr)});
        known = grids.end() - 1;
      }
      known->in_frame[i] = &grid;
    }
  }
  return grids;
}

/// The stage that the grid shows in every frame that has it, and from which row on; nothing where there is no
/// such stage. Of several the one whose name the grid has, else the last.
struct ShownStage {
  std::string name;
  std::vector<Json> rows;  // by frame
};

std::optional<ShownStage> shown_stage(const GridInFrames& grid, const std::vector<AnsweringFrame>& frames) {
  std::map<std::string, ShownStage> candidates;
  std::vector<std::string> in_order;
  std::size_t existing = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (grid.in_frame[i] == nullptr) continue;
    for (const ShownRows& source : sources_of(*grid.in_frame[i], frames[i].stages)) {
      if (existing == 0) in_order.push_back(source.stage);
      ShownStage& candidate = candidates[source.stage];
      candidate.name = source.stage;
      candidate.rows.resize(i, candidate.rows.empty() ? Json(source.row) : candidate.rows.back());
      candidate.rows.emplace_back(source.row);
    }
    ++existing;
    for (auto one = candidates.begin(); one != candidates.end();) {
      one = one->second.rows.size() == i + 1 ? std::next(one) : candidates.erase(one);
    }
  }
  if (candidates.empty()) return std::nullopt;
  std::optional<ShownStage> chosen;
  for (const std::string& name : in_order) {
    const auto found = candidates.find(name);
    if (found == candidates.end()) continue;
    if (chosen && chosen->name == grid.id) break;
    chosen = found->second;
  }
  if (chosen) chosen->rows.resize(frames.size(), chosen->rows.back());
  return chosen;
}

Json names_in(const std::vector<Text>& names, Language language) {
  Json list = Json::array();
  for (const Text& name : names) list.push_back(name.in(language));
  return list;
}

/// What `one` gives of the grid in each frame; where it does not exist, what it gave last.
template <class One>
std::vector<Json> by_frame(const GridInFrames& grid, One one) {
  std::vector<Json> values;
  for (const MarkGrid* existing : grid.in_frame) {
    values.push_back(existing != nullptr ? one(*existing)
                     : values.empty()    ? one(grid.first())
                                         : values.back());
  }
  return values;
}

void add_places(const GridInFrames& grid, Json& json, SeriesTable& table) {
  const MarkGrid& first = grid.first();
  if (first.in_a_row) json["flat"] = true;
  if (!first.x.empty())
    json["x"] =
        table.number_of(by_frame(grid, [](const MarkGrid& one) { return numbers_of(one.x, shown_digits); }));
  if (!first.y.empty())
    json["y"] =
        table.number_of(by_frame(grid, [](const MarkGrid& one) { return numbers_of(one.y, shown_digits); }));
  if (!first.ids.empty())
    json["ends"] = table.number_of(by_frame(grid, [](const MarkGrid& one) { return Json(one.ends); }));
}

/// With the stage that it shows, where that is among the `stages` that are written, else with its values.
Json grid_json(const GridInFrames& grid, const std::vector<AnsweringFrame>& frames, const Json& stages,
               SeriesTable& table) {
  Json json{{"id", grid.id}};
  if (!grid.first().chooses.empty()) json["chooses"] = grid.first().chooses;
  json["columns"] = table.number_of(by_frame(grid, [](const MarkGrid& one) { return Json(one.columns); }));
  json["rows"] = table.number_of(by_frame(grid, [](const MarkGrid& one) { return Json(one.rows); }));
  for (const Language language : {Language::ja, Language::en}) {
    json["names"][code_of(language)] = {
        table.number_of(
            by_frame(grid, [&](const MarkGrid& one) { return names_in(one.row_names, language); })),
        table.number_of(
            by_frame(grid, [&](const MarkGrid& one) { return names_in(one.column_names, language); })),
        table.number_of(by_frame(grid, [&](const MarkGrid& one) {
          return names_in({one.series, one.x_title}, language);
        }))};
  }
  add_places(grid, json, table);
  const std::optional<ShownStage> shown = shown_stage(grid, frames);
  if (shown && stages.contains(shown->name)) {
    json["stage"] = shown->name;
    json["row"] = table.number_of(shown->rows);
  } else if (!grid.first().values.empty()) {
    json["values"] = table.number_of(
        by_frame(grid, [](const MarkGrid& one) { return numbers_of(one.values, shown_digits); }));
  }
  return json;
}

/// The stage in every frame; where one does not have it, or derives it in another way, nothing.
Json stage_json(const Stage& first, const std::vector<AnsweringFrame>& frames, SeriesTable& table) {
  std::vector<Json> shapes;
  std::vector<Json> arrays;
  std::vector<Json> factors;
  for (const AnsweringFrame& frame : frames) {
    const Stage* stage = find_named(frame.stages, first.name);
    if (stage == nullptr || stage->derivation.operation != first.derivation.operation ||
        stage->derivation.operands != first.derivation.operands) {
      return nullptr;
    }
    shapes.emplace_back(stage->array.shape);
    arrays.push_back(numbers_of(stage->array.data, kept_digits));
    factors.push_back(rounded_number(stage->derivation.number, kept_digits));
  }
  Json json{{"shape", table.number_of(shapes)}, {"data", table.number_of(arrays)}};
  const std::string operation = name_in_page(first.derivation);
  if (operation.empty()) return json;
  json["operation"] = operation;
  json["operands"] = first.derivation.operands;
  if (first.derivation.operation == Operation::scaled || first.derivation.operation == Operation::power)
    json["factor"] = table.number_of(factors);
  return json;
}

std::size_t numbers_in(const std::vector<AnsweringFrame>& frames) {
  std::size_t numbers = 0;
  for (const AnsweringFrame& frame : frames) {
    for (const Stage& stage : frame.stages) numbers += stage.array.data.size();
  }
  return numbers;
}

/// A picture of more has no element for each, and their marks are found by their place.
constexpr std::size_t most_marks = 20'000;

void add_marks(const MarkGrid& grid, std::size_t number, std::map<std::string, std::string>& marks) {
  if (!grid.in_a_row || grid.is_curve) marks[grid.id] = std::to_string(number);
  if (grid.is_curve || grid.rows * grid.columns > most_marks) return;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    for (std::size_t column = 0; column < grid.columns; ++column) {
      const std::string id = !grid.ids.empty() ? grid.ids[column]
                             : grid.in_a_row   ? indexed(grid.id, column)
                                               : indexed(grid.id, row, column);
      marks[id] = fmt::format("{} {} {}", number, row, column);
    }
  }
}

}  // namespace

std::vector<Stage> answering_stages(const Figure& figure, const std::vector<Stage>& trace) {
  std::set<std::string> names;
  for (const MarkGrid& grid : grids_of(figure)) {
    for (const ShownRows& source : sources_of(grid, trace)) add_with_operands(source.stage, trace, names);
  }
  std::vector<Stage> stages;
  for (const Stage& stage : trace) {
    if (names.count(stage.name) != 0) stages.push_back(stage);
  }
  return stages;
}

Answers answers_of(const std::vector<AnsweringFrame>& frames, SeriesTable& table) {
  Answers answers;
  if (numbers_in(frames) > most_numbers) {
    std::vector<AnsweringFrame> without_stages;
    without_stages.reserve(frames.size());
    for (const AnsweringFrame& frame : frames) without_stages.push_back({frame.grids, {}});
    answers = answers_of(without_stages, table);
    answers.is_complete = false;
    return answers;
  }
  for (const Stage& stage : frames.front().stages) {
    Json json = stage_json(stage, frames, table);
    if (!json.is_null()) answers.stages[stage.name] = std::move(json);
  }
  const std::vector<GridInFrames> grids = grids_in(frames);
  for (std::size_t number = 0; number < grids.size(); ++number) {
    answers.grids.push_back(grid_json(grids[number], frames, answers.stages, table));
    for (const MarkGrid* grid : grids[number].in_frame) {
      if (grid != nullptr) add_marks(*grid, number, answers.marks);
    }
  }
  return answers;
}

}  // namespace attnlab
