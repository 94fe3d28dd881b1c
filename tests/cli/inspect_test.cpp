// `attnlab inspect` as a user runs it, and --check with the formats that it lists.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

using attnlab::contains;
using attnlab::Outcome;
using attnlab::Workplace;

namespace {

const std::string named = R"({"q": [[1, 2], [3, "nan"]], "k": [0.5]})";

}  // namespace

TEST_CASE("inspect lists the tensors of a file in both languages") {
  const Workplace place;
  place.write("w.json", named);
  const Outcome english = place.run({"inspect", "w.json", "--lang", "en"});
  CHECK(english.exit_code == 0);
  CHECK(english.err.empty());
  const std::vector<std::string> lines = attnlab::lines_of(english.out);
  REQUIRE(lines.size() == 7);
  CHECK(lines[0] == "'w.json': json, 2 tensors, 40 bytes");
  CHECK(lines[2] == "name  shape   dtype    min  max  mean  NaN  ±inf");
  CHECK(lines[3] == "q     (2, 2)  float64    1    3     2    1     0");
  CHECK(lines[4] == "k     (1,)    float64  0.5  0.5   0.5    0     0");
  CHECK(lines[6] == "min, max and mean are those of the finite values.");
  const Outcome japanese = place.run({"inspect", "w.json:k", "--lang", "ja"});
  CHECK(contains(japanese.out, "テンソル 1 個、8 バイト"));
  CHECK(contains(japanese.out, "名前  形状  型       最小  最大  平均  NaN  ±∞"));
  CHECK(!contains(japanese.out, "有限"));
}

TEST_CASE("inspect prints JSON and nothing else on request") {
  const Workplace place;
  place.write("w.json", named);
  const nlohmann::json json = nlohmann::json::parse(place.run({"inspect", "--json", "w.json"}).out);
  CHECK(json.at("schema") == 1);
  CHECK(json.at("file") == "w.json");
  REQUIRE(json.at("tensors").size() == 2);
  CHECK(json.at("tensors")[0].at("shape") == nlohmann::json{2, 2});
  CHECK(json.at("tensors")[0].at("nan") == 1);
  CHECK(json.at("tensors")[1].at("max") == 0.5);
}

TEST_CASE("inspect lists by type what is no array, with others or alone, and refuses it by name") {
  const Workplace place;
  place.write("w.json", R"({"w": [0.5], "who": "SECRET"})");
  const Outcome all = place.run({"inspect", "w.json", "--lang", "en"});
  CHECK(all.exit_code == 0);
  const std::vector<std::string> lines = attnlab::lines_of(all.out);
  REQUIRE(lines.size() == 7);
  CHECK(lines[3] == "w     (1,)   float64  0.5  0.5   0.5    0     0");
  CHECK(lines[4] == "who   –      words      –    –     –    –     –");
  CHECK(!contains(all.out, "SECRET"));
  const nlohmann::json json = nlohmann::json::parse(place.run({"inspect", "--json", "w.json"}).out);
  CHECK(json.at("tensors")[1].at("name") == "who");
  CHECK(json.at("tensors")[1].at("dtype") == "words");
  CHECK(json.at("tensors")[1].at("min").is_null());
  CHECK(contains(place.run({"inspect", "w.json:w"}).out, "1 tensor"));
  CHECK(place.run({"inspect", "w.json:who"}).exit_code == 1);
  place.write("words.json", R"({"who": "A", "whose": "B"})");
  const Outcome alone = place.run({"inspect", "words.json", "--lang", "en"});
  CHECK(alone.exit_code == 0);
  CHECK(contains(alone.out, "0 tensors"));
  CHECK(contains(place.run({"self-attention", "--check", "words.json"}).err,
                 "it holds no array of numbers, but 'who'"));
}

TEST_CASE("what is no array beside a checked one stops nothing, and is told where it should be one") {
  const Workplace place;
  const nlohmann::json right =
      nlohmann::json::parse(place.run({"self-attention", "--no-figure", "--json"}).out).at("arrays");
  nlohmann::json file{{"weights", right.at("weights")}, {"note", "mine"}};
  place.write("w.json", file.dump());
  const Outcome good = place.run({"self-attention", "--check", "w.json"});
  CHECK(good.exit_code == 0);
  CHECK(good.err.empty());
  file["output"] = "see my sheet";
  place.write("w.json", file.dump());
  CHECK(contains(place.run({"self-attention", "--check", "w.json"}).err, "holds output as words"));
  CHECK(place.run({"self-attention", "--check", "output=w.json"}).exit_code == 1);
  CHECK(place.run({"self-attention", "--check", "weights=w.json"}).exit_code == 0);
}

