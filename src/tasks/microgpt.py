# ja: microgpt：GPT の学習と生成のすべてを、ライブラリーなしで。
# en: microgpt: all of training a GPT and writing with it, without a library.
# ja: モデル、乱数の順序、最適化は Karpathy の microgpt.py（2026）と同じで、損失も同じ値になる。
# en: The model, the order of random numbers and the optimiser are those of Karpathy's microgpt.py (2026), and so are the losses.
import math
import random
import time

random.seed(@SEED@)
@DOCUMENTS@
random.shuffle(documents)
letters = sorted(set("".join(documents)))
END = len(letters)  # begins and ends a document
WIDTH, HEADS, LAYERS, BLOCK, STEPS = @WIDTH@, @HEADS@, @LAYERS@, @BLOCK@, @STEPS@
PART = WIDTH // HEADS


# ja: 計算の記録：どの数も、どの数から作られ、それぞれにどれだけの傾きで従うかを覚えている。
# en: What was computed: every number remembers of which others it was made, and how steeply it follows each.
class Number:
    tape = []

    def __init__(self, value, parents=(), slopes=()):
        self.value, self.parents, self.slopes, self.gradient = value, parents, slopes, 0.0
        Number.tape.append(self)

    def __add__(self, other):
        return Number(self.value + other.value, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        return Number(self.value * other.value, (self, other), (other.value, self.value))

    def times(self, factor):
        return Number(self.value * factor, (self,), (factor,))

    def less(self, constant):
        return Number(self.value - constant, (self,), (1.0,))

    def power(self, exponent):
        return Number(self.value**exponent, (self,), (exponent * self.value ** (exponent - 1),))

    def exp(self):
        result = math.exp(self.value)
        return Number(result, (self,), (result,))

    def log(self):
        return Number(math.log(self.value), (self,), (1.0 / self.value,))

    def relu(self):
        return Number(max(0.0, self.value), (self,), (float(self.value > 0),))

    # ja: 連鎖律：記録を後ろからたどり、損失についての傾きを配る。
    # en: The chain rule: back along the tape, the loss's gradient is handed on.
    def backward(self):
        self.gradient = 1.0
        for number in reversed(Number.tape):
            for parent, slope in zip(number.parents, number.slopes):
                parent.gradient += slope * number.gradient


def total(numbers):
    result = numbers[0]
    for number in numbers[1:]:
        result = result + number
    return result


def matrix(rows, columns):
    return [[Number(random.gauss(0, 0.08)) for _ in range(columns)] for _ in range(rows)]


# ja: 重み。この順に乱数を引く。
# en: The weights, in the order of their random numbers.
token_vectors, place_vectors, head = matrix(END + 1, WIDTH), matrix(BLOCK, WIDTH), matrix(END + 1, WIDTH)
layers = [
    dict(query=matrix(WIDTH, WIDTH), key=matrix(WIDTH, WIDTH), value=matrix(WIDTH, WIDTH), output=matrix(WIDTH, WIDTH),
         up=matrix(4 * WIDTH, WIDTH), down=matrix(WIDTH, 4 * WIDTH))
    for _ in range(LAYERS)
]
parameters = list(Number.tape)


def linear(x, weights):
    return [total([w * one for w, one in zip(row, x)]) for row in weights]


def softmax(scores):
    most = max(score.value for score in scores)
    powers = [score.less(most).exp() for score in scores]
    share = total(powers).power(-1)
    return [power * share for power in powers]


def rms_norm(x):
    mean = total([one * one for one in x]).times(1 / len(x))
    scale = mean.less(-1e-5).power(-0.5)
    return [one * scale for one in x]


def plus(x, y):
    return [one + other for one, other in zip(x, y)]


# ja: 位置 place のトークンを読み、次のトークンのスコアを返す。keys と values は、それまでの位置のもの。
# en: Reads the token at a place, and scores the next one; keys and values are those of the places before.
def read(token, place, keys, values):
    x = rms_norm(plus(token_vectors[token], place_vectors[place]))
    for layer, seen_keys, seen_values in zip(layers, keys, values):
        normed = rms_norm(x)
        query = linear(normed, layer["query"])
        seen_keys.append(linear(normed, layer["key"]))
        seen_values.append(linear(normed, layer["value"]))
        mixed = []
        for begin in range(0, WIDTH, PART):
            part = range(begin, begin + PART)
            weights = softmax([total([query[i] * key[i] for i in part]).times(PART**-0.5) for key in seen_keys])
            mixed += [total([w * value[i] for w, value in zip(weights, seen_values)]) for i in part]
        x = plus(linear(mixed, layer["output"]), x)
        hidden = [one.relu() for one in linear(rms_norm(x), layer["up"])]
        x = plus(linear(hidden, layer["down"]), x)
    return linear(x, head)


def empty():
    return [[] for _ in layers]


# ja: 学習：1 ステップに 1 つの文書。損失は、次のトークンの −log p の平均。
# en: Learning: a document a step; the loss is the mean of -log p of the next token.
first, second = [0.0] * len(parameters), [0.0] * len(parameters)
losses = []
begin = time.time()
for step in range(STEPS):
    document = documents[step % len(documents)]
    tokens = [END] + [letters.index(letter) for letter in document] + [END]
    places = min(BLOCK, len(tokens) - 1)
    keys, values = empty(), empty()
    terms = [softmax(read(tokens[i], i, keys, values))[tokens[i + 1]].log() for i in range(places)]
    loss = total(terms).times(-1 / places)
    loss.backward()
    losses.append(loss.value)
    rate = 0.01 * (1 - step / STEPS)
    for i, parameter in enumerate(parameters):  # Adam
        first[i] = 0.85 * first[i] + 0.15 * parameter.gradient
        second[i] = 0.99 * second[i] + 0.01 * parameter.gradient**2
        mean, spread = first[i] / (1 - 0.85 ** (step + 1)), second[i] / (1 - 0.99 ** (step + 1))
        parameter.value -= rate * mean / (spread**0.5 + 1e-8)
        parameter.gradient = 0.0
    del Number.tape[len(parameters):]
    if step < 5 or (step + 1) % 100 == 0:
        print(f"step {step + 1:4d} / {STEPS}  loss {loss.value:.6f}  {time.time() - begin:.0f} s", flush=True)

# ja: 生成：1 文字ずつ、確率にしたがって引く。
# en: Writing: letter by letter, drawn by their probabilities.
written = []
for _ in range(@SAMPLES@):
    keys, values, token, word = empty(), empty(), END, ""
    for place in range(BLOCK):
        shares = softmax([score.times(1 / @TEMPERATURE@) for score in read(token, place, keys, values)])
        token = random.choices(range(END + 1), weights=[share.value for share in shares])[0]
        if token == END:
            break
        word += letters[token]
    written.append(word)
print(*written)

# ja: attnlab と比べる。
# en: What attnlab gave.
expected = @LOSSES@
for step, loss in expected.items():
    assert abs(losses[step] - loss) < 1e-6, (step, losses[step], loss)
assert written == @WRITTEN@
print("agrees with attnlab")
