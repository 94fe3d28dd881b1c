// NumPy's npy format: magic, version, the header, and the values.
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"
#include "results/report/array.hpp"

namespace attnlab {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t longest_header = 10000;  // NumPy's own limit

/// What to do about an npy that is no npy.
const Text save_npy_again{"np.save で保存し直してください", "save the array again with np.save"};

// --- The header

/// As the keys were met.
struct NpyHeader {
  std::optional<std::string> descr;  // "<f8"
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::size_t>> shape;
};

/// Reads {'descr': '<f8', 'fortran_order': False, 'shape': (4, 4), } in Python's notation and nothing more
/// than that; nothing of what a file says is run. The text stands at byte `offset` of `file`: errors name
/// both.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::size_t offset, const std::string& file)
      : text_(text), offset_(offset), file_(file) {}

  NpyHeader parse() {
    NpyHeader header;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      read_value(header, key);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (at_ < text_.size()) fail({"ヘッダーの終わり", "the end of the header"});
    if (!header.descr || !header.fortran_order || !header.shape) {
      fail({"キー 'descr', 'fortran_order', 'shape'", "the keys 'descr', 'fortran_order' and 'shape'"});
    }
    return header;
  }

  [[noreturn]] void fail(const Text& needed) const {
    const std::string next = quotation(text_.substr(at_, 12));
    const Text found =
        at_ < text_.size() ? Text{next + " があります", next} : Text{"続きがありません", "nothing"};
    refuse_file(file_, at_byte(offset_ + at_),
                attnlab::text("ヘッダーに{}。ここに必要なのは {} です",
                              "the header has {} where {} is needed", found, needed),
                save_npy_again);
  }

