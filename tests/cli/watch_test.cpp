// --watch: what stands on the disk and in the browser follows the files that it was made of.
#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "program.hpp"
#include "served.hpp"

namespace attnlab {
namespace {

/// Within a minute: a busy machine takes its time.
bool comes_true(const std::function<bool()>& fact) {
  for (int i = 0; i < 600; ++i) {
    if (fact()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

std::string document(const std::string& figure) {
  return "---\nlang: en\n---\n" + figure + "\n\n``` {.attnlab}\nvectors --figure " + figure + "\n```\n";
}

}  // namespace

TEST_CASE("A document that changes is built anew, its page served, and a mistake leaves what stands") {
  const Workplace place;
  place.write("l.md", document("arrows"));
  Served served({place.path("l.md").string(), "-o", place.path("out").string(), "--watch", "--quiet"},
                "build");
  const auto get = [&](const std::string& path) {
    return served.answer("GET " + served.path() + path + " HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n");
  };
  const std::string first = get("");
  CHECK(first.find("HTTP/1.1 200") == 0);
  CHECK(first.find("vectors-arrows") != std::string::npos);
  CHECK(first.find("new EventSource('./alive')") != std::string::npos);
  CHECK(place.read("out/index.html").find("EventSource") == std::string::npos);
  CHECK(get("en/vectors-arrows.svg").find("Content-Type: image/svg+xml") != std::string::npos);
  for (const char* path : {"../l.md", "%2e%2e/l.md", "nothing.html", "en"})
    CHECK_MESSAGE(get(path).find("HTTP/1.1 404") == 0, path);

  const std::string standing = place.read("out/index.html");
  place.write("l.md", document("arows"));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  CHECK(place.read("out/index.html") == standing);
  place.write("l.md", document("bars"));
  CHECK(comes_true([&] { return get("").find("vectors-bars") != std::string::npos; }));
  served.interrupt();
  CHECK(served.exit_code(60.0) == 0);
}

TEST_CASE("A page of one's own arrays follows them") {
  const Workplace place;
  const auto write = [&](const char* weight) {
    place.write("x.json", std::string("{\"scores\": [") + weight + ", 1, 2]}");
  };
  write("1");
  const std::string page = place.path("p.html").string();
  Served served({"--input", "scores=" + place.path("x.json").string(), "-o", page, "--watch", "--quiet"},
                "softmax");
  const std::string before = place.read("p.html");
  write("5");
  CHECK(comes_true([&] { return place.read("p.html") != before; }));
}

TEST_CASE("--watch without a file to look at makes nothing") {
  const Workplace place;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"vectors", "--watch"}, {"build", "slides", "--watch"}}) {
    const Outcome outcome = place.run(words);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("--watch") != std::string::npos);
    CHECK(place.files().empty());
  }
}

}  // namespace attnlab
