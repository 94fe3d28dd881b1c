#include "attnlab/output/watch.hpp"

#include <chrono>
#include <ctime>
#include <thread>

#include "attnlab/terminal/browser.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/counted.hpp"
#include "live/served_files.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds between_looks{150};

/// An editor that replaces a file leaves it missing for a moment.
constexpr int looks_at_rest = 1;
constexpr int looks_at_missing = 7;

/// When each file was written and how large it is.
using Stamps = std::map<fs::path, std::pair<fs::file_time_type, std::uintmax_t>>;

Stamps stamps_of(const std::vector<fs::path>& inputs) {
  Stamps stamps;
  for (const fs::path& input : inputs) {
    std::error_code problem;
    if (!fs::is_regular_file(input, problem)) continue;
    const fs::file_time_type time = fs::last_write_time(input, problem);
    if (!problem) stamps[input] = {time, fs::file_size(input, problem)};
  }
  return stamps;
}

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  return fmt::format("{:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

/// The new stamps, once a file has changed and all have rested for a while; nothing after Ctrl-C.
std::optional<Stamps> changed(const std::vector<fs::path>& inputs, const Stamps& before) {
  Stamps last = before;
  int rested = 0;
  while (!InterruptionRequest::requested()) {
    std::this_thread::sleep_for(between_looks);
    Stamps now = stamps_of(inputs);
    rested = now == last ? rested + 1 : 0;
    last = std::move(now);
    const int enough = last.size() < before.size() ? looks_at_missing : looks_at_rest;
    if (rested >= enough && last != before) return last;
  }
  return std::nullopt;
}

}  // namespace

void require_files(const std::vector<fs::path>& inputs) {
  if (!stamps_of(inputs).empty()) return;
  refuse_usage({"--watch で見るファイルがありません", "--watch has no file to look at"},
               {"Markdown の文書か、--input などで読み込むファイルを指定してください",
                "name a document in Markdown, or files that the run reads, as with --input"});
}

Ending watch(const Make& make, Language language) {
  Watched watched;
  make(true, watched);
  Stamps stamps = stamps_of(watched.inputs);
  const InterruptionRequest interruption({SIGINT, SIGTERM, SIGHUP});
  ServedFiles pages;
  std::optional<PageServer> server;
  std::optional<OpenedBrowser> browser;
  if (!watched.page.empty()) {
    pages.hold(watched.page, watched.made);
    server.emplace(
        [&pages](const HttpRequest& request, const std::string& path) { return pages.serve(request, path); },
        0);
    write_output(server->address() + "\n");
    if (has_screen()) browser.emplace(server->address());
  }
  write_note(attnlab::text("{} 個のファイルを見ています。Ctrl-C で終了します", "watching {}; Ctrl-C ends it",
                           counted(stamps.size(), "file")),
             language);
  while (const std::optional<Stamps> now = changed(watched.inputs, stamps)) {
    stamps = *now;
    try {
      make(false, watched);
      stamps = stamps_of(watched.inputs);
      write_note(attnlab::text("{} 作り直しました", "{} made anew", time_of_day()), language);
      if (!server) continue;
      pages.hold(watched.page, watched.made);
      server->announce();
    } catch (const Error& error) {
      write_error(error.message(language));
      stamps.merge(stamps_of(watched.inputs));  // of files that it newly names
    }
  }
  return Ending::done;
}

}  // namespace attnlab
