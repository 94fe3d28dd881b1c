// One thread waits for all connections: it takes requests within limits of bytes and time, before anyone has
// shown that they know the address, and lets threads of their own answer those who do.
#include "live/page_server.hpp"
#include "products/run.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <atomic>
#include <list>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "io/descriptor.hpp"
#include "live/quiet_socket.hpp"

namespace attnlab {
namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr const char* plain = "text/plain; charset=utf-8";

constexpr std::size_t most_strangers = 64;  // who have not finished their request; then the first one goes
constexpr std::size_t most_visitors = 400;  // pages that are open, and requests that are computed
constexpr double seconds_to_request = 5.0;
constexpr double seconds_to_read = 30.0;  // an answer
constexpr double seconds_to_leave = 1.0;

/// Takes as long wherever they differ.
bool are_same(const std::string& one, const std::string& other) {
  if (one.size() != other.size()) return false;
  bool differ = false;
  for (std::size_t i = 0; i < one.size(); ++i) differ |= one[i] != other[i];
  return !differ;
}

void send_all(int socket, std::string_view bytes) {
  const double begin = steady_seconds();
  while (!bytes.empty() && steady_seconds() - begin < seconds_to_read) {
    const ssize_t sent = send_some(socket, bytes);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

struct Connection {
  enum class State { asking, answered, staying, leaving, gone };

  explicit Connection(int provided) : socket(provided) {}

  Descriptor socket;
  State state = State::asking;
  double since = steady_seconds();
  std::string bytes;
  std::function<void()> give_up = {};  // the work for it
  std::atomic<bool> is_done{false};
  std::thread work = {};
};

void prepare(int socket) {
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  make_quiet(socket);
  const timeval patience{static_cast<time_t>(seconds_to_request), 0};
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

}  // namespace

struct PageServer::Parts {
  explicit Parts(Serve answers) : serve(std::move(answers)) {}

  Serve serve;
  std::string word = random_word();
  std::atomic<bool> has_news{false};
  int port = 0;
  Descriptor door{::socket(AF_INET, SOCK_STREAM, 0)};
  std::list<Connection> connections;
  std::atomic<bool> is_ending{false};
  std::thread thread;
  mutable std::mutex mutex;
  Visits visits;

  /// Whether the request may be answered: it knows the word, names this machine as its host (a foreign name
  /// that was made to lead here does not; the port may be one that is forwarded), and comes from no other
  /// page, but for one that leads here.
  bool is_welcome(const HttpRequest& request) const {
    const std::string host = request.field("host").value_or("");
    const std::string name = host.substr(0, host.find_last_not_of("0123456789") + 1);
    const auto is_host = [&](const std::string& one) {
      return host == one || (name == one + ":" && name != host);
    };
    if (!is_host(loopback) && !is_host("localhost") && !is_host("[::1]")) return false;
    if (request.fields.count("origin") != 0 && request.field("origin") != "http://" + host) return false;
    const std::string site = request.field("sec-fetch-site").value_or("unknown");
    const bool is_led_here = request.method == "GET" && request.field("sec-fetch-mode") == "navigate" &&
                             request.field("sec-fetch-dest") == "document";
    if (!site.empty() && site != "same-origin" && site != "none" && !is_led_here) return false;
    return request.path.size() > word.size() && are_same(request.path.substr(1, word.size()), word);
  }

  void count_visit(int change) {
    const std::lock_guard<std::mutex> lock(mutex);
    visits.open += change;
    if (visits.open == 0) visits.last_left = steady_seconds();
  }

  /// The last bytes for this one; what it still sends is read, so that it gets them.
  static void dismiss(Connection& one, const std::string& bytes) {
    send_all(one.socket.number(), bytes);
    ::shutdown(one.socket.number(), SHUT_WR);
    one.state = Connection::State::leaving;
    one.since = steady_seconds();
  }
  static void refuse(Connection& one, int status, const std::string& words = "") {
    dismiss(one, whole_answer(status, plain, words.empty() ? fmt::format("{}\n", status) : words));
  }

  template <class Compute>
  void compute_for(Connection& one, Compute compute) {
    one.state = Connection::State::answered;
    one.work = std::thread([&one, compute] {
      std::string bytes;
      try {
        bytes = compute();
      } catch (...) {  // a mistake of ours
        bytes = whole_answer(http_status::mistaken, plain, "500\n");
      }
      send_all(one.socket.number(), bytes);
      one.is_done = true;
    });
  }

  void answer(Connection& one, const HttpRequest& request) {
    const std::string path = request.path.substr(word.size() + 1);
    if (path.empty())
      return dismiss(
          one, whole_answer(http_status::elsewhere, plain, "", fmt::format("Location: /{}/\r\n", word)));
    if (path.front() != '/') return refuse(one, http_status::unknown);
    if (request.method == "GET" && path == "/alive") {
      send_all(one.socket.number(),
               answer_head(http_status::understood, "text/event-stream", {}, "") + ":\n\n");
      one.state = Connection::State::staying;
      return count_visit(1);
    }
    if (std::optional<ServedAnswer> served = serve(request, path)) {
      one.give_up = std::move(served->give_up);
      return compute_for(one, std::move(served->answer));
    }
    refuse(one, http_status::unknown);
  }

  /// As soon as the whole request is there.
  void consider(Connection& one) {
    const std::optional<HttpHead> head = http_head(one.bytes);
    if (!head) {
      if (one.bytes.size() > most_of_head) refuse(one, http_status::long_head);
      return;
    }
    HttpRequest request = head->request;
    if (request.method.empty()) return refuse(one, http_status::unreadable);
    if (!is_welcome(request))
      return refuse(one, http_status::forbidden,
                    "this is not the address that attnlab explore has printed\n");
    const std::optional<std::size_t> length = length_of_body(request);
    if (!length) return refuse(one, http_status::without_length);
    if (*length > most_of_body) return refuse(one, http_status::too_long);
    if (one.bytes.size() < head->end + *length) return;
    request.body = one.bytes.substr(head->end, *length);
    one.bytes.clear();
    if (count_of(Connection::State::answered) + count_of(Connection::State::staying) >= most_visitors)
      return refuse(one, http_status::crowded);
    answer(one, request);
  }

  std::size_t count_of(Connection::State state) const {
    return static_cast<std::size_t>(
        std::count_if(connections.begin(), connections.end(),
                      [state](const Connection& one) { return one.state == state; }));
  }

  /// What has come; a connection that is closed takes its work with it.
  void read(Connection& one) {
    std::array<char, 16'384> buffer{};
    const ssize_t got = ::recv(one.socket.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got > 0 && one.state == Connection::State::asking) {
      one.bytes.append(buffer.data(), static_cast<std::size_t>(got));
      try {
        return consider(one);
      } catch (...) {  // a mistake of ours, or no thread left
        return refuse(one, http_status::mistaken);
      }
    }
    if (got <= 0) leave(one);
  }

  void leave(Connection& one) {
    if (one.state == Connection::State::staying) count_visit(-1);
    if (one.state == Connection::State::answered && one.give_up) one.give_up();
    ::shutdown(one.socket.number(), SHUT_RDWR);
    one.state = Connection::State::gone;
  }

  /// Those whose time is over, and whose answers are written.
  void look_after(Connection& one) {
    const double waited = steady_seconds() - one.since;
    if (one.is_done) {
      if (one.work.joinable()) one.work.join();
      one.is_done = false;
      if (one.state == Connection::State::answered) dismiss(one, "");
    }
    if (one.state == Connection::State::asking && waited > seconds_to_request) leave(one);
    if (one.state == Connection::State::leaving && waited > seconds_to_leave) leave(one);
  }

  void welcome() {
    const int socket = ::accept(door.number(), nullptr, nullptr);
    const bool is_full = socket < 0 && (errno == EMFILE || errno == ENFILE);
    if (is_full || count_of(Connection::State::asking) >= most_strangers) {
      const auto first = std::find_if(connections.begin(), connections.end(), [](const Connection& one) {
        return one.state == Connection::State::asking;
      });
      if (first != connections.end()) leave(*first);
    }
    if (socket < 0) return;
    prepare(socket);
    connections.emplace_back(socket);
  }

  void run() {
    constexpr int look_up = 50;  // milliseconds: for answers that are done, and for news
    while (!is_ending) {
      std::vector<pollfd> waited{{door.number(), POLLIN, 0}};
      std::vector<Connection*> whose;
      for (Connection& one : connections) {
        if (one.state == Connection::State::gone) continue;
        waited.push_back({one.socket.number(), POLLIN, 0});
        whose.push_back(&one);
      }
      ::poll(waited.data(), static_cast<nfds_t>(waited.size()), look_up);
      for (std::size_t i = 0; i < whose.size(); ++i)
        if (waited[i + 1].revents != 0) read(*whose[i]);
      if (has_news.exchange(false)) {
        for (Connection& one : connections)
          if (one.state == Connection::State::staying) send_all(one.socket.number(), "data: new\n\n");
      }
      for (Connection& one : connections) look_after(one);
      connections.remove_if(
          [](const Connection& one) { return one.state == Connection::State::gone && !one.work.joinable(); });
      if (waited[0].revents != 0) welcome();
    }
    // The one place where all ends: who waits, and with them the work.
    for (Connection& one : connections) leave(one);
    for (Connection& one : connections)
      if (one.work.joinable()) one.work.join();
  }

  /// Whether it listens at the port, or at any for 0.
  bool opens_door(int wanted);
};

bool PageServer::Parts::opens_door(int wanted) {
  if (!door.is_open()) return false;
  ::fcntl(door.number(), F_SETFD, FD_CLOEXEC);
  ::fcntl(door.number(), F_SETFL, O_NONBLOCK);
  const int yes = 1;
  ::setsockopt(door.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(wanted));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): how the system takes addresses
  auto* address = reinterpret_cast<sockaddr*>(&place);
  socklen_t size = sizeof place;
  constexpr int most_waiting = 256;
  if (::bind(door.number(), address, size) != 0 || ::listen(door.number(), most_waiting) != 0 ||
      ::getsockname(door.number(), address, &size) != 0)
    return false;
  port = ntohs(place.sin_port);
  return true;
}

PageServer::PageServer(Serve answers, int port) : parts_(std::make_unique<Parts>(std::move(answers))) {
  Parts& parts = *parts_;
  if (!parts.opens_door(port)) {
    refuse_failed(text("ポート {} で待ち受けられません", "cannot serve at port {}", port),
                  {"--port に別の番号を指定するか、--port を外してください",
                   "choose another one with --port, or leave --port out"});
  }
  parts.thread = std::thread([&parts] { parts.run(); });
}

PageServer::~PageServer() {
  parts_->is_ending = true;
  if (parts_->thread.joinable()) parts_->thread.join();
}

void PageServer::announce() const { parts_->has_news = true; }

std::string PageServer::address() const {
  return fmt::format("http://{}:{}/{}/", loopback, parts_->port, parts_->word);
}

PageServer::Visits PageServer::visits() const {
  const std::lock_guard<std::mutex> lock(parts_->mutex);
  return parts_->visits;
}

}  // namespace attnlab
