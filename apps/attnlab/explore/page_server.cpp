#include "attnlab/explore/page_server.hpp"

#include <httplib.h>

#include <chrono>
#include <mutex>
#include <random>
#include <thread>

#include "attnlab/terminal/console.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr const char* html = "text/html; charset=utf-8";
constexpr const char* json = "application/json";
constexpr const char* plain = "text/plain; charset=utf-8";

constexpr int understood = 200;
constexpr int forbidden = 403;
constexpr int without_length = 411;

constexpr std::size_t most_bytes = 65'536;  // of a request's body
constexpr std::size_t most_connections = 64;
constexpr int seconds_to_write = 5;  // a request

/// 128 bits from the system, as hexadecimal digits.
std::string random_word() {
  std::random_device device;
  std::string word;
  for (int i = 0; i < 4; ++i) word += fmt::format("{:08x}", static_cast<std::uint32_t>(device()));
  return word;
}

/// Takes as long wherever they differ.
bool are_same(const std::string& one, const std::string& other) {
  if (one.size() != other.size()) return false;
  bool differ = false;
  for (std::size_t i = 0; i < one.size(); ++i) differ |= one[i] != other[i];
  return !differ;
}

/// Nothing but the page's own script runs, and it asks nobody but this server.
std::string policy(const std::string& nonce) {
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; img-src data:; connect-src "
      "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      nonce);
}

/// Without compressing it, as set_content would: that takes longer than the computation, and nobody's network
/// is spared.
void send(httplib::Response& response, const Answer& answer, const char* type) {
  response.status = answer.status;
  const auto body = std::make_shared<std::string>(answer.body);
  response.set_content_provider(body->size(), answer.status == understood ? type : json,
                                [body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                  return sink.write(body->substr(offset, length).data(), length);
                                });
}

}  // namespace

struct PageServer::Parts {
  explicit Parts(LiveAnswers& given) : answers(given) {}

  LiveAnswers& answers;
  std::string word = random_word();
  int port = 0;
  httplib::Server server;
  std::thread thread;
  std::atomic<bool> is_ending{false};
  mutable std::mutex mutex;
  Visits visits;

  /// Whether the request may be answered: it knows the word, names this server as its host (a foreign name
  /// that was made to lead here does not), and comes from no other page.
  bool is_welcome(const httplib::Request& request) const {
    const auto names_us = [&](const std::string& text, const std::string& scheme) {
      return text == fmt::format("{}{}:{}", scheme, loopback, port) ||
             text == fmt::format("{}localhost:{}", scheme, port);
    };
    if (request.get_header_value_count("Host") != 1 || !names_us(request.get_header_value("Host"), ""))
      return false;
    if (request.has_header("Origin") && !names_us(request.get_header_value("Origin"), "http://"))
      return false;
    const std::string site = request.get_header_value("Sec-Fetch-Site");
    if (!site.empty() && site != "same-origin" && site != "none") return false;
    return request.path.size() > word.size() && are_same(request.path.substr(1, word.size()), word);
  }

  void come() {
    const std::lock_guard<std::mutex> lock(mutex);
    ++visits.open;
  }

  void leave() {
    const std::lock_guard<std::mutex> lock(mutex);
    --visits.open;
    if (visits.open == 0) visits.last_left = steady_seconds();
  }

  /// Beats as long as the page is open: that it is closed shows when nobody listens any more.
  void stay(httplib::Response& response) {
    come();
    response.set_chunked_content_provider(
        "text/event-stream",
        [this](std::size_t /*offset*/, httplib::DataSink& sink) {
          constexpr int beats = 10;
          for (int i = 0; i < beats && !is_ending; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
          const std::string beat = ":\n\n";
          return !is_ending && sink.write(beat.data(), beat.size());
        },
        [this](bool /*is_complete*/) { leave(); });
  }

  void set_up();
};

void PageServer::Parts::set_up() {
  server.set_address_family(AF_INET);
  server.set_tcp_nodelay(true);
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_payload_max_length(most_bytes);
  server.set_read_timeout(seconds_to_write);
  server.set_write_timeout(seconds_to_write);
  server.set_keep_alive_max_count(10'000);
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): the server deletes it
  server.new_task_queue = [] { return new httplib::ThreadPool(most_connections); };
  server.set_default_headers({{"Cache-Control", "no-store"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Referrer-Policy", "no-referrer"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"X-Frame-Options", "DENY"}});
  server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    if (!is_welcome(request)) {
      response.status = forbidden;
      response.set_content("this is not the address that attnlab explore has printed\n", plain);
      return httplib::Server::HandlerResponse::Handled;
    }
    // httplib holds the limit of a body's length against what a request announces alone.
    if (!request.has_header("Transfer-Encoding")) return httplib::Server::HandlerResponse::Unhandled;
    response.status = without_length;
    return httplib::Server::HandlerResponse::Handled;
  });
  server.set_error_handler([](const httplib::Request& /*request*/, httplib::Response& response) {
    if (!response.has_header("Content-Type"))
      response.set_content(fmt::format("{}\n", response.status), plain);
  });
  server.set_exception_handler([](const httplib::Request& /*request*/, httplib::Response& response,
                                  const std::exception_ptr& /*thrown*/) { response.status = 500; });
  const std::string root = "/" + word + "/";
  server.Get(root, [this](const httplib::Request& /*request*/, httplib::Response& response) {
    const std::string nonce = random_word();
    response.set_header("Content-Security-Policy", policy(nonce));
    send(response, answers.page(nonce), html);
  });
  server.Get(root + "alive",
             [this](const httplib::Request& /*request*/, httplib::Response& response) { stay(response); });
  server.Post(root + "frame", [this](const httplib::Request& request, httplib::Response& response) {
    send(response, answers.frame(request.body), json);
  });
  server.Post(root + "page", [this](const httplib::Request& request, httplib::Response& response) {
    response.set_header("Content-Disposition",
                        fmt::format("attachment; filename=\"{}\"", answers.file_name()));
    send(response, answers.saved(request.body), html);
  });
}

PageServer::PageServer(LiveAnswers& answers, int port) : parts_(std::make_unique<Parts>(answers)) {
  Parts& parts = *parts_;
  parts.set_up();
  if (port == 0) {
    parts.port = parts.server.bind_to_any_port(loopback);
  } else {
    parts.port = parts.server.bind_to_port(loopback, port) ? port : -1;
  }
  if (parts.port <= 0) {
    refuse_failed(text("ポート {} で待ち受けられません", "cannot serve at port {}", port),
                  {"--port に別の番号を指定するか、--port を外してください",
                   "choose another one with --port, or leave --port out"});
  }
  parts.thread = std::thread([&parts] { parts.server.listen_after_bind(); });
  while (!parts.server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

PageServer::~PageServer() {
  parts_->is_ending = true;
  parts_->server.stop();
  if (parts_->thread.joinable()) parts_->thread.join();
}

std::string PageServer::address() const {
  return fmt::format("http://{}:{}/{}/", loopback, parts_->port, parts_->word);
}

PageServer::Visits PageServer::visits() const {
  const std::lock_guard<std::mutex> lock(parts_->mutex);
  return parts_->visits;
}

}  // namespace attnlab
