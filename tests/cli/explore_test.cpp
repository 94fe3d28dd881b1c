// `attnlab explore` as a browser asks it, and as nobody should.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "program.hpp"
#include "served.hpp"
#include "shell.hpp"

using attnlab::contains;
using attnlab::Outcome;
using attnlab::Served;
using attnlab::Workplace;
using nlohmann::json;

namespace {

std::string wanting(const json& parameters, const std::string& figure = "") {
  return json{{"figure", figure}, {"parameters", parameters}}.dump();
}

std::string status_of(const std::string& answer) { return answer.substr(0, answer.find('\r')); }

bool is_ok(const std::string& answer) { return contains(status_of(answer), " 200 "); }

json body_of(const std::string& answer) { return json::parse(answer.substr(answer.find("\r\n\r\n") + 4)); }

std::string request(const std::string& path, const std::string& host, const std::string& more = "",
                    const std::string& method = "GET") {
  return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "Connection: close\r\n\r\n";
}

std::string refusal_of(const std::vector<std::string>& arguments, int exit_code = 2) {
  const Workplace place;
  const Outcome outcome = place.run(arguments);
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.out.empty());
  return outcome.err;
}

/// Whether all have ended within ten seconds, whether or not anyone has asked how.
bool end_soon(const std::vector<pid_t>& processes) {
  const auto computes = [](pid_t one) {
    std::ifstream file("/proc/" + std::to_string(one) + "/stat");
    const std::string state{std::istreambuf_iterator<char>(file), {}};
    return !state.empty() && !contains(state, ") Z ");
  };
  for (int i = 0; i < 500; ++i) {
    if (std::none_of(processes.begin(), processes.end(), computes)) return true;
    usleep(20'000);
  }
  return false;
}

}  // namespace

TEST_CASE("A live page has a control for every parameter but those that name files") {
  const Served served({"self-attention", "--tokens", "5", "--lang", "en"});
  const std::string page = served.answer(request(served.path(), served.host()));
  CHECK(is_ok(page));
  CHECK(contains(page, "name=\"tokens\" data-default=\"4\" value=\"5\""));
  CHECK(contains(page, "name=\"labels\""));
  CHECK(contains(page, "<select id=\"parameter-rng\" name=\"rng\""));
  CHECK_FALSE(contains(page, "name=\"input\""));
  CHECK(contains(page, "埋め込みの次元 d"));
  CHECK(contains(page, "width d of the embeddings"));
  CHECK(contains(page, "Content-Security-Policy: default-src 'none'"));
  CHECK(contains(page, "Referrer-Policy: no-referrer"));
}

TEST_CASE("What is changed is computed, and the run's own command stands below") {
  const Served served({"vectors", "--lang", "en"});
  const json answer = body_of(served.post("frame", wanting({{"count", "3"}, {"query-angle", "90"}}, "bars")));
  CHECK(answer["command"] == "attnlab vectors --count 3 --query-angle 90 --figure bars --lang en");
  CHECK(answer["figure"] == "bars");
  CHECK(contains(answer["picture"].get<std::string>(), "data-at=\"0 0 2\""));
  CHECK_FALSE(contains(answer["picture"].get<std::string>(), "data-at=\"0 0 3\""));
}

TEST_CASE("A frame comes in the language that is wanted, and else in the command line's") {
  const Served served({"vectors", "--lang", "en"});
  const auto in_language = [&](const std::string& code) {
    json body = json::parse(wanting(json::object()));
    if (!code.empty()) body["language"] = code;
    return served.post("frame", body.dump());
  };
  const std::string japanese = body_of(in_language("ja"))["picture"];
  CHECK(contains(japanese, "<svg lang=\"ja\""));
  CHECK_FALSE(contains(japanese, "<svg lang=\"en\""));
  CHECK(contains(body_of(in_language("ja"))["command"].get<std::string>(), "--lang ja"));
  CHECK(contains(body_of(in_language(""))["picture"].get<std::string>(), "<svg lang=\"en\""));
  CHECK(contains(status_of(in_language("fr")), " 422 "));
  CHECK(contains(in_language("fr"), "there is no picture in 'fr'"));
}

TEST_CASE("Words that are typed in stay text") {
  const Served served({"self-attention", "--lang", "en"});
  const std::string label = "</script><b onclick=x>";
  const json answer = body_of(served.post("frame", wanting({{"labels", label + ",b,c,d"}})));
  CHECK_FALSE(contains(answer["picture"].get<std::string>(), "<b onclick"));
}

