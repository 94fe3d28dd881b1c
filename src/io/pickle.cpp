#include "io/pickle.hpp"

#include <deque>
#include <unordered_map>

#include "core/utf8.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

const Text save_weights_alone{
    "Python で model.state_dict() だけを torch.save するか、safetensors で保存し直してください",
    "save only model.state_dict() with torch.save in Python, or save the model as safetensors"};

/// The containers of a pickle, which may hold each other in circles.
struct Arena {
  SharedBytes bytes;
  std::deque<PickleList> lists;
  std::deque<PickleDictionary> dictionaries;
  std::deque<PickledTensor> tensors;
};

std::optional<ElementType> storage_type(const PickleName& name) {
  static const std::map<std::string_view, ElementType> types{
      {"FloatStorage", ElementType::float32},  {"HalfStorage", ElementType::float16},
      {"DoubleStorage", ElementType::float64}, {"BFloat16Storage", ElementType::bfloat16},
      {"LongStorage", ElementType::int64},     {"IntStorage", ElementType::int32},
      {"ShortStorage", ElementType::int16},    {"CharStorage", ElementType::int8},
      {"ByteStorage", ElementType::uint8},     {"BoolStorage", ElementType::boolean}};
  const auto found = types.find(name.name);
  return name.module == "torch" && found != types.end() ? std::optional(found->second) : std::nullopt;
}

bool is_name(const PickleName& name, std::string_view module, std::string_view of) {
  return name.module == module && name.name == of;
}

/// Whether what the function makes is passed over in silence: only these libraries' notes stand beside
/// weights.
bool is_of_notes(const PickleName& name) {
  const std::string_view library = name.module.substr(0, name.module.find('.'));
  constexpr std::array libraries{"torch",   "numpy",    "collections", "_codecs",
                                 "pathlib", "datetime", "__main__"};
  return std::find(libraries.begin(), libraries.end(), library) != libraries.end();
}

class Unpickler {
 public:
  Unpickler(const SharedBytes& bytes, const std::string& file) : file_(file) { arena_->bytes = bytes; }

  Unpickled read() {
    while (true) {
      at_ = next_;
      const auto code = static_cast<unsigned char>(take(1).front());
      if (code == '.') return {pop(), arena_};
      const auto instruction = instructions().find(code);
      if (instruction == instructions().end()) {
        refuse(text("命令 0x{:02X} は重みの保存に使われないものです",
                    "the instruction 0x{:02X} has no place among weights", code));
      }
      instruction->second(*this);
    }
  }

 private:
  [[noreturn]] void refuse(const Text& problem) const {
    refuse_file(file_, at_byte(at_), problem, save_weights_alone);
  }
  [[noreturn]] void refuse_call(const PickleName& name) const {
    const std::string whole = fmt::format("{}.{}", name.module, name.name);
    refuse(text("{} を呼び出そうとしていますが、ファイルの中のものは何も実行しません",
                "it asks for {}, but nothing in a file is ever run", quotation(whole)));
  }
  [[noreturn]] void refuse_damaged() const { refuse({"pickle として壊れています", "the pickle is damaged"}); }

  // --- Bytes

  std::string_view take(std::size_t count) {
    if (count > arena_->bytes.view.size() - next_)
      refuse({"pickle が途中で終わっています", "the pickle ends early"});
    next_ += count;
    return arena_->bytes.view.substr(next_ - count, count);
  }

  std::uint64_t number(std::size_t bytes) { return little_endian(take(bytes)); }

  std::string_view line() {
    const std::size_t end = arena_->bytes.view.find('\n', next_);
    if (end == std::string_view::npos) refuse_damaged();
    const std::string_view found = take(end - next_);
    take(1);
    return found;
  }

  /// Two's complement of up to 8 bytes; a larger number is none that is needed.
  void push_long(std::size_t bytes) {
    const std::string_view digits = take(bytes);
    if (bytes > 8) return push(std::monostate{});
    std::uint64_t bits = little_endian(digits);
    const bool is_negative = bytes > 0 && bytes < 8 && (bits >> (8 * bytes - 1) & 1U) == 1;
    if (is_negative) bits |= ~std::uint64_t{0} << 8 * bytes;
    push(static_cast<std::int64_t>(bits));
  }

  double real() {
    std::uint64_t bits = 0;  // big-endian, alone among them
    for (const char byte : take(8)) bits = bits << 8U | static_cast<unsigned char>(byte);
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  // --- The stack

  template <class T>
  void push(T value) {
    stack_.push_back({{value}});
  }

  PickleValue pop() {
    const std::size_t bottom = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() <= bottom) refuse_damaged();
    const PickleValue value = stack_.back();
    stack_.pop_back();
    return value;
  }

  template <class T>
  T pop_as() {
    const std::optional<T> value = pop().as<T>();
    if (!value) refuse_damaged();
    return *value;
  }

