// --input NAME=FILE: the user's arrays in place of the draws; --code: the run as a Python program. That the
// programs compute what they say, tests/python/programs.py shows.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "program.hpp"

using attnlab::contains;
using attnlab::on_one_line;
using attnlab::Outcome;
using attnlab::Workplace;

namespace {

const std::string two_by_three = "[[1, 2, 3], [4, 5, 6]]";

}  // namespace

TEST_CASE("a run on the arrays of another gives its results, whatever the seed") {
  const Workplace place;
  REQUIRE(place.run({"self-attention", "--tokens", "5", "--width", "3", "--data", "a.npz", "--no-figure"})
              .exit_code == 0);
  std::vector<std::string> words{"self-attention", "--seed", "7"};
  for (const char* name : {"x", "w_query", "w_key", "w_value"}) {
    words.insert(words.end(), {"--input", std::string(name) + "=a.npz"});
  }
  words.insert(words.end(), {"--check", "output=a.npz"});
  CHECK(place.run(words).exit_code == 0);
  words.erase(words.begin() + 3, words.begin() + 5);  // without x
  words.insert(words.end(), {"--tokens", "5"});
  CHECK(place.run(words).exit_code == 1);
}

TEST_CASE("one array in place of a draw leaves the others their numbers") {
  const Workplace place;
  place.write("x.json", two_by_three);
  REQUIRE(place.run({"self-attention", "--tokens", "2", "--width", "3", "--data", "a.npz", "--no-figure"})
              .exit_code == 0);
  CHECK(place.run({"self-attention", "--input", "x=x.json", "--check", "w_value=a.npz"}).exit_code == 0);
}

TEST_CASE("sizes follow an array, and what contradicts it is told with both sources") {
  const Workplace place;
  place.write("x.json", two_by_three);
  place.write("w.json", "[[1, 0], [0, 1]]");
  const Outcome run = place.run({"self-attention", "--input", "x=x.json", "--json", "--no-figure"});
  CHECK(contains(run.out, "\"tokens\":2,\"width\":3"));
  CHECK(contains(run.out, "\"input\":[\"x=x.json\"]"));
  const auto error = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"self-attention", "--input", "x=x.json"});
    const Outcome outcome = place.run(words);
    CHECK(outcome.exit_code == 2);
    return on_one_line(outcome.err);
  };
  CHECK(contains(error({"--tokens", "4"}), "x=x.json (2, 3) contradicts --tokens 4"));
  CHECK(contains(error({"--input", "w_key=w.json"}),
                 "w_key=w.json (2, 2) contradicts --input x=x.json (2, 3) (width is 2 and 3)"));
  CHECK(contains(error({"--input", "w_qery=w.json"}), "did you mean w_query?"));
  CHECK(contains(error({"--input", "x=x.json"}), "--input x is given twice"));
  CHECK(contains(error({"--input", "w.json"}), "names no array"));
}

TEST_CASE("an array of another number of axes, or that holds NaN, is refused") {
  const Workplace place;
  place.write("x.json", "[1, 2, 3]");
  place.write("nan.json", "[[1, \"nan\"], [2, 3]]");
  const Outcome axes = place.run({"self-attention", "--input", "x=x.json"});
  CHECK(axes.exit_code == 2);
  CHECK(contains(on_one_line(axes.err), "x has the axes (tokens, width)"));
  CHECK(place.run({"self-attention", "--input", "x=nan.json"}).exit_code != 0);
}

TEST_CASE("a table whose first line may number its columns is read as it stands, with a warning") {
  const Workplace place;
  const auto warns = [&](const std::string& table) {
    place.write("x.csv", table);
    const Outcome run = place.run({"self-attention", "--input", "x=x.csv", "--no-figure"});
    CHECK(run.exit_code == 0);
    return contains(on_one_line(run.err), "the first line 0, 1, 2, ... of 'x.csv' may number its columns");
  };
  CHECK(warns("0,1,2\n3,1,4\n1,5,9\n"));
  CHECK(!warns("0,1,3\n3,1,4\n1,5,9\n"));
}

