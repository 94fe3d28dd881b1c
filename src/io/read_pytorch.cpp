// What torch.save writes since PyTorch 1.6: a zip archive with a pickle that describes the tensors, and a
// member for the numbers of each storage. Nothing in it is packed, so tensors are used where they lie.
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/pickle.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

const Text save_torch_again{"PyTorch 1.6 以降の torch.save で保存し直してください",
                            "save it again with torch.save of PyTorch 1.6 or newer"};

// --- The archive: libzip would copy what lies in it

[[noreturn]] void refuse_torch_archive(const std::string& file, std::size_t place) {
  refuse_file(file, at_byte(place), {"zip として壊れています", "the zip archive is damaged"},
              save_torch_again);
}

/// Little-endian numbers of a zip archive; outside of it the file is refused.
class ZipBytes {
 public:
  ZipBytes(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::uint64_t number(std::uint64_t place, std::size_t size) const {
    return little_endian(part(place, size));
  }
  std::string_view part(std::uint64_t place, std::uint64_t size) const {
    if (place > bytes_.size() || size > bytes_.size() - place) refuse_torch_archive(file_, bytes_.size());
    return bytes_.substr(place, size);
  }
  void require(std::uint64_t place, std::string_view signature) const {
    if (part(place, signature.size()) != signature) refuse_torch_archive(file_, place);
  }

 private:
  std::string_view bytes_;
  const std::string& file_;
};

struct TorchDirectory {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

/// Source: PKWARE's APPNOTE.TXT, 4.3.14 to 4.3.16.
TorchDirectory directory_of(const ZipBytes& zip, std::string_view bytes, const std::string& file) {
  const std::size_t end = bytes.rfind("PK\5\6");
  if (end == std::string_view::npos) refuse_torch_archive(file, bytes.size());
  if (end >= 20 && zip.part(end - 20, 4) == "PK\6\7") {  // of a large archive
    const std::uint64_t large = zip.number(end - 12, 8);
    zip.require(large, "PK\6\6");
    return {zip.number(large + 48, 8), zip.number(large + 32, 8)};
  }
  return {zip.number(end + 16, 4), zip.number(end + 10, 2)};
}

struct TorchMember {
  std::size_t offset = 0;
  std::size_t size = 0;
};

/// Size and place of a member; of a large one they stand in a field of their own (APPNOTE.TXT, 4.5.3).
TorchMember member_at(const ZipBytes& zip, std::uint64_t entry, std::uint64_t field,
                      std::uint64_t fields_end) {
  constexpr std::uint64_t is_elsewhere = 0xFFFFFFFF;
  std::uint64_t packed = zip.number(entry + 20, 4);
  std::uint64_t size = zip.number(entry + 24, 4);
  std::uint64_t place = zip.number(entry + 42, 4);
  while (field + 4 <= fields_end && zip.number(field, 2) != 1) field += 4 + zip.number(field + 2, 2);
  std::uint64_t next = field + 4;
  for (std::uint64_t* const number : {&size, &packed, &place}) {
    if (*number != is_elsewhere) continue;
    *number = zip.number(next, 8);
    next += 8;
  }
  zip.require(place, "PK\3\4");
  const std::uint64_t begin = place + 30 + zip.number(place + 26, 2) + zip.number(place + 28, 2);
  zip.part(begin, size);
  return {begin, size};
}

/// By their names without the folder: "data.pkl", "data/0".
std::map<std::string, TorchMember> torch_members(std::string_view bytes, const std::string& file) {
  const ZipBytes zip(bytes, file);
  const TorchDirectory directory = directory_of(zip, bytes, file);
  std::map<std::string, TorchMember> members;
  std::uint64_t at = directory.begin;
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    zip.require(at, "PK\1\2");
    const std::uint64_t name_size = zip.number(at + 28, 2);
    const std::uint64_t fields_size = zip.number(at + 30, 2);
    const std::string name(zip.part(at + 46, name_size));
    if (zip.number(at + 10, 2) != 0 || (zip.number(at + 8, 2) & 1U) == 1) {
      refuse_file(file, in_array(name), {"圧縮か暗号化がされています", "it is packed or encrypted"},
                  save_torch_again);
    }
    const std::uint64_t fields = at + 46 + name_size;
    members[name.substr(name.find('/') + 1)] = member_at(zip, at, fields, fields + fields_size);
    at += 46 + name_size + fields_size + zip.number(at + 32, 2);
  }
  return members;
}

// --- Its tensors

struct TorchArchive {
  SharedBytes bytes;
  std::string file;
  std::map<std::string, TorchMember> members;
  Unpickled pickle;
};

TorchArchive torch_archive(const SharedBytes& whole, const std::string& file) {
  TorchArchive archive{whole, file, {}, {}};
  const std::string_view bytes = archive.bytes.view;
  if (bytes.rfind("PK\3\4", 0) != 0) {
    refuse_file(file, at_byte(0),
                {"PyTorch 1.6 以降の形式ではありません", "it is no file of PyTorch 1.6 or newer"},
                save_torch_again);
  }
  archive.members = torch_members(bytes, file);
  const auto pickle = archive.members.find("data.pkl");
  if (pickle == archive.members.end())
    refuse_file(file, at_byte(0), {"data.pkl がありません", "it has no data.pkl"}, save_torch_again);
  if (const auto order = archive.members.find("byteorder"); order != archive.members.end()) {
    if (bytes.substr(order->second.offset, order->second.size) != "little") {
      refuse_file(file, in_array("byteorder"), {"little ではありません", "it is not little"},
                  save_torch_again);
    }
  }
  archive.pickle =
      unpickled(archive.bytes.part(pickle->second.offset, pickle->second.size), file + ":data.pkl");
  return archive;
}

/// Whether its numbers follow one another in the order of its indices.
bool is_contiguous(const PickledTensor& tensor) {
  std::size_t step = 1;
  for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != step) return false;
    step *= tensor.shape[axis];
  }
  return true;
}

