// Sets the sheet from top to bottom: words across the page, arrays side by side where they fit.
#include "exercise/sheet_pages.hpp"

#include "exercise/step_words.hpp"
#include "plotting/layout/sheet.hpp"

namespace attnlab {
namespace {

const PageSize a4{210.0 / 25.4, 297.0 / 25.4};  // inches

// Points.
constexpr double margin = 40.0;
constexpr double title_size = 16.0;
constexpr double heading_size = 11.5;
constexpr double body_size = 10.0;
constexpr double number_size = 8.5;
constexpr double index_size = 7.0;
constexpr double line_spacing = 1.35;
constexpr double hairline = 0.5;
constexpr double cell_gap = 9.0;        // between two numbers of a row
constexpr double grid_gap = 26.0;       // between two grids side by side
constexpr double narrowest_empty = 40;  // of a cell to write into
constexpr double empty_height = 20.0;
constexpr double number_height = 12.0;

// Above a grid: the array, its axes, the matrix.
constexpr double headings = (heading_size + index_size + body_size) * line_spacing;

/// Two axes of an array, as a piece that fits on a page: rows and columns from the first of each on.
struct Piece {
  std::string title;               // "w_query[0]"
  std::vector<std::string> cells;  // of the whole matrix
  std::size_t stride = 0;          // of them in a row
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t first_row = 0;
  std::size_t first_column = 0;
  double cell_width = 0.0;
  double cell_height = 0.0;
  double index_width = 0.0;
  bool is_framed = false;

  double width() const {
    return std::max(index_width + static_cast<double>(columns) * cell_width,
                    text_width(title, body_size, Weight::regular));
  }
  double height() const { return headings + number_height + static_cast<double>(rows) * cell_height; }
};

enum class Cells { numbers, empty, answers };

/// The matrices of an array of any number of axes; a vector is one row.
struct Matrices {
  std::size_t rows = 1;
  std::size_t columns = 1;
  std::vector<std::string> names;
};

Matrices matrices_of(const Stage& stage) {
  const std::vector<std::size_t>& shape = stage.array.shape;
  Matrices matrices;
  if (!shape.empty()) matrices.columns = shape.back();
  if (shape.size() > 1) matrices.rows = shape[shape.size() - 2];
  matrices.names = {stage.name};
  for (std::size_t axis = 0; axis + 2 < shape.size(); ++axis) {
    std::vector<std::string> longer;
    for (const std::string& name : matrices.names) {
      for (std::size_t i = 0; i < shape[axis]; ++i) longer.push_back(fmt::format("{}[{}]", name, i));
    }
    matrices.names = std::move(longer);
  }
  return matrices;
}

std::vector<std::string> cells_of(const Array& array, Cells filling) {
  if (filling == Cells::numbers) return printed_numbers(array);
  if (filling == Cells::empty) return std::vector<std::string>(array.data.size());
  Array answers = array;
  constexpr int decimals = 4;
  answers.dtype = DType::float64;
  for (double& value : answers.data) value = rounded(value, decimals);
  return printed_numbers(answers);
}

class SheetSetter {
 public:
  SheetSetter(Language language, Metadata about) : language_(language), about_(std::move(about)) {
    turn_page();
  }

  void words(const Text& text, double size = body_size, Weight weight = Weight::regular) {
    for (const std::string& line : wrap(text.in(language_), size, weight, right() - margin)) {
      need(size * line_spacing);
      put(line, size, weight, {margin, y_}, AlignX::left);
      y_ += size * line_spacing;
    }
  }

  void space(double height) { y_ += height; }

  void solver(const Solver& who) {
    const Text empty = {"氏名 ____________________    学籍番号 ________________    日付 ____________",
                        "Name ______________________    Id ________________    Date ____________"};
    words(who ? text("{}（{}）", "{} ({})", who->name, who->id) : empty, heading_size);
  }

  /// In the row of the array before it where it has room there.
  void array(const Stage& stage, Cells filling) {
    const std::vector<Piece> pieces = pieces_of(stage, filling);
    const std::string name = stage.name + " " + shape_text(stage.array.shape);
    const std::string axes = joined(stage.array.axes, " × ");
    const double heading =
        std::max(text_width(name, heading_size, Weight::bold), text_width(axes, index_size, Weight::regular));
    double width = -grid_gap;
    for (const Piece& piece : pieces) width += piece.width() + grid_gap;
    if (x_ > margin && x_ + std::max(width, heading) > right()) end_row();
    if (!pieces.empty()) need(pieces.front().height() + body_size);
    const double left = x_;
    put(name, heading_size, Weight::bold, {left, y_ + body_size}, AlignX::left);
    put(axes, index_size, Weight::regular, {left, y_ + body_size + heading_size * line_spacing},
        AlignX::left);
    for (const Piece& piece : pieces) set_piece(piece);
    x_ = std::max(x_, left + heading + grid_gap);
  }

