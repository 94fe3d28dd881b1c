#include "model/long_maps.hpp"

#include "core/number_order.hpp"
#include "model/run.hpp"

namespace attnlab {

void RowFaults::add(const float* weights, std::size_t count, std::size_t place) {
  const double sum = std::accumulate(weights, weights + count, 0.0);
  if (!std::isnan(sum)) of_sum = std::max(of_sum, std::abs(sum - 1.0));
  for (std::size_t key = place + 1; key < count; ++key)
    leak = std::max(leak, static_cast<double>(weights[key]));
}

void RowFaults::add(const RowFaults& others) {
  of_sum = std::max(of_sum, others.of_sum);
  leak = std::max(leak, others.leak);
}

LongMapsFiller::LongMapsFiller(const Architecture& a, const std::vector<std::size_t>& tokens,
                               std::size_t query)
    : tokens_(tokens),
      query_(query),
      roles_(a.layers, std::vector<RoleSums>(a.heads)),
      faults_(a.layers, std::vector<RowFaults>(a.heads)) {
  const std::size_t most_cells = std::min<std::size_t>(128, longest_kept(a));  // of a side
  const std::size_t n = tokens.size();
  maps_.bin = (n + most_cells - 1) / most_cells;
  maps_.side = (n + maps_.bin - 1) / maps_.bin;
  for (std::size_t layer = 0; layer < a.layers; ++layer) {
    maps_.maps.push_back(Tensor<float>::from_shape({a.heads, maps_.side, maps_.side}));
    maps_.maps.back().fill(0.0F);
    maps_.rows.push_back(Tensor<float>::from_shape({a.heads, n}));
  }
}

void LongMapsFiller::add(std::size_t layer, std::size_t head, std::size_t place, const float* weights) {
  const std::size_t n = tokens_.size();
  float* const cells = maps_.maps[layer].data() + (head * maps_.side + place / maps_.bin) * maps_.side;
  for (std::size_t key = 0; key < n; ++key)
    cells[key / maps_.bin] = larger(cells[key / maps_.bin], weights[key]);
  if (place == query_) std::copy_n(weights, n, maps_.rows[layer].data() + head * n);
  roles_[layer][head].add(weights, place, tokens_);
  faults_[layer][head].add(weights, n, place);
}

LongMaps LongMapsFiller::filled() {
  for (const std::vector<RowFaults>& layer : faults_) {
    for (const RowFaults& head : layer) maps_.faults.add(head);
  }
  for (const std::vector<RoleSums>& layer : roles_) {
    maps_.roles.emplace_back();
    for (const RoleSums& head : layer) maps_.roles.back().push_back(head.roles());
  }
  return std::move(maps_);
}

}  // namespace attnlab
