// Arrays of others: what NumPy saved is read exactly, and bytes that lie are refused with the place and the
// reason.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <zip.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "io/folder.hpp"
#include "io/report_files.hpp"
#include "io/sample_report.hpp"
#include "io/tensor_file.hpp"
#include "io/unreadable.hpp"
#include "source_dir.hpp"

using attnlab::Error;
using attnlab::NamedArray;
using attnlab::TensorFormat;
using attnlab::test::contains;
using attnlab::test::Folder;
using attnlab::test::put;
using Storage = NamedArray::Storage;

namespace {

using Shape = std::vector<std::size_t>;
using Numbers = std::vector<double>;
using attnlab::infinity;

std::filesystem::path saved(const std::string& name) {
  return attnlab::source_dir() / "data" / "reference" / "array_files" / name;
}

std::vector<NamedArray> read_arrays(const std::filesystem::path& path) {
  return named_arrays(attnlab::open_tensors(path.string()));
}

std::vector<NamedArray> read_as(TensorFormat format, const std::string& bytes, const std::string& file) {
  return named_arrays(tensors_in(attnlab::shared(bytes), format, file));
}

std::vector<NamedArray> read_npy(const std::string& bytes, const std::string& file) {
  return read_as(TensorFormat::npy, bytes, file);
}

std::vector<NamedArray> read_npz(const std::string& bytes, const std::string& file) {
  return read_as(TensorFormat::npz, bytes, file);
}

std::vector<NamedArray> read_csv(const std::string& text, const std::string& file) {
  return read_as(TensorFormat::csv, text, file);
}

NamedArray only(const std::vector<NamedArray>& arrays) {
  REQUIRE(arrays.size() == 1);
  return arrays.front();
}

NamedArray load(const std::string& name) { return only(read_arrays(saved(name))); }

/// What the error says in English, or "" when there is none.
template <class Read>
std::string raised(Read read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string complaint_about_npy(const std::string& bytes) {
  return raised([&] { read_npy(bytes, "w.npy"); });
}

std::string complaint_about_csv(const std::string& text) {
  return raised([&] { read_csv(text, "w.csv"); });
}

std::string complaint_about_npz(const std::string& bytes) {
  return raised([&] { read_npz(bytes, "w.npz"); });
}

/// The same in Japanese.
template <class Read>
std::string japanese_complaint(Read read) {
  try {
    read();
  } catch (const Error& error) {
    return error.message(attnlab::Language::ja);
  }
  return "";
}

/// An npy of version 1.0 with this header and these bytes after it.
std::string npy(const std::string& header, const std::string& data) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xFFU);
  bytes += static_cast<char>(header.size() >> 8U);
  return bytes + header + data;
}

std::string npy_of_shape(const std::string& shape, const std::string& data) {
  return npy("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }\n", data);
}

const std::string one_number(8, '\0');

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& members) {
  const Folder folder;
  const std::string path = (folder / "a.zip").string();
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  REQUIRE(archive != nullptr);
  for (const auto& [name, contents] : members) {
    zip_source_t* source = zip_source_buffer(archive, contents.data(), contents.size(), 0);
    REQUIRE(zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8) >= 0);
  }
  REQUIRE(zip_close(archive) == 0);
  return attnlab::test::read(path);
}

}  // namespace

TEST_CASE("what NumPy saved is read exactly whatever its type and order") {
  const Numbers matrix{0.5, -1.25, 3.0, 1e-3, infinity, 7.0};
  for (const std::string name : {"float64.npy", "big_endian.npy", "fortran.npy"}) {
    CAPTURE(name);
    const NamedArray array = load(name);
    CHECK(array.array.shape == Shape{2, 3});
    CHECK(array.array.data == matrix);
    CHECK(array.storage == Storage::float64);
  }
  const NamedArray cube = load("fortran_three_axes.npy");
  CHECK(cube.array.shape == Shape{2, 3, 4});
  for (std::size_t i = 0; i < 24; ++i) CHECK(cube.array.data[i] == static_cast<double>(i));
}

