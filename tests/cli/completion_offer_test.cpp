// What may follow the words of an unfinished command line, as `attnlab complete` says it.
#include "attnlab/command_line/commands.hpp"
#include "attnlab/output/look_flags.hpp"
#include "products/look.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/utf8.hpp"
#include "program.hpp"

using attnlab::Flag;
using attnlab::Language;
using attnlab::Offer;
using attnlab::Outcome;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

Flag flag_with(const std::string& form) { return attnlab::flag("flag", form, "", ""); }

/// Without what they mean.
Words offered(const Words& typed) {
  Words words;
  for (const std::string& line : attnlab::lines_of(attnlab::completions(typed, Language::en)))
    words.push_back(line.substr(0, line.find('\t')));
  return words;
}

bool offers(const Words& typed, const std::string& word) {
  const Words words = offered(typed);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TEST_CASE("words that are typed as they stand are offered, placeholders are not") {
  CHECK(offer_of(flag_with("none|default|NUMBER")).words == Words{"none", "default"});
  CHECK(offer_of(flag_with("0:1|data|A:B")).words == Words{"0:1", "data"});
  CHECK(offer_of(flag_with("png,svg,pdf")).words == Words{"png", "svg", "pdf"});
  CHECK(offer_of(flag_with("none|causal|padding:N|window:N,...")).words == Words{"none", "causal"});
  for (const std::string form :
       {"1..512", "0.1..10", "X,X,... (2..64; X 0..1)", "WORD,WORD,...", "WxH", "A:B", ""}) {
    CAPTURE(form);
    CHECK(offer_of(flag_with(form)).words.empty());
    CHECK(offer_of(flag_with(form)).paths == Offer::Paths::none);
  }
}

TEST_CASE("names of files and folders are left to the shell") {
  CHECK(offer_of(flag_with("FOLDER")).paths == Offer::Paths::folders);
  for (const std::string form : {"FILE", "FILE[:NAME]", "[ARRAY=]FILE", "FILE|WORD,WORD,..."}) {
    CAPTURE(form);
    CHECK(offer_of(flag_with(form)).paths == Offer::Paths::files);
    CHECK(offer_of(flag_with(form)).words.empty());
    CHECK(offer_of(flag_with(form)).ending.empty());
  }
  CHECK(offer_of(flag_with("FILE.py")).ending == ".py");
  const Offer mask = offer_of(flag_with("FILE[:NAME]|causal|window:N|padding:N"));
  CHECK(mask.paths == Offer::Paths::files);
  CHECK(mask.words == Words{"causal"});
  CHECK(offered({"train", "world", "--save-model", "x"}) == Words{":files .safetensors"});
  CHECK(offered({"inspect", ""}) == Words{":files"});
  CHECK(offered({"grade", ""}) == Words{":folders"});
}

TEST_CASE("choices are offered whatever they look like") {
  CHECK(offered({"claims", "--document", ""}) == Words{"A", "B", "C", "D", "E"});
  CHECK(offered({"heads", "--palette", ""}) == attnlab::palette_names());
}

TEST_CASE("where a flag takes a list, each item is completed") {
  CHECK(offered({"heads", "--format", "png,s"}) == Words{"png,svg"});
  CHECK(offered({"heads", "--format=png,s"}) == Words{"--format=png,svg"});
  CHECK(offered({"heads", "--mistake", "none,"}).empty());
}

TEST_CASE("names of figures, arrays, inputs and numbers are the experiment's own") {
  CHECK(offers({"vectors", "--figure", ""}, "all"));
  CHECK(offered({"vectors", "--figure", "ar"}) == Words{"arrows"});
  CHECK(offered({"sweep", "vectors", "--figure", "ar"}) == Words{"arrows"});
  CHECK_FALSE(offers({"sweep", "vectors", "--figure", ""}, "all"));
  CHECK(offered({"heads", "--check", "weights"}) == Words{"weights=", ":files"});
  CHECK(offered({"self-attention", "--input", "w_q"}) == Words{"w_query=", ":files"});
  CHECK(offered({"sweep", "scaling", "--over", "high"}) == Words{"high-dim="});
  CHECK(offered({"exercise", "self-attention", "--ask", "weights,que"}) == Words{"weights,query"});
}

TEST_CASE("after train, sweep, explore and exercise follow the flags of what is trained or shown") {
  CHECK(offered({"sweep", "heads", "--wid"}) == Words{"--width"});
  CHECK(offered({"sweep", "--wid"}).empty());
  CHECK(offered({"train", "rev"}) == Words{"reverse"});
  CHECK(offers({"train", "reverse", "--"}, "--save-model"));
  CHECK_FALSE(offers({"train", "--"}, "--save-model"));
  CHECK(offers({"exercise", "heads", "--"}, "--width"));
  CHECK_FALSE(offers({"exercise", "heads", "--"}, "--input"));
}

TEST_CASE("a word that is no flag may be a subcommand, a shell or the parameter that needs no flag") {
  const Words every = attnlab::names_of(attnlab::subcommands(attnlab::experiments()));
  CHECK(offered({""}) == every);
  CHECK(offered({"--lang", "ja", ""}) == every);
  CHECK(offered({"help", ""}) == every);
  CHECK(offered({"sweep", ""}) == attnlab::names_of(attnlab::experiments()));
  CHECK(offered({"completion", ""}) == Words{"bash", "zsh", "fish"});
  CHECK(offered({"mistakes", ""}) == offered({"mistakes", "--mistake", ""}));
  CHECK(offered({"mistakes", ""}).size() > 1);
  CHECK(offered({"nonsense", ""}).empty());
}

TEST_CASE("a value is completed behind = as well, which some shells take for a word") {
  CHECK(offered({"heads", "--theme=da"}) == Words{"--theme=dark"});
  CHECK(offered({"heads", "--theme", "=", "da"}) == Words{"dark"});
  CHECK(offered({"heads", "--theme", "="}) == Words{"light", "dark", "print"});
  CHECK(offered({"--lang", "=", "ja", "heads", "--theme", "=", "d"}) == Words{"dark"});
  CHECK(offered({"heads", "--check", "weights", "=", "mine"}) == Words{":files"});
}

TEST_CASE("every flag is offered once, and none again that may stand there only once") {
  Words flags = offered({"attend", "--"});
  std::sort(flags.begin(), flags.end());
  CHECK(std::unique(flags.begin(), flags.end()) == flags.end());
  CHECK(flags.size() == flags_of(attnlab::attend_command()).size());
  CHECK(offered({"heads", "--theme", "dark", "--th"}).empty());
  CHECK(offered({"heads", "--theme=dark", "--th"}).empty());
  CHECK(offered({"heads", "--output", "a.png", "--out"}) == Words{"--output", "--output-dir"});
}

TEST_CASE("each word is offered with what it means, in the language asked for") {
  const Workplace place;
  const auto answer = [&](const Words& words) {
    const Outcome outcome = place.run(words);
    CHECK(outcome.exit_code == 0);
    return outcome.out;
  };
  CHECK(answer({"complete", "--", "--ver"}) == "--version\tshow the version\n");
  CHECK(answer({"complete", "--lang", "ja", "--", "--ver"}) == "--version\tバージョンを表示します\n");
  CHECK(answer({"complete", "--lang", "ja", "--", "sof"}) ==
        "softmax\t" + find_named(attnlab::experiments(), "softmax")->shows.ja() + "\n");
  CHECK(answer({"complete", "--"}) == answer({"complete", "--", ""}));
}