/// How many numbers of the storage lie between its first and its last, both counted; nothing for more than
/// `most`.
std::optional<std::size_t> extent_of(const PickledTensor& tensor, std::size_t most) {
  std::size_t extent = 1;
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    const std::size_t steps = tensor.shape[axis] - std::min<std::size_t>(tensor.shape[axis], 1);
    const std::size_t stride = tensor.strides[axis];
    if (steps > 0 && stride > (most - extent) / steps) return std::nullopt;
    extent += steps * stride;
  }
  return extent <= most ? std::optional(extent) : std::nullopt;
}

/// The numbers of a transposed tensor, or of a part of another, in the order of its indices.
SharedBytes in_order(const SharedBytes& extent, const PickledTensor& tensor, std::size_t count) {
  const std::size_t width = size_of(tensor.type);
  std::string bytes;
  bytes.reserve(count * width);
  std::vector<std::size_t> index(tensor.shape.size(), 0);
  std::size_t place = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bytes += extent.view.substr(place * width, width);
    for (std::size_t axis = index.size(); axis-- > 0;) {
      place += tensor.strides[axis];
      if (++index[axis] < tensor.shape[axis]) break;
      place -= tensor.strides[axis] * tensor.shape[axis];
      index[axis] = 0;
    }
  }
  return shared(std::move(bytes));
}

