#include "results/report/reading_order.hpp"

namespace attnlab {
namespace {

constexpr long most_short_lines = 4;

const Paragraph* paragraph_of(const Block& block) {
  return std::get_if<Paragraph>(&block);
}

bool is_heading(const Block& block) {
  const Paragraph* paragraph = paragraph_of(block);
  return paragraph != nullptr && paragraph->role == Role::heading;
}

bool is_said(const Block& block) {
  const Paragraph* paragraph = paragraph_of(block);
  return paragraph != nullptr && paragraph->role == Role::say;
}

bool is_misunderstanding(const Block& block) {
  const Paragraph* paragraph = paragraph_of(block);
  return paragraph != nullptr && paragraph->role == Role::misunderstanding;
}

/// The lines that the numbers of an array take; 0 for all else.
long lines_of_numbers(const Block& block) {
  const auto* values = std::get_if<Values>(&block);
  if (values == nullptr) return 0;
  const std::string numbers = numpy_text(values->array);
  return 1 + std::count(numbers.begin(), numbers.end(), '\n');
}

/// How many blocks the title and its equations are.
std::size_t opening_of(const std::vector<Block>& body) {
  const auto is_opening = [](const Block& block) {
    return is_heading(block) || std::holds_alternative<Equation>(block);
  };
  const auto end = std::find_if_not(body.begin(), body.end(), is_opening);
  return static_cast<std::size_t>(end - body.begin());
}

std::vector<Block> opened(const std::vector<Block>& body) {
  std::vector<Block> read(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(opening_of(body)));
  std::copy_if(body.begin(), body.end(), std::back_inserter(read), is_said);
  return read;
}

}  // namespace

std::vector<Block> in_reading_order(const std::vector<Block>& body) {
  std::vector<Block> read = opened(body);
  std::vector<Block> arrays;
  const auto end_section = [&] {
    std::move(arrays.begin(), arrays.end(), std::back_inserter(read));
    arrays.clear();
  };
  for (std::size_t i = opening_of(body); i < body.size(); ++i) {
    if (is_heading(body[i])) end_section();
    if (is_said(body[i])) continue;
    (lines_of_numbers(body[i]) > most_short_lines ? arrays : read).push_back(body[i]);
  }
  end_section();
  return read;
}

std::vector<Block> in_brief(const std::vector<Block>& body) {
  std::vector<Block> read = opened(body);
  std::copy_if(body.begin(), body.end(), std::back_inserter(read), is_misunderstanding);
  std::copy_if(body.begin(), body.end(), std::back_inserter(read),
               [](const Block& block) { return lines_of_numbers(block) == 1; });
  return read;
}

}  // namespace attnlab