TEST_CASE("short floats keep their special values") {
  const NamedArray single = load("float32.npy");
  CHECK(single.storage == Storage::float32);
  CHECK(single.array.data[0] == static_cast<double>(0.1F));
  CHECK(single.array.data[1] == -infinity);
  CHECK(std::isnan(single.array.data[2]));
  const NamedArray half = load("float16.npy");
  CHECK(half.storage == Storage::float16);
  CHECK(half.array.data[0] == 0.0999755859375);  // 1638.0 / 2^14
  CHECK(half.array.data[1] == 65504.0);
  CHECK(half.array.data[2] == -std::ldexp(1.0, -24));  // the smallest
  CHECK(half.array.data[3] == infinity);
  CHECK(std::isnan(half.array.data[4]));
  CHECK(half.array.data[5] == -2.0);
}

TEST_CASE("integers and truth values become numbers") {
  CHECK(load("int64.npy").array.data == Numbers{-3, 0, 1099511627776.0});
  CHECK(load("int16_big_endian.npy").array.data == Numbers{-2, 258});
  CHECK(load("uint8.npy").array.data == Numbers{0, 255});
  CHECK(load("bool.npy").array.data == Numbers{1, 0});
  CHECK(load("bool.npy").storage == Storage::integers);
  CHECK(load("scalar.npy").array.shape.empty());
  CHECK(load("scalar.npy").array.data == Numbers{2.5});
  CHECK(load("empty.npy").array.shape == Shape{0, 3});
  CHECK(load("empty.npy").array.data.empty());
}

TEST_CASE("arrays that are no numbers are refused by name") {
  CHECK(contains(raised([] { load("objects.npy"); }), "Python objects"));
  CHECK(contains(raised([] { load("complex.npy"); }), "'<c16'"));
  CHECK(contains(raised([] { load("text.npy"); }), "'<U1'"));
  CHECK(contains(raised([] { load("records.npy"); }), "records"));
}

TEST_CASE(
    "what is no array of numbers in an npz leaves the others readable, and says its type when asked for") {
  const auto of_type = [](const std::string& descr, const std::string& data) {
    return npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }", data);
  };
  const std::string bytes = zip_of({{"words.npy", of_type("'<U1'", "abcd")},
                                    {"w.npy", npy_of_shape("(1,)", one_number)},
                                    {"c.npy", of_type("'<c16'", one_number + one_number)},
                                    {"o.npy", of_type("'|O'", "\x80\x04N.")},
                                    {"r.npy", of_type("[('a]', '<f4'), ('b', [('c', '<i2')])]", "123456")},
                                    {"d.npy", of_type("'<M8[D]'", one_number)},
                                    {"note.txt", "x"},
                                    {"__MACOSX/._w.npy", std::string("\0\5\26\7", 4)},
                                    {"long.npy", of_type("'<f16'", one_number + one_number)}});
  const attnlab::TensorFile file = tensors_in(attnlab::shared(bytes), TensorFormat::npz, "w.npz");
  CHECK(only(named_arrays(file)).name == "w");
  std::vector<std::string> types;
  for (const attnlab::StoredTensor& foreign : file.foreign)
    types.push_back(foreign.name + ": " + foreign.foreign->en());
  CHECK(types == std::vector<std::string>{"words: words '<U1'", "c: complex numbers '<c16'",
                                          "o: Python objects", "r: records", "d: dates '<M8[D]'",
                                          "note.txt: no npy", "__MACOSX/._w: no npy", "long: '<f16'"});
  CHECK(file.foreign.front().shape == Shape{1});
  CHECK(contains(raised([&] { refuse_foreign(file, "c"); }), "w.npz:c.npy' at byte 10: it holds complex"));
  CHECK(contains(raised([&] { refuse_foreign(file, "r"); }), "records"));
  CHECK(raised([&] { refuse_foreign(file, "w"); }).empty());
  const std::string words =
      zip_of({{"w.npy", npy_of_shape("(1,)", one_number)}, {"tokens.npy", of_type("'|S2'", "ab")}});
  const attnlab::TensorFile both = tensors_in(attnlab::shared(words), TensorFormat::npz, "t.npz");
  CHECK(both.foreign.at(0).words() == std::vector<std::string>{"ab"});
  CHECK_FALSE(file.foreign.at(1).words);  // complex numbers
  // Where a flag names one that is foreign, no other is taken in its stead.
  CHECK(only_tensor(file, "q", "--query ").name == "w");
  CHECK(contains(raised([&] { only_tensor(file, "d", "--query "); }), "dates '<M8[D]'"));
  CHECK(contains(complaint_about_npz(zip_of({{"a.npy", of_type("'<U1'", "abcd")}, {"b.txt", ""}})),
                 "it holds no array of numbers, but 'a' (words '<U1'), 'b.txt' (no npy)"));
}