StoredTensor stored_tensor(const TorchArchive& archive, const std::string& name,
                           const PickledTensor& pickled) {
  const std::size_t count = checked_size(pickled.shape, largest_shape_size, archive.file, in_array(name));
  const auto member = archive.members.find("data/" + std::string(pickled.storage));
  const std::size_t width = size_of(pickled.type);
  const std::size_t stored = member == archive.members.end() ? 0 : member->second.size / width;
  const std::size_t behind = stored - std::min(stored, pickled.first);
  const bool fits = pickled.strides.size() == pickled.shape.size() && count <= behind;
  const std::optional<std::size_t> extent = fits && count > 0 ? extent_of(pickled, behind) : count;
  if (!fits || !extent) {
    refuse_file(archive.file, in_array(name),
                text("{} 個の数がありません", "its {} numbers are not all there", count), save_torch_again);
  }
  const std::size_t offset = count > 0 ? member->second.offset + pickled.first * width : 0;
  SharedBytes part = archive.bytes.part(offset, *extent * width);
  StoredTensor tensor = lying_tensor(name, pickled.type, pickled.shape, part, offset);
  if (!is_contiguous(pickled)) {
    tensor.bytes = [part = std::move(part), pickled, count, owner = archive.pickle.owner] {
      return in_order(part, pickled, count);
    };
  }
  return tensor;
}

// --- What stands beside tensors

Text pickled_kind(const PickleValue& value) {
  if (const auto name = value.as<PickleName>())
    return Text::same(printable(fmt::format("{}.{}", name->module, name->name)));
  if (value.as<const PickleDictionary*>()) return {"辞書", "a dictionary"};
  if (value.as<const PickleList*>()) return {"リスト", "a list"};
  if (value.as<std::string_view>()) return {"文字列", "words"};
  if (value.as<bool>()) return {"真偽値", "a truth value"};
  if (value.as<PickleStorage>()) return {"形状のない数", "numbers without a shape"};
  return value.as<std::monostate>() ? Text::same("None") : Text{"1 つの数", "a number"};
}

StoredTensor foreign_value(const PickleValue& value, const std::string& name, const std::string& file) {
  const Text kind = pickled_kind(value);
  return foreign_tensor(name, {}, kind, [kind, name, file] {
    refuse_file(
        file, in_array(name),
        text("{} です。実数のテンソルが必要です", "it is {}; a tensor of real numbers is needed", kind),
        {"実数か整数か bool のテンソルとして保存してください",
         "save it as a tensor of floating point numbers, integers or bool"});
  });
}

bool holds_tensor(const std::vector<StoredTensor>& members) {
  return std::any_of(members.begin(), members.end(),
                     [](const StoredTensor& member) { return !member.foreign; });
}

using Seen = std::set<const PickleDictionary*>;

/// What a dictionary holds, with `prefix` before its names; of those in it that hold tensors, down to
/// `depth`, what they hold ("encoder.weight"). Each is looked into once.
std::vector<StoredTensor> members_of(const TorchArchive& archive, const PickleDictionary& dictionary,
                                     const std::string& prefix, std::size_t depth, Seen& seen) {
  std::vector<StoredTensor> members;
  std::set<std::string_view> names;
  for (const auto& [key, value] : dictionary) {
    const auto word = key.as<std::string_view>();
    if (!word || !names.insert(*word).second) continue;
    const std::string name = prefix + std::string(*word);
    if (const auto tensor = value.as<const PickledTensor*>()) {
      members.push_back(stored_tensor(archive, name, **tensor));
      continue;
    }
    const auto inner = value.as<const PickleDictionary*>();
    std::vector<StoredTensor> more;
    if (inner && depth > 0 && seen.insert(*inner).second)
      more = members_of(archive, **inner, name + ".", depth - 1, seen);
    if (!holds_tensor(more)) more = {foreign_value(value, name, archive.file)};
    std::move(more.begin(), more.end(), std::back_inserter(members));
  }
  return members;
}

std::vector<StoredTensor> members_of(const TorchArchive& archive, const PickleDictionary& dictionary,
                                     std::size_t depth) {
  Seen seen;
  return members_of(archive, dictionary, "", depth, seen);
}