  /// What follows begins a row of its own.
  void end_row() {
    y_ += row_height_;
    x_ = margin;
    row_height_ = 0.0;
  }

  SheetPages take() {
    finish_page();
    return {std::move(pages_), std::move(warnings_)};
  }

 private:
  double right() const { return sheet_->width() - margin; }
  double bottom() const { return sheet_->height() - margin; }

  void turn_page() {
    sheet_.emplace(a4, style_for(Theme::print, measures_of(a4)), language_);
    y_ = margin;
    x_ = margin;
    row_height_ = 0.0;
  }

  void finish_page() {
    const std::string number = std::to_string(pages_.size() + 1);
    put(number, index_size, Weight::regular, {sheet_->width() / 2.0, bottom() + margin / 3.0},
        AlignX::centre);
    for (const Text& warning : sheet_->take_warnings()) add_once(warnings_, warning);
    pages_.push_back({sheet_->take_list(), about_});
  }

  void need(double height) {
    if (y_ + height <= bottom()) return;
    finish_page();
    turn_page();
  }

  void put(const std::string& plain, double size, Weight weight, const Position& at, AlignX align) {
    sheet_->add_words("text", sheet_->words(plain, size, weight), {at, align, AlignY::top});
  }

  /// As wide and as high as a page at most.
  std::vector<Piece> pieces_of(const Stage& stage, Cells filling) const {
    const Matrices matrices = matrices_of(stage);
    const std::vector<std::string> cells = cells_of(stage.array, filling);
    const std::size_t size = matrices.rows * matrices.columns;
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < matrices.names.size(); ++i) {
      const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(i * size);
      add_pieces({begin, begin + static_cast<std::ptrdiff_t>(size)}, matrices,
                 matrices.names.size() > 1 ? matrices.names[i] : "", filling, pieces);
    }
    return pieces;
  }

  void add_pieces(const std::vector<std::string>& cells, const Matrices& shape, const std::string& title,
                  Cells filling, std::vector<Piece>& pieces) const {
    Piece whole;
    whole.title = title;
    whole.cells = cells;
    whole.stride = shape.columns;
    whole.is_framed = filling != Cells::numbers;
    whole.cell_height = filling == Cells::empty ? empty_height : number_height;
    whole.cell_width = filling == Cells::empty ? narrowest_empty : cell_gap;
    for (const std::string& cell : cells) {
      whole.cell_width =
          std::max(whole.cell_width, cell_gap + text_width(cell, number_size, Weight::regular));
    }
    const std::string last = std::to_string(std::max(shape.rows, shape.columns));
    whole.index_width = cell_gap + text_width(last, index_size, Weight::regular);
    const auto columns = std::max(1.0, std::floor((right() - margin - whole.index_width) / whole.cell_width));
    const double height_left = bottom() - margin - headings - number_height - body_size;
    const auto rows = std::max(1.0, std::floor(height_left / whole.cell_height));
    const auto most_columns = static_cast<std::size_t>(columns);
    const auto most_rows = static_cast<std::size_t>(rows);
    for (std::size_t row = 0; row < shape.rows; row += most_rows) {
      for (std::size_t column = 0; column < shape.columns; column += most_columns) {
        Piece piece = whole;
        piece.first_row = row;
        piece.first_column = column;
        piece.rows = std::min(most_rows, shape.rows - row);
        piece.columns = std::min(most_columns, shape.columns - column);
        pieces.push_back(std::move(piece));
      }
    }
  }

  void set_piece(const Piece& piece) {
    if (x_ > margin && x_ + piece.width() > right()) end_row();
    need(piece.height() + body_size);
    const double grid = y_ + body_size + headings;
    if (!piece.title.empty()) {
      const double above = body_size * line_spacing;
      put(piece.title, body_size, Weight::regular, {x_, grid - above}, AlignX::left);
    }
    set_grid(piece, {x_, grid});
    row_height_ = std::max(row_height_, piece.height() + body_size + index_size);
    x_ += piece.width() + grid_gap;
  }

