// `attnlab claims` as a user runs it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

using attnlab::Outcome;
using attnlab::Workplace;

TEST_CASE("claims prints every document and leaves nothing behind") {
  const Workplace place;
  const Outcome outcome = place.run({"claims", "--lang", "en"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  for (const char* part : {"A  textbook", "B  course", "C  notebook", "D  article", "E  lecture slides"}) {
    CHECK(outcome.out.find(part) != std::string::npos);
  }
}

TEST_CASE("claims of one document are chosen by its letter") {
  const Workplace place;
  const Outcome slides = place.run({"claims", "--document", "E", "--json"});
  CHECK(slides.exit_code == 0);
  const nlohmann::json json = nlohmann::json::parse(slides.out);
  for (const nlohmann::json& claim : json.at("claims")) {
    CHECK(claim.at("document") == "E");
  }
  CHECK(place.run({"claims", "--document", "F"}).exit_code == 2);
  CHECK(place.run({"claims", "--quiet"}).out.empty());
}
