#include "catalogue/names.hpp"

#include "catalogue/catalogue.hpp"
#include "core/named.hpp"
#include "core/sentences.hpp"
#include "core/utf8.hpp"

namespace attnlab {

const std::vector<EmbeddedFile>& catalogue_files();  // written by cmake/Embed.cmake

namespace {

const EmbeddedFile& catalogue_file(const char* name) { return *find_file(catalogue_files(), name); }

/// Letters and digits alone, in lower case, full-width ones as others; dots between digits stay.
std::string key_of(const std::string& word) {
  std::u32string key;
  for (char32_t letter : decode_utf8(word).value_or(U"")) {
    if (letter >= U'！' && letter <= U'～') letter -= U'！' - U'!';
    if (letter >= U'A' && letter <= U'Z') letter += U'a' - U'A';
    const bool is_digit = letter >= U'0' && letter <= U'9';
    const bool is_letter = (letter >= U'a' && letter <= U'z') || letter > 0x7F;
    const bool is_blank =
        letter == U'　' || letter == U'・' || letter == U'：' || letter == U'（' || letter == U'）';
    if (letter == U'.' && !key.empty() && key.back() >= U'0' && key.back() <= U'9') key += letter;
    if (is_digit || (is_letter && !is_blank)) key += letter;
  }
  while (!key.empty() && key.back() == U'.') key.pop_back();
  std::string text;
  for (const char32_t letter : key) text += encode_utf8(letter);
  return text;
}

/// A number's kind as it is written in either language, before the number.
const std::vector<std::vector<std::string>>& kinds_of_places() {
  static const std::vector<std::vector<std::string>> all{{"図", "fig", "figure"},
                                                         {"コード", "code", "listing"},
                                                         {"式", "eq", "equation"},
                                                         {"脚注", "footnote", "note"},
                                                         {"課題", "task"}};
  return all;
}

/// "図 2.2.14" also as fig2.2.14 and 2.2.14; "式 7" as eq7, but not as 7.
std::vector<std::string> keys_of_place(const std::string& place) {
  const std::string key = key_of(place.substr(2));  // behind the document's letter
  std::vector<std::string> keys{key};
  for (const std::vector<std::string>& kind : kinds_of_places()) {
    if (key.rfind(kind.front(), 0) != 0) continue;
    const std::string number = key.substr(kind.front().size());
    for (const std::string& word : kind) keys.push_back(word + number);
    if (number.find('.') != std::string::npos) keys.push_back(number);
  }
  return keys;
}

struct Synonyms {
  std::string command;
  std::vector<std::string> names;
};

const std::vector<Synonyms>& synonyms() {
  static const std::vector<Synonyms> all = [] {
    std::vector<Synonyms> rows;
    for (const Sentences& row : read_sentences(catalogue_file("names.toml"), "meaning"))
      rows.push_back({word_of(row, "command"), words_of(row, "names")});
    return rows;
  }();
  return all;
}

/// Of a command's experiment, what it shows; empty of other commands.
Text shown_by(const std::string& command) {
  const Experiment* experiment = find_experiment(command);
  if (experiment == nullptr) experiment = find_experiment(command.substr(0, command.find(' ')));
  return experiment == nullptr ? Text::none() : experiment->shows;
}

/// "vectors --figure bars" and the figure's title, of every experiment's run.
std::vector<Meaning> figures_of_book() {
  std::vector<Meaning> figures;
  for (const Experiment& experiment : experiments())
    for (const Figure& figure : run(experiment, Arguments(experiment.parameters)).figures)
      figures.push_back({experiment.name + " --figure " + figure.name, figure.title});
  return figures;
}

void add(const Meaning& meaning, std::vector<Meaning>& meanings) {
  const bool is_known = std::any_of(meanings.begin(), meanings.end(),
                                    [&](const Meaning& other) { return other.command == meaning.command; });
  if (!is_known) meanings.push_back(meaning);
}

}  // namespace

const std::vector<DocumentItem>& document_items() {
  static const std::vector<DocumentItem> items = [] {
    std::vector<DocumentItem> all;
    for (const Sentences& row : read_sentences(catalogue_file("documents.toml"), "item"))
      all.push_back({word_of(row, "place"), {word_of(row, "command"), row.at("shows")}});
    return all;
  }();
  return items;
}

const std::vector<Book>& books() {
  static const std::vector<Book> all = [] {
    const EmbeddedFile& file = catalogue_file("books.toml");
    std::vector<Book> read;
    for (const Sentences& book : read_sentences(file, "book"))
      read.push_back({word_of(book, "name"), word_of(book, "title"), {}});
    for (const Sentences& section : read_sentences(file, "section"))
      find_named(read, word_of(section, "book"))
          ->sections.push_back({word_of(section, "command"), section.at("title")});
    return read;
  }();
  return all;
}

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const Experiment* experiment : catalogue()) names.push_back(experiment->name);
  for (const Synonyms& row : synonyms()) names.insert(names.end(), row.names.begin(), row.names.end());
  return names;
}

std::vector<Meaning> meanings_of(const std::string& word) {
  std::vector<Meaning> meanings;
  const std::string key = key_of(word);
  if (key.empty()) return meanings;
  const auto is_meant = [&](const std::string& name) { return key_of(name) == key; };
  for (const Synonyms& row : synonyms())
    if (std::any_of(row.names.begin(), row.names.end(), is_meant))
      add({row.command, shown_by(row.command)}, meanings);
  if (const Experiment* task = find_task(word)) add({task->name, task->shows}, meanings);
  for (const DocumentItem& item : document_items()) {
    const std::vector<std::string> keys = keys_of_place(item.place);
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) add(item.meaning, meanings);
  }
  if (!meanings.empty()) return meanings;
  for (const Meaning& figure : figures_of_book())
    if (is_meant(figure.command.substr(figure.command.rfind(' ') + 1))) add(figure, meanings);
  return meanings;
}

std::vector<Meaning> found(const std::string& word) {
  std::vector<Meaning> meanings = meanings_of(word);
  const std::string key = key_of(word);
  if (key.empty()) return meanings;
  const auto holds = [&](const std::string& text) { return key_of(text).find(key) != std::string::npos; };
  const auto says = [&](const Text& text) { return holds(text.ja()) || holds(text.en()); };
  for (const Experiment* experiment : catalogue())
    if (holds(experiment->name) || says(experiment->shows) || says(experiment->source))
      add({experiment->name, experiment->shows}, meanings);
  for (const Synonyms& row : synonyms())
    if (std::any_of(row.names.begin(), row.names.end(), holds))
      add({row.command, shown_by(row.command)}, meanings);
  for (const DocumentItem& item : document_items())
    if (holds(item.place) || says(item.meaning.shows)) add(item.meaning, meanings);
  for (const Meaning& figure : figures_of_book())
    if (holds(figure.command) || says(figure.shows)) add(figure, meanings);
  return meanings;
}

}  // namespace attnlab
