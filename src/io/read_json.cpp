// Numbers in JSON: nested lists, or attnlab's own arrays with their shape beside them.
#include "core/counted.hpp"
#include "core/json.hpp"
#include "core/utf16.hpp"
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"
#include "results/report/array.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_arrays = 1024;

using Shape = std::vector<std::size_t>;

/// One array of a file, for the messages.
struct Place {
  const std::string& file;
  std::string name;

  [[noreturn]] void refuse(const Text& problem, const Text& hint) const {
    const Text place = name.empty() ? Text::same("") : in_array(name);
    refuse_file(file, place, problem, hint);
  }
};

const Text write_as_tolist{"json.dump(配列.tolist(), ファイル) のように保存してください",
                           "save it as in json.dump(array.tolist(), file)"};

/// "[0][2]".
std::string index_text(const Shape& index) {
  std::string text;
  for (const std::size_t i : index) text += fmt::format("[{}]", i);
  return text;
}

std::optional<double> number_in(const Json& json) {
  return json.is_boolean() ? (json.get<bool>() ? 1.0 : 0.0) : number_of(json);
}

Text kind_of(const Json& json) {
  if (json.is_array()) return {"リスト", "a list"};
  if (json.is_object()) return {"オブジェクト", "an object"};
  const std::string found = json.is_string() ? quotation(json.get_ref<const std::string&>()) : json.dump();
  return Text::same(found);
}

double needed_number(const Json& json, const Shape& index, const Place& place) {
  if (const std::optional<double> number = number_in(json)) return *number;
  const std::string where = index_text(index);
  const Text found = kind_of(json);
  place.refuse(attnlab::text("{} に {} があります。数値が必要です",
                             "there is {1} at {0} where a number is needed", where, found),
               {"非数と無限大は \"nan\", \"inf\", \"-inf\" と書いてください",
                "write what is not finite as \"nan\", \"inf\" or \"-inf\""});
}

// --- Nested lists

/// As the first entries say, the whole way down.
Shape shape_of(const Json& list) {
  Shape shape;
  for (const Json* inner = &list; inner->is_array(); inner = &inner->front()) {
    shape.push_back(inner->size());
    if (inner->empty()) break;
  }
  return shape;
}

void append(const Json& json, const Shape& shape, Shape& index, std::vector<double>& values,
            const Place& place) {
  if (index.size() == shape.size()) {
    values.push_back(needed_number(json, index, place));
    return;
  }
  const std::size_t length = shape[index.size()];
  if (!json.is_array() || json.size() != length) {
    const std::string where = index_text(index);
    const Text found =
        json.is_array() ? attnlab::text("長さ {} のリスト", "a list of {}", json.size()) : kind_of(json);
    place.refuse(attnlab::text("{} に {} があります。ほかと同じ長さ {} のリストが必要です",
                               "there is {1} at {0} where a list of {2} is needed, as before it", where,
                               found, length),
                 {"どの行も同じ個数にしてください", "give every row the same number of values"});
  }
  for (std::size_t i = 0; i < length; ++i) {
    index.push_back(i);
    append(json[i], shape, index, values, place);
    index.pop_back();
  }
}

StoredTensor of_nested_lists(const Json& list, const Place& place) {
  const Shape shape = shape_of(list);
  std::vector<double> values;
  Shape index;
  append(list, shape, index, values, place);
  return spelt_out(place.name, shape, std::move(values));
}

// --- Shape and flat data

Shape stated_shape(const Json& json, const Place& place) {
  if (!json.is_array()) {
    place.refuse({"\"shape\" がリストではありません", "its \"shape\" is not a list"}, write_as_tolist);
  }
  Shape shape;
  for (const Json& length : json) {
    if (!length.is_number_unsigned()) {
      place.refuse({"\"shape\" に 0 以上の整数でないものがあります",
                    "its \"shape\" holds what is not a whole number from 0"},
                   write_as_tolist);
    }
    shape.push_back(length.get<std::size_t>());
  }
  checked_size(shape, largest_array_size, place.file, in_array(place.name));
  return shape;
}

