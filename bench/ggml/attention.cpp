// One measurement of attention by ggml, as JSON, as attention_once has it: the median of runs that last 0.5 s
// together, after one that does not count.
//
// g++ -O2 bench/ggml/attention.cpp -lggml -lggml-base -o ggml_attention     # libggml-dev of trixie-backports
// ggml_attention flash|plain [causal] [queries=1024 heads=8 width=64 keys-as=f16|f32]
#include <ggml-alloc.h>
#include <ggml-backend.h>
#include <ggml.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

double seconds_of(ggml_backend_t backend, ggml_cgraph* graph) {
  const auto start = std::chrono::steady_clock::now();
  if (ggml_backend_graph_compute(backend, graph) != GGML_STATUS_SUCCESS) std::abort();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void fill(ggml_tensor* tensor, unsigned seed) {
  std::vector<float> values(static_cast<std::size_t>(ggml_nelements(tensor)));
  for (float& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = static_cast<float>(seed >> 8U) / 8388608.0F - 1.0F;
  }
  if (tensor->type == GGML_TYPE_F32) {
    ggml_backend_tensor_set(tensor, values.data(), 0, ggml_nbytes(tensor));
    return;
  }
  std::vector<ggml_fp16_t> halves(values.size());
  ggml_fp32_to_fp16_row(values.data(), halves.data(), ggml_nelements(tensor));
  ggml_backend_tensor_set(tensor, halves.data(), 0, ggml_nbytes(tensor));
}

}  // namespace

int main(int count, char** words) {
  bool flash = true;
  bool causal = false;
  int length = 1024;
  int heads = 8;
  int width = 64;
  ggml_type keys_as = GGML_TYPE_F16;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&word](const char* name) { return word.rfind(name, 0) == 0; };
    if (word == "plain") flash = false;
    if (word == "causal") causal = true;
    if (value("queries=")) length = std::atoi(word.c_str() + 8);
    if (value("heads=")) heads = std::atoi(word.c_str() + 6);
    if (value("width=")) width = std::atoi(word.c_str() + 6);
    if (word == "keys-as=f32") keys_as = GGML_TYPE_F32;
  }
  ggml_backend_load_all();
  ggml_backend_t backend = ggml_backend_init_by_type(GGML_BACKEND_DEVICE_TYPE_CPU, nullptr);
  if (backend == nullptr) {
    std::fputs("ggml_attention: ggml has no processor backend here\n", stderr);
    return 1;
  }
  using SetThreads = void (*)(ggml_backend_t, int);
  ggml_backend_reg_t registry = ggml_backend_dev_backend_reg(ggml_backend_get_device(backend));
  const auto set_threads =
      reinterpret_cast<SetThreads>(ggml_backend_reg_get_proc_address(registry, "ggml_backend_set_n_threads"));
  if (set_threads != nullptr) set_threads(backend, static_cast<int>(std::thread::hardware_concurrency()));

  ggml_context* context = ggml_init({ggml_tensor_overhead() * 64 + ggml_graph_overhead(), nullptr, true});
  ggml_tensor* query = ggml_new_tensor_3d(context, GGML_TYPE_F32, width, length, heads);
  ggml_tensor* key = ggml_new_tensor_3d(context, keys_as, width, length, heads);
  // Without the fused operation values are multiplied as rows of V transposed, as ggml's models store them.
  ggml_tensor* value = flash ? ggml_new_tensor_3d(context, keys_as, width, length, heads)
                             : ggml_new_tensor_3d(context, keys_as, length, width, heads);
  ggml_tensor* mask = causal ? ggml_new_tensor_2d(context, GGML_TYPE_F16, length, length) : nullptr;
  const float scale = 1.0F / std::sqrt(static_cast<float>(width));
  ggml_tensor* output = nullptr;
  if (flash) {
    output = ggml_flash_attn_ext(context, query, key, value, mask, scale, 0.0F, 0.0F);
  } else {
    ggml_tensor* weights = ggml_soft_max_ext(context, ggml_mul_mat(context, key, query), mask, scale, 0.0F);
    output = ggml_mul_mat(context, value, weights);
  }
  ggml_cgraph* graph = ggml_new_graph(context);
  ggml_build_forward_expand(graph, output);
  ggml_backend_buffer_t buffer = ggml_backend_alloc_ctx_tensors(context, backend);
  fill(query, 1);
  fill(key, 2);
  fill(value, 3);
  if (causal) {
    std::vector<ggml_fp16_t> rows(static_cast<std::size_t>(length) * static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i) {
      for (int j = 0; j < length; ++j)
        rows[static_cast<std::size_t>(i * length + j)] =
            ggml_fp32_to_fp16(j <= i ? 0.0F : -std::numeric_limits<float>::infinity());
    }
    ggml_backend_tensor_set(mask, rows.data(), 0, ggml_nbytes(mask));
  }
  seconds_of(backend, graph);
  std::vector<double> seconds;
  double all = 0.0;
  while (all < 0.5) {
    seconds.push_back(seconds_of(backend, graph));
    all += seconds.back();
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf("{\"seconds\": %.6g, \"backend\": \"%s\"}\n", seconds[seconds.size() / 2],
              ggml_backend_name(backend));
  ggml_backend_buffer_free(buffer);
  ggml_free(context);
  ggml_backend_free(backend);
}
