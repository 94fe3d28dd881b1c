// The flags of `attend` as they are typed: what each becomes, how masks combine, what is refused.
#include "attend/settings.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attending.hpp"

namespace attnlab {
namespace {

std::string refusal(const std::string& flag, const std::string& text) {
  return usage_message([&] { settings_of({{flag, text}}); });
}

AttendSettings with_mask(const std::string& items) { return settings_of({{"mask", items}}); }

}  // namespace

TEST_CASE("nothing typed means the textbook's attention over every key") {
  const AttendSettings settings = settings_of({});
  CHECK(settings.heads == 0);
  CHECK(settings.kv_heads == 0);
  CHECK(settings.head_place == HeadPlace::automatic);
  CHECK(settings.layout == WeightLayout::by_name);
  CHECK(settings.true_means == TrueMeans::keep);
  CHECK(settings.precision == Precision::as_stored);
  CHECK_FALSE(settings.scale);
  CHECK(settings.temperature == 1.0);
  CHECK_FALSE(settings.alibi);
  CHECK_FALSE(settings.rotary);
  CHECK_FALSE(settings.norm_eps);
  CHECK(settings.readable.alignment == CausalAlignment::bottom_right);
  CHECK_FALSE(settings.readable.causal);
  CHECK_FALSE(settings.readable.reach);
  CHECK(settings.readable.padded == 0);
  CHECK(settings.mask_files.empty());
  CHECK(settings.masked_row == MaskedRow::nan);
  CHECK(settings.pool == Pool::maximum);
  CHECK_FALSE(settings.rows);
  CHECK_FALSE(settings.columns);
  CHECK_FALSE(settings.head);
  CHECK(settings.entry == 0);
  CHECK(settings.keeping == Keeping::automatic);
}

TEST_CASE("rotary positions and the norms' eps") {
  const AttendSettings plain = settings_of({{"rope", "halves"}});
  REQUIRE(plain.rotary);
  CHECK(plain.rotary->pairing == RotaryPairing::halves);
  CHECK(plain.rotary->base == 10000.0);
  CHECK(plain.rotary->width == 0);
  const AttendSettings all = settings_of({{"rope", "pairs"},
                                          {"rope-base", "5e5"},
                                          {"rope-width", "16"},
                                          {"norm-eps", "1e-5"},
                                          {"norm-gain", "plus-one"},
                                          {"alignment", "top-left"}});
  REQUIRE(all.rotary);
  CHECK(all.rotary->pairing == RotaryPairing::interleaved);
  CHECK(all.rotary->base == 500000.0);
  CHECK(all.rotary->width == 16);
  CHECK(all.norm_eps == 1e-5);
  CHECK(all.norm_gain == NormGain::plus_one);
  CHECK(plain.norm_gain == NormGain::as_stored);
  CHECK(all.readable.alignment == CausalAlignment::top_left);
  CHECK(settings_of({}).rope == RopeChoice::automatic);
  CHECK_FALSE(settings_of({}).rotary);
  const AttendSettings recorded = settings_of({{"projections", "m.npz"}, {"rope-base", "500"}});
  CHECK_FALSE(recorded.rotary);
  CHECK(rotary_with(RotaryPairing::halves, recorded, 1e6).base == 500.0);
  CHECK(rotary_with(RotaryPairing::halves, settings_of({}), 1e6).base == 1e6);
  CHECK(refusal("rope-base", "500") == "--rope-base needs --rope; give --rope halves or --rope pairs");
  CHECK(refusal("rope-width", "4") == "--rope-width needs --rope; give --rope halves or --rope pairs");
}

TEST_CASE("every flag arrives in its place") {
  const AttendSettings settings = settings_of({{"heads", "8"},
                                               {"kv-heads", "2"},
                                               {"temperature", "2.5"},
                                               {"bool-mask", "drop"},
                                               {"bias", "alibi"},
                                               {"pool", "mean"},
                                               {"rows", "3:7"},
                                               {"columns", "100:"},
                                               {"head", "5"},
                                               {"entry", "4"},
                                               {"weights", "keep"}});
  CHECK(settings.heads == 8);
  CHECK(settings.kv_heads == 2);
  CHECK(settings.temperature == 2.5);
  CHECK(settings.true_means == TrueMeans::drop);
  CHECK(settings.alibi);
  CHECK(settings.pool == Pool::mean);
  REQUIRE(settings.rows);
  CHECK(settings.rows->begin == 3);
  CHECK(settings.rows->end == 7);
  REQUIRE(settings.columns);
  CHECK(settings.columns->begin == 100);
  CHECK(settings.columns->end > 1'000'000);  // whatever the tensor has
  CHECK(settings.head == std::size_t{5});
  CHECK(settings.entry == 4);
  CHECK(settings.keeping == Keeping::keep);
  CHECK(settings_of({{"weights", "stream"}}).keeping == Keeping::stream);
}

TEST_CASE("every choice has its own meaning") {
  const auto place = [](const char* text) { return settings_of({{"head-layout", text}}).head_place; };
  CHECK(place("auto") == HeadPlace::automatic);
  CHECK(place("width") == HeadPlace::width);
  CHECK(place("first") == HeadPlace::first);
  CHECK(place("last") == HeadPlace::last);
  const auto layout = [](const char* text) { return settings_of({{"layout", text}}).layout; };
  CHECK(layout("auto") == WeightLayout::by_name);
  CHECK(layout("in-out") == WeightLayout::in_out);
  CHECK(layout("out-in") == WeightLayout::out_in);
  const auto type = [](const char* text) { return settings_of({{"dtype", text}}).precision; };
  CHECK(type("auto") == Precision::as_stored);
  CHECK(type("float32") == Precision::float32);
  CHECK(type("float64") == Precision::float64);
  const auto row = [](const char* text) { return settings_of({{"masked-row", text}}).masked_row; };
  CHECK(row("nan") == MaskedRow::nan);
  CHECK(row("zero") == MaskedRow::zero);
  CHECK(row("uniform") == MaskedRow::uniform);
  CHECK_FALSE(row("error"));
  CHECK(settings_of({{"scale", "none"}}).scale == 1.0);
  CHECK(settings_of({{"scale", "0.25"}}).scale == 0.25);
  CHECK_FALSE(settings_of({{"scale", "default"}}).scale);
}

TEST_CASE("masks that are repeated all hold") {
  CHECK(with_mask("causal").readable.causal);
  CHECK_FALSE(settings_of({{"alignment", "top-left"}}).readable.causal);

  const AttendSettings all = with_mask("causal,window:8,a.npy,padding:3,b.npz:mask,none");
  CHECK(all.readable.causal);
  CHECK(all.readable.reach == std::size_t{8});
  CHECK(all.readable.padded == 3);
  CHECK(all.mask_files == std::vector<std::string>{"a.npy", "b.npz:mask"});

  CHECK(with_mask("window:8,window:3,window:5").readable.reach == std::size_t{3});  // the narrowest
  CHECK(with_mask("padding:1,padding:4,padding:2").readable.padded == 4);           // the longest
  CHECK(with_mask("window:0").readable.reach == std::size_t{0});
}

TEST_CASE("a file may be named as it likes, so long as it is no mask by name") {
  CHECK(with_mask("window.npy").mask_files == std::vector<std::string>{"window.npy"});
  CHECK(with_mask("padding/all").mask_files == std::vector<std::string>{"padding/all"});
  CHECK(with_mask("./causal").mask_files == std::vector<std::string>{"./causal"});
}

TEST_CASE("masks without a number, or with one too many, are refused") {
  for (const char* item : {"window", "padding", "window:", "window:x", "window:-1", "window:1.5",
                           "padding:2:3", "window:99999999999999999999"}) {
    CHECK(refusal("mask", item) == "--mask cannot be '" + std::string(item) +
                                       "'; give the number of keys, as in window:8 or padding:3");
  }
  CHECK(refusal("mask", "causal:2").find("--mask cannot be 'causal:2'; ") == 0);
}

TEST_CASE("a stretch counts from 0 and holds at least one index") {
  const auto stretch = [](const std::string& text) { return settings_of({{"rows", text}}).rows.value(); };
  CHECK(stretch("0:1").end == 1);
  CHECK(stretch(":64").begin == 0);
  CHECK(stretch(":64").end == 64);
  CHECK(stretch("7:").begin == 7);
  for (const char* flag : {"rows", "columns"}) {
    for (const char* text : {"5", "5:5", "6:5", "-1:4", "a:b", "1:2:3", "1.5:2", "0:0", ":0", " 1:2"}) {
      INFO(flag, " ", text);
      CHECK(refusal(flag, text) == "--" + std::string(flag) + " cannot be '" + text +
                                       "'; give a range counted from 0, its end not included, such as --" +
                                       flag + " 0:64");
    }
  }
}

TEST_CASE("nonsense is refused with what may be typed") {
  for (const char* text : {"-1", "x", "1.5", "first", "0,1"}) {
    CHECK(refusal("head", text) ==
          "--head cannot be '" + std::string(text) + "'; use all, or the number of a head, counted from 0");
  }
  for (const auto& entry : std::vector<std::pair<std::string, std::string>>{{"heads", "0"},
                                                                            {"kv-heads", "0"},
                                                                            {"heads", "-2"},
                                                                            {"entry", "-1"},
                                                                            {"temperature", "0"},
                                                                            {"scale", "-1"},
                                                                            {"scale", "half"},
                                                                            {"dtype", "int8"},
                                                                            {"head-layout", "inside"},
                                                                            {"masked-row", "inf"},
                                                                            {"pool", "sum"}}) {
    const auto& [flag, text] = entry;
    INFO(entry.first, " ", entry.second);
    CHECK(refusal(flag, text).find("--" + flag) == 0);
  }
}

TEST_CASE("every parameter is described in both languages, once") {
  std::vector<std::string> names;
  for (const Parameter& parameter : attend_parameters()) {
    INFO(parameter.name);
    CHECK(parameter.help.ja() != parameter.help.en());
    CHECK_FALSE(parameter.help.ja().empty());
    CHECK_FALSE(parameter.help.en().empty());
    CHECK(std::find(names.begin(), names.end(), parameter.name) == names.end());
    names.push_back(parameter.name);
  }
}

}  // namespace attnlab
