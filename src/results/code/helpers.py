# The functions that a program of --code may need (python_program.cpp takes those that it uses), in NumPy; for
# PyTorch they are translated as every other line is.


def softmax(scores):
    """exp(x) / Σ exp(x) along the last axis; the maximum is subtracted first."""
    exponential = np.exp(scores - np.amax(scores, axis=-1, keepdims=True))
    return exponential / np.sum(exponential, axis=-1, keepdims=True)


def naive_softmax(scores):
    """exp(x) / Σ exp(x) along the last axis, as it is written: exp overflows."""
    exponential = np.exp(scores)
    return exponential / np.sum(exponential, axis=-1, keepdims=True)


def layer_norm(x, eps):
    """(x - mean) / √(variance + eps) along the last axis."""
    deviation = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(deviation**2, axis=-1, keepdims=True)
    return deviation / np.sqrt(variance + eps)


def rms_norm(x, gain, eps):
    """x / √(mean x² + eps) · gain, over stretches as long as the gain."""
    stretches = x.reshape(*x.shape[:-1], -1, len(gain))
    mean_square = np.mean(stretches**2, axis=-1, keepdims=True)
    return (stretches / np.sqrt(mean_square + eps) * gain).reshape(x.shape)


def rotary_pairs(x, angles, factor=1.0):
    """Coordinates 2i and 2i + 1 turned by angles[:, i]; those after the last pair stay."""
    turned = 2 * angles.shape[-1]
    a, b = x[..., 0:turned:2], x[..., 1:turned:2]
    cosine, sine = factor * np.cos(angles), factor * np.sin(angles)
    pairs = np.stack([a * cosine - b * sine, b * cosine + a * sine], axis=-1)
    return np.concatenate([pairs.reshape(x[..., :turned].shape), x[..., turned:]], axis=-1)


def rotary_halves(x, angles, factor=1.0):
    """Coordinates i and i + p turned by angles[:, i] of p angles; those after stay."""
    half = angles.shape[-1]
    a, b = x[..., :half], x[..., half:2 * half]
    cosine, sine = factor * np.cos(angles), factor * np.sin(angles)
    halves = [a * cosine - b * sine, b * cosine + a * sine, x[..., 2 * half:]]
    return np.concatenate(halves, axis=-1)


def relu(x):
    """max(0, x)."""
    return np.where(x < 0, 0 * x, x)