TEST_CASE("a variant without such an array says so") {
  const Workplace place;
  place.write("m.json", two_by_three);
  const Outcome outcome = place.run({"heads", "--input", "key_input=m.json"});
  CHECK(outcome.exit_code == 2);
}

TEST_CASE("a file that a run reads is not overwritten") {
  const Workplace place;
  place.write("x.json", two_by_three);
  const Outcome outcome = place.run({"self-attention", "--input", "x=x.json", "--data", "x.json"});
  CHECK(outcome.exit_code == 2);
  CHECK(place.read("x.json") == two_by_three);
}

TEST_CASE("captions and commands name the arrays that were given") {
  const Workplace place;
  place.write("x.json", two_by_three);
  place.run({"self-attention", "--input", "x=x.json", "-o", "a.svg", "--lang", "en", "--quiet"});
  const Outcome additive = place.run({"additive", "--input", "query=x.json", "--no-figure", "--lang", "en"});
  CHECK(contains(on_one_line(additive.out), "Inputs: Seed 0, query: x.json."));
  CHECK(contains(place.read("a.svg"), "attnlab self-attention --tokens 2 --width 3 --input x=x.json"));
}

TEST_CASE("a list of numbers can come from a file") {
  const Workplace place;
  place.write("s.json", "[3, 1, 2]");
  CHECK(place.run({"softmax", "--input", "scores=s.json", "--data", "a.npz", "--quiet", "--no-figure"})
            .exit_code == 0);
  CHECK(place.run({"softmax", "--scores", "3,1,2", "--check", "weights=a.npz"}).exit_code == 0);
  CHECK(place.run({"softmax", "--input", "scores=s.json", "--scores", "1,2"}).exit_code == 2);
}

TEST_CASE("--code prints a program and nothing else, -o FILE.py saves it") {
  const Workplace place;
  const Outcome printed = place.run({"self-attention", "--seed", "3", "--code", "numpy"});
  CHECK(printed.exit_code == 0);
  CHECK(printed.err.empty());
  CHECK(printed.out.rfind("# attnlab self-attention --seed 3\n", 0) == 0);
  CHECK(contains(printed.out,
                 "randn = np.random.RandomState(3).randn\nx = randn(4, 8)\n"
                 "w_query = randn(8, 8) * 0.1\n"));
  CHECK(place.files().empty());
  CHECK(place.run({"self-attention", "--seed", "3", "--code", "numpy", "-o", "a.py", "--quiet"}).exit_code ==
        0);
  CHECK(place.read("a.py") == printed.out);
  CHECK(place.files() == std::vector<std::string>{"a.py"});
  CHECK(contains(place.run({"self-attention", "-o", "b.py"}).err, "-o 'b.py' needs --code"));
  CHECK(place.run({"self-attention", "--code", "numpy", "--json"}).exit_code == 2);
  const Outcome torch = place.run({"self-attention", "--code", "torch"});
  CHECK(contains(torch.out, "import torch\n"));
}

TEST_CASE("attend over one's own files is a program, too, unless it keeps no weights or is too long") {
  const Workplace place;
  place.write("x.json", two_by_three);
  const std::vector<std::string> attend{"attend", "--x", "x.json", "--mask", "causal", "--lang", "en"};
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), attend.begin(), attend.end());
    return place.run(more);
  };
  const Outcome program = run({"--code", "numpy"});
  CHECK(program.exit_code == 0);
  CHECK(program.err.empty());
  CHECK(contains(program.out, "query = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=np.float64)\n"));
  CHECK(contains(program.out, "weights = softmax(masked)\n"));
  const Outcome streamed = run({"--weights", "stream", "--code", "numpy"});
  CHECK(streamed.exit_code == 2);
  CHECK(contains(on_one_line(streamed.err), "with --weights keep it does"));
}

