// What heads do, what a model would say early, and which token is chosen: cases worked by hand.
#include <doctest/doctest.h>

#include "model/generation.hpp"
#include "model/lens.hpp"
#include "model/reference_model.hpp"
#include "model/roles.hpp"

using namespace attnlab;

namespace {

/// One head over these tokens whose query i reads key reads[i] alone.
HeadRoles roles_reading(const std::vector<std::size_t>& reads, const std::vector<std::size_t>& tokens) {
  const std::size_t n = tokens.size();
  Tensor<float> weights = Tensor<float>::from_shape({std::size_t{1}, n, n});
  weights.fill(0.0F);
  for (std::size_t query = 0; query < n; ++query) weights(0, query, reads[query]) = 1.0F;
  return roles_of(weights, tokens).front();
}

}  // namespace

TEST_CASE("a head that does one thing alone has all its weight there, and no entropy") {
  const std::vector<std::size_t> tokens{5, 6, 7, 5, 6, 8};
  const HeadRoles previous = roles_reading({0, 0, 1, 2, 3, 4}, tokens);
  CHECK(previous.previous == 1.0);
  CHECK(previous.first == doctest::Approx(1.0 / 5.0));
  CHECK(previous.own == doctest::Approx(1.0 / 6.0));
  CHECK(previous.same == 0.0);
  CHECK(previous.entropy == 0.0);
  // the second 5 reads the first 6, the second 6 the first 7: what followed
  const HeadRoles induction = roles_reading({0, 1, 2, 1, 2, 0}, tokens);
  CHECK(induction.followed == 1.0);
  CHECK(induction.same == 0.0);
  const HeadRoles same = roles_reading({0, 1, 2, 0, 1, 5}, tokens);
  CHECK(same.same == 1.0);
  CHECK(same.followed == 0.0);
  CHECK(roles_reading({0, 0, 0, 0, 0, 0}, tokens).first == 1.0);
  CHECK(roles_reading({0, 1, 2, 3, 4, 5}, tokens).own == 1.0);
}

TEST_CASE("an even share is no role, and nothing is said of tokens that occur once") {
  const std::vector<std::size_t> tokens{1, 2, 3, 4};
  Tensor<float> even = Tensor<float>::from_shape({1, 4, 4});
  even.fill(0.25F);
  const HeadRoles roles = roles_of(even, tokens).front();
  for (const double share : {roles.previous, roles.own, roles.first}) CHECK(share == doctest::Approx(0.25));
  CHECK(roles.entropy == doctest::Approx(std::log(4.0)));
  CHECK(std::isnan(roles.same));
  CHECK(std::isnan(roles.followed));
  even.fill(0.0F);
  CHECK(roles_of(even, tokens).front().previous == 0.0);
}

TEST_CASE(
    "behind the last layer the lens says what the model says, behind the embedding what its vectors say") {
  const Config reference = reference_of("gpt2");
  const Folder folder;
  write_model(reference, folder);
  const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
  const ForwardPass pass = pass_of(model, tokens_of(reference));
  const Lens lens = lens_of(model, pass, 3, one_after_another);
  REQUIRE(lens.rows.size() == 3);
  const Tensor<float> early = words_of_stream(model, pass.embedded, one_after_another);
  for (std::size_t place = 0; place < 3; ++place) {
    const std::size_t row = tokens_of(reference).size() - 3 + place;
    const std::vector<double> last = probabilities(pass.logits.data() + row * 13, 13);
    CHECK(lens.rows[2][place].token == largest_places(last, 1).front());
    CHECK(lens.rows[2][place].probability ==
          doctest::Approx(*std::max_element(last.begin(), last.end())).epsilon(1e-5));
    CHECK(lens.rows[0][place].token == largest_places(probabilities(early.data() + row * 13, 13), 1).front());
  }
}

TEST_CASE("the chosen token follows from the number that was drawn") {
  // probabilities 0.5, 0.25, 0.125, 0.125, the likeliest at place 1
  const std::vector<float> logits{std::log(0.25F), std::log(0.5F), std::log(0.125F), std::log(0.125F)};
  const auto chosen = [&](const Sampling& sampling, double drawn) {
    return chosen_token(logits, sampling, [drawn] { return drawn; });
  };
  CHECK(chosen({0.0}, 0.99) == 1);
  CHECK(chosen({1.0}, 0.49) == 1);
  CHECK(chosen({1.0}, 0.51) == 0);
  CHECK(chosen({1.0}, 0.76) == 2);
  CHECK(chosen({1.0}, 0.99) == 3);
  CHECK(chosen({1.0, 2}, 0.99) == 0);  // of the two likeliest, with 2/3 and 1/3
  CHECK(chosen({1.0, 2}, 0.66) == 1);
  CHECK(chosen({1.0, 0, 0.5}, 0.99) == 1);  // the likeliest alone has so much
  CHECK(chosen({1.0, 0, 0.6}, 0.99) == 0);
  // at half the temperature squares: 16, 4, 1 and 1 of 22
  CHECK(chosen({0.5}, 0.72) == 1);
  CHECK(chosen({0.5}, 0.74) == 0);
}