TEST_CASE("an npz gives its arrays by name whether packed or not") {
  const std::vector<NamedArray> arrays = read_arrays(saved("stored.npz"));
  REQUIRE(arrays.size() == 2);
  CHECK(arrays[0].name == "weights");
  CHECK(arrays[0].array.shape == Shape{1, 2});
  CHECK(arrays[0].array.data == Numbers{0.25, 0.75});
  CHECK(arrays[1].name == "output");
  CHECK(arrays[1].storage == Storage::float32);
  const NamedArray packed = load("compressed.npz");
  CHECK(packed.name == "weights");
  CHECK(packed.array.data == Numbers(1600, 0.0));
}

TEST_CASE("what the tool writes it reads back bit for bit") {
  const attnlab::Report report = attnlab::test::sample_report();
  const std::vector<NamedArray> npz = read_npz(attnlab::arrays_npz(report), "a.npz");
  REQUIRE(npz.size() == report.stages.size());
  const std::vector<NamedArray> csv = read_csv(attnlab::arrays_csv(report), "a.csv");
  CHECK(csv.size() == report.stages.size() - 1);  // an empty array leaves no line
  for (std::size_t i = 0; i < npz.size(); ++i) {
    CAPTURE(report.stages[i].name);
    for (const NamedArray& array : {npz[i], csv[std::min(i, csv.size() - 1)]}) {
      if (report.stages[i].name != array.name) continue;
      CHECK(array.array.shape == report.stages[i].array.shape);
      const Numbers& expected = report.stages[i].array.data;
      REQUIRE(array.array.data.size() == expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k) {
        CHECK((array.array.data[k] == expected[k] ||
               (std::isnan(array.array.data[k]) && std::isnan(expected[k]))));
      }
    }
  }
}

TEST_CASE("every truncation of a file is refused") {
  for (const std::string name : {"float64.npy", "float16.npy", "stored.npz", "compressed.npz"}) {
    CAPTURE(name);
    const std::string bytes = attnlab::test::read(saved(name));
    const bool zip = name.find("npz") != std::string::npos;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      CAPTURE(length);
      const std::string part = bytes.substr(0, length);
      CHECK(!(zip ? complaint_about_npz(part) : complaint_about_npy(part)).empty());
    }
  }
}

TEST_CASE("no change of one byte crashes a reader") {
  for (const std::string name : {"float32.npy", "stored.npz", "compressed.npz"}) {
    const std::string bytes = attnlab::test::read(saved(name));
    const bool zip = name.find("npz") != std::string::npos;
    for (std::size_t place = 0; place < bytes.size(); ++place) {
      for (const int change : {0x01, 0x80, 0xFF}) {
        std::string spoilt = bytes;
        spoilt[place] =
            static_cast<char>(static_cast<unsigned char>(spoilt[place]) ^ static_cast<unsigned>(change));
        // refused with a reason, or harmless: nothing but Error may come out
        CHECK_NOTHROW(zip ? complaint_about_npz(spoilt) : complaint_about_npy(spoilt));
      }
    }
  }
}

TEST_CASE("the checksum of a packed array is looked at") {
  std::string bytes = attnlab::test::read(saved("stored.npz"));
  const std::string value("\0\0\0\0\0\0\xd0\x3f", 8);  // 0.25
  const std::size_t place = bytes.find(value);
  REQUIRE(place != std::string::npos);
  bytes[place] = '\x01';
  CHECK(contains(complaint_about_npz(bytes), "damaged"));
}

TEST_CASE("an npy error names the file and the byte and what is needed") {
  CHECK(contains(complaint_about_npy("PK\x03\x04"), "npz"));
  CHECK(contains(complaint_about_npy("hello, world"), "cannot read 'w.npy' at byte 0"));
  CHECK(contains(complaint_about_npy(std::string("\x93NUMPY\x07\x00\x10\x00", 10)), "version 7.0"));
  const std::string short_data = complaint_about_npy(npy_of_shape("(3,)", one_number));
  CHECK(contains(short_data, "8 bytes from here on, 24 are needed"));
  CHECK(contains(complaint_about_npy(npy_of_shape("(1,)", one_number + "x")), "1 bytes are left over"));
}