def split_heads(x, heads):
    """(..., length, heads * width) to (..., heads, length, width)."""
    *batch, length, width = x.shape
    return x.reshape(*batch, length, heads, width // heads).swapaxes(-3, -2)


def join_heads(x):
    """(..., heads, length, width) to (..., length, heads * width)."""
    *batch, heads, length, width = x.shape
    return x.swapaxes(-3, -2).reshape(*batch, length, heads * width)


def weights_on_other_heads(query, key, factor):
    """Of the first batch entry: (L, H, D) transposed, left as it is, reshaped."""
    heads, length, width = query.shape[-3:]
    head = np.arange(heads)[:, np.newaxis, np.newaxis] + np.zeros((heads, length, 1))
    parts = [x.reshape(-1, heads, length, x.shape[-1])[0] for x in (query, key, head)]
    shares = []
    for way in ("transpose", "keep", "reshape"):
        q, k, h = [x if way == "transpose" else x.swapaxes(0, 1) for x in parts]
        if way == "reshape":
            q, k, h = [x.reshape(heads, length, x.shape[-1]) for x in (q, k, h)]
        weights = softmax(q @ k.swapaxes(-1, -2) * factor)
        others = np.where(h != h.swapaxes(-1, -2), weights, np.zeros_like(weights))
        shares.append(np.sum(others) / (heads * length))
    return np.stack(shares)


def repeat_heads(x, times):
    """Each head of keys or values once for every query head that shares it."""
    return np.repeat(x, times, axis=-3)


def orthonormal_rows(w):
    """The rows made orthogonal one after the other (Gram-Schmidt, twice), of length 1."""
    rows = []
    for row in w:
        for other in rows + rows:
            row = row - (row @ other) * other
        rows.append(row / np.sqrt(np.sum(row**2)))
    return np.stack(rows)


def recurrent_states(recurrent, driven):
    """h = tanh(W h + U x) from h = 0, token after token, for each W."""
    states = []
    for w in recurrent:
        h = 0 * driven[0]
        for step in driven:
            h = np.tanh(w @ h + step)
            states.append(h)
    return np.stack(states).reshape(len(recurrent), *driven.shape)


def jacobian_size(jacobian):
    """The Frobenius norm over the root of the width: 1 for the identity."""
    return np.sqrt(np.sum(np.sum(jacobian**2, axis=-1)) / len(jacobian))


def state_gradients(recurrent, states):
    """The size of dh_T / dh_t against T - t: products of diag(1 - h²) W from the end back."""
    sizes = []
    for w, h in zip(recurrent, states):
        product = np.eye(len(w))
        sizes.append(jacobian_size(product))
        for t in range(len(h) - 1, 0, -1):
            product = product @ ((1 - h[t] ** 2)[:, np.newaxis] * w)
            sizes.append(jacobian_size(product))
    return np.stack(sizes).reshape(states.shape[:2])


def attention_gradients(query, key, value, w_query, w_key, w_value):
    """The size of dy_T / dx_t of the last token's output against T - t."""
    root = math.sqrt(query.shape[-1])
    weights = softmax(query @ key.T / root)[0]
    moved = weights[:, np.newaxis] * (value - weights @ value)
    by_key = query[0] @ w_key.T / root
    sizes = []
    for t in range(len(key) - 1, -1, -1):
        jacobian = weights[t] * w_value.T + moved[t][:, np.newaxis] * by_key
        if t == len(key) - 1:
            jacobian = jacobian + moved.T @ (key @ w_query.T) / root
        sizes.append(jacobian_size(jacobian))
    return np.stack(sizes)


def linear_states(key, value, decay):
    """H = decay H + k^T v from H = 0, after each token."""
    state = 0 * key[0][:, np.newaxis] * value[0]
    states = []
    for k, v in zip(key, value):
        state = decay * state + k[:, np.newaxis] * v
        states.append(state)
    return np.stack(states)


def ranks(scores):
    """How many keys of its row have a larger score than each."""
    return 1.0 * np.sum(scores[:, np.newaxis] > scores[:, :, np.newaxis], axis=-1)


def softmax_of_largest(scores, count):
    """softmax over the `count` largest of each row; the others get 0."""
    hidden = np.full_like(scores, -np.inf)
    return softmax(np.where(ranks(scores) < count, scores, hidden))


def kept_share(weights, rank):
    """The weight of the k keys of the least rank, mean over the queries, k = 1, 2, ..."""
    kept = [np.where(rank < k + 1, weights, 0 * weights) for k in range(len(weights[0]))]
    return np.mean(np.sum(np.stack(kept), axis=-1), axis=-1)


def chain_lengths(tokens):
    """Steps from token j to result t of an RNN: t - j + 1, and no way from a later token."""
    back = np.arange(tokens)[:, np.newaxis] - np.arange(tokens)
    return back + 1.0 + np.where(back < 0, np.inf, 0.0)


def join_pairs(query, key):
    """[q; k] for every query and every key."""
    ones = np.ones((len(query), len(key), 1))
    return np.concatenate((query[:, np.newaxis] * ones, key * ones), axis=-1)


def linear_layer(inputs, outputs):
    """What nn.Linear begins with: its weight (out, in) and its bias (out)."""
    layer = torch.nn.Linear(inputs, outputs, dtype=torch.float32)
    return np.asarray(layer.weight.detach()), np.asarray(layer.bias.detach())


def look_back_mask(heads, length):
    """(1, heads, length, length): head h reads a token and the h + 1 tokens before it."""
    back = np.arange(length)[:, np.newaxis] - np.arange(length)
    reach = np.arange(heads)[:, np.newaxis, np.newaxis] + 1
    hidden = (back < 0) | (back > reach)
    return np.where(hidden, -np.inf, 0.0)[np.newaxis]


def rescaling_factors(maximum):
    """exp(m before - m) for each tile; 0 where nothing was read before."""
    before = np.concatenate((maximum[:1] - np.inf, maximum[:-1]))
    return np.exp(before - np.where(maximum == -np.inf, np.zeros_like(maximum), maximum))


def summed_by_tiles(scores, value, maximum, factor, tile):
    """After each tile: what was, times its factor, and exp(S - m) times the tile's values."""
    shift = np.where(maximum == -np.inf, np.zeros_like(maximum), maximum)
    total, steps = 0 * value[0], []
    for t in range(len(maximum)):
        keys = slice(t * tile, (t + 1) * tile)
        total = total * factor[t] + np.exp(scores[keys] - shift[t]) @ value[keys]
        steps.append(total)
    return np.stack(steps)


def without_rescaling(scores, value, maximum, tile):
    """The last output where each tile subtracts its own m and nothing is multiplied again."""
    ones = np.ones_like(maximum)
    sums = summed_by_tiles(scores, np.ones_like(scores), maximum, ones, tile)
    return summed_by_tiles(scores, value, maximum, ones, tile)[-1] / sums[-1]


def causal_mask(queries, keys, offset, hidden):
    """0 where query i reads key j, j <= i + offset, else the number that hides."""
    distance = np.arange(queries)[:, np.newaxis] + offset - np.arange(keys)
    return np.where(distance >= 0, 0.0, hidden)


def window_mask(queries, keys, offset, reach, hidden):
    """0 where query i reads key j, |i + offset - j| <= reach, else the number that hides."""
    distance = np.arange(queries)[:, np.newaxis] + offset - np.arange(keys)
    return np.where(abs(distance) <= reach, 0.0, hidden)


def padding_mask(queries, keys, padded, hidden):
    """0 for all keys but the last `padded`."""
    place = np.arange(keys) + 0 * np.arange(queries)[:, np.newaxis]
    return np.where(place < keys - padded, 0.0, hidden)


def is_hidden(mask):
    """Whether a key is hidden: by -inf, or by a large negative number."""
    return mask <= -1e4


def with_empty_rows(weights, masked, value):
    """The weights; rows of which every score is -inf get this value."""
    empty = np.amax(masked, axis=-1, keepdims=True) == -np.inf
    return np.where(empty, np.full_like(weights, value), weights)


def leaked(weights, mask):
    """The weight that falls on masked keys, for each query."""
    return np.sum(np.where(is_hidden(mask), weights, np.zeros_like(weights)), axis=-1)


def sinusoidal_encoding(positions, width, base=10000.0):
    """sin and cos of position / base^(2 i / width), by turns; positions: their numbers."""
    pair = np.arange(width) // 2
    angle = positions[:, np.newaxis] / base ** (2.0 * pair / width)
    return np.where(np.arange(width) % 2 == 0, np.sin(angle), np.cos(angle))


def shift_by(offset, size, width, base):
    """r @ matrix is the encoding `offset` positions on: a rotation of each two columns."""
    i = np.arange(size)
    angle = offset / base ** (2.0 * (i // 2) / width)
    side = i[:, np.newaxis] - i
    turned = np.where(side == 0, np.cos(angle) + 0 * side, side * np.sin(angle))
    return np.where(i[:, np.newaxis] // 2 == i // 2, turned, 0 * turned)


def turned_to(positions, vector, base, interleaved):
    """Pairs (0, 1), (2, 3) ... or (0, d/2), (1, d/2 + 1) ... turned to each position."""
    width = len(vector)
    pair = np.arange(width // 2)
    first = 2 * pair if interleaved else pair
    second = first + 1 if interleaved else first + width // 2
    angle = positions[:, np.newaxis] / base ** (2.0 * pair / width)
    rows = np.zeros((len(positions), width))
    rows[:, first] = vector[first] * np.cos(angle) - vector[second] * np.sin(angle)
    rows[:, second] = vector[first] * np.sin(angle) + vector[second] * np.cos(angle)
    return rows


def scaled_frequencies(frequencies, base, length, factor):
    """As trained, interpolated, NTK-aware, Llama 3's and YaRN's: a row each."""
    pairs = len(frequencies)
    pair, d = np.arange(pairs), 2.0 * pairs
    larger = base * factor ** (d / (d - 2) if pairs > 1 else 1.0)
    kept = np.clip((length * frequencies / (2 * math.pi) - 1.0) / 3.0, 0.0, 1.0)
    ends = [d * math.log(length / (2 * math.pi * n)) / (2 * math.log(base)) for n in (32, 1)]
    first, last = max(math.floor(ends[0]), 0), min(math.ceil(ends[1]), d - 1)
    slowed = np.clip((pair - first) / ((last - first) or 0.001), 0.0, 1.0)
    return np.stack((
        frequencies,
        frequencies / factor,
        larger ** (-2.0 * pair / d),
        frequencies * (kept + (1 - kept) / factor),
        frequencies * (1 - slowed + slowed / factor),
    ))


def centred_mean_weights(samples, window):
    """1 / n for the n samples that a centred window reaches."""
    distance = np.arange(samples)[:, np.newaxis] - np.arange(samples)
    inside = np.where(abs(distance) <= window // 2, 1.0 + 0 * distance, 0.0 * distance)
    return inside / np.sum(inside, axis=-1, keepdims=True)


def fading_weights(samples, alpha):
    """alpha (1 - alpha)^(t - s) for s <= t; the first sample keeps the rest."""
    age = np.arange(samples)[:, np.newaxis] - np.arange(samples)
    first = np.where(np.arange(samples) == 0, 1.0, alpha)
    weights = first * (1.0 - alpha) ** relu(age)
    return np.where(age < 0, 0 * weights, weights)


def windows_around(signal, width):
    """Each sample with its neighbours; beyond the ends the end sample stands in."""
    place = np.arange(len(signal))[:, np.newaxis] + np.arange(width) - width // 2
    return signal[np.clip(place, 0, len(signal) - 1)]


def token_lengths(x):
    """The root of the sum of squares of every row."""
    return np.sqrt(np.sum(x**2, axis=-1))


def multi_head_attention(x, w_query, w_key, w_value, w_output, mask=0.0):
    """Self-attention of all heads, joined and projected."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1]) + mask
    return join_heads(softmax(scores) @ value) @ w_output


def language_model(x, layers, mask, w_vocabulary):
    """The logits: layers with the norm before each sub-layer, a last norm, a linear map."""
    for w_query, w_key, w_value, w_output, w_1, w_2 in layers:
        norm = layer_norm(x, eps=1e-5)
        x = x + multi_head_attention(norm, w_query, w_key, w_value, w_output, mask)
        x = x + relu(layer_norm(x, eps=1e-5) @ w_1) @ w_2
    return layer_norm(x, eps=1e-5) @ w_vocabulary


def reactions(function, x, change):
    """How far row i of function(x) moves when row j of x is changed: (i, j)."""
    before = function(x)
    moved = []
    for j in range(len(x)):
        changed = x.copy()
        changed[j] = change(changed[j])
        moved.append(token_lengths(function(changed) - before))
    return np.stack(moved, axis=-1)


def standard_deviation(x):
    """The root of the mean squared deviation along the last axis."""
    deviation = x - np.mean(x, axis=-1, keepdims=True)
    return np.sqrt(np.mean(deviation**2, axis=-1))


def softmax_gradient_norm(weights):
    """‖diag(p) - p pᵀ‖ of every row p: the size of softmax's derivative."""
    p = weights[..., np.newaxis]
    derivative = p * (np.eye(weights.shape[-1]) - p.swapaxes(-1, -2))
    return np.sqrt(np.sum(np.sum(derivative**2, axis=-1), axis=-1))


def one_hot_of_largest(scores, tie):
    """1 at the largest score; scores nearer to it than `tie` share alike."""
    largest = np.where(scores > scores.max() - tie, 0 * scores + 1, 0 * scores)
    return largest / np.sum(largest)


def unit_vectors(degrees):
    """(cos, sin) of angles in degrees, a row each."""
    angle = degrees * (math.pi / 180)
    return np.stack((np.cos(angle), np.sin(angle)), axis=-1)


def angles_between(vectors):
    """The angle between each two vectors of the plane, in degrees."""
    x, y = vectors[:, 0], vectors[:, 1]
    cross = x[:, np.newaxis] * y - y[:, np.newaxis] * x
    return np.arctan2(abs(cross), vectors @ vectors.T) * (180 / math.pi)


def row_entropy(weights):
    """-Σ p ln p along the last axis, in nats; 0 ln 0 is 0."""
    logarithm = np.log(np.where(weights > 0, weights, 0 * weights + 1))
    return -np.sum(weights * logarithm, axis=-1)


def weight_behind(weights, places, first=None):
    """The weight on the key so many places before the query. The first query stands at `first`, by
    default so that the last of both are level."""
    queries, keys = weights.shape[-2:]
    first = keys - queries if first is None else first
    behind = np.arange(queries)[:, np.newaxis] + first - np.arange(keys)
    return np.sum(np.where(behind == places, weights, np.zeros_like(weights)), axis=-1)


def distance_read(weights, first=None):
    """Σ p |place of the query - place of the key|; `first` as for weight_behind."""
    queries, keys = weights.shape[-2:]
    first = keys - queries if first is None else first
    behind = np.arange(queries)[:, np.newaxis] + first - np.arange(keys)
    return np.sum(weights * abs(behind), axis=-1)


def mean_of_readers(values, scores):
    """The mean over the queries that read any key: those whose scores are not all -inf."""
    reads = ~np.all(scores == -np.inf, axis=-1)
    sums = np.sum(np.where(reads, values, np.zeros_like(values)), axis=-1)
    return sums / np.sum(reads, axis=-1)


def gelu(x):
    """x times the share of a standard normal below x (Hendrycks and Gimpel 2016)."""
    below = [math.erf(value / math.sqrt(2)) for value in x.reshape(-1).tolist()]
    return 0.5 * x * (1 + np.array(below).reshape(x.shape))


def gelu_tanh(x):
    """The same nearly, by tanh."""
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def silu(x):
    """x / (1 + exp(-x))."""
    return x / (1 + np.exp(-x))


def tensors_of(file):
    """The tensors of a safetensors file, as float64."""
    data = pathlib.Path(file).read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    kinds = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
    tensors = {}
    for name, entry in json.loads(data[8:start]).items():
        if entry.get("dtype") not in kinds:
            continue
        begin, end = entry["data_offsets"]
        values = np.frombuffer(data[start + begin:start + end], kinds[entry["dtype"]])
        if entry["dtype"] == "BF16":  # the upper half of a float32
            values = (values.astype("<u4") << 16).view("<f4")
        tensors[name] = values.reshape(entry["shape"]).astype(np.float64)
    return tensors


def torch_tensors_of(file):
    """The tensors of a safetensors file, as float64."""
    data = bytearray(pathlib.Path(file).read_bytes())
    start = 8 + int.from_bytes(data[:8], "little")
    kinds = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    tensors = {}
    for name, entry in json.loads(data[8:start]).items():
        if entry.get("dtype") not in kinds:
            continue
        begin, end = entry["data_offsets"]
        values = torch.frombuffer(data[start + begin:start + end], dtype=kinds[entry["dtype"]])
        tensors[name] = values.reshape(entry["shape"]).double()
    return tensors


def chosen(logits, uniform, temperature, top_k, top_p):
    """The likeliest token; or, at a temperature, one of the likeliest, drawn by its share."""
    share = softmax(logits / (temperature if temperature > 0 else 1.0)).tolist()
    order = sorted(range(len(share)), key=lambda token: -share[token])
    if temperature == 0:
        return order[0]
    kept, total = [], 0.0
    for token in order[: top_k or None]:
        if kept and total >= top_p:
            break
        kept.append(token)
        total += share[token]
    left = uniform * total
    for token in kept:
        left -= share[token]
        if left < 0:
            return token
    return kept[-1]


def generated(read, tokens, uniform, temperature, top_k, top_p):
    """The tokens, and one after the other, each chosen by what was read so far."""
    for number in uniform:
        tokens = tokens + [chosen(read(tokens)[-1], number, temperature, top_k, top_p)]
    return np.array(tokens, dtype=np.float64)


def agrees(array, expected, tolerance=1e-8):
    """Whether an array has this shape and these values, as far as they are written."""
    array = np.asarray(array, dtype=np.float64)
    expected = np.asarray(expected, dtype=np.float64)
    return array.shape == expected.shape and np.allclose(
        array, expected, rtol=tolerance, atol=tolerance, equal_nan=True
    )