TEST_CASE("a program of many values loads them from a file beside it") {
  const Workplace place;
  std::string row = "[[1";
  for (int i = 1; i < 200; ++i) row += ",0.5";
  place.write("x.json", row + "]]");
  const std::vector<std::string> attend{"attend", "--x", "x.json", "--lang", "en"};
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), attend.begin(), attend.end());
    return place.run(more);
  };
  const Outcome printed = run({"--code", "torch"});
  CHECK(printed.exit_code == 2);
  CHECK(printed.out.empty());
  CHECK(contains(on_one_line(printed.err), "-o FILE.py loads them from FILE.arrays.npz"));
  const Outcome saved = run({"--code", "torch", "-o", "a.py"});
  CHECK(saved.exit_code == 0);
  CHECK(contains(saved.out, "a.py\na.arrays.npz"));
  CHECK(place.files() == std::vector<std::string>{"a.arrays.npz", "a.py", "x.json"});
  CHECK(contains(place.read("a.py"),
                 "stored = numpy.load(pathlib.Path(__file__).with_suffix(\".arrays.npz\"))\n"));
  CHECK(contains(place.read("a.py"), "query = torch.from_numpy(stored[\"query\"])\n"));
  CHECK_FALSE(contains(place.read("a.py"), "0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5"));
  CHECK(run({"--check", "query=a.arrays.npz", "--no-figure"}).exit_code == 0);
  // What is read stays: the arrays would take the place of an input.
  std::filesystem::rename(place.path("a.arrays.npz"), place.path("b.arrays.npz"));
  CHECK(place.run({"attend", "--x", "b.arrays.npz:query", "--code", "numpy", "-o", "b.py"}).exit_code == 2);
  CHECK_FALSE(place.has("b.py"));
}

TEST_CASE("a mask of truth values hides what the same mask of numbers hides") {
  const Workplace place;
  place.write("additive.json", "[[0,\"-inf\"],[0,0]]");
  place.write("truth.json", "[[1,0],[1,1]]");
  place.write("truth.npy", std::string("\x93NUMPY\x01\x00\x46\x00", 10) +
                               "{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }          \n" +
                               std::string("\1\0\1\1", 4));
  place.write("real.npy", std::string("\x93NUMPY\x01\x00\x46\x00", 10) +
                              "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }          \n" +
                              std::string("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\0", 16));
  const auto run = [&](const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> words{"masks", "--no-figure", "--lang", "en", "--input", "mask=" + file};
    words.insert(words.end(), more.begin(), more.end());
    return place.run(words);
  };
  CHECK(run("additive.json", {"--data", "a.npz", "--quiet"}).exit_code == 0);
  for (const char* file : {"truth.json", "truth.npy"}) {
    CHECK(run(file, {"--check", "a.npz"}).exit_code == 0);
  }
  CHECK(contains(on_one_line(run("real.npy", {}).err), "holds only 0 and 1 as float64"));
}

TEST_CASE(
    "a mask of 0 and 255, or 0 and -1, is added to the scores with a warning; what hides by -1e9 without") {
  const Workplace place;
  place.write("x.json", "[[1, 2], [3, 5]]");
  const auto warnings = [&](const std::string& mask) {
    place.write("m.json", mask);
    return on_one_line(
        place.run({"attend", "--x", "x.json", "--mask", "m.json", "--no-figure", "--lang", "en"}).err);
  };
  CHECK(contains(warnings("[[255, 0], [255, 255]]"), "holds only 0 and 255"));
  CHECK(contains(warnings("[[0, -1], [0, 0]]"), "holds only 0 and -1"));
  CHECK(warnings("[[0, -1e9], [0, 0]]").empty());
  CHECK(warnings("[[0.5, 0], [0.25, 1]]").empty());
}

TEST_CASE("labels cannot put code into a program") {
  const Workplace place;
  const Outcome outcome =
      place.run({"self-attention", "--labels", "a\"\"\",import os,c,d", "--code", "numpy"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.rfind("# attnlab", 0) == 0);
}
