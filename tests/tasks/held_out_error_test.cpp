// What held-out numbers can tell: the errors worked by hand, against coins, and no direction in what training
// has not changed.
#include "tasks/framework/held_out_error.hpp"

#include "random/numpy_random.hpp"
#include "trained.hpp"

namespace attnlab {
namespace {

TEST_CASE("the error of a difference is three binomial standard errors, also where all answers are right") {
  // 96 + 4 answers: (96 + 2) / 100 and (48 + 2) / 100 of them right
  CHECK(error_of_difference(1.0, 0.5, 96) ==
        doctest::Approx(3.0 * std::sqrt(0.98 * 0.02 / 100.0 + 0.5 * 0.5 / 100.0)).epsilon(1e-14));
  CHECK(is_clearly_above(1.0, 0.5, 96));
  CHECK_FALSE(is_clearly_above(0.5, 1.0, 96));
  CHECK_FALSE(is_clearly_above(1.0, 0.0, 1));  // one answer proves nothing
  CHECK_FALSE(is_clearly_above(0.51, 0.50, 256));
  CHECK(is_clearly_above(0.9, 0.8, 10000));
  CHECK_FALSE(is_clearly_above(0.9, 0.8, 10000, 0.2));
}

TEST_CASE("of coins that are all the same few are clearly above another, and every one that is better is") {
  NumpyRandom random(0);
  const auto share = [&random](double chance) {
    int right = 0;
    for (int i = 0; i < 256; ++i) right += random.uniform() < chance ? 1 : 0;
    return right / 256.0;
  };
  for (const double chance : {0.02, 0.5, 0.98}) {
    int same = 0;
    int better = 0;
    for (int trial = 0; trial < 1000; ++trial) {
      same += is_clearly_above(share(chance), share(chance), 256) ? 1 : 0;
      better +=
          is_clearly_above(share(std::min(1.0, chance + 0.4)), share(std::min(chance, 0.6)), 256) ? 1 : 0;
    }
    CHECK(same <= 5);  // 1.35 would be expected
    CHECK(better > 950);
  }
}

TEST_CASE("the error of a mean is three of its standard errors, and infinite of a single value") {
  const MeanWithError three = mean_of({1.0, 2.0, 3.0});  // 1 is their standard deviation
  CHECK(three.mean == doctest::Approx(2.0));
  CHECK(three.error == doctest::Approx(3.0 / std::sqrt(3.0)));
  CHECK(mean_of({0.5}).mean == 0.5);
  CHECK(std::isinf(mean_of({0.5}).error));
}

TEST_CASE("a run of one step says nothing about what falls, rises or is better") {
  for (const char* word : {"reverse", "sense", "topic", "agreement", "induction", "dictionary", "sink",
                           "shapes", "text", "translate", "world"}) {
    const bool is_large = word == std::string("world") || word == std::string("shapes");
    if (is_large && !trains_fully) continue;
    const Report report = trained(word, {{"steps", "1"}});
    std::vector<Text> claims;
    for (const Figure& figure : report.figures) claims.push_back(figure.title);
    for (const Block& block : report.body) {
      const auto* paragraph = std::get_if<Paragraph>(&block);
      if (paragraph != nullptr && paragraph->role == Role::say) claims.push_back(paragraph->text);
    }
    for (const Text& claim : claims) {
      INFO(word, ": ", claim.en());
      for (const char* direction : {"falls", "fall ", "rises", "lowers", "is below", ", below", "ahead of"})
        CHECK(claim.en().find(direction) == std::string::npos);
      for (const char* direction : {"下が", "下回", "上が", "より小さい。", "より低い"})
        CHECK(claim.ja().find(direction) == std::string::npos);
    }
  }
}

}  // namespace
}  // namespace attnlab