TEST_CASE(
    "A value that the experiment does not take is refused in the program's own words, in both languages") {
  const Served served({"vectors"});
  const std::string refusal = served.post("frame", wanting({{"count", "1e9"}}));
  CHECK(contains(status_of(refusal), " 422 "));
  CHECK(body_of(refusal)["en"] ==
        "--count must be a whole number from 2 to 1000, got '1e9'; for example --count 10");
  CHECK(contains(body_of(refusal)["ja"].get<std::string>(), "2 以上 1000 以下"));
  CHECK(contains(served.post("frame", wanting({{"nothing", "1"}})), "there is no parameter --nothing"));
  CHECK(contains(served.post("frame", wanting(json::object(), "nothing")), "has no figure 'nothing'"));
  CHECK(is_ok(served.post("frame", wanting(json::object()))));
}

TEST_CASE("A page names no files") {
  const Served served({"self-attention"});
  const std::string refusal = served.post("frame", wanting({{"input", "x=/etc/passwd"}}));
  CHECK(contains(status_of(refusal), " 422 "));
  CHECK(contains(refusal, "--input cannot be given in the page"));
  const Workplace place;
  place.write("x.csv", "1,0\n0,1\n");
  const Served attend({"attend", "--x", place.path("x.csv").string()});
  for (const char* name : {"mask", "query", "projections"}) {
    CAPTURE(name);
    CHECK(contains(attend.post("frame", wanting({{name, "/etc/passwd"}})), "cannot be given in the page"));
  }
}

TEST_CASE("A sign that stands for standard input does not in a page") {
  const Served served({"model", "--model", "text", "--text", "Alice", "--lang", "en"});
  CHECK(is_ok(served.post("frame", wanting({{"text", "Alice was"}}))));
  CHECK(is_ok(served.post("frame", wanting({{"text", " -"}}))));
  const std::string refusal = served.post("frame", wanting({{"text", "-"}}));
  CHECK(contains(status_of(refusal), " 422 "));
  CHECK(contains(refusal, "--text - cannot be given in the page"));
}

TEST_CASE("Labels are typed into a page as words, which open no file") {
  const Workplace place;
  place.write("x.csv", "1,0\n0,1\n");
  place.write("labels.txt", "secret\nword\n");
  const std::string file = place.path("labels.txt").string();
  const Served attend({"attend", "--x", place.path("x.csv").string(), "--lang", "en"});
  CHECK(contains(attend.answer(request(attend.path(), attend.host())), "name=\"labels\""));
  const std::string typed = attend.post("frame", wanting({{"labels", "one,two"}}));
  CHECK(is_ok(typed));
  CHECK(contains(typed, "--labels =one,two"));
  CHECK(is_ok(attend.post("frame", wanting({{"labels", ""}}))));
  for (const std::string& name : {file, "=" + file}) {
    const std::string answer = attend.post("frame", wanting({{"labels", name}}));
    CHECK(contains(answer, "1 label"));  // for two queries
    CHECK_FALSE(contains(answer, "secret"));
  }
  const Served begun({"attend", "--x", place.path("x.csv").string(), "--labels", file, "--lang", "en"});
  CHECK(is_ok(begun.post("frame", wanting({{"labels", file}}))));  // as the command line named it
  CHECK(is_ok(begun.post("frame", wanting({{"labels", "one,two"}}))));
}

TEST_CASE("Where tokens have names there are as many as words, wherever a slider stood") {
  const Served named({"self-attention", "--labels", "the,cat,sat,down", "--lang", "en"});
  CHECK_FALSE(contains(named.answer(request(named.path(), named.host())), "name=\"tokens\""));
  for (const char* tokens : {"2", "5", "22"}) {
    const json parameters{{"labels", "the,cat,sat,down"}, {"tokens", tokens}};
    CHECK(is_ok(named.post("frame", wanting(parameters))));
  }
  const json answer = body_of(named.post("frame", wanting({{"tokens", "3"}, {"labels", "a,b"}})));
  CHECK(contains(answer["command"].get<std::string>(), "--labels a,b"));
  CHECK(contains(body_of(named.post("frame", wanting({{"tokens", "3"}})))["command"].get<std::string>(),
                 "--tokens 3"));
}

TEST_CASE("Arrays of the command line stay with the page") {
  const Workplace place;
  place.write("x.csv", "1,0\n0,1\n1,1\n");
  const Served served({"self-attention", "--input", "x=" + place.path("x.csv").string(), "--lang", "en"});
  CHECK(contains(served.answer(request(served.path(), served.host())),
                 "name=\"tokens\" data-default=\"4\" value=\"3\""));
  CHECK(is_ok(served.post("frame", wanting({{"tokens", "3"}, {"width", "2"}}))));
  CHECK(contains(served.post("frame", wanting({{"tokens", "5"}})), "contradicts"));
}