TEST_CASE("a header may claim no more than the file can hold") {
  const std::string huge = "(4294967296, 4294967296, 4294967296)";
  CHECK(contains(complaint_about_npy(npy_of_shape(huge, one_number)), "too large"));
  // Found by fuzzing: no value, but strides beyond any number.
  CHECK(contains(complaint_about_npy(npy_of_shape("(0, 8276, 846, 827, 8276, 846, 827)", "")), "too large"));
  CHECK(complaint_about_npy(npy_of_shape("(0, 8276, 846)", "")).empty());
  CHECK(contains(complaint_about_npy(npy_of_shape("(0, 99999999999999999)", "")), "too large"));
  CHECK(contains(complaint_about_npy(npy_of_shape("(16777216,)", "")), "134217728 are needed"));
  CHECK(!complaint_about_npy(npy_of_shape("(99999999999999999999999,)", "")).empty());
  CHECK(!complaint_about_npy(npy_of_shape("(-1,)", "")).empty());
  std::string many = "(";
  for (int i = 0; i < 40; ++i) many += "1, ";
  CHECK(contains(complaint_about_npy(npy_of_shape(many + ")", one_number)), "32 axes"));
  std::string long_header("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12);
  CHECK(contains(complaint_about_npy(long_header), "2147483647 bytes"));
}

TEST_CASE("a header must be a plain dictionary of the three keys") {
  const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }";
  CHECK(complaint_about_npy(npy(good, one_number)).empty());
  CHECK(complaint_about_npy(npy("{\"shape\":(1L,),'descr':'=f8','fortran_order':True}   \n", one_number))
            .empty());
  for (const std::string bad :
       {"", "{", "{}", "[]", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'descr': '<f4'}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': [1], }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } x",
        "{'descr': '<f8, 'fortran_order': False, 'shape': (1,), }", "{'descr': __import__('os')}"}) {
    CAPTURE(bad);
    CHECK(!complaint_about_npy(npy(bad, one_number)).empty());
  }
}

TEST_CASE("an npz holds npy members with different names and nothing else") {
  const std::string member = npy_of_shape("(1,)", one_number);
  CHECK(complaint_about_npz(zip_of({{"a.npy", member}})).empty());
  CHECK(contains(complaint_about_npz(zip_of({{"a.txt", "x"}})), "'a.txt' is not an npy"));
  CHECK(contains(complaint_about_npz(zip_of({{"a.npy", "x"}})), "'a.npy' is not an npy"));
  CHECK(contains(complaint_about_npz("not a zip"), "damaged"));
}

TEST_CASE("an npz with a name twice is refused") {
  const std::string member = npy_of_shape("(1,)", one_number);
  std::string bytes = zip_of({{"a.npy", member}, {"b.npy", member}});
  for (std::size_t at = bytes.find("b.npy"); at != std::string::npos; at = bytes.find("b.npy"))
    bytes[at] = 'a';
  CHECK(contains(complaint_about_npz(bytes), "'a' occurs twice"));
}

TEST_CASE("a zip bomb is refused before it is unpacked") {
  const std::size_t size = attnlab::largest_text_file / 2;
  const std::string half = npy_of_shape("(" + std::to_string(size / 8) + ",)", std::string(size, '\0'));
  const std::string bomb = zip_of({{"a.npy", half}, {"b.npy", half}});
  CHECK(bomb.size() < size / 100);
  CHECK(contains(complaint_about_npz(bomb), "at most 268435456 in all are allowed"));
}

TEST_CASE("an npz may not claim more than its packed bytes can hold") {
  std::string bytes = attnlab::test::read(saved("compressed.npz"));
  const std::string size("\x80\x32\0\0", 4);  // 128 bytes of header, 1600 values of 8 bytes
  std::size_t changed = 0;
  for (std::size_t at = bytes.find(size); at != std::string::npos; at = bytes.find(size)) {
    bytes.replace(at, size.size(), std::string("\0\0\0\x10", 4));
    ++changed;
  }
  REQUIRE(changed == 3);  // twice beside the data, once in the directory
  CHECK(contains(complaint_about_npz(bytes), "it claims 268435456 bytes, packed in"));
}

TEST_CASE("an npz without arrays is refused as such") {
  const std::string end_of_directory = std::string("PK\x05\x06") + std::string(18, '\0');
  CHECK(contains(complaint_about_npz(end_of_directory), "there are no arrays in it"));
}

