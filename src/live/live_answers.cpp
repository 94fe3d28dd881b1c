#include "live/live_answers.hpp"

#include "core/error.hpp"
#include "core/json.hpp"
#include "live/live_request.hpp"
#include "live/parameter_controls.hpp"
#include "products/experiment_page.hpp"
#include "products/render.hpp"
#include "products/telephone.hpp"

namespace attnlab {
namespace {

using http_status::understood;
using http_status::unreadable;
constexpr int superseded = 409;
constexpr int refused = 422;
constexpr int late = 503;

constexpr const char* html_type = "text/html; charset=utf-8";
constexpr const char* json_type = "application/json";

constexpr unsigned seconds_for_a_frame = 20;
constexpr unsigned seconds_for_a_page = 180;

std::string in_language(const Text& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// --- Answers, in the process that computes them: "STATUS BODY"

std::string first_page(const PageRun& request, const std::string& nonce) {
  const DrawnPage drawn = live_page(request, desk_width);
  return live_page_html(drawn.page,
                        {controls_of(*request.run.experiment, request.run.arguments, request.look.language),
                         drawn.names, drawn.figure, nonce});
}

std::string frame_json(const PageRun& request, double window) {
  const DrawnPage drawn = live_page(request, window);
  const Json json{{"picture", live_frame_html(drawn.page)},
                  {"command", drawn.page.command},
                  {"figures", drawn.names},
                  {"figure", drawn.figure},
                  {"warnings", drawn.warnings}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string saved_page(PageRun request) {
  const Experiment& experiment = *request.run.experiment;
  take_declared_slides(request.page, experiment, request.run.arguments, request.look.language);
  const Report report = as_drawn(run(experiment, request.run.arguments), experiment, request.look);
  return experiment_page(request, report, [](double) {}).html;
}

/// Of "page NONCE", "frame {...}" or "saved {...}".
std::string body_of(const std::string& question, const PageRun& begun) {
  const std::size_t blank = question.find(' ');
  const std::string kind = question.substr(0, blank);
  const std::string rest = question.substr(blank + 1);
  if (kind == "page") return first_page(begun, rest);
  const PageRun request = live_request(rest, begun);
  return kind == "frame" ? frame_json(request, parsed_json(rest).value("width", desk_width))
                         : saved_page(request);
}

std::string answer_to(const std::string& question, const PageRun& begun) {
  const auto answer = [](int status, const std::string& body) { return fmt::format("{} {}", status, body); };
  try {
    return answer(understood, body_of(question, begun));
  } catch (const Error& error) {
    return answer(refused, in_language(error.message()));
  } catch (const Json::exception&) {
    return answer(unreadable, in_language({"依頼が読めません", "this is no request of the page"}));
  } catch (const std::bad_alloc&) {
    return answer(refused, in_language({"メモリが足りません。大きさを減らしてください",
                                        "out of memory; choose smaller sizes"}));
  }
}

// --- And in the process that serves them

struct Answer {
  int status = understood;  // of HTTP
  std::string body;
};

Answer answer_of(Worker& worker, unsigned turn, const std::string& question) {
  const Worker::Result result = worker.compare(turn, question);
  switch (result.ending) {
    case Worker::Ending::superseded:
      return {superseded, in_language({"新しい値を計算しています", "newer values are computed"})};
    case Worker::Ending::late:
      return {late,
              in_language(text("{} 秒以内に終わりませんでした。大きさを減らしてください",
                               "it took longer than {} seconds; choose smaller sizes", worker.seconds()))};
    case Worker::Ending::broken:
      return {late, in_language({"計算が途中で終わりました", "the computation broke off"})};
    case Worker::Ending::done: break;
  }
  const std::size_t blank = result.answer.find(' ');
  return {std::stoi(result.answer.substr(0, blank)), result.answer.substr(blank + 1)};
}

/// Takes a turn at once. `type` and `more` are of what is not refused.
ServedAnswer served_by(Worker& worker, const std::string& question, const char* type,
                       const std::string& more = "") {
  const unsigned turn = worker.next_turn();
  return {[&worker, turn, question, type, more] {
            const Answer answer = answer_of(worker, turn, question);
            return whole_answer(answer.status, answer.status == understood ? type : json_type, answer.body,
                                more);
          },
          [&worker, turn] { worker.give_up(turn); }};
}

/// Nothing but the page's own script runs, and it asks nobody but this server.
std::string policy(const std::string& nonce) {
  return fmt::format(
      "Content-Security-Policy: default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n",
      nonce);
}

}  // namespace

LiveAnswers::LiveAnswers(const PageRun& request)
    : request_(request),
      frames_([this](const std::string& question) { return answer_to(question, request_); },
              seconds_for_a_frame),
      pages_([this](const std::string& question) { return answer_to(question, request_); },
             seconds_for_a_page) {}

void LiveAnswers::check(const Text& hint) {
  const Answer answer = answer_of(frames_, frames_.next_turn(), "page ");
  if (answer.status == understood) return;
  const Json message = parsed_json(answer.body);
  refuse_usage({message.at("ja").get<std::string>(), message.at("en").get<std::string>()}, hint);
}

std::optional<ServedAnswer> LiveAnswers::serve(const HttpRequest& request, const std::string& path) {
  const std::string requested = fmt::format("{} {}", request.method, path);
  if (requested == "GET /") {
    const std::string nonce = random_word();
    return served_by(frames_, "page " + nonce, html_type, policy(nonce));
  }
  if (requested == "POST /frame") return served_by(frames_, "frame " + request.body, json_type);
  if (requested != "POST /page") return std::nullopt;
  return served_by(pages_, "saved " + request.body, html_type,
                   fmt::format("Content-Disposition: attachment; filename=\"{}.html\"\r\n",
                               request_.run.experiment->name));
}

}  // namespace attnlab
