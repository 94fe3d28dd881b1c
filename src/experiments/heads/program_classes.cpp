// The layer once more as the classes of its document, at the end of a program: they get the run's weights,
// and must give its output.
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

/// Textbook code 2.2.8 to 2.2.11, with heads * d_v inputs of the output layer.
constexpr const char* book_classes = R"(

class DotProductAttention(torch.nn.Module):
    """softmax(Q Kᵀ) V of a batch (code 2.2.8)."""

    def forward(self, query, key, value):
        score = torch.bmm(query, key.transpose(1, 2))
        return torch.bmm(torch.softmax(score, dim=-1), value)


class ScaledDotProductAttention(torch.nn.Module):
    """softmax(Q Kᵀ / √d_k) V of a batch (code 2.2.9)."""

    def forward(self, query, key, value):
        score = torch.bmm(query, key.transpose(1, 2)) / query.size(-1) ** 0.5
        return torch.bmm(torch.softmax(score, dim=-1), value)


class AttentionHead(torch.nn.Module):
    """Three linear layers before one attention (code 2.2.10)."""

    def __init__(self, d_k, d_v, d_model):
        super().__init__()
        self.linear_q = torch.nn.Linear(d_model, d_k)
        self.linear_k = torch.nn.Linear(d_model, d_k)
        self.linear_v = torch.nn.Linear(d_model, d_v)
        self.attention = {}()

    def forward(self, query, key, value):
        return self.attention(self.linear_q(query), self.linear_k(key), self.linear_v(value))


class MultiHeadAttention(torch.nn.Module):
    """The heads, joined and mixed (code 2.2.10, with n_heads * d_v inputs of the last layer)."""

    def __init__(self, n_heads, d_k, d_v, d_model):
        super().__init__()
        self.heads = torch.nn.ModuleList(AttentionHead(d_k, d_v, d_model) for _ in range(n_heads))
        self.linear_o = torch.nn.Linear(n_heads * d_v, d_model)

    def forward(self, query, key, value):
        return self.linear_o(torch.cat([head(query, key, value) for head in self.heads], dim=-1))


n_heads, d_k, d_v, d_model = value.size(1), key.size(-1), value.size(-1), query_input.size(-1)
attention = MultiHeadAttention(n_heads, d_k, d_v, d_model)
with torch.no_grad():
    for i, head in enumerate(attention.heads):
        of_key, of_value = slice(i * d_k, (i + 1) * d_k), slice(i * d_v, (i + 1) * d_v)
        head.linear_q.weight.copy_(weight_query[of_key])
        head.linear_q.bias.copy_(bias_query[of_key])
        head.linear_k.weight.copy_(weight_key[of_key])
        head.linear_k.bias.copy_(bias_key[of_key])
        head.linear_v.weight.copy_(weight_value[of_value])
        head.linear_v.bias.copy_(bias_value[of_value])
    attention.linear_o.weight.copy_(weight_output)
    attention.linear_o.bias.copy_(bias_output)
    by_classes = attention(query_input.double(), key_input.double(), value_input.double())
    of_head = {}()(query[:, 0], key[:, 0], value[:, 0])
assert agrees(of_head, head_output[:, 0], 1e-4)
assert agrees(by_classes, output, 1e-4)
)";

/// The course, tasks 1 and 2.
constexpr const char* course_classes = R"(

def scaled_dot_product_attention(query, key, value, scale=None, mask=None):
    """query (..., L, D), key and value (..., S, D), a mask that broadcasts to (..., L, S)."""
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    scores = query @ key.transpose(-2, -1) * factor
    return torch.softmax(scores if mask is None else scores + mask, dim=-1) @ value


def linear(x, w, bias=None):
    """x (..., I), w (O, I), bias (O)."""
    return x @ w.T if bias is None else x @ w.T + bias


class SimpleMultiHeadAttention:
    """wq, wk, wv (H * D, E), wo (E, H * D); query, key and value (N, L, E)."""

    def __init__(self, hidden_size, num_heads, wq, wk, wv, wo):
        self.hidden_size, self.num_heads = hidden_size, num_heads
        self.wq, self.wk, self.wv, self.wo = wq, wk, wv, wo

    def heads_of(self, x, w):
        return linear(x, w).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)

    def __call__(self, query, key, value, mask=None):
        q = self.heads_of(query, self.wq)
        k = self.heads_of(key, self.wk)
        v = self.heads_of(value, self.wv)
        found = scaled_dot_product_attention(q, k, v, mask=mask)
        return linear(found.transpose(-3, -2).flatten(-2), self.wo)


attention = SimpleMultiHeadAttention(
    x.shape[-1], query.shape[-3], weight_query, weight_key, weight_value, weight_output
)
assert agrees(attention(x, x, x, mask), output, 1e-4)
)";

