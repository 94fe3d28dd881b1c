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
  place.write("out/beside.txt", "secret");
  for (const char* path : {"../l.md", "%2e%2e/l.md", "nothing.html", "en", "beside.txt", "en/../beside.txt"})
    CHECK_MESSAGE(get(path).find("HTTP/1.1 404") == 0, path);

  const std::string bare = served.path().substr(0, served.path().size() - 1);
  const std::string led = served.answer("GET " + bare + " HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n");
  CHECK(led.find("Location: " + served.path() + "\r\n") != std::string::npos);

  const std::string standing = place.read("out/index.html");
  place.write("l.md", document("arows"));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  CHECK(place.read("out/index.html") == standing);
  place.write("l.md", document("bars"));
  CHECK(comes_true([&] { return get("").find("vectors-bars") != std::string::npos; }));
  served.interrupt();
  CHECK(served.exit_code(60.0) == 0);
}

TEST_CASE("A document is built anew when a file that it no longer reads is gone") {
  const Workplace place;
  place.write("x.json", "{\"scores\": [3, 1, 2]}");
  place.write("l.md", "``` {.attnlab}\nsoftmax --figure bars --input scores=x.json\n```\n");
  Served served({place.path("l.md").string(), "-o", place.path("out").string(), "--watch", "--quiet"},
                "build");
  std::filesystem::remove(place.path("x.json"));
  place.write("l.md", "ANOTHER\n");
  const auto is_new = [&] { return place.read("out/index.html").find("ANOTHER") != std::string::npos; };
  CHECK(comes_true(is_new));
  served.interrupt();
  CHECK(served.exit_code(60.0) == 0);
}

TEST_CASE("A file that a document names before there is one, or while it is broken, is waited for") {
  const Workplace place;
  place.write("l.md", "# One\n");
  Served served({place.path("l.md").string(), "-o", place.path("out").string(), "--watch", "--quiet"},
                "build");
  const auto shows = [&](const char* words) {
    return comes_true([&] { return place.read("out/index.html").find(words) != std::string::npos; });
  };
  place.write("l.md", "# Two\n\n``` {.attnlab}\nsoftmax --figure bars --input scores=x.json\n```\n");
  std::this_thread::sleep_for(std::chrono::seconds(1));
  place.write("x.json", "{\"scores\": [3, 1");
  std::this_thread::sleep_for(std::chrono::seconds(1));
  CHECK(place.read("out/index.html").find("One") != std::string::npos);
  place.write("x.json", "{\"scores\": [3, 1, 2]}");
  CHECK(shows("Two"));
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
  const Served served({"--input", "scores=" + place.path("x.json").string(), "-o", page, "-o",
                       place.path("p.svg").string(), "--watch", "--quiet"},
                      "softmax");
  for (const auto& [name, status] :
       {std::pair("", "200"), {"p.html", "200"}, {"p.svg", "200"}, {"x.json", "404"}})
    CHECK(served.answer("GET " + served.path() + name + " HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n")
              .find(std::string("HTTP/1.1 ") + status) == 0);
  const std::string before = place.read("p.html");
  write("5");
  CHECK(comes_true([&] { return place.read("p.html") != before; }));
}

TEST_CASE("A file that is no longer read may be deleted") {
  const Workplace place;
  place.write("x.csv", "1,0\n0,1\n");
  place.write("l.md", "# One\n\n``` {.attnlab}\nattend --x x.csv\n```\n");
  const Served served(
      {place.path("l.md").string(), "-o", place.path("out").string(), "--watch", "--quiet", "--lang", "en"},
      "build");
  std::filesystem::remove(place.path("x.csv"));
  place.write("l.md", "# Two\n\nwithout it\n");
  CHECK(comes_true([&] { return place.read("out/index.html").find("without it") != std::string::npos; }));
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
