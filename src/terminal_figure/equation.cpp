// Matrix equations: matrices on one axis with names above and shapes below, in as many lines as they need.
#include "core/terminal_width.hpp"
#include "terminal_figure/panels.hpp"

namespace attnlab::terminal_figure {
namespace {

constexpr std::size_t term_gap = 1;  // columns between terms
constexpr std::size_t room_in_cell = 4;
constexpr std::size_t most_equation_lines = 64;

/// A term with the line of its middle, on which operators stand.
struct Piece {
  Picture picture;
  std::size_t middle = 0;
  enum class Role {
    matrix,
    operation,
    result
  } role = Role::matrix;  // result: an operator that says what comes out
};

/// A scale that no number replaces, and the matrices that have it.
struct Shaded {
  ColourScale scale;
  WithoutColour without = WithoutColour::shades;
  std::string names;
};

struct Terms {
  std::vector<Piece> pieces;
  std::vector<Shaded> shaded;
  std::vector<std::string> notes;  // on what was pooled
};

/// How much air numbers get.
enum class Spacing { roomy, close };

CellSize size_for(const MatrixTerm& term, const HeatMap& map, std::size_t room, Spacing spacing) {
  const std::size_t number = term.fill == CellFill::outline ? room_in_cell : number_width(cells_of(map));
  const std::size_t columns = map.values.columns;
  const std::size_t name = map.column_labels.empty() ? 0 : 1;  // so that they stand apart
  const std::size_t air = spacing == Spacing::roomy ? 2 : 1;
  if (number > 0 && (number + air) * columns <= room) return {CellForm::numbers, number + air, 1};
  if (number > 0 && (number + 1) * columns <= room) return {CellForm::numbers, number + 1, 1};
  const std::size_t width = 2 + name;
  return {CellForm::blocks,
          width * columns <= room ? width
          : 2 * columns <= room   ? std::size_t{2}
                                  : std::size_t{1},
          1};
}

PoolSize pool_for(const MatrixTerm& term, std::size_t room) {
  return {(term.values.rows + most_equation_lines - 1) / most_equation_lines,
          (term.values.columns + room - 1) / room};
}

/// The term as a map, with fewer cells where it is wider than the page or very high.
HeatMap map_of(const MatrixTerm& term, const PoolSize& pool) {
  HeatMap map{term.id, term.values, term.row_labels, term.column_labels};
  map.scale = term.scale;
  map.decimals = term.decimals;
  map.fill = term.fill;
  return pool.rows * pool.columns == 1 ? map : pooled(map, pool);
}

Picture centred(const Picture& picture, std::size_t width) {
  Picture result(std::max(width, picture.width()), picture.height());
  result.lay({(result.width() - picture.width()) / 2, 0}, picture);
  return result;
}

/// Cells among their words.
struct Setup {
  Picture picture;
  Spot cells;  // their upper left corner
};

/// Name and column names above, the shape below.
Setup with_words(const Picture& cells, const MatrixTerm& term, const HeatMap& map, std::size_t cell,
                 std::size_t width, const Setting& setting) {
  std::vector<Picture> above{paragraph(to_terminal(term.name), width, bold)};
  if (!map.column_labels.empty()) {
    const NamesAbove names = names_above(names_in(map.column_labels, setting), cell, cells.width());
    above.push_back(names.picture);
    above.push_back(paragraph(names.key, width, faint));
  }
  const Picture below = paragraph(term.shape, width, faint);
  std::size_t inner = std::max(cells.width(), below.width());
  for (const Picture& words : above) inner = std::max(inner, words.width());
  for (Picture& words : above) words = centred(words, inner);
  const Picture top = stacked(above);
  return {stacked({top, centred(cells, inner), centred(below, inner)}),
          {(inner - cells.width()) / 2, top.height()}};
}

/// The names right beside the cells, for which the words above may leave room already.
Picture with_names(const Setup& matrix, const Picture& names) {
  const std::size_t left = std::max(names.width(), matrix.cells.column) - matrix.cells.column;
  Picture picture(left + matrix.picture.width(), matrix.picture.height());
  picture.lay({left, 0}, matrix.picture);
  picture.lay({left + matrix.cells.column - names.width(), matrix.cells.line}, names);
  return picture;
}

Piece set_matrix(const MatrixTerm& term, std::size_t width, Spacing spacing, const Setting& setting,
                 Terms& terms) {
  const std::size_t longest = width / 3;
  const std::size_t side =
      term.row_labels.empty() ? 0 : std::min(widest(names_in(term.row_labels, setting)), longest) + 1;
  const PoolSize pool = pool_for(term, width - side);
  const HeatMap map = map_of(term, pool);
  const CellSize size = size_for(term, map, width - side, spacing);
  const std::string name = to_terminal(term.name);
  if (size.form == CellForm::blocks && term.fill == CellFill::coloured) {
    terms.shaded.push_back({term.scale, told_by(size, term.scale), name});
  }
  if (const std::string note = pool_note(map, pool, setting); !note.empty()) {
    terms.notes.push_back(name + "  " + note);
  }
  const Picture cells = draw_cells(cells_of(map), size, setting);
  const Setup matrix = with_words(cells, term, map, size.width, width - side, setting);
  const std::size_t middle = matrix.cells.line + (cells.height() - 1) / 2;
  if (side == 0) return {matrix.picture, middle};
  return {with_names(matrix, names_beside(row_names(map, longest, setting), size, cells.height())), middle};
}

Piece set_operator(const OperatorTerm& term) {
  const std::string symbol = to_terminal(term.symbol);
  const bool result = symbol.find('=') != std::string::npos || symbol.find("→") != std::string::npos;
  Picture picture(display_width(symbol), 1);
  picture.write({0, 0}, symbol);
  return {picture, 0, result ? Piece::Role::result : Piece::Role::operation};
}

/// A matrix that begins a line has its operator before it.
Terms set_terms(const MatrixEquation& equation, std::size_t width, Spacing spacing, const Setting& setting) {
  std::size_t widest_operator = 0;
  for (const auto& term : equation.terms) {
    const auto* symbol = std::get_if<OperatorTerm>(&term);
    if (symbol != nullptr)
      widest_operator = std::max(widest_operator, set_operator(*symbol).picture.width() + term_gap);
  }
  Terms terms;
  for (const auto& term : equation.terms) {
    if (const auto* matrix = std::get_if<MatrixTerm>(&term)) {
      terms.pieces.push_back(set_matrix(*matrix, width - widest_operator, spacing, setting, terms));
    } else {
      terms.pieces.push_back(set_operator(std::get<OperatorTerm>(term)));
    }
  }
  return terms;
}

using Pieces = std::vector<Piece>;

std::size_t width_of(const Pieces& pieces) {
  std::size_t width = 0;
  for (const Piece& piece : pieces) width += piece.picture.width() + (width == 0 ? 0 : term_gap);
  return width;
}

/// Two lines, the second with the result; nothing when one of them would still be too wide.
std::vector<Pieces> broken_at_result(const Pieces& pieces, std::size_t width) {
  for (auto piece = pieces.begin() + 1; piece != pieces.end(); ++piece) {
    if (piece->role != Piece::Role::result) continue;
    std::vector<Pieces> lines{{pieces.begin(), piece}, {piece, pieces.end()}};
    if (width_of(lines[0]) <= width && width_of(lines[1]) <= width) return lines;
  }
  return {};
}

/// As many terms on each line as fit; an operator goes with the term behind it.
std::vector<Pieces> filled(const Pieces& pieces, std::size_t width) {
  std::vector<Pieces> lines(1);
  for (const Piece& piece : pieces) {
    Pieces longer = lines.back();
    longer.push_back(piece);
    if (lines.back().empty() || width_of(longer) <= width) {
      lines.back() = std::move(longer);
      continue;
    }
    Pieces next;
    if (lines.back().size() > 1 && lines.back().back().role != Piece::Role::matrix) {
      next.push_back(std::move(lines.back().back()));
      lines.back().pop_back();
    }
    next.push_back(piece);
    lines.push_back(std::move(next));
  }
  return lines;
}

std::vector<Pieces> broken(const Pieces& pieces, std::size_t width) {
  if (pieces.empty() || width_of(pieces) <= width) return {pieces};
  const std::vector<Pieces> lines = broken_at_result(pieces, width);
  return lines.empty() ? filled(pieces, width) : lines;
}

Picture set_line(const Pieces& pieces) {
  std::size_t above = 0;
  std::size_t below = 0;
  for (const Piece& piece : pieces) {
    above = std::max(above, piece.middle);
    below = std::max(below, piece.picture.height() - piece.middle);
  }
  Picture line(width_of(pieces), above + below);
  std::size_t column = 0;
  for (const Piece& piece : pieces) {
    line.lay({column, above - piece.middle}, piece.picture);
    column += piece.picture.width() + term_gap;
  }
  return line;
}

bool same(const Shaded& one, const Shaded& other) {
  return one.scale.palette == other.scale.palette && one.scale.low == other.scale.low &&
         one.scale.high == other.scale.high && one.scale.spacing == other.scale.spacing &&
         one.without == other.without;
}

/// A line for each scale, with the names of its matrices.
Picture colour_lines(const Terms& terms, std::size_t width, const Setting& setting) {
  std::vector<Shaded> scales;
  for (const Shaded& shaded : terms.shaded) {
    const auto known =
        std::find_if(scales.begin(), scales.end(), [&](const Shaded& other) { return same(other, shaded); });
    if (known == scales.end()) {
      scales.push_back(shaded);
    } else {
      known->names += ", " + shaded.names;
    }
  }
  std::vector<Picture> lines;
  for (Shaded& shaded : scales) {
    shaded.scale.label = Text::same(shaded.names);
    lines.push_back(colour_line(shaded.scale, Coloured::cells, shaded.without, width, setting));
  }
  return stacked(lines);
}

}  // namespace

std::size_t comfortable_width(const MatrixEquation& equation, std::size_t full, const Setting& setting) {
  return std::min(full, width_of(set_terms(equation, full, Spacing::close, setting).pieces));
}

Picture draw(const MatrixEquation& equation, std::size_t width, ColourBar bar, const Setting& setting) {
  Terms terms = set_terms(equation, width, Spacing::roomy, setting);
  if (width_of(terms.pieces) > width) terms = set_terms(equation, width, Spacing::close, setting);
  std::vector<Picture> lines;
  for (const Pieces& pieces : broken(terms.pieces, width)) lines.push_back(set_line(pieces));
  for (const std::string& note : terms.notes) lines.push_back(paragraph(note, width, faint));
  if (bar == ColourBar::here) lines.push_back(colour_lines(terms, width, setting));
  return stacked(lines, 1);
}

}  // namespace attnlab::terminal_figure