  PickleList pop_marked() {
    if (marks_.empty()) refuse_damaged();
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    PickleList values(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return values;
  }

  PickleList pop_several(std::size_t count) {
    PickleList values(count);
    for (std::size_t i = count; i-- > 0;) values[i] = pop();
    return values;
  }

  void push_list(PickleList values) {
    arena_->lists.push_back(std::move(values));
    push<const PickleList*>(&arena_->lists.back());
  }

  void push_dictionary() {
    arena_->dictionaries.emplace_back();
    push<const PickleDictionary*>(&arena_->dictionaries.back());
  }

  /// The container on top, to be filled; nothing for what only has a name.
  template <class Container>
  Container* top() {
    const std::size_t bottom = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() <= bottom) refuse_damaged();
    if (stack_.back().as<PickleName>()) return nullptr;
    const auto found = stack_.back().as<const Container*>();
    if (!found) refuse_damaged();
    return const_cast<Container*>(*found);  // NOLINT(cppcoreguidelines-pro-type-const-cast): the arena's own
  }

  void set_items(const PickleList& items) {
    auto* const dictionary = top<PickleDictionary>();
    if (items.size() % 2 != 0) refuse_damaged();
    if (dictionary == nullptr) return;
    for (std::size_t i = 0; i < items.size(); i += 2) dictionary->emplace_back(items[i], items[i + 1]);
  }

  void append(const PickleList& items) {
    auto* const list = top<PickleList>();
    if (list != nullptr) list->insert(list->end(), items.begin(), items.end());
  }

  // --- What would call something

  void name_of_lines() {
    const std::string_view module = line();
    push(PickleName{module, line()});
  }

  void name_of_stack() {
    const auto name = pop_as<std::string_view>();
    push(PickleName{pop_as<std::string_view>(), name});
  }

  /// The state of a dictionary, notes of a library's own, or of an object of which only the class is known.
  void leave_state() {
    pop();
    top<PickleDictionary>();
  }

  /// An object of the class that stands before so many arguments.
  void push_object(std::size_t arguments) {
    pop_several(arguments);
    push(pop_as<PickleName>());
  }

  std::vector<std::size_t> sizes(const PickleValue& value) {
    const auto list = value.as<const PickleList*>();
    std::vector<std::size_t> found;
    if (!list || (*list)->size() > most_axes) refuse_damaged();
    for (const PickleValue& one : **list) {
      const auto size = one.as<std::int64_t>();
      if (!size || *size < 0) refuse_damaged();
      found.push_back(static_cast<std::size_t>(*size));
    }
    return found;
  }

  /// ('storage', torch.FloatStorage, '0', 'cpu', 160)
  void push_storage() {
    const auto* const parts = pop_as<const PickleList*>();
    if (parts->size() != 5) refuse_damaged();
    const auto name = (*parts)[1].as<PickleName>();
    const auto key = (*parts)[2].as<std::string_view>();
    if (!name || !key) refuse_damaged();
    if (const auto type = storage_type(*name)) {
      push(PickleStorage{*type, *key});
    } else {
      push(*name);  // of numbers that are not read: complex ones, bytes of whichever type
    }
  }

  void push_tensor(const PickleList& parts) {
    if (parts.size() < 4) refuse_damaged();
    if (const auto foreign = parts[0].as<PickleName>()) return push(*foreign);
    const auto storage = parts[0].as<PickleStorage>();
    const auto first = parts[1].as<std::int64_t>();
    if (!storage || !first || *first < 0) refuse_damaged();
    arena_->tensors.push_back(
        {storage->key, storage->type, static_cast<std::size_t>(*first), sizes(parts[2]), sizes(parts[3])});
    push<const PickledTensor*>(&arena_->tensors.back());
  }

  /// A call: what it would do in Python is done here, or only its name is kept.
  void reduce() {
    const auto* const arguments = pop_as<const PickleList*>();
    const auto name = pop_as<PickleName>();
    const bool is_parameter = is_name(name, "torch._utils", "_rebuild_parameter") ||
                              is_name(name, "torch._utils", "_rebuild_parameter_with_state");
    if (is_name(name, "collections", "OrderedDict")) {
      push_dictionary();
    } else if (is_parameter && !arguments->empty()) {
      stack_.push_back(arguments->front());
    } else if (is_name(name, "torch._utils", "_rebuild_tensor_v2")) {
      push_tensor(*arguments);
    } else if (is_name(name, "torch._utils", "_rebuild_tensor_v3") && arguments->size() >= 7) {
      stack_.push_back((*arguments)[6]);  // of a type that has no storage of its own: torch.float8_e4m3fn
    } else if (is_name(name, "torch._tensor", "_rebuild_from_type_v2") && arguments->size() >= 3) {
      const auto parts = (*arguments)[2].as<const PickleList*>();  // of a tensor with attributes
      const bool is_tensor = (*arguments)[0].as<PickleName>().value_or(name).name == "_rebuild_tensor_v2";
      if (is_tensor && parts) return push_tensor(**parts);
      push(name);
    } else {
      if (!is_of_notes(name)) refuse_call(name);
      push(name);
    }
  }

  // --- The memo

  void put(std::uint64_t place) {
    if (stack_.empty()) refuse_damaged();
    memo_[place] = stack_.back();
  }