/// What stands where tensors should: a class of Python's, and how to save its tensors.
[[noreturn]] void refuse_object(const TorchArchive& archive, const PickleName& name, const std::string& key) {
  const std::string whole = fmt::format("{}.{}", name.module, name.name);
  const std::string file = archive.file.substr(0, archive.file.rfind('.'));
  refuse_file(archive.file,
              text("テンソルではなく {} が入っていますが、ファイルの中のものは何も実行しません",
                   "it asks for {}, but nothing in a file is ever run", quotation(whole)),
              text("これを保存した Python で、テンソルだけを保存してください："
                   "torch.save(torch.load({0}, weights_only=False){1}.state_dict(), {2})",
                   "in the Python that saved it, save its tensors alone: "
                   "torch.save(torch.load({0}, weights_only=False){1}.state_dict(), {2})",
                   python_literal(archive.file), key, python_literal(file + "-weights.pt")));
}

/// Of torch's own only layers are; its storages and NumPy's arrays are numbers that are not read.
bool may_be_model(const PickleName& name) {
  const bool is_library = name.module.rfind("torch", 0) == 0 || name.module.rfind("numpy", 0) == 0;
  return !is_library || name.module.rfind("torch.nn", 0) == 0;
}

/// A tensor alone, or a dictionary of tensors: what a training saved under one of these keys beside other
/// things, the whole of it, or the dictionaries in it.
std::vector<StoredTensor> tensors_of_archive(const TorchArchive& archive) {
  constexpr std::size_t deepest = 8;
  const PickleValue& value = archive.pickle.value;
  if (const auto object = value.as<PickleName>()) refuse_object(archive, *object, "");
  if (const auto tensor = value.as<const PickledTensor*>()) return {stored_tensor(archive, "", **tensor)};
  const auto whole = value.as<const PickleDictionary*>();
  std::vector<StoredTensor> members;
  for (const char* key : {"model", "state_dict", "model_state_dict"}) {
    const PickleValue inner = value_under(value, key);
    const auto dictionary = inner.as<const PickleDictionary*>();
    if (dictionary && !holds_tensor(members)) members = members_of(archive, **dictionary, 0);
    if (const auto object = inner.as<PickleName>(); object && !holds_tensor(members))
      refuse_object(archive, *object, fmt::format("[{}]", python_literal(key)));
  }
  for (const std::size_t depth : {std::size_t{0}, deepest}) {
    if (whole && !holds_tensor(members)) members = members_of(archive, **whole, depth);
  }
  if (holds_tensor(members)) return members;
  for (std::size_t i = 0; whole && i < (**whole).size(); ++i) {
    const auto key = (**whole)[i].first.as<std::string_view>();
    if (const auto object = (**whole)[i].second.as<PickleName>(); object && key && may_be_model(*object))
      refuse_object(archive, *object, fmt::format("[{}]", python_literal(std::string(*key))));
  }
  if (!members.empty()) return members;
  refuse_file(
      archive.file, {"名前のついたテンソルの辞書がありません", "it holds no dictionary of named tensors"},
      {"model.state_dict() を torch.save で保存してください", "save model.state_dict() with torch.save"});
}

/// The numbers, texts and truth values of a dictionary.
nlohmann::json plain_values(const PickleDictionary& dictionary) {
  nlohmann::json values = nlohmann::json::object();
  for (const auto& [key, value] : dictionary) {
    const auto name = key.as<std::string_view>();
    if (!name) continue;
    const std::string own = printable(*name);
    if (const auto truth = value.as<bool>()) values[own] = *truth;
    if (const auto number = value.as<std::int64_t>())
      values[own] =
          *number < 0 ? nlohmann::json(*number) : nlohmann::json(static_cast<std::uint64_t>(*number));
    if (const auto word = value.as<std::string_view>()) values[own] = printable(*word);
    if (const auto number = value.as<double>()) values[own] = *number;
  }
  return values;
}

}  // namespace

std::string python_literal(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

ListedFile list_pytorch(const SharedBytes& bytes, const std::string& file) {
  const TorchArchive archive = torch_archive(bytes, file);
  ListedFile found{tensors_of_archive(archive)};
  const auto arguments = value_under(archive.pickle.value, "model_args").as<const PickleDictionary*>();
  if (arguments) found.values = plain_values(**arguments);
  return found;
}

}  // namespace attnlab