std::vector<double> flat_values(const Json& data, const Place& place) {
  if (!data.is_array()) {
    place.refuse({"\"data\" がリストではありません", "its \"data\" is not a list"}, write_as_tolist);
  }
  std::vector<double> values;
  values.reserve(data.size());
  for (const Json& number : data) values.push_back(needed_number(number, {values.size()}, place));
  return values;
}

StoredTensor of_flat_data(const Json& json, const Place& place) {
  const Shape shape = stated_shape(json["shape"], place);
  std::vector<double> values = flat_values(json["data"], place);
  const std::size_t needed = checked_size(shape, largest_array_size, place.file, {place.name, place.name});
  if (values.size() != needed) {
    place.refuse(
        attnlab::text("値が {} 個ありますが、形状 {} には {} 個必要です", "it has {}; its shape {} needs {}",
                      counted(values.size(), "value"), shape_text(shape), needed),
        write_as_tolist);
  }
  if (json.value("dtype", Json()) == "float32") {
    return spelt_out(place.name, shape, std::vector<float>(values.begin(), values.end()));
  }
  return spelt_out(place.name, shape, std::move(values));
}

StoredTensor tensor_of(const Json& json, const Place& place) {
  if (json.is_array()) return of_nested_lists(json, place);
  if (json.is_object() && json.contains("shape") && json.contains("data")) return of_flat_data(json, place);
  const Text found = kind_of(json);
  place.refuse(attnlab::text("{} があります。入れ子のリストか \"shape\" と \"data\" が必要です",
                             "there is {} where nested lists, or \"shape\" and \"data\", are needed", found),
               write_as_tolist);
}

/// What is listed of a member that is no array.
Text json_kind(const Json& json) {
  if (json.is_string()) return {"文字列", "words"};
  if (json.is_number()) return {"1 つの数", "a number"};
  if (json.is_boolean()) return {"真偽値", "a truth value"};
  return json.is_null() ? Text::same("null") : kind_of(json);
}

bool is_list_of_words(const Json& json) {
  return json.is_array() && !json.empty() &&
         std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_string(); });
}

/// A member that cannot be read as an array is foreign; how it fails is said to whom asks for it.
StoredTensor member_of(const Json& json, const Place& place) {
  try {
    return tensor_of(json, place);
  } catch (const Error& error) {
    StoredTensor foreign = foreign_tensor(place.name, {}, json_kind(json), [error] { throw error; });
    if (is_list_of_words(json))
      foreign.words = [words = json.get<std::vector<std::string>>()] { return words; };
    return foreign;
  }
}

std::vector<StoredTensor> tensors_of(const Json& json, const std::string& file) {
  if (is_list_of_words(json)) return {member_of(json, {file, ""})};
  if (!json.is_object() || (json.contains("shape") && json.contains("data"))) {
    return {tensor_of(json, {file, ""})};
  }
  const Json& arrays = json.contains("arrays") && json["arrays"].is_object() ? json["arrays"] : json;
  std::vector<StoredTensor> tensors;
  for (const auto& [name, array] : arrays.items()) tensors.push_back(member_of(array, {file, name}));
  return tensors;
}

}  // namespace

ListedFile list_json(const SharedBytes& bytes, const std::string& file) {
  check_text_size(bytes.view, file);
  const std::optional<std::string> converted = utf8_of_utf16(bytes.view);
  const std::string_view json = without_byte_order_mark(converted ? *converted : bytes.view);
  const std::size_t offset = converted ? 0 : bytes.view.size() - json.size();
  check_json_text(json, {largest_array_size, most_arrays}, offset, file);
  return {tensors_of(parsed_json(json), file)};
}

}  // namespace attnlab