  void get(std::uint64_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) refuse_damaged();
    stack_.push_back(found->second);
  }

  using Instruction = void (*)(Unpickler&);

  /// Python's pickletools, opcodes.
  static const std::map<unsigned char, Instruction>& instructions() {
    static const std::map<unsigned char, Instruction> all{
        {0x80, [](Unpickler& u) { u.take(1); }},  // the protocol's number
        {0x95, [](Unpickler& u) { u.take(8); }},  // a frame's length
        {'N', [](Unpickler& u) { u.push(std::monostate{}); }},
        {0x88, [](Unpickler& u) { u.push(true); }},
        {0x89, [](Unpickler& u) { u.push(false); }},
        {'K', [](Unpickler& u) { u.push(static_cast<std::int64_t>(u.number(1))); }},
        {'M', [](Unpickler& u) { u.push(static_cast<std::int64_t>(u.number(2))); }},
        {'J', [](Unpickler& u) { u.push(std::int64_t{static_cast<std::int32_t>(u.number(4))}); }},
        {0x8A, [](Unpickler& u) { u.push_long(u.number(1)); }},
        {'G', [](Unpickler& u) { u.push(u.real()); }},
        {0x8C, [](Unpickler& u) { u.push(u.take(u.number(1))); }},
        {'C', [](Unpickler& u) { u.push(u.take(u.number(1))); }},
        {'X', [](Unpickler& u) { u.push(u.take(u.number(4))); }},
        {'B', [](Unpickler& u) { u.push(u.take(u.number(4))); }},
        {0x8D, [](Unpickler& u) { u.push(u.take(u.number(8))); }},
        {')', [](Unpickler& u) { u.push_list({}); }},
        {']', [](Unpickler& u) { u.push_list({}); }},
        {'}', [](Unpickler& u) { u.push_dictionary(); }},
        {'(', [](Unpickler& u) { u.marks_.push_back(u.stack_.size()); }},
        {'t', [](Unpickler& u) { u.push_list(u.pop_marked()); }},
        {0x85, [](Unpickler& u) { u.push_list(u.pop_several(1)); }},
        {0x86, [](Unpickler& u) { u.push_list(u.pop_several(2)); }},
        {0x87, [](Unpickler& u) { u.push_list(u.pop_several(3)); }},
        {'a', [](Unpickler& u) { u.append(u.pop_several(1)); }},
        {'e', [](Unpickler& u) { u.append(u.pop_marked()); }},
        {'s', [](Unpickler& u) { u.set_items(u.pop_several(2)); }},
        {'u', [](Unpickler& u) { u.set_items(u.pop_marked()); }},
        {'q', [](Unpickler& u) { u.put(u.number(1)); }},
        {'r', [](Unpickler& u) { u.put(u.number(4)); }},
        {0x94, [](Unpickler& u) { u.put(u.memo_.size()); }},
        {'h', [](Unpickler& u) { u.get(u.number(1)); }},
        {'j', [](Unpickler& u) { u.get(u.number(4)); }},
        {'c', [](Unpickler& u) { u.name_of_lines(); }},
        {0x93, [](Unpickler& u) { u.name_of_stack(); }},
        {'Q', [](Unpickler& u) { u.push_storage(); }},
        {'R', [](Unpickler& u) { u.reduce(); }},
        {'b', [](Unpickler& u) { u.leave_state(); }},
        {0x81, [](Unpickler& u) { u.push_object(1); }},
        {0x92, [](Unpickler& u) { u.push_object(2); }},
        {0x8F, [](Unpickler& u) { u.push_list({}); }},  // a set
        {0x90, [](Unpickler& u) { u.append(u.pop_marked()); }},
        {0x91, [](Unpickler& u) { u.push_list(u.pop_marked()); }},
        {'0', [](Unpickler& u) { u.pop(); }},
        {'1', [](Unpickler& u) { u.pop_marked(); }},
        {0x8B, [](Unpickler& u) { u.push_long(u.number(4)); }},
        {0x8E, [](Unpickler& u) { u.push(u.take(u.number(8))); }},
    };
    return all;
  }

  const std::string& file_;
  std::shared_ptr<Arena> arena_ = std::make_shared<Arena>();
  std::size_t next_ = 0;
  std::size_t at_ = 0;  // where the instruction began
  PickleList stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleValue> memo_;
};

}  // namespace

Unpickled unpickled(const SharedBytes& bytes, const std::string& file) {
  if (bytes.view.size() > largest_pickle) {
    refuse_file(file,
                text("pickle が {} バイトあります（{} バイトまで）",
                     "its pickle has {} bytes; at most {} are read", bytes.view.size(), largest_pickle),
                save_weights_alone);
  }
  return Unpickler(bytes, file).read();
}

PickleValue value_under(const PickleValue& dictionary, std::string_view key) {
  const auto entries = dictionary.as<const PickleDictionary*>();
  if (!entries) return {};
  for (const auto& [name, value] : **entries) {
    if (name.as<std::string_view>() == key) return value;
  }
  return {};
}

}  // namespace attnlab