 private:
  void read_value(NpyHeader& header, const std::string& key) {
    if (key == "descr" && !header.descr) {
      header.descr = descr();
      if (header.descr->empty()) fail({"型", "a type"});
    } else if (key == "fortran_order" && !header.fortran_order) {
      header.fortran_order = boolean();
    } else if (key == "shape" && !header.shape) {
      header.shape = shape();
    } else {
      fail({"キー 'descr', 'fortran_order', 'shape' を 1 つずつ",
            "one each of the keys 'descr', 'fortran_order' and 'shape'"});
    }
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  bool accept(char character) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != character) return false;
    ++at_;
    return true;
  }

  void expect(char character) {
    if (!accept(character)) fail(Text::same(std::string("'") + character + "'"));
  }

  std::string quoted() {
    skip_spaces();
    const char mark = at_ < text_.size() ? text_[at_] : ' ';
    if (mark != '\'' && mark != '"') fail({"引用符で囲んだ語", "a word in quotation marks"});
    const std::size_t end = text_.find(mark, at_ + 1);
    if (end == std::string_view::npos) fail({"閉じる引用符", "a closing quotation mark"});
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }

  std::string descr() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '[') return record();
    return quoted();
  }

  /// The descr of a structured array, [('a', '<f4'), ...], as it stands.
  std::string record() {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    do {
      if (at_ >= text_.size()) fail({"閉じる ]", "a closing ]"});
      if (text_[at_] == '\'' || text_[at_] == '"') {
        quoted();
        continue;
      }
      if (text_[at_] == '[') ++depth;
      if (text_[at_] == ']') --depth;
      ++at_;
    } while (depth > 0);
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool boolean() {
    skip_spaces();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    fail({"True か False", "True or False"});
  }

  std::size_t length() {
    skip_spaces();
    std::size_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail({"軸の長さ", "the length of an axis"});
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote 10L
    return value;
  }

  std::vector<std::size_t> shape() {
    std::vector<std::size_t> lengths;
    expect('(');
    while (!accept(')')) {
      lengths.push_back(length());
      if (lengths.size() > most_axes) fail({"32 個以下の軸", "at most 32 axes"});
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return lengths;
  }

  std::string_view text_;
  std::size_t offset_;
  const std::string& file_;
  std::size_t at_ = 0;
};

// --- The type

std::optional<Encoding> encoding_of(const std::string& descr) {
  std::string_view code = descr;
  bool big_endian = false;
  if (!code.empty() && std::string_view("<>|=").find(code.front()) != std::string_view::npos) {
    big_endian = code.front() == '>';
    code.remove_prefix(1);
  }
  const std::optional<ElementType> type = type_coded(code, Coding::npy);
  return type ? std::optional(Encoding{*type, big_endian}) : std::nullopt;
}

/// What is in an array that holds no real numbers.
Text npy_kind(const std::string& descr) {
  if (descr.front() == '[') return {"レコード", "records"};
  const auto is_of = [&](std::string_view kinds) { return descr.find_first_of(kinds) != std::string::npos; };
  if (is_of("O")) return {"Python のオブジェクト", "Python objects"};
  const Text kind = is_of("USa")  ? Text{"文字列", "words"}
                    : is_of("c")  ? Text{"複素数", "complex numbers"}
                    : is_of("Mm") ? Text{"日時", "dates"}
                                  : Text::none();
  if (kind.en().empty()) return Text::same(quotation(descr));
  return text("{} {}", "{} {}", kind, quotation(descr));
}

[[noreturn]] void refuse_type(const std::string& descr, const std::string& file, std::size_t offset) {
  if (descr.front() == '[') {
    refuse_file(file, at_byte(offset), {"構造化配列（レコード）です", "it is a structured array (records)"},
                {"数値だけの配列を保存してください", "save an array of plain numbers"});
  }
  if (descr.find('O') != std::string::npos) {
    refuse_file(file, at_byte(offset),
                {"Python のオブジェクトの配列です（読み込むとプログラムが実行されうるので読みません）",
                 "it is an array of Python objects, which could run a program when loaded"},
                {"astype(float) で数値にしてから保存してください", "convert it with astype(float) first"});
  }
  refuse_file(file, at_byte(offset),
              text("{} は読めません", "it holds {}, which is not supported", npy_kind(descr)),
              {"float16, float32, float64, 整数, bool のどれかで保存してください",
               "save float16, float32, float64, integers or bool"});
}

/// Bytes of a word of an array '<U5', five characters of UTF-32, or '|S5'; 0 for what are no words.
std::size_t width_of_word(std::string_view descr) {
  if (descr.size() < 3 || (descr[1] != 'U' && descr[1] != 'S')) return 0;
  return (descr[1] == 'U' ? sizeof(char32_t) : 1) * number_from<std::uint32_t>(descr.substr(2)).value_or(0);
}

/// Each is filled up with zeros.
std::vector<std::string> words_in(std::string_view data, const std::string& descr) {
  const std::size_t unit = descr[1] == 'U' ? sizeof(char32_t) : 1;
  const std::size_t width = width_of_word(descr);
  std::vector<std::string> words;
  if (width == 0) return words;
  words.reserve(data.size() / width);
  for (; !data.empty(); data.remove_prefix(width)) {
    std::string& word = words.emplace_back();
    for (std::size_t at = 0; at < width; at += unit) {
      std::string character(data.substr(at, unit));
      if (descr[0] == '>') std::reverse(character.begin(), character.end());
      word += unit == 1 ? character : encode_utf8(static_cast<char32_t>(little_endian(character)));
    }
    word.erase(word.find_last_not_of('\0') + 1);
  }
  return words;
}

// --- The file

void check_magic(std::string_view bytes, const std::string& file) {
  if (is_npy_start(bytes)) return;
  if (bytes.empty()) refuse_file(file, at_byte(0), {"中身がありません", "it is empty"}, save_npy_again);
  const std::string found = quotation(bytes.substr(0, magic.size()));
  const bool is_zip = bytes.substr(0, 2) == "PK";
  refuse_file(file, at_byte(0),
              text("先頭が {} で、npy のしるし '\\x93NUMPY' ではありません",
                   "it begins with {}, not with npy's mark '\\x93NUMPY'", found),
              is_zip
                  ? Text{"npz のようです。拡張子を .npz にしてください", "it looks like an npz: name it .npz"}
                  : save_npy_again);
}

[[noreturn]] void refuse_truncated(const std::string& file, std::size_t offset, std::size_t found,
                                   std::size_t needed) {
  refuse_file(file, at_byte(offset),
              text("ここから {} バイトありますが、{} バイト必要です", "{} bytes from here on, {} are needed",
                   found, needed),
              save_npy_again);
}

/// The header's text, and where it begins.
std::pair<std::string_view, std::size_t> header_text(std::string_view bytes, const std::string& file) {
  check_magic(bytes, file);
  constexpr std::size_t version_at = 6;
  constexpr std::size_t length_at = 8;
  if (bytes.size() < length_at) refuse_truncated(file, version_at, bytes.size() - version_at, 2);
  const int major = static_cast<unsigned char>(bytes[version_at]);
  const int minor = static_cast<unsigned char>(bytes[version_at + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    refuse_file(file, at_byte(version_at),
                text("npy の版 {}.{} は読めません（1.0 から 3.0 まで）",
                     "npy version {}.{} is unknown; 1.0 to 3.0 are needed", major, minor),
                save_npy_again);
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t begin = length_at + length_bytes;
  if (bytes.size() < begin) refuse_truncated(file, length_at, bytes.size() - length_at, length_bytes);
  const std::size_t length = little_endian(bytes.substr(length_at, length_bytes));
  if (length > longest_header) {
    refuse_file(file, at_byte(length_at),
                text("ヘッダーが {} バイトあります（{} まで）",
                     "the header claims {} bytes, at most {} are allowed", length, longest_header),
                save_npy_again);
  }
  if (bytes.size() - begin < length) refuse_truncated(file, begin, bytes.size() - begin, length);
  return {bytes.substr(begin, length), begin};
}

}  // namespace

bool is_npy_start(std::string_view start) { return start.substr(0, magic.size()) == magic; }

StoredTensor npy_tensor(std::string_view start, std::size_t size, const std::string& file,
                        const std::function<SharedBytes()>& bytes) {
  const auto [text, begin] = header_text(start, file);
  const std::size_t data = begin + text.size();
  const NpyHeader header = HeaderParser(text, begin, file).parse();
  const std::vector<std::size_t>& shape = *header.shape;
  const std::optional<Encoding> encoding = encoding_of(*header.descr);
  if (!encoding) {
    const std::size_t count = checked_size(shape, largest_shape_size, file, at_byte(begin));
    StoredTensor foreign =
        foreign_tensor("", shape, npy_kind(*header.descr),
                       [descr = *header.descr, file, at = begin] { refuse_type(descr, file, at); });
    const std::size_t width = width_of_word(*header.descr);
    if (width > 0 && (size - data) / width == count && (size - data) % width == 0)
      foreign.words = [descr = *header.descr, bytes, data] {
        return words_in(bytes().view.substr(data), descr);
      };
    return foreign;
  }
  const std::size_t needed =
      checked_size(shape, largest_shape_size, file, at_byte(begin)) * size_of(encoding->type);
  if (size - data < needed) refuse_truncated(file, data, size - data, needed);
  if (size - data > needed) {
    refuse_file(file, at_byte(data + needed),
                attnlab::text("形状 {1} に対して {0} バイト余っています",
                              "{} bytes are left over after an array of shape {}", size - data - needed,
                              shape_text(shape)),
                {"1 つのファイルに 1 つの配列だけを保存してください", "save one array per file, or an npz"});
  }
  StoredTensor tensor;
  tensor.encoding = *encoding;
  tensor.fortran_order = *header.fortran_order;
  tensor.shape = shape;
  tensor.offset = data;
  tensor.bytes = [bytes, data, needed] { return bytes().part(data, needed); };
  return tensor;
}

ListedFile list_npy(const SharedBytes& bytes, const std::string& file) {
  return {{npy_tensor(bytes.view.substr(0, longest_npy_start), bytes.view.size(), file,
                      [bytes] { return bytes; })}};
}

}  // namespace attnlab
