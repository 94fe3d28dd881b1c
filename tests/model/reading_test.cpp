// What heads do, what a model would say early, and which token is chosen: cases worked by hand.
#include <doctest/doctest.h>

#include "model/block_lines.hpp"
#include "model/generation.hpp"
#include "model/lens.hpp"
#include "model/long_maps.hpp"
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

TEST_CASE("a long text is read as a short one, without keeping its weights") {
  for (const char* name : {"llama", "mistral"}) {
    CAPTURE(name);
    Config reference = reference_of(name);
    reference["config"]["max_position_embeddings"] = 150;
    const Folder folder;
    write_model(reference, folder);
    const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
    const Architecture& a = model.architecture;
    std::vector<std::size_t> tokens;
    for (std::size_t i = 0; i < 150; ++i) tokens.push_back((7 * i * i + 3 * i) % 13);
    const ForwardPass kept = pass_of(model, tokens);
    LongMapsFiller filler(a, tokens, 140);
    const LongReading in_long{[&](std::size_t layer, std::size_t head, std::size_t place,
                                  const float* weights) { filler.add(layer, head, place, weights); },
                              140};
    Cache cache = empty_cache(model, tokens.size());
    const ForwardPass streamed = read_tokens(model, tokens, cache, {}, one_after_another, {}, &in_long);
    const LongMaps maps = filler.filled();
    CHECK(maps.bin == 2);
    CHECK(maps.side == 75);
    for (std::size_t layer = 0; layer < a.layers; ++layer) {
      CHECK(streamed.layers[layer].weights.dimension() == 0);
      const Tensor<float>& weights = kept.layers[layer].weights;
      for (std::size_t i = 0; i < kept.layers[layer].output.size(); ++i)
        CHECK(streamed.layers[layer].output.flat(i) == doctest::Approx(kept.layers[layer].output.flat(i)));
      for (std::size_t head = 0; head < a.heads; ++head) {
        for (std::size_t key = 0; key < 150; ++key)
          CHECK(maps.rows[layer](head, key) == doctest::Approx(weights(head, 140, key)).epsilon(1e-4));
        const float largest = std::max(
            {weights(head, 100, 60), weights(head, 100, 61), weights(head, 101, 60), weights(head, 101, 61)});
        CHECK(maps.maps[layer](head, 50, 30) == doctest::Approx(largest).epsilon(1e-4));
        const HeadRoles whole = roles_of(weights, tokens)[head];
        CHECK(maps.roles[layer][head].followed == doctest::Approx(whole.followed).epsilon(1e-4));
        CHECK(maps.roles[layer][head].entropy == doctest::Approx(whole.entropy).epsilon(1e-4));
      }
    }
    CHECK(maps.faults.leak == 0.0);
    CHECK(maps.faults.of_sum < 1e-5);
    REQUIRE(streamed.logits.shape()[0] == 1);
    for (std::size_t word = 0; word < a.vocabulary; ++word)
      CHECK(streamed.logits(0, word) == doctest::Approx(kept.logits(140, word)).epsilon(1e-4));
  }
}

TEST_CASE("the written-out entries of a model's stages are what their numbers make") {
  // x = (1, 2), W = ((3, 4), (5, 6)), b = (7, 8): y = (20, 24)
  Projection projection{StoredMatrix(spelt_out<float>("w", {2, 2}, {3, 4, 5, 6}), false),
                        Tensor<float>{7, 8}};
  const Tensor<float> x{{1, 2}};
  const auto text_of = [](const std::vector<Chain>& chains) {
    std::string text;
    for (const Chain& chain : chains) {
      text += to_terminal(chain.left);
      for (const Chain::Link& link : chain.links) text += " " + link.relation + " " + to_terminal(link.right);
    }
    return text;
  };
  CHECK(text_of(projected_lines("y", x, projection, Tensor<float>{{20, 24}})) ==
        "y[0, 0] = 1 · 3 + 2 · 5 + 7 = 20");
  // The same matrix as nn.Linear stores it.
  projection.matrix = StoredMatrix(spelt_out<float>("w", {2, 2}, {3, 5, 4, 6}), true);
  CHECK(text_of(projected_lines("y", x, projection, Tensor<float>{{20, 24}})) ==
        "y[0, 0] = 1 · 3 + 2 · 5 + 7 = 20");
  Tensor<float> heads = Tensor<float>::from_shape({std::size_t{1}, std::size_t{1}, std::size_t{1}});
  heads.fill(24.0F);
  CHECK(text_of(head_lines("q", x, projection, {1, 2}, heads)) == "q[0, 0, 0] = 1 · 4 + 2 · 6 + 8 = 24");
  // mean 3, variance 4, eps 0
  const ModelNorm norm{NormType::layer, 0.0F, Tensor<float>{2, 2}, Tensor<float>{10, 10}};
  CHECK(text_of(normed_lines("n", Tensor<float>{{1, 5}}, norm, Tensor<float>{{8, 12}})) ==
        "n[0, 0] = ((1 − 3) / √(4 + 0)) · 2 + 10 = 8");
}