TEST_CASE("A saved page is the one that -o page.html writes") {
  const Workplace place;
  REQUIRE(
      place.run({"softmax", "--scores", "1,2,3", "-o", "page.html", "--quiet", "--lang", "en"}).exit_code ==
      0);
  const Served served({"softmax", "--lang", "en"});
  const std::string answer = served.post("page", wanting({{"scores", "1,2,3"}}));
  CHECK(contains(answer, "Content-Disposition: attachment; filename=\"softmax.html\""));
  CHECK(answer.substr(answer.find("\r\n\r\n") + 4) == place.read("page.html"));
}

TEST_CASE("Nobody is answered who does not know the address, or comes from another page") {
  const Served served({"vectors"});
  const std::string host = served.host();
  const auto is_forbidden = [&](const std::string& bytes) {
    return contains(status_of(served.answer(bytes)), " 403 ");
  };
  CHECK(is_forbidden(request("/", host)));
  CHECK(is_forbidden(request("/00000000000000000000000000000000/", host)));
  const std::string port = host.substr(host.find(':'));
  for (const std::string name : {"evil.example", "127.0.0.1.evil.example", "localhost:1",
                                 "evil.example:127.0.0.1", "127.0.0.2", "[::1", "", ":"})
    CHECK_MESSAGE(is_forbidden(request(served.path(), name + port)), name);
  for (const char* name : {"127.0.0.1:", "127.0.0.1:x", "127.0.0.1 ", "8080", "127.0.0.18080"})
    CHECK_MESSAGE(is_forbidden(request(served.path(), name, "Host: " + host + "\r\n")), name);
  CHECK(is_forbidden(request(served.path(), host, "Host: evil.example\r\n")));
  CHECK(is_forbidden(request(served.path(), host, "Origin: http://evil.example\r\n")));
  CHECK(is_forbidden(request(served.path(), host, "Origin: null\r\n")));
  CHECK(is_forbidden(request(served.path(), host, "Sec-Fetch-Site: cross-site\r\n")));
  CHECK(is_forbidden("GET " + served.path() + " HTTP/1.0\r\n\r\n"));
  for (const std::string& name : {"localhost" + port, std::string("localhost:9000"), std::string("127.0.0.1"),
                                  "[::1]" + port})  // a port that is forwarded here
    CHECK_MESSAGE(is_ok(served.answer(request(served.path(), name))), name);
  const std::string foreign = "Origin: http://localhost:9001\r\n";
  CHECK(is_forbidden(request(served.path(), "localhost:9000", foreign)));  // another page of this machine
  const std::string link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n";
  CHECK(is_ok(served.answer(request(served.path(), host, link + "Sec-Fetch-Dest: document\r\n"))));
  CHECK(is_forbidden(request(served.path(), host, link + "Sec-Fetch-Dest: iframe\r\n")));
  CHECK(is_forbidden(request(served.path(), host, link + "Sec-Fetch-Dest: document\r\n", "POST")));
}

