#include "results/report/reading_order.hpp"

namespace attnlab {
namespace {

constexpr long most_short_lines = 4;
constexpr std::size_t most_numbers = 40;  // of an array that a report shows unasked

bool has_role(const Block& block, Role role) {
  const auto* paragraph = std::get_if<Paragraph>(&block);
  return paragraph != nullptr && paragraph->role == role;
}

void add_those_of(Role role, const std::vector<Block>& body, std::vector<Block>& read) {
  std::copy_if(body.begin(), body.end(), std::back_inserter(read),
               [&](const Block& block) { return has_role(block, role); });
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
    return has_role(block, Role::heading) || std::holds_alternative<Equation>(block);
  };
  const auto end = std::find_if_not(body.begin(), body.end(), is_opening);
  return static_cast<std::size_t>(end - body.begin());
}

std::vector<Block> opened(const std::vector<Block>& body) {
  std::vector<Block> read(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(opening_of(body)));
  add_those_of(Role::say, body, read);
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
    if (has_role(body[i], Role::heading)) end_section();
    if (has_role(body[i], Role::say)) continue;
    (lines_of_numbers(body[i]) > most_short_lines ? arrays : read).push_back(body[i]);
  }
  end_section();
  return read;
}

std::vector<Block> without_matrices(const std::vector<Block>& body) {
  std::vector<Block> read;
  read.reserve(body.size());
  std::vector<Text> left_out;
  const auto end_section = [&] {
    if (!left_out.empty())
      read.emplace_back(
          Paragraph::plain("--verbose で表示：{}。", "Shown by --verbose: {}.", listed(left_out)));
    left_out.clear();
  };
  for (const Block& block : body) {
    if (has_role(block, Role::heading)) end_section();
    const auto* values = std::get_if<Values>(&block);
    if (values == nullptr || values->array.data.size() <= most_numbers) {
      read.push_back(block);
      continue;
    }
    left_out.push_back(text("{} {}", "{} {}", values->label, shape_text(values->array.shape)));
  }
  end_section();
  return read;
}

std::vector<Block> in_brief(const std::vector<Block>& body) {
  std::vector<Block> read = opened(body);
  add_those_of(Role::misunderstanding, body, read);
  std::copy_if(body.begin(), body.end(), std::back_inserter(read),
               [](const Block& block) { return lines_of_numbers(block) == 1; });
  return read;
}

}  // namespace attnlab