constexpr const char* notebook_class = R"(

class MultiHeadAttention(torch.nn.Module):
    """One linear layer for all heads, whose result is cut; a mask is added to the scores."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.depth = num_heads, d_model // num_heads
        self.W_q = torch.nn.Linear(d_model, d_model)
        self.W_k = torch.nn.Linear(d_model, d_model)
        self.W_v = torch.nn.Linear(d_model, d_model)
        self.W_o = torch.nn.Linear(d_model, d_model)

    def split_heads(self, x):
        return x.view(x.size(0), -1, self.num_heads, self.depth).permute(0, 2, 1, 3)

    def forward(self, query, key, value, mask=None):
        query = self.split_heads(self.W_q(query))
        key = self.split_heads(self.W_k(key))
        value = self.split_heads(self.W_v(value))
        score = torch.matmul(query, key.transpose(-2, -1)) / self.depth**0.5
        if mask is not None:
            score = score + mask
        found = torch.matmul(torch.softmax(score, dim=-1), value)
        return self.W_o(found.permute(0, 2, 1, 3).flatten(-2))


attention = MultiHeadAttention(x.size(-1), query.size(1))
with torch.no_grad():
    for layer, weight, bias in (
        (attention.W_q, weight_query, bias_query),
        (attention.W_k, weight_key, bias_key),
        (attention.W_v, weight_value, bias_value),
        (attention.W_o, weight_output, bias_output),
    ):
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
    tokens = x.double()
    by_class = attention(tokens, tokens, tokens, {})
assert agrees(by_class, output, 1e-4)
)";

/// The article: nn.MultiheadAttention with the same weights; x is (seq_len, batch, d_model).
constexpr const char* article_layer = R"(

attention = torch.nn.MultiheadAttention(x.size(-1), query.size(0), bias=False)
with torch.no_grad():
    joined = [w.permute(0, 2, 1).flatten(0, 1) for w in (w_query, w_key, w_value)]
    attention.in_proj_weight.copy_(torch.cat(joined))
    attention.out_proj.weight.copy_(w_output.T)
    tokens = x.double().unsqueeze(1)
    by_layer, _ = attention(tokens, tokens, tokens, attn_mask={})
assert agrees(by_layer.squeeze(1), output, 1e-4)
)";

/// The article's class over eq. 7 and 8.
constexpr const char* article_class = R"(

def scaled_dot_product_attention(query, key, value):
    """The output and the weights."""
    weights = softmax(query @ key.T / math.sqrt(query.shape[-1]))
    return weights @ value, weights


class MultiHeadAttention:
    """One matrix per head, (n_heads, d_model, d_k), and W_O (n_heads * d_k, d_model)."""

    def __init__(self, w_query, w_key, w_value, w_output):
        self.per_head = list(zip(w_query, w_key, w_value))
        self.w_output = w_output

    def forward(self, x):
        found = [scaled_dot_product_attention(x @ q, x @ k, x @ v) for q, k, v in self.per_head]
        concat = np.concatenate([output for output, _ in found], axis=-1)
        return concat @ self.w_output, np.array([weights for _, weights in found])


by_class, weights_by_class = MultiHeadAttention(w_query, w_key, w_value, w_output).forward(x)
assert agrees(by_class, output, 1e-4)
assert agrees(weights_by_class, weights, 1e-4)
)";

bool is_of_article(const HeadsRun& run) {
  return run.variant == HeadsVariant::article || run.variant == HeadsVariant::parity;
}

}  // namespace

std::string numpy_class(const HeadsRun& run) {
  const bool has_more = run.mask || run.scale_text != "default";
  return is_of_article(run) && !has_more ? article_class : "";
}

std::string torch_classes(const HeadsRun& run) {
  const bool scales = run.scale_text == "default";
  const bool fits = scales && joined_width(run) == run.d_model;  // what nn.MultiheadAttention takes
  switch (run.variant) {
    case HeadsVariant::book: {
      if (run.mask || (!scales && run.scale_text != "none")) return "";
      const char* attention = scales ? "ScaledDotProductAttention" : "DotProductAttention";
      return fmt::format(book_classes, attention, attention);
    }
    case HeadsVariant::course: return scales ? course_classes : "";
    case HeadsVariant::notebook: return fits ? fmt::format(notebook_class, run.mask ? "mask" : "None") : "";
    case HeadsVariant::article:
    case HeadsVariant::parity:
      return fits ? fmt::format(article_layer, run.mask ? "mask.expand_as(scores)" : "None") : "";
    case HeadsVariant::model: break;
  }
  return "";
}

}  // namespace attnlab