  void set_grid(const Piece& piece, const Position& corner) {
    const double left = corner.x + piece.index_width;
    const double top = corner.y + number_height;
    const auto at = [&](std::size_t column) { return left + static_cast<double>(column) * piece.cell_width; };
    for (std::size_t j = 0; j < piece.columns; ++j) {
      put(std::to_string(piece.first_column + j), index_size, Weight::regular,
          {at(j + 1) - cell_gap / 3.0, corner.y + 2.0}, AlignX::right);
    }
    for (std::size_t i = 0; i < piece.rows; ++i) {
      const double y = top + static_cast<double>(i) * piece.cell_height;
      put(std::to_string(piece.first_row + i), index_size, Weight::regular,
          {left - cell_gap / 3.0, y + (piece.cell_height - line_height(index_size)) / 2.0}, AlignX::right);
      for (std::size_t j = 0; j < piece.columns; ++j) {
        if (piece.is_framed) {
          const Box box{at(j), y, piece.cell_width, piece.cell_height};
          sheet_->add("cell", Path::frame(box, sheet_->style().ink, hairline));
        }
        const std::string& cell = piece.cells[(piece.first_row + i) * piece.stride + piece.first_column + j];
        if (cell.empty()) continue;
        put(cell, number_size, Weight::regular,
            {at(j + 1) - cell_gap / 3.0, y + (piece.cell_height - line_height(number_size)) / 2.0},
            AlignX::right);
      }
    }
  }

  Language language_;
  Metadata about_;
  std::optional<Sheet> sheet_;
  std::vector<Page> pages_;
  std::vector<Text> warnings_;
  double x_ = margin;
  double y_ = margin;
  double row_height_ = 0.0;
};

Text title_of(const Exercise& exercise) { return text("演習：{}", "Exercise: {}", exercise.title); }

/// "3. scores = Q Kᵀ: the matrix product ..."
Text line_of(const Stage& step, std::size_t number) {
  const std::string formula = to_terminal(step.formula);
  const std::string name = formula.empty() ? step.name : step.name + " = " + formula;
  return text("{}. {}：{}。", "{}. {}: {}.", number, name, words_of(step));
}

/// One file, as `attnlab grade` finds it.
Text handing_in(const Exercise& exercise, const Student& student) {
  if (exercise.requested.size() == 1) {
    return text("配列を {0}.npy（または .npz, .csv, .json）として提出しなさい。",
                "Hand the array in as {0}.npy (or .npz, .csv, .json).", student.id);
  }
  return text("配列を上の名前で {0}.npz（または .json）にまとめて提出しなさい。",
              "Hand the arrays in under these names as {0}.npz (or .json).", student.id);
}

SheetSetter begun(const Text& title, const Exercise& exercise, const Solver& solver,
                  const std::string& command, Language language) {
  SheetSetter setter(language,
                     {title.in(language), task_of(exercise).in(language), code_of(language), command});
  setter.words(title, title_size, Weight::bold);
  setter.space(body_size / 2.0);
  setter.solver(solver);
  setter.space(body_size / 2.0);
  return setter;
}

}  // namespace

SheetPages exercise_sheet(const Exercise& exercise, const Solver& solver, const std::string& command,
                          Language language) {
  SheetSetter setter = begun(title_of(exercise), exercise, solver, command, language);
  setter.words(task_of(exercise));
  if (solver && !exercise.provided.empty()) {
    setter.words(
        text("与えられた数値は {}.npz にもあります。", "The given numbers are in {}.npz, too.", solver->id));
  }
  if (solver) setter.words(handing_in(exercise, *solver));
  setter.space(body_size / 2.0);
  std::size_t number = 0;
  for (const Stage& step : exercise.steps) setter.words(line_of(step, ++number));
  for (const Stage& stage : exercise.provided) setter.array(stage, Cells::numbers);
  setter.end_row();
  for (const Stage& stage : exercise.requested) setter.array(stage, Cells::empty);
  return setter.take();
}

SheetPages answer_sheet(const Exercise& exercise, const Solver& solver, const std::string& command,
                        Language language) {
  const Text title = text("解答：{}", "Answers: {}", exercise.title);
  SheetSetter setter = begun(title, exercise, solver, command, language);
  for (const Stage& stage : exercise.requested) setter.array(stage, Cells::answers);
  return setter.take();
}

}  // namespace attnlab
