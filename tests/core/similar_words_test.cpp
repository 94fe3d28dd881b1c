// The nearest name by the restricted Damerau-Levenshtein distance.
#include "core/similar_words.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using attnlab::did_you_mean;
using attnlab::edit_distance;

namespace {
const std::vector<std::string> experiment_names = {"softmax",        "vectors", "scaling",
                                                   "self-attention", "heads",   "positional"};
}

TEST_CASE("hand-worked distances") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("heads", "heads") == 0);
  CHECK(edit_distance("hedas", "heads") == 1);  // one swap
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ca", "abc") == 3);  // 2 in the unrestricted distance: here no part is edited twice
}

TEST_CASE("the distance is symmetric and 0 only between equal words") {
  for (const std::string& one : experiment_names) {
    for (const std::string& other : experiment_names) {
      CHECK(edit_distance(one, other) == edit_distance(other, one));
      CHECK((edit_distance(one, other) == 0) == (one == other));
    }
  }
}

TEST_CASE("one slip finds the name meant") {
  CHECK(did_you_mean("vektors", experiment_names) == "vectors");
  CHECK(did_you_mean("sofmtax", experiment_names) == "softmax");
  CHECK(did_you_mean("self_attention", experiment_names) == "self-attention");
  CHECK(did_you_mean("Heads", experiment_names) == "heads");
  CHECK(did_you_mean("head", experiment_names) == "heads");
}

TEST_CASE("a slip is counted in characters, also where one has three bytes") {
  CHECK(did_you_mean("トランスフォマー", {"アテンション", "トランスフォーマー"}) == "トランスフォーマー");
  CHECK_FALSE(did_you_mean("ほげ", {"温度", "マスク"}).has_value());
}

TEST_CASE("a beginning finds its only continuation") {
  CHECK(did_you_mean("pos", experiment_names) == "positional");
  CHECK(did_you_mean("self", experiment_names) == "self-attention");
  CHECK_FALSE(did_you_mean("se", {"self-attention", "separate"}).has_value());
}

TEST_CASE("a word unlike all names gets no suggestion") {
  CHECK_FALSE(did_you_mean("transformer", experiment_names).has_value());
  CHECK_FALSE(did_you_mean("", experiment_names).has_value());
  CHECK_FALSE(did_you_mean("x", experiment_names).has_value());
  CHECK_FALSE(did_you_mean(std::string(1000000, 'v'), experiment_names).has_value());
}

TEST_CASE("the nearest words come first, characters counting as one") {
  const std::vector<std::string> words{"street", "stone", "tired", "tree", "wide"};
  CHECK(attnlab::nearest_words("tred", words, 2) == std::vector<std::string>{"tired", "tree"});
  CHECK(attnlab::nearest_words("WIDE", words, 1) == std::vector<std::string>{"wide"});
  CHECK(edit_distance("犬", "猫") == 1);
  CHECK(attnlab::nearest_words("", {}, 3).empty());
}
