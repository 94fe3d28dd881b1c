// ONNX Runtime's MultiHeadAttention, float32: one measurement, as JSON on one line.
//
// node attention.mjs LENGTH HEADS    the median of runs that last 0.1 s together, after one that does not count
// node attention.mjs about           the version of onnxruntime-node; exit code 1 where it is not installed
// node attention.mjs model HEADS     the bytes of the model
//
// The model is one node, com.microsoft.MultiHeadAttention, in the bytes of ONNX's protocol buffers (onnx.proto3).
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";

const WIDTH = 64;
const LEAST_SECONDS = 0.1;

// --- Protocol buffers: fields of numbers and of bytes

function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);

function bytes(field, ...parts) {
  const content = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

// --- The model: query, key and value (1, length, heads * width)

const FLOAT = 1;
const INT = 2;

function valueInfo(field, name) {
  const axes = ["batch", "length", "width"].map((axis) => bytes(1, bytes(2, axis))); // dim { dim_param }
  const tensor = bytes(1, number(1, FLOAT), bytes(2, ...axes)); // tensor_type { elem_type, shape }
  return bytes(field, bytes(1, name), bytes(2, tensor));
}

function model(heads) {
  const inputs = ["query", "key", "value"];
  const attribute = bytes(5, bytes(1, "num_heads"), number(3, heads), number(20, INT));
  const node = bytes(1, ...inputs.map((name) => bytes(1, name)), bytes(2, "output"), bytes(4, "MultiHeadAttention"),
    attribute, bytes(7, "com.microsoft"));
  const graph = bytes(7, node, bytes(2, "attention"), ...inputs.map((name) => valueInfo(11, name)),
    valueInfo(12, "output"));
  const opsets = [bytes(8, bytes(1, ""), number(2, 17)), bytes(8, bytes(1, "com.microsoft"), number(2, 1))];
  return Buffer.concat([number(1, 8), ...opsets, graph]); // ir_version
}

// --- The measurement

/// Standard normal numbers, the same ones every time (Marsaglia's xorshift; Box and Muller).
function normals(count, seed) {
  let state = seed;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 4294967296;
  };
  return Float32Array.from({ length: count }, () =>
    Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(onnx, length, heads) {
  const options = { intraOpNumThreads: availableParallelism(), graphOptimizationLevel: "all" };
  const session = await onnx.InferenceSession.create(model(heads), options);
  const size = length * heads * WIDTH;
  const feeds = {};
  ["query", "key", "value"].forEach((name, i) => {
    feeds[name] = new onnx.Tensor("float32", normals(size, i + 1), [1, length, heads * WIDTH]);
  });
  await session.run(feeds);
  const seconds = [];
  for (let all = 0; all < LEAST_SECONDS; all += seconds.at(-1)) {
    const start = process.hrtime.bigint();
    await session.run(feeds);
    seconds.push(Number(process.hrtime.bigint() - start) / 1e9);
  }
  return { seconds: median(seconds) };
}

function library() {
  const require = createRequire(import.meta.url); // unlike import it looks into NODE_PATH, too
  try {
    return require("onnxruntime-node");
  } catch (failure) {
    console.error(failure.message.split("\n")[0]);
    process.exit(1);
  }
}

const [what, count] = process.argv.slice(2);
if (what === "model") {
  process.stdout.write(model(Number(count)));
} else {
  const onnx = library();
  const answer = what === "about"
    ? { name: `ONNX Runtime ${onnx.env.versions.node}, ${availableParallelism()} threads` }
    : await measure(onnx, Number(what), Number(count));
  console.log(JSON.stringify(answer));
}
