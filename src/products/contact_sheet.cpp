// Scales display lists into the cells of a grid.
#include "products/contact_sheet.hpp"

#include "plotting/layout/sheet.hpp"

namespace attnlab {
namespace {

constexpr double a4_width = 210.0 / 25.4;  // inches

// Points.
constexpr double margin = 28.0;
constexpr double gap = 11.0;
constexpr double picture_height = 76.0;
constexpr double row_height = 97.0;
constexpr double command_size = 5.6;

constexpr std::size_t columns = 4;
constexpr std::size_t rows_of_a4 = 8;

/// Subscripts have sizes of their own in the markup: <span size="8192" rise="-2048">.
std::string scaled_markup(std::string markup, double factor) {
  for (const std::string_view attribute : {" size=\"", " rise=\""}) {
    for (std::size_t at = markup.find(attribute); at != std::string::npos; at = markup.find(attribute, at)) {
      at += attribute.size();
      const std::size_t length = markup.find('"', at) - at;
      const double number = std::stod(markup.substr(at, length));
      markup.replace(at, length, std::to_string(std::lround(factor * number)));
    }
  }
  return markup;
}

/// Of a page to a smaller place on another.
struct Scaling {
  double factor = 1.0;
  Position corner;

  Position operator()(const Position& position) const {
    return {corner.x + factor * position.x, corner.y + factor * position.y};
  }
  Box operator()(const Box& box) const {
    const Position upper_left = (*this)(Position{box.x, box.y});
    return {upper_left.x, upper_left.y, factor * box.width, factor * box.height};
  }
  PageShape operator()(FilledBox filled) const {
    filled.box = (*this)(filled.box);
    return filled;
  }
  PageShape operator()(Path path) const {
    for (Position& point : path.points) point = (*this)(point);
    for (double& dash : path.dashes) dash *= factor;
    path.width *= factor;
    if (path.clip) path.clip = (*this)(*path.clip);
    return path;
  }
  PageShape operator()(Disc disc) const {
    disc.centre = (*this)(disc.centre);
    disc.radius *= factor;
    disc.width *= factor;
    return disc;
  }
  PageShape operator()(Raster raster) const {
    raster.box = (*this)(raster.box);
    return raster;
  }
  PageShape operator()(Label label) const {  // its ink is told from its own corner
    label.position = (*this)(label.position);
    label.size *= factor;
    label.markup = scaled_markup(label.markup, factor);
    label.ink = {factor * label.ink.x, factor * label.ink.y, factor * label.ink.width,
                 factor * label.ink.height};
    return label;
  }
};

/// The figure in the middle of the box, as large as it can be there.
void add_picture(const SmallFigure& figure, const Box& box, Sheet& sheet) {
  const DisplayList& list = figure.page->list;
  const double factor = std::min(box.width / list.width, box.height / list.height);
  const Position middle = box.centre();
  const Scaling scaled{factor, {middle.x - factor * list.width / 2.0, middle.y - factor * list.height / 2.0}};
  for (const Item& item : list.items) sheet.add(figure.name + "/" + item.id, std::visit(scaled, item.shape));
}

void add_command(const SmallFigure& figure, const Box& picture, Sheet& sheet) {
  const std::string line = elide(figure.command, command_size, Weight::regular, picture.width);
  sheet.add_words(figure.name, sheet.words(line, command_size),
                  {{picture.centre().x, picture.bottom() + command_size / 2.0}, AlignX::centre, AlignY::top});
}

}  // namespace

std::vector<Page> contact_sheets(const std::vector<SmallFigure>& figures, SheetHeight height,
                                 const Metadata& about, const Look& look) {
  const std::size_t all_rows = (figures.size() + columns - 1) / columns;
  const std::size_t rows = height == SheetHeight::a4 ? rows_of_a4 : all_rows;
  const PageSize page{a4_width, (2.0 * margin + static_cast<double>(rows) * row_height) / points_per_inch};
  std::vector<Page> sheets;
  for (std::size_t first = 0; first < figures.size(); first += rows * columns) {
    Sheet sheet(page, style_for(look.theme, measures_of(page)), look.language);
    const double pitch = (sheet.width() - 2.0 * margin + gap) / static_cast<double>(columns);
    for (std::size_t i = first; i < std::min(first + rows * columns, figures.size()); ++i) {
      const auto column = static_cast<double>((i - first) % columns);
      const std::size_t rows_above = (i - first) / columns;
      const auto row = static_cast<double>(rows_above);
      const Box box{margin + column * pitch, margin + row * row_height, pitch - gap, picture_height};
      add_picture(figures[i], box, sheet);
      add_command(figures[i], box, sheet);
    }
    sheets.push_back({sheet.take_list(), about});
  }
  return sheets;
}

}  // namespace attnlab