TEST_CASE("a complaint in Japanese has no English left in it") {
  const auto about_npy = [](const std::string& bytes) {
    return japanese_complaint([&] { read_npy(bytes, "w.npy"); });
  };
  const auto about_npz = [](const std::string& bytes) {
    return japanese_complaint([&] { read_npz(bytes, "w.npz"); });
  };
  CHECK(contains(about_npy(""), "中身がありません"));
  CHECK(contains(about_npy(npy("{", "")), "続きがありません。ここに必要なのは 引用符で囲んだ語 です"));
  CHECK(contains(about_npy(npy_of_shape("(x,)", one_number)), "軸の長さ"));
  CHECK(contains(about_npz("not a zip"), "zip の形をしていません"));
  CHECK(contains(about_npz(""), "中身がありません"));
  std::string spoilt = attnlab::test::read(saved("stored.npz"));
  spoilt[spoilt.find(std::string("\0\0\0\0\0\0\xd0\x3f", 8))] = '\x01';
  CHECK(contains(about_npz(spoilt), "検査値（CRC）が合いません"));
  const std::string missing = japanese_complaint([] { read_arrays("missing.npz"); });
  CHECK(contains(missing, "ファイルまたはフォルダーがありません"));
  for (const std::string& text : {about_npy("{"), about_npy(npy("{", "")), about_npz("not a zip"), missing}) {
    for (const std::string english : {" is ", " the ", "nothing", "damaged", "No such", "zip archive"}) {
      CAPTURE(english);
      CHECK(!contains(text, english));
    }
  }
}

TEST_CASE("a csv that savetxt wrote is read with its precision") {
  const NamedArray spaces = load("savetxt.csv");
  CHECK(spaces.array.shape == Shape{2, 2});
  CHECK(spaces.array.data == Numbers{0.1, 0.2, 0.3, 0.4});
  CHECK(spaces.half_units[0] < 1e-18);
  const NamedArray commas = load("savetxt_comma.csv");
  CHECK(commas.array.data == Numbers{0.125, 0.2, -0.3, 4});
  for (const double half : commas.half_units) CHECK(half == doctest::Approx(0.0005));
  CHECK(commas.storage == Storage::text);
}

TEST_CASE("a csv may have names around its numbers as pandas writes them") {
  CHECK(only(read_csv("q,k\n1,2\n3,4\n", "w.csv")).array.data == Numbers{1, 2, 3, 4});
  const NamedArray pandas = only(read_csv(",0,1\n0,0.5,0.25\n1,1,2\n", "w.csv"));
  CHECK(pandas.array.shape == Shape{2, 2});
  CHECK(pandas.array.data == Numbers{0.5, 0.25, 1, 2});
  const NamedArray windows = only(read_csv("\xEF\xBB\xBF+1e-2;nan\r\n-inf;3\r\n\r\n", "w.csv"));
  CHECK(windows.array.shape == Shape{2, 2});
  CHECK(windows.array.data[0] == 0.01);
  CHECK(windows.half_units[0] == doctest::Approx(0.005));
  CHECK(std::isnan(windows.array.data[1]));
  CHECK(windows.array.data[2] == -infinity);
}