TEST_CASE("There is nothing but the page") {
  const Served served({"vectors"});
  for (const std::string path : {"../../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "x", "frame"}) {
    CAPTURE(path);
    CHECK(contains(status_of(served.answer(request(served.path() + path, served.host()))), " 404 "));
  }
  CHECK_FALSE(is_ok(served.answer(request(served.path(), served.host(), "", "DELETE"))));
  CHECK(contains(status_of(served.post("frame", "no json")), " 400 "));
  CHECK(contains(status_of(served.post("frame", "[1]")), " 400 "));
  CHECK(contains(status_of(served.post("frame", wanting({{"count", 3}}))), " 400 "));
  CHECK(contains(status_of(served.post("frame", std::string(60'000, '['))), " 400 "));
  CHECK(contains(status_of(served.post("frame", std::string(70'000, ' '))), " 413 "));
  const std::string endless =
      request(served.path() + "frame", served.host(), "Transfer-Encoding: chunked\r\n", "POST");
  CHECK(contains(status_of(served.answer(endless)), " 411 "));
  CHECK(is_ok(served.post("frame", wanting(json::object()))));
}

TEST_CASE("Who says nothing, or says it slowly, keeps nobody waiting") {
  const Served served({"vectors"});
  std::vector<int> idle;
  for (int i = 0; i < 40; ++i) idle.push_back(served.connection());
  for (const int one : idle) REQUIRE(write(one, "GET / HT", 8) == 8);
  CHECK(is_ok(served.post("frame", wanting(json::object()))));
  for (const int one : idle) close(one);
}

TEST_CASE("Who drips a byte now and then does not keep it from ending, nor does a connection that is kept") {
  Served served({"vectors"});
  const int slow = served.connection();
  const int kept = served.connection();
  const std::string page = "GET " + served.path() + " HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n";
  REQUIRE(write(kept, page.data(), page.size()) == static_cast<ssize_t>(page.size()));
  for (const char* byte : {"G", "E", "T"}) {
    REQUIRE(write(slow, byte, 1) == 1);
    usleep(200'000);
  }
  served.interrupt();
  CHECK(served.exit_code(2.0) == 0);
  close(slow);
  close(kept);
}

TEST_CASE("A hundred strangers and a hundred open pages lock nobody out") {
  const Served served({"vectors"});
  std::vector<int> open;
  const std::string alive = request(served.path() + "alive", served.host());
  for (int i = 0; i < 100; ++i) {
    open.push_back(served.connection());
    REQUIRE(write(open.back(), alive.data(), alive.size()) == static_cast<ssize_t>(alive.size()));
  }
  for (int i = 0; i < 100; ++i) {
    open.push_back(served.connection());
    REQUIRE(write(open.back(), "GET / HT", 8) == 8);
  }
  CHECK(is_ok(served.answer(request(served.path(), served.host()))));
  CHECK(is_ok(served.post("frame", wanting(json::object()))));
  for (const int one : open) close(one);
}

TEST_CASE("A stranger's head ends after some kilobytes and some seconds") {
  const Served served({"vectors"});
  const std::string endless = "GET / HTTP/1.1\r\n" + std::string(20'000, 'x');
  CHECK(contains(status_of(served.answer(endless)), " 431 "));
  CHECK(contains(status_of(served.answer("\r\n\r\n")), " 400 "));
  CHECK(contains(status_of(served.answer("GET / HTTP/1.1\r\nno field\r\n\r\n")), " 400 "));
  CHECK(served.answer("GET / HT").empty());  // closed by the server
}

TEST_CASE("A part of the page is not to be had, but all of it") {
  const Served served({"vectors"});
  const std::string answer = served.answer(request(served.path(), served.host(), "Range: bytes=0-10\r\n"));
  CHECK(is_ok(answer));
  CHECK(contains(answer, "</html>"));
  CHECK(contains(answer, fmt::format("Content-Length: {}\r\n", answer.size() - answer.find("\r\n\r\n") - 4)));
}

TEST_CASE("Who closes the page while it is computed ends the work, and every signal ends all of it") {
  const json heavy{{"figure", ""}, {"parameters", {{"pairs", "9000"}, {"dims", "1,1024"}}}};
  for (const int number : {SIGTERM, SIGHUP, SIGINT}) {
    CAPTURE(number);
    Served served({"variance"});
    const std::size_t idle = served.workers().size();
    const std::string body = heavy.dump();
    const std::string asking = "POST " + served.path() + "page HTTP/1.1\r\nHost: " + served.host() +
                               "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    const int closed = served.connection();
    REQUIRE(write(closed, asking.data(), asking.size()) == static_cast<ssize_t>(asking.size()));
    usleep(300'000);
    CHECK(served.workers().size() == idle);
    close(closed);
    for (int i = 0; i < 100 && served.workers().size() == idle; ++i) usleep(20'000);
    if (idle > 0) CHECK(served.workers().size() == idle - 1);
    const int waiting = served.connection();
    REQUIRE(write(waiting, asking.data(), asking.size()) == static_cast<ssize_t>(asking.size()));
    usleep(300'000);
    const std::vector<pid_t> workers = served.workers();
    served.signal(number);
    CHECK(served.exit_code(2.0) == 0);
    for (const pid_t worker : workers) CHECK(kill(worker, 0) != 0);
    close(waiting);
  }
}

TEST_CASE("The newest of several requests is answered, the older ones give way") {
  const Served served({"variance", "--lang", "en"});
  std::string older;
  std::thread waiting([&] {
    older = served.post("frame", wanting({{"pairs", "9000"}, {"dims", "1,1024"}}));
  });
  usleep(300'000);
  const std::string newer = served.post("frame", wanting({{"pairs", "200"}}));
  waiting.join();
  CHECK(is_ok(newer));
  CHECK_FALSE(older.empty());
  CHECK_FALSE(contains(status_of(older), " 5"));
}

TEST_CASE("Requests that overtake each other, and a process that the system ended, end nothing") {
  Served served({"vectors"});
  const auto compare = [&] { return served.post("frame", wanting({{"query-angle", "20"}})); };
  const std::vector<pid_t> workers = served.workers();
  for (const pid_t worker : workers) kill(worker, SIGKILL);
  REQUIRE(end_soon(workers));
  CHECK(is_ok(compare()));
  std::vector<std::thread> tabs;
  for (int tab = 0; tab < 6; ++tab) {
    tabs.emplace_back([&] {
      for (int i = 0; i < 40; ++i) compare();
    });
  }
  for (std::thread& tab : tabs) tab.join();
  CHECK(served.exit_code(0.1) == std::nullopt);
  CHECK(is_ok(compare()));
}

TEST_CASE("Nothing computes on for a program that was ended by force") {
  Served served({"variance"});
  const json heavy{{"figure", ""}, {"parameters", {{"pairs", "9000"}, {"dims", "1,1024"}}}};
  std::thread waiting([&] { served.post("page", heavy.dump()); });
  usleep(300'000);
  const std::vector<pid_t> workers = served.workers();
  served.signal(SIGKILL);
  waiting.join();
  CHECK(served.exit_code(10.0) == 128 + SIGKILL);
  CHECK(end_soon(workers));
}

TEST_CASE("The address without its last sign leads to the page") {
  const Served served({"vectors"});
  const std::string bare = served.path().substr(0, served.path().size() - 1);
  const std::string answer = served.answer(request(bare, served.host()));
  CHECK(contains(status_of(answer), " 302 "));
  CHECK(contains(answer, "Location: " + served.path() + "\r\n"));
  CHECK(contains(status_of(served.answer(request(bare + "x", served.host()))), " 404 "));
}

TEST_CASE("The browser gets no secret that every user could read, but a file that one user can read") {
  if (!attnlab::is_installed("curl")) return;
  const Workplace place;
  std::filesystem::create_directory(place.path("bin"));
  std::filesystem::create_directory(place.path("tmp"));
  place.write("bin/xdg-open",
              "#!/bin/sh\ntr '\\0' ' ' < /proc/$$/cmdline > words\nstat -c %a \"$1\" > mode\n"
              "url=$(sed -n 's/.*content=\"0;url=\\(.*\\)\".*/\\1/p' \"$1\")\ncurl -s \"$url\" > page\n"
              "curl -s --max-time 1 \"$url\"alive > alive\n");  // and closes the page
  std::filesystem::permissions(place.path("bin/xdg-open"), std::filesystem::perms::owner_all);
  const Outcome outcome =
      place.run({"explore", "vectors"},
                attnlab::on_terminal({"DISPLAY=:0", "TMPDIR=" + place.path("tmp").string(),
                                      "PATH=" + place.path("bin").string() + ":/usr/bin:/bin"}));
  CHECK(outcome.exit_code == 0);
  CHECK_FALSE(contains(place.read("words"), "http"));
  CHECK(place.read("mode") == "600\n");
  CHECK(contains(place.read("page"), "</html>"));
  CHECK(std::filesystem::is_empty(place.path("tmp")));
}

TEST_CASE("Ctrl-C ends it") {
  Served served({"vectors"});
  served.interrupt();
  CHECK(served.exit_code(10.0) == 0);
}

TEST_CASE("It ends when the page is closed, not when it is loaded anew") {
  Served served({"vectors"});
  const std::string alive = request(served.path() + "alive", served.host());
  for (int visit = 0; visit < 2; ++visit) {
    const int page = served.connection();
    REQUIRE(write(page, alive.data(), alive.size()) == static_cast<ssize_t>(alive.size()));
    CHECK(served.exit_code(1.0) == std::nullopt);
    close(page);
  }
  CHECK(served.exit_code(30.0) == 0);
}

TEST_CASE("What cannot be explored is refused before anything is served") {
  CHECK(
      contains(refusal_of({"explore"}), "explore needs an experiment; for example attnlab explore vectors"));
  CHECK(contains(refusal_of({"explore", "vector"}), "did you mean vectors?"));
  CHECK(contains(refusal_of({"explore", "vectors", "--count", "1"}), "--count must be"));
  CHECK(contains(refusal_of({"explore", "vectors", "--figure", "arows"}), "has no figure 'arows'"));
  CHECK(contains(refusal_of({"explore", "vectors", "--port", "70000"}), "--port must be"));
  CHECK(contains(refusal_of({"explore", "vectors", "--size", "1x1in"}), "explore --help"));
  const Served served({"vectors"});
  const std::string port = served.host().substr(served.host().find(':') + 1);
  CHECK(contains(refusal_of({"explore", "vectors", "--port", port}, 1), "cannot serve at port " + port));
}
