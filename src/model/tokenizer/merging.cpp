#include "model/tokenizer/merging.hpp"

#include <queue>

namespace attnlab {
namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// A symbol among its neighbours; one that was taken up by its left one has no token.
struct Symbol {
  std::size_t token = 0;
  std::size_t before = nowhere;
  std::size_t behind = nowhere;
};

struct Candidate {
  Merge merge;
  std::size_t place = 0;  // of the left one
  std::size_t left = 0;   // the tokens that it was found for
  std::size_t right = 0;

  bool operator<(const Candidate& other) const {  // the queue gives the largest
    return merge.rank != other.merge.rank ? merge.rank > other.merge.rank : place > other.place;
  }
};

}  // namespace

Tokens merged(const Tokens& symbols, const MergeOf& merge_of) {
  std::vector<Symbol> chain;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    chain.push_back({symbols[i], i == 0 ? nowhere : i - 1, i + 1 < symbols.size() ? i + 1 : nowhere});
  std::priority_queue<Candidate> queue;
  const auto look_at = [&](std::size_t place) {
    if (place == nowhere || chain[place].behind == nowhere) return;
    const std::size_t left = chain[place].token;
    const std::size_t right = chain[chain[place].behind].token;
    if (const std::optional<Merge> merge = merge_of(left, right)) queue.push({*merge, place, left, right});
  };
  for (std::size_t i = 0; i < chain.size(); ++i) look_at(i);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = chain[best.place];
    const bool is_stale =
        left.token != best.left || left.behind == nowhere || chain[left.behind].token != best.right;
    if (is_stale) continue;
    Symbol& right = chain[left.behind];
    left.token = best.merge.token;
    left.behind = right.behind;
    right.token = nowhere;
    if (left.behind != nowhere) chain[left.behind].before = best.place;
    look_at(left.before);
    look_at(best.place);
  }
  Tokens tokens;
  for (std::size_t place = chain.empty() ? nowhere : 0; place != nowhere; place = chain[place].behind)
    tokens.push_back(chain[place].token);
  return tokens;
}

}  // namespace attnlab