TEST_CASE("a csv is read as spreadsheets, pandas, R and Mac's Excel write it") {
  const Numbers four{0.5, 0.25, 1, 2};
  for (const char* text :
       {"\"0.5\",\"0.25\"\n\"1\",\"2\"\n",                   // quoted
        "\"q, \"\"0\"\"\",\"k\n1\"\r\n0.5,0.25\r\n1,2\r\n",  // names that need their quotes
        "sep=;\r\n0,5;0,25\r\n1;2\r\n",                      // Excel in German
        "0,5\t0,25\n1\t2\n",                                 // and copied out of it
        "\"0,5\";\"0,25\"\n\"1,0\";\"2,0\"\n",
        "0.5,0.25\r1,2\r",                                    // an old Mac
        "\"\",\"V1\",\"V2\"\n\"1\",0.5,0.25\n\"2\",1,2\n",    // R's write.csv
        "\"V1\" \"V2\"\n\"1\" 0.5 0.25\n\"2\" 1 2\n",         // R's write.table
        ",a,b\n\"row, 1\",0.5,0.25\n\"a \"\"2\"\"\",1,2\n",   // pandas with its index
        "5.0e-1 2.5e-1\n1.000000000000000000e+00 2.0e+00\n",  // np.savetxt
        "# a comment's \" is none\n 0.5 , 0.25 \n1,2\n"}) {
    CAPTURE(text);
    const NamedArray array = only(read_csv(text, "w.csv"));
    CHECK(array.array.shape == Shape{2, 2});
    CHECK(array.array.data == four);
  }
  CHECK(only(read_csv("0,50;0,25\n", "w.csv")).half_units == Numbers{0.005, 0.005});
  CHECK(contains(complaint_about_csv("0.5;0,25\n"), "decimal points and decimal commas"));
  CHECK(contains(complaint_about_csv("\"1,234\",2\n"), "column 1: there is '\"1,234\"'"));  // thousands?
  CHECK(contains(complaint_about_csv("1.234,5;2\n"), "column 1"));
  CHECK(contains(complaint_about_csv("1,2\n\"3,4\n"), "at line 2: a quotation mark"));
}

TEST_CASE("text in UTF-16 is read as a csv and as JSON") {
  std::string utf16 = "\xFF\xFE";
  for (const char letter : std::string("0.5,0.25\r\n1,2\r\n")) utf16 += std::string{letter, '\0'};
  CHECK(only(read_csv(utf16, "w.csv")).array.data == Numbers{0.5, 0.25, 1, 2});
  std::string json;
  for (const char letter : std::string("[1, 2]")) json += std::string{'\0', letter};
  CHECK(only(read_as(TensorFormat::json, json, "w.json")).array.data == Numbers{1, 2});
  CHECK(only(read_as(TensorFormat::json, "\xEF\xBB\xBF[1]", "w.json")).array.data == Numbers{1});
}

TEST_CASE("a first line 0, 1, 2 is never lost, and is doubted where numbers with decimals follow") {
  using attnlab::FirstLine;
  const auto first_line = [](const std::string& text) {
    return tensors_in(attnlab::shared(text), TensorFormat::csv, "w.csv").tensors.front().first_line;
  };
  CHECK(first_line("0,1,2\n0.5,0.25,1.0\n") == FirstLine::numbers_columns);
  CHECK(first_line("\"0\",\"1\",\"2\"\n0.5,0.25,1.0\n") == FirstLine::numbers_columns);
  CHECK(first_line("0,1,2\n3,4,5\n") == FirstLine::may_number_columns);
  CHECK(first_line("0,1,2\n0.5,4,5\n") == FirstLine::may_number_columns);
  CHECK(first_line("0,1\n0.5,0.5\n") == FirstLine::may_number_columns);
  for (const char* row : {"0,1,2\n", "0,1\n1,0\n", "0\n0.5\n", "0.0,1.0,2.0\n0.5,0.5,0.5\n",
                          "1,2,3\n0.5,0.5,0.5\n", "a,b,c\n0,1,2\n0.5,0.5,0.5\n"}) {
    CAPTURE(row);
    CHECK(first_line(row) == FirstLine::row);
  }
  CHECK(only(read_csv("0,1,2\n0.5,0.25,1.0\n", "w.csv")).array.shape == Shape{2, 3});
  const attnlab::TensorFile file =
      tensors_in(attnlab::shared("0,1,2\n0.5,0.25,1.0\n"), TensorFormat::csv, "w.csv");
  CHECK(contains(raised([&] { only_tensor(file, "x", "--x "); }),
                 "its first line 0, 1, 2, ... seems to number"));
}

TEST_CASE("a csv error names the line and the column") {
  CHECK(contains(complaint_about_csv("1,2\n3\n"), "at line 2: it has 1 column; 2 are needed"));
  CHECK(contains(complaint_about_csv("1,2\n3,x\n"), "at line 2, column 2: there is 'x'"));
  CHECK(contains(complaint_about_csv("# only\n\n"), "empty"));
  CHECK(contains(complaint_about_csv("a,b\n"), "no numbers"));
  CHECK(!complaint_about_csv("1,1e999\n").empty());
  CHECK(!complaint_about_csv("1,0x10\n").empty());
  CHECK(!complaint_about_csv("1,\n").empty());
  CHECK(!complaint_about_csv(std::string("1,\0\n", 4)).empty());
}

