#include "page/answers.hpp"

#include "core/named.hpp"
#include "plotting/layout/display_list.hpp"
#include "results/operations/operation.hpp"

namespace attnlab {
namespace {

// --- Which stage a grid shows

/// The stage whose rows the grid shows, or nullptr.
const Stage* shown_stage(const MarkGrid& grid, const std::vector<Stage>& trace) {
  const Stage* stage = grid.values.empty() ? nullptr : find_named(trace, grid.shows.stage);
  if (stage == nullptr || stage->array.shape.empty()) return nullptr;
  const bool has_rows = stage->array.shape.back() == grid.columns &&
                        (grid.shows.row + grid.rows) * grid.columns <= stage->array.data.size();
  return has_rows ? stage : nullptr;
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

/// Whether the grid shows the stage of that name in every frame that has the grid.
bool shows_everywhere(const GridInFrames& grid, const std::string& name,
                      const std::vector<AnsweringFrame>& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (grid.in_frame[i] == nullptr) continue;
    const Stage* stage = shown_stage(*grid.in_frame[i], frames[i].stages);
    if (stage == nullptr || stage->name != name) return false;
  }
  return true;
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
  if (grid.first().queries) json["queries"] = true;
  if (grid.first().head) json["head"] = *grid.first().head;
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
  const std::string& name = grid.first().shows.stage;
  if (stages.contains(name) && shows_everywhere(grid, name, frames)) {
    json["stage"] = name;
    json["row"] = table.number_of(by_frame(grid, [](const MarkGrid& one) { return Json(one.shows.row); }));
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

/// A picture of more has no element for each, and their marks are found by their place.
constexpr std::size_t most_marks = 20'000;

void add_marks(const MarkGrid& grid, std::size_t number, std::map<std::string, std::string>& marks) {
  if (!grid.in_a_row || grid.is_curve) marks[grid.id] = std::to_string(number);
  if (grid.is_curve || grid.rows * grid.columns > most_marks) return;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    for (std::size_t column = 0; column < grid.columns; ++column) {
      marks[mark_id(grid, row, column)] = fmt::format("{} {} {}", number, row, column);
    }
  }
}

}  // namespace

std::vector<Stage> answering_stages(const Figure& figure, const std::vector<Stage>& trace) {
  std::set<std::string> names;
  for (const MarkGrid& grid : grids_of(figure)) {
    if (shown_stage(grid, trace) != nullptr) add_with_operands(grid.shows.stage, trace, names);
  }
  std::vector<Stage> stages;
  for (const Stage& stage : trace) {
    if (names.count(stage.name) != 0) stages.push_back(stage);
  }
  return stages;
}

Answers answers_of(const std::vector<AnsweringFrame>& frames, SeriesTable& table) {
  Answers answers;
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