TEST_CASE("a table with quotes, column numbers or in UTF-16 is checked as what it holds") {
  const Workplace place;
  const nlohmann::json flat =
      nlohmann::json::parse(place.run({"self-attention", "--no-figure", "--json"}).out)
          .at("arrays")
          .at("weights");
  std::string plain;
  std::string quoted;
  std::string german = "sep=;\r\n";
  for (std::size_t i = 0; i < 16; ++i) {
    const std::string end = i % 4 == 3 ? "\n" : ",";
    std::string number = flat.at("data")[i].dump();
    plain += number + end;
    quoted += "\"" + number + "\"" + end;
    number.replace(number.find('.'), 1, ",");
    german += number + (end == "," ? ";" : "\r\n");
  }
  std::string utf16 = "\xFE\xFF";
  for (const char letter : plain) utf16 += std::string{'\0', letter};
  for (const std::string& table :
       {plain, quoted, german, utf16, "0,1,2,3\n" + plain, "\"0\",1,2,3\n" + plain}) {
    place.write("w.csv", table);
    const Outcome outcome =
        place.run({"self-attention", "--no-figure", "--quiet", "--check", "weights=w.csv"});
    CHECK(outcome.exit_code == 0);
  }
  place.write("x.csv", "0,1,2,3\n" + plain);
  CHECK(contains(place.run({"inspect", "x.csv", "--lang", "en"}).out, "may number its columns"));
  const Outcome read = place.run({"attend", "--x", "x.csv", "--no-figure", "--lang", "en"});
  CHECK(read.exit_code == 1);
  CHECK(contains(read.err, "seems to number the columns"));
  place.write("i.csv", "0,1,2\n3,4,5\n");
  const Outcome doubted = place.run({"attend", "--x", "i.csv", "--no-figure", "--quiet", "--lang", "en"});
  CHECK(doubted.exit_code == 0);
  CHECK(contains(doubted.err, "it was read as a row of numbers"));
}

TEST_CASE("a name cannot steer the terminal") {
  const Workplace place;
  place.write("w.json", R"({"a\u001b[2J\nb": [1]})");
  const std::string out = place.run({"inspect", "w.json"}).out;
  CHECK(contains(out, "a\\x1b[2J\\x0ab  "));
  CHECK(!contains(out, "\x1b"));
}

TEST_CASE("inspect needs one file that it can read") {
  const Workplace place;
  const Outcome none = place.run({"inspect"});
  CHECK(none.exit_code == 2);
  CHECK(contains(none.err, "inspect needs a file"));
  CHECK(place.run({"inspect", "a.npy", "b.npy"}).exit_code == 2);
  CHECK(place.run({"inspect", "w.dat"}).exit_code == 2);
  const Outcome missing = place.run({"inspect", "missing.npy"});
  CHECK(missing.exit_code == 1);
  CHECK(contains(missing.err, "cannot read 'missing.npy'"));
  place.write("w.json", named);
  CHECK(contains(place.run({"inspect", "w.json:v"}).err, "no tensor 'v'; it holds 'q', 'k'"));
}

TEST_CASE("the help of inspect and of help shows what to type after the name") {
  const Workplace place;
  CHECK(contains(place.run({"inspect", "--help", "--lang", "en"}).out,
                 "Usage: attnlab inspect FILE[:NAME] [options]"));
  CHECK(contains(place.run({"inspect", "--help", "--lang", "ja"}).out,
                 "使い方：attnlab inspect ファイル[:配列名] [オプション]"));
  CHECK(contains(place.run({"help", "help", "--lang", "en"}).out, "Usage: attnlab help NAME [options]"));
}

TEST_CASE("a check reads the tool's own JSON and one tensor of many") {
  const Workplace place;
  REQUIRE(place.run({"self-attention", "--no-figure", "--quiet", "--data", "own.json"}).exit_code == 0);
  const Outcome all = place.run({"self-attention", "--check", "own.json"});
  CHECK(all.exit_code == 0);
  CHECK(contains(all.out, "12 of 12 arrays agree"));
  const Outcome one = place.run({"self-attention", "--check", "own.json:weights"});
  CHECK(one.exit_code == 0);
  CHECK(contains(one.out, "weights (4, 4)"));
  const Outcome crossed = place.run({"self-attention", "--check", "weights=own.json:masked"});
  CHECK(crossed.exit_code == 1);
}

TEST_CASE("a check reads nested lists and safetensors") {
  const Workplace place;
  const nlohmann::json stages =
      nlohmann::json::parse(place.run({"self-attention", "--no-figure", "--json"}).out).at("arrays");
  const std::vector<double> flat = stages.at("weights").at("data");
  nlohmann::json rows;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 4; ++k) rows[i][k] = flat[4 * i + k];
  }
  place.write("weights.json", rows.dump());
  CHECK(place.run({"self-attention", "--check", "weights.json"}).exit_code == 0);
  rows[1][2] = 0.9;
  place.write("weights.json", rows.dump());
  CHECK(place.run({"self-attention", "--check", "weights.json"}).exit_code == 1);

  std::string header = R"({"weights":{"dtype":"F64","shape":[4,4],"data_offsets":[0,128]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  bytes += header;
  const void* const values = flat.data();
  bytes.append(static_cast<const char*>(values), 128);
  place.write("w.safetensors", bytes);
  CHECK(place.run({"self-attention", "--check", "w.safetensors"}).exit_code == 0);
  CHECK(place.run({"self-attention", "--check", "masked=w.safetensors"}).exit_code == 1);
}