TEST_CASE("a csv is no place for other bytes") {
  CHECK(contains(complaint_about_csv("1,\xff\xfe\n"), "at line 1, column 2: there is '\\xff\\xfe'"));
  CHECK(contains(complaint_about_csv("1,2\n\xe3\x81,2\n"), "at line 2, column 1"));
}

TEST_CASE("a csv takes no more memory than its limit however it is cut") {
  const std::size_t many = attnlab::largest_array_size + 2;
  CHECK(contains(complaint_about_csv("1" + std::string(many, ',')), "at line 1"));
  std::string lines;
  for (std::size_t i = 0; i < many; ++i) lines += "1\n";
  CHECK(contains(complaint_about_csv(lines), "more than 16777216 values"));
}

TEST_CASE("the long form must hold every value once") {
  const std::string head = "array,indices,value\n";
  const NamedArray array = only(read_csv(head + "w,1 0,3\nw,0 0,1\nw,0 1,2\nw,1 1,4\n", "w.csv"));
  CHECK(array.name == "w");
  CHECK(array.array.shape == Shape{2, 2});
  CHECK(array.array.data == Numbers{1, 2, 3, 4});
  CHECK(contains(complaint_about_csv(head + "w,0 0,1\nw,1 1,2\n"), "2 values; its indices need 4"));
  CHECK(contains(complaint_about_csv(head + "w,0,1\nw,0,2\n"), "2 values; its indices need 1"));
  CHECK(!complaint_about_csv(head + "w,0,1\nw,0 1,2\n").empty());
  CHECK(!complaint_about_csv(head + "w,99999999999,1\n").empty());
  CHECK(!complaint_about_csv(head + "w,-1,1\n").empty());
  CHECK(!complaint_about_csv(head + "w,0\n").empty());
}

TEST_CASE("an array of words in the long form leaves the others readable") {
  const std::string text = "array,indices,value\nw,0,0.5\nnote,0,\"b, c\"\nnote,1,2\nw,1,1\nlast,,\n";
  const attnlab::TensorFile file = tensors_in(attnlab::shared(text), TensorFormat::csv, "w.csv");
  CHECK(only(named_arrays(file)).array.data == Numbers{0.5, 1});
  REQUIRE(file.foreign.size() == 2);
  CHECK(file.foreign[0].name == "note");
  CHECK(file.foreign[0].foreign->en() == "words");
  CHECK(contains(raised([&] { refuse_foreign(file, "note"); }), "at line 3, column 3: there is 'b, c'"));
  CHECK(contains(raised([&] { refuse_foreign(file, "last"); }), "at line 6"));
  CHECK(only(read_csv("array;indices;value\r\nw;0;0,5\r\n", "w.csv")).array.data == Numbers{0.5});
}

TEST_CASE("the long form has at most 32 indices") {
  std::string indices;
  for (int i = 0; i < 30'000; ++i) indices += "0 ";
  CHECK(contains(complaint_about_csv("array,indices,value\nx," + indices + ",1\n"),
                 "at line 2, column 2: there are more than 32 indices"));
}

TEST_CASE("only files are read and only with a known extension") {
  const Folder folder;
  std::filesystem::create_directory(folder / "folder.npy");
  CHECK(contains(raised([&] { read_arrays(folder / "folder.npy"); }), "is a folder"));
  REQUIRE(mkfifo((folder / "pipe.csv").c_str(), 0600) == 0);
  CHECK(contains(raised([&] { read_arrays(folder / "pipe.csv"); }), "pipe"));
  CHECK(contains(raised([&] { read_arrays(folder / "missing.npz"); }), "No such file"));
  put(folder / "w.dat", "1");
  CHECK(
      contains(raised([&] { read_arrays(folder / "w.dat"); }), "npy, npz, csv, txt, json, safetensors, pt"));
  put(folder / "w.txt", "1.000000000000000000e+00 2.500000000000000000e-01\n");  // np.savetxt
  CHECK(only(read_arrays(folder / "w.txt")).array.data == Numbers{1, 0.25});
  put(folder / "prose.txt", "no table\n");
  CHECK(contains(raised([&] { read_arrays(folder / "prose.txt"); }), "prose.txt"));
  put(folder / "W.CSV", "1,2\n");
  CHECK(only(read_arrays(folder / "W.CSV")).array.data == Numbers{1, 2});
}
