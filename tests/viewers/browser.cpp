#include "browser.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "open_pipe.hpp"

namespace attnlab {

using nlohmann::json;

Browser::Browser(const std::string& folder) {
  const std::array<int, 2> down = open_pipe();
  const std::array<int, 2> up = open_pipe();
  const std::string profile = "--user-data-dir=" + folder;
  process_ = fork();
  REQUIRE(process_ >= 0);
  if (process_ == 0) {
    // Chromium reads from descriptor 3 and writes to 4; ours may have these numbers.
    const int reading = fcntl(down[0], F_DUPFD, 10);
    const int writing = fcntl(up[1], F_DUPFD, 10);
    dup2(reading, 3);
    dup2(writing, 4);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
    execlp("chromium", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
           "--window-size=1280,800", profile.c_str(), "about:blank", static_cast<char*>(nullptr));
    _exit(127);
  }
  close(down[0]);
  close(up[1]);
  questions_ = down[1];
  answers_ = up[0];
  target_ = call("Target.createTarget", {{"url", "about:blank"}}, "").at("targetId");
  session_ = call("Target.attachToTarget", {{"targetId", target_}, {"flatten", true}}, "").at("sessionId");
  for (const char* domain : {"Runtime.enable", "Page.enable", "Log.enable"})
    call(domain, json::object(), session_);
}

Browser::~Browser() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
  close(questions_);
  close(answers_);
}

std::string Browser::next_message() {
  std::array<char, 65536> bytes{};
  while (buffer_.find('\0') == std::string::npos) {
    const ssize_t got = read(answers_, bytes.data(), bytes.size());
    REQUIRE(got > 0);
    buffer_.append(bytes.data(), static_cast<std::size_t>(got));
  }
  const std::size_t end = buffer_.find('\0');
  const std::string message = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return message;
}

json Browser::call(const std::string& method, const json& parameters, const std::string& session) {
  json question{{"id", ++number_}, {"method", method}, {"params", parameters}};
  if (!session.empty()) question["sessionId"] = session;
  const std::string bytes = question.dump() + '\0';
  REQUIRE(write(questions_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  while (true) {
    const json message = json::parse(next_message());
    const std::string event = message.value("method", "");
    if (event == "Runtime.consoleAPICalled" || event == "Runtime.exceptionThrown" ||
        event == "Log.entryAdded")
      console_ += message.at("params").dump() + "\n";
    if (message.value("id", 0) != number_) continue;
    INFO(message.dump());
    REQUIRE(message.contains("result"));
    return message.at("result");
  }
}

void Browser::open(const std::string& address) {
  call("Page.navigate", {{"url", address}}, session_);
  const std::string loaded =
      "location.href !== 'about:blank' && document.readyState === 'complete' && document.querySelector('h1') !== null";
  while (!value_of(loaded).get<bool>()) usleep(20'000);
}

json Browser::value_of(const std::string& expression) {
  const json result =
      call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}},
           session_);
  INFO(result.dump());
  REQUIRE_FALSE(result.contains("exceptionDetails"));
  return result.at("result").value("value", json());
}

void Browser::show_in(int width) {
  const bool is_telephone = width < 600;
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", 844}, {"deviceScaleFactor", 1}, {"mobile", is_telephone}}, session_);
}

void Browser::show_without_motion() {
  call("Emulation.setEmulatedMedia",
       {{"features", {{{"name", "prefers-reduced-motion"}, {"value", "reduce"}}}}}, session_);
}

json Browser::names_of(const std::string& expression) {
  const json list = call("Runtime.evaluate", {{"expression", expression}}, session_).at("result");
  const json elements =
      call("Runtime.getProperties", {{"objectId", list.at("objectId")}, {"ownProperties", true}}, session_);
  json names = json::array();
  for (const json& property : elements.at("result")) {
    if (!property.value("enumerable", false) || !property.at("value").contains("objectId")) continue;
    const json tree =
        call("Accessibility.getPartialAXTree",
             {{"objectId", property.at("value").at("objectId")}, {"fetchRelatives", false}}, session_);
    const json& node = tree.at("nodes").at(0);
    if (node.at("ignored") == true) continue;
    names.push_back({node.at("name").at("value"), node.at("role").at("value")});
  }
  return names;
}

void Browser::close_page() { call("Target.closeTarget", {{"targetId", target_}}, ""); }

}  // namespace attnlab
