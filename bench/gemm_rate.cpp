#include "gemm_rate.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include <xtensor-blas/xblas.hpp>

#include "core/for_each.hpp"

namespace attnlab {
namespace {

constexpr std::size_t size = 2048;

template <class T>
struct Product {
  std::vector<T> a = std::vector<T>(size * size, T(1));
  std::vector<T> b = std::vector<T>(size * size, T(1));
  std::vector<T> c = std::vector<T>(size * size, T(0));

  void run() {
    constexpr int n = size;
    cxxblas::gemm<int>(cxxblas::RowMajor, cxxblas::NoTrans, cxxblas::Trans, n, n, n, T(1), a.data(), n,
                       b.data(), n, T(0), c.data(), n);
  }
};

template <class T>
double seconds_of(std::vector<Product<T>>& products) {
  const auto start = std::chrono::steady_clock::now();
  on_all_processors()(products.size(), [&](std::size_t i) { products[i].run(); });
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

template <class T>
double gemm_rate() {
  std::vector<Product<T>> products(std::max(1U, std::thread::hardware_concurrency()));
  seconds_of(products);
  std::array<double, 3> seconds{};
  for (double& one : seconds) one = seconds_of(products);
  std::sort(seconds.begin(), seconds.end());
  return 2.0 * static_cast<double>(products.size() * size * size * size) / seconds[1];
}

template double gemm_rate<float>();
template double gemm_rate<double>();

}  // namespace attnlab
