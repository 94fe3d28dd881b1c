// What `scaling` draws: the book's numbers, code 2.2.5, in its order and of its sizes. Of them the first are
// taken; what goes beyond them is drawn afterwards. So a film over one of the sizes moves nothing else.
#include "experiments/framework/further_rows.hpp"
#include "experiments/scaling/scaling.hpp"

namespace attnlab {
namespace {

constexpr std::size_t book_low_dim = 1;
constexpr std::size_t book_high_dim = 100;
constexpr std::size_t book_keys = 20;

/// Numbers beyond the book's: a row for each further dimension, with the query's and the book's keys'
/// numbers, or for each further key.
struct Beyond {
  std::string name;
  std::size_t rows = 0;
  Tensor<double> numbers = {};
};

Beyond beyond(Inputs& inputs, const std::string& name, std::size_t wanted, std::size_t book,
              std::size_t width) {
  const std::size_t rows = wanted > book ? wanted - book : 0;
  return {name, rows, further_rows(inputs, name, rows, width)};
}

/// One query and its keys: what the book draws of them, and where they go on.
struct Case {
  std::string name;
  std::size_t dim = 0;
  std::size_t book_dim = 0;
  std::size_t first_column = 0;  // of the numbers of further keys
  Tensor<double> query = {};     // (book_dim)
  Tensor<double> keys = {};      // (book_keys, book_dim)
  Beyond dims = {};
};

Tensor<double> query_of(const Case& one) {
  Tensor<double> query = Tensor<double>::from_shape({one.dim});
  for (std::size_t d = 0; d < one.dim; ++d) {
    query(d) = d < one.book_dim ? one.query(d) : one.dims.numbers(d - one.book_dim, 0);
  }
  return query;
}

Tensor<double> keys_of(const Case& one, std::size_t keys, const Beyond& rows) {
  Tensor<double> all = Tensor<double>::from_shape({keys, one.dim});
  for (std::size_t key = 0; key < keys; ++key) {
    for (std::size_t d = 0; d < one.dim; ++d) {
      all(key, d) = key >= book_keys   ? rows.numbers(key - book_keys, one.first_column + d)
                    : d < one.book_dim ? one.keys(key, d)
                                       : one.dims.numbers(d - one.book_dim, 1 + key);
    }
  }
  return all;
}

/// "[:17]" where fewer are taken than there are.
std::string cut(std::size_t taken, std::size_t available) {
  return taken < available ? fmt::format("[:{}]", taken) : "";
}

/// The expressions that make query and keys of what was drawn under the names book_... and beyond_....
std::string query_code(const Case& one) {
  const std::string book = "book_query_" + one.name;
  if (one.dims.rows == 0) return book + cut(one.dim, one.book_dim);
  return fmt::format("np.concatenate(({}, {}[:{}, 0]), axis=0)", book, one.dims.name, one.dim - one.book_dim);
}

std::string keys_code(const Case& one, std::size_t keys, const Beyond& rows) {
  const std::string book = "book_keys_" + one.name;
  const std::string wide = one.dims.rows == 0 ? fmt::format("{}[:, :{}]", book, one.dim)
                                              : fmt::format("np.concatenate(({}, {}[:{}, 1:].T), axis=-1)",
                                                            book, one.dims.name, one.dim - one.book_dim);
  if (rows.rows == 0) return wide + cut(keys, book_keys);
  return fmt::format("np.concatenate(({}, {}[:{}, {}:{}]), axis=0)", wide, rows.name, keys - book_keys,
                     one.first_column, one.first_column + one.dim);
}

}  // namespace

ScalingDraws draw(Inputs& inputs, std::size_t low_dim, std::size_t high_dim, std::size_t keys) {
  if (low_dim == book_low_dim && high_dim == book_high_dim && keys == book_keys) {
    ScalingDraws book;
    book.low_query = inputs.normal("query_low", {low_dim});
    book.high_query = inputs.normal("query_high", {high_dim});
    book.low_keys = inputs.normal("keys_low", {keys, low_dim});
    book.high_keys = inputs.normal("keys_high", {keys, high_dim});
    return book;
  }
  const std::size_t low_columns = std::max(low_dim, book_low_dim);
  std::array<Case, 2> cases{Case{"low", low_dim, book_low_dim, 0},
                            Case{"high", high_dim, book_high_dim, low_columns}};
  for (Case& one : cases) {
    one.query = inputs.stream().randn({one.book_dim});
    inputs.record("book_query_" + one.name, fmt::format("randn({})", one.book_dim));
  }
  for (Case& one : cases) {
    one.keys = inputs.stream().randn({book_keys, one.book_dim});
    inputs.record("book_keys_" + one.name, fmt::format("randn({}, {})", book_keys, one.book_dim));
  }
  for (Case& one : cases) {
    one.dims = beyond(inputs, "beyond_" + one.name, one.dim, one.book_dim, 1 + book_keys);
  }
  const Beyond rows =
      beyond(inputs, "beyond_keys", keys, book_keys, low_columns + std::max(high_dim, book_high_dim));
  const auto& [low, high] = cases;
  ScalingDraws drawn;
  drawn.low_query = inputs.drawn("query_low", query_code(low), query_of(low));
  drawn.high_query = inputs.drawn("query_high", query_code(high), query_of(high));
  drawn.low_keys = inputs.drawn("keys_low", keys_code(low, keys, rows), keys_of(low, keys, rows));
  drawn.high_keys = inputs.drawn("keys_high", keys_code(high, keys, rows), keys_of(high, keys, rows));
  return drawn;
}

}  // namespace attnlab
