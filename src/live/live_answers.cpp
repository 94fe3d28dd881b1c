#include "live/live_answers.hpp"

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/named.hpp"
#include "experiments/framework/inputs.hpp"
#include "live/parameter_controls.hpp"
#include "products/experiment_page.hpp"

namespace attnlab {
namespace {

using http_status::understood;
using http_status::unreadable;
constexpr int superseded = 409;
constexpr int refused = 422;
constexpr int late = 503;

constexpr unsigned seconds_for_a_frame = 20;
constexpr unsigned seconds_for_a_page = 180;

std::string said(const Text& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

// --- What was asked

Language language_of(const std::string& code) {
  if (const std::optional<Language> language = language_named(code)) return *language;
  refuse_usage(text("'{}' の図はありません", "there is no picture in '{}'", code),
               {"ja か en を選んでください", "choose ja or en"});
}

/// Files and arrays are those of the command line; a page names none, and its words are no names of files.
Arguments arguments_of(const Json& wanted, const PageRun& request) {
  const Experiment& experiment = *request.run.experiment;
  Arguments arguments(experiment.parameters);
  for (const Parameter& parameter : experiment.parameters) {
    const bool is_typed = takes_words_too(parameter) && wanted.contains(parameter.name);
    if (names_files(parameter) && !is_typed && request.run.arguments.given(parameter.name))
      arguments.set(parameter.name, request.run.arguments.text(parameter.name));
  }
  for (const auto& [name, text] : wanted.items()) {
    const Parameter* parameter = find_named(experiment.parameters, name);
    if (parameter != nullptr && takes_words_too(*parameter)) {
      const std::string typed = text.get<std::string>();
      // What the command line named is left as it is: it may be a file.
      const bool is_begun = request.run.arguments.given(name) && request.run.arguments.text(name) == typed;
      if (is_begun || !typed.empty()) arguments.set(name, is_begun ? typed : as_words(typed));
      continue;
    }
    if (parameter != nullptr && names_files(*parameter)) {
      refuse_usage(
          attnlab::text("--{} はページからは指定できません", "--{} cannot be given in the page", name),
          {"attnlab explore のオプションで指定してください", "give it to attnlab explore"});
    }
    const std::string typed = text.get<std::string>();
    if (parameter != nullptr && typed == "-" && takes_standard_input(*parameter))
      refuse_usage(
          attnlab::text("--{} - はページからは指定できません", "--{} - cannot be given in the page", name),
          {"文を入力してください", "type the text itself"});
    arguments.set(name, typed);
  }
  std::vector<GivenArray> arrays = request.run.arguments.sources.arrays;
  for (GivenArray& array : arrays) array.free.clear();
  if (!arrays.empty()) give_arrays(arguments, experiment, arrays);
  return arguments;
}

/// Throws Json::exception for what is no such request. Without a language it is the command line's.
PageRun request_of(const std::string& body, const PageRun& begun) {
  const Json wanted = parsed_json(body);
  PageRun request{{begun.run.experiment, arguments_of(wanted.at("parameters"), begun)}, begun.look, {}};
  if (wanted.contains("language")) {
    request.look.language = language_of(wanted.at("language").get<std::string>());
  }
  request.page.figure = wanted.at("figure").get<std::string>();
  return request;
}

// --- Answers, in the process that computes them: "STATUS BODY"

std::string answer(int status, const std::string& body) { return fmt::format("{} {}", status, body); }

/// What `compute` returns, or why not.
template <class Compute>
std::string answered(Compute compute) {
  try {
    return answer(understood, compute());
  } catch (const Error& error) {
    return answer(refused, said(error.message()));
  } catch (const Json::exception&) {
    return answer(unreadable, said({"依頼が読めません", "this is no request of the page"}));
  } catch (const std::bad_alloc&) {
    return answer(refused, said({"メモリが足りません。大きさを減らしてください",
                                 "out of memory; choose smaller sizes"}));
  }
}

std::string first_page(const PageRun& request, const std::string& nonce) {
  const LiveFrame frame = live_frame(request);
  return live_page_html(frame.page,
                        {controls_of(*request.run.experiment, request.run.arguments, request.look.language),
                         frame.figures, frame.figure, nonce});
}

std::string frame_json(const PageRun& request) {
  const LiveFrame frame = live_frame(request);
  const Json json{{"picture", live_frame_html(frame.page)},
                  {"command", frame.page.command},
                  {"figures", frame.figures},
                  {"figure", frame.figure},
                  {"warnings", frame.warnings}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string saved_page(PageRun request) {
  take_declared_slides(request.page, *request.run.experiment, request.run.arguments, request.look.language);
  return experiment_page(request, [](double) {}).html;
}

/// "page NONCE" or "frame {...}".
std::string frame_answer(const std::string& question, const PageRun& begun) {
  const std::size_t blank = question.find(' ');
  const std::string rest = question.substr(blank + 1);
  if (question.substr(0, blank) == "page") return answered([&] { return first_page(begun, rest); });
  return answered([&] { return frame_json(request_of(rest, begun)); });
}

std::string page_answer(const std::string& body, const PageRun& begun) {
  return answered([&] { return saved_page(request_of(body, begun)); });
}

// --- And in the process that serves them

Answer outcome_of(const Worker::Result& result, unsigned seconds) {
  switch (result.ending) {
    case Worker::Ending::superseded:
      return {superseded, said({"新しい値を計算しています", "newer values are computed"})};
    case Worker::Ending::late:
      return {late, said(text("{} 秒以内に終わりませんでした。大きさを減らしてください",
                              "it took longer than {} seconds; choose smaller sizes", seconds))};
    case Worker::Ending::broken:
      return {late, said({"計算が途中で終わりました", "the computation broke off"})};
    case Worker::Ending::done: break;
  }
  const std::size_t blank = result.answer.find(' ');
  return {std::stoi(result.answer.substr(0, blank)), result.answer.substr(blank + 1)};
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
      frames_([this](const std::string& question) { return frame_answer(question, request_); },
              seconds_for_a_frame),
      pages_([this](const std::string& body) { return page_answer(body, request_); }, seconds_for_a_page) {}

void LiveAnswers::check(const Text& hint) {
  const Answer answer = page(frame_turn(), "");
  if (answer.status == understood) return;
  const Json message = parsed_json(answer.body);
  refuse_usage({message.at("ja").get<std::string>(), message.at("en").get<std::string>()}, hint);
}

Answer LiveAnswers::page(const Turn& turn, const std::string& nonce) {
  return outcome_of(turn.worker->ask(turn.number, "page " + nonce), seconds_for_a_frame);
}

Answer LiveAnswers::frame(const Turn& turn, const std::string& body) {
  return outcome_of(turn.worker->ask(turn.number, "frame " + body), seconds_for_a_frame);
}

Answer LiveAnswers::saved(const Turn& turn, const std::string& body) {
  return outcome_of(turn.worker->ask(turn.number, body), seconds_for_a_page);
}

std::string LiveAnswers::file_name() const { return request_.run.experiment->name + ".html"; }

std::optional<ServedAnswer> LiveAnswers::serve(const HttpRequest& request, const std::string& path) {
  constexpr const char* html = "text/html; charset=utf-8";
  constexpr const char* json = "application/json";
  const auto written = [](const Answer& answer, const char* type, const std::string& more) {
    return whole_answer(answer.status, answer.status == understood ? type : json, answer.body, more);
  };
  const bool is_page = request.method == "GET" && path == "/";
  const bool is_frame = request.method == "POST" && path == "/frame";
  const bool is_saved = request.method == "POST" && path == "/page";
  if (!is_page && !is_frame && !is_saved) return std::nullopt;
  const Turn turn = is_saved ? saved_turn() : frame_turn();
  const auto stop = [turn] { give_up(turn); };
  if (is_page) {
    return ServedAnswer{[written, turn] {
                          const std::string nonce = random_word();
                          return written(page(turn, nonce), html, policy(nonce));
                        },
                        stop};
  }
  if (is_frame)
    return ServedAnswer{[written, turn, body = request.body] { return written(frame(turn, body), json, ""); },
                        stop};
  const std::string name = fmt::format("Content-Disposition: attachment; filename=\"{}\"\r\n", file_name());
  return ServedAnswer{
      [written, name, turn, body = request.body] { return written(saved(turn, body), html, name); }, stop};
}

}  // namespace attnlab
