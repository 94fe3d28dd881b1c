// Reads a lecture's document line by line: what is no block of its own is text.
#include "core/error.hpp"
#include "core/formula_line.hpp"
#include "core/similar_words.hpp"
#include "core/unicode.hpp"
#include "core/utf8.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {
namespace {

constexpr std::string_view spaces = " \t\n";
constexpr std::size_t most_steps = 20;

bool is_blank_line(std::string_view line) { return trimmed(line, spaces).empty(); }

/// Three marks or more, up to three spaces from the left.
struct Fence {
  char mark = '`';
  std::size_t length = 0;
  std::string info;  // what stands behind the marks
};

std::optional<Fence> fence_of(const std::string& line, std::string_view marks) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  if (begin == line.size() || begin > 3 || marks.find(line[begin]) == std::string_view::npos)
    return std::nullopt;
  const std::size_t end = std::min(line.find_first_not_of(line[begin], begin), line.size());
  if (end - begin < 3) return std::nullopt;
  Fence fence{line[begin], end - begin, std::string(trimmed(std::string_view(line).substr(end), spaces))};
  if (fence.mark == '`' && fence.info.find('`') != std::string::npos) return std::nullopt;  // code in a line
  return fence;
}

bool closes(const Fence& opened, const std::string& line) {
  const std::optional<Fence> fence = fence_of(line, std::string_view(&opened.mark, 1));
  return fence && fence->length >= opened.length && fence->info.empty();
}

/// Its value without quotation marks around it.
std::string unquoted(std::string_view value) {
  value = trimmed(value, spaces);
  const bool is_quoted = value.size() > 1 && (value.front() == '"' || value.front() == '\'');
  if (is_quoted && value.back() == value.front()) value = value.substr(1, value.size() - 2);
  return std::string(value);
}

std::vector<std::string> lines_of_document(std::string_view text) {
  std::vector<std::string> lines = split(text, "\n");
  for (std::string& line : lines) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

class DocumentReader {
 public:
  DocumentReader(std::string_view text, const std::filesystem::path& file) {
    lecture_.file = file;
    lecture_.formats = {"svg", "pdf"};
    lecture_.lines = lines_of_document(without_byte_order_mark(text));
  }

  Lecture read(std::optional<Language> spoken) {
    check_letters();
    const bool is_japanese_text = is_japanese(joined(lecture_.lines, "\n"));
    lecture_.language = spoken.value_or(is_japanese_text ? Language::ja : Language::en);
    read_front_matter();
    while (at_ < lines().size()) read_line();
    end_text();
    add_notes();
    if (lecture_.sections.empty()) refuse(1, {"文書が空です", "the document is empty"}, example());
    if (lecture_.title.empty()) lecture_.title = lecture_.sections.front().title;
    if (lecture_.title.empty()) lecture_.title = lecture_.file.stem().string();
    return std::move(lecture_);
  }

 private:
  const std::vector<std::string>& lines() const { return lecture_.lines; }

  static Text example() {
    return {"文章、# 見出し、``` {.attnlab} と ``` の間にコマンドを書いてください",
            "write text, # headings, and commands between ``` {.attnlab} and ```"};
  }

  [[noreturn]] void refuse(std::size_t line, const Text& problem, const Text& hint) const {
    throw Error(ErrorKind::usage, problem, hint).at(place_of(lecture_.file, line));
  }

  /// The work, whose errors are told with the line.
  template <class Work>
  auto at_line(std::size_t line, const Work& work) const {
    try {
      return work();
    } catch (const Error& error) {
      throw error.at(place_of(lecture_.file, line));
    }
  }

  void check_letters() const {
    for (std::size_t i = 0; i < lines().size(); ++i) {
      const std::optional<std::u32string> letters = decode_utf8(lines()[i]);
      const auto is_wrong = [](char32_t letter) { return letter != U'\t' && is_control(letter); };
      if (letters && std::none_of(letters->begin(), letters->end(), is_wrong)) continue;
      refuse(i + 1,
             letters ? Text{"制御文字があります", "there is a control character"}
                     : Text{"UTF-8 ではありません", "this is no UTF-8"},
             {"Markdown の文書を UTF-8 で書いてください", "give a document in Markdown, in UTF-8"});
    }
  }

  // --- The front matter: no key but these, since pandoc has some that name files or hold code

  void read_front_matter() {
    if (lines().empty() || lines()[0] != "---") return;
    for (at_ = 1; at_ < lines().size(); ++at_) {
      const std::string& line = lines()[at_];
      if (line == "---" || line == "...") {
        lecture_.front_lines = ++at_;
        return;
      }
      if (is_blank_line(line) || line.front() == '#') continue;
      const std::size_t first = at_;
      const std::string key = line.substr(0, line.find(':'));
      const std::string value =
          line.size() == key.size() ? "" : whole_value(unquoted(line.substr(key.size() + 1)));
      take_key(unquoted(key), value, first + 1);
    }
    refuse(1, {"文書の先頭の --- が閉じていません", "the front matter is not closed"},
           {"最後の行に --- を書いてください", "end it with a line ---"});
  }

  /// A value goes on in the lines below it that are indented, or items of a list.
  std::string whole_value(std::string value) {
    if (is_one_of(value, {"|", ">"})) value.clear();
    while (at_ + 1 < lines().size()) {
      const std::string& next = lines()[at_ + 1];
      const bool is_item = next.rfind("- ", next.find_first_not_of(' ')) != std::string::npos;
      if (!is_item && next.find_first_of(" \t") != 0) break;
      ++at_;
      const std::string more = unquoted(trimmed(next, is_item ? " \t-" : spaces));
      if (!more.empty()) value += (value.empty() ? "" : is_item ? ", " : " ") + more;
    }
    return value;
  }

  void take_key(const std::string& key, const std::string& value, std::size_t line) {
    static const std::vector<std::string> texts{"author",   "subtitle", "date",
                                                "keywords", "abstract", "institute"};
    if (key == "title") {
      lecture_.title = value;
    } else if (key == "lang") {
      const std::optional<Language> language = language_named(value.substr(0, value.find('-')));
      if (!language) refuse_value(key, value, {"ja", "en"}, line);
      lecture_.language = *language;
    } else if (key == "look") {
      lecture_.look = at_line(line, [&] { return shell_words(value); });
      lecture_.look_line = line;
    } else if (key == "formats") {
      lecture_.formats = formats_of(value, line);
    } else if (std::find(texts.begin(), texts.end(), key) != texts.end()) {
      const bool is_list = value.size() > 1 && value.front() == '[' && value.back() == ']';
      lecture_.texts[key] = is_list ? value.substr(1, value.size() - 2) : value;
      if (key == "author") lecture_.author = lecture_.texts[key];
    } else {
      std::vector<std::string> known{"title", "lang", "look", "formats"};
      known.insert(known.end(), texts.begin(), texts.end());
      refuse(line, text("文書の先頭に {} は書けません", "the front matter cannot have {}", quotation(key)),
             suggestion_or(key, known, choose_from(known)));
    }
  }

  std::vector<std::string> formats_of(const std::string& value, std::size_t line) const {
    const std::vector<std::string> known{"svg", "pdf", "png"};
    std::vector<std::string> formats;
    for (const std::string& word : split(value, ",")) {
      const std::string format(trimmed(word, " []\"'"));
      if (std::find(known.begin(), known.end(), format) == known.end())
        refuse_value("formats", format, known, line);
      if (std::find(formats.begin(), formats.end(), format) == formats.end()) formats.push_back(format);
    }
    return formats;
  }

  [[noreturn]] void refuse_value(const std::string& key, const std::string& value,
                                 const std::vector<std::string>& known, std::size_t line) const {
    refuse(line, text("{} に {} は使えません", "{} cannot be {}", key, quotation(value)),
           text("選べるのは {} です", "choose from {}", joined(known, ", ")));
  }

  // --- Blocks

  LectureSection& section() {
    if (lecture_.sections.empty()) lecture_.sections.push_back({"", {}});
    return lecture_.sections.back();
  }

  template <class Block>
  void add(std::size_t line, Block block) {
    end_text();
    section().blocks.push_back({line, std::move(block)});
  }

  /// What has been read of a text becomes its block.
  void end_text() {
    TextBlock text = std::exchange(text_, {});
    text.on_slide = is_in_slide();
    text.markdown = trimmed(text.markdown, "\n");
    if (!is_blank_line(text.markdown)) section().blocks.push_back({text.line, std::move(text)});
  }

  void read_line() {
    remove_comment();
    const std::string& line = lines()[at_];
    const std::size_t number = at_ + 1;
    if (const std::optional<Fence> fence = fence_of(line, "`~")) {
      if (const std::optional<BlockAttributes> attributes = attributes_of_command(*fence))
        return add_command(*fence, *attributes);
      return take_lines(text_, *fence);
    }
    if (const std::optional<Fence> div = fence_of(line, ":")) return read_div(*div);
    if (line.rfind("# ", 0) == 0) {
      end_text();
      std::string title(trimmed(line, "# \t"));
      const std::string name = at_line(number, [&] { return take_attributes(title).name; });
      lecture_.sections.push_back({title, {}, name});
      has_figure_ = false;
      ++at_;
    } else if (line.rfind("$$", 0) == 0) {
      add(number, read_equation());
    } else if (line == "---" && (at_ == 0 || is_blank_line(lines()[at_ - 1]))) {
      add(number, BreakBlock{});
      has_figure_ = false;
      ++at_;
    } else if (const std::string name = note_defined_in(line); !name.empty()) {
      read_note(name);
    } else {
      if (line.rfind("##", 0) == 0) has_figure_ = false;
      take_line(text_);
    }
  }

  /// <!-- and --> outside of code, and what stands between.
  void remove_comment() {
    for (std::size_t begin = 0; (begin = lines()[at_].find("<!--", begin)) != std::string::npos;) {
      const std::string before = lines()[at_].substr(0, begin);
      if (std::count(before.begin(), before.end(), '`') % 2 != 0) {
        ++begin;
        continue;
      }
      std::size_t last = at_;
      std::size_t end = lines()[last].find("-->", begin);
      while (end == std::string::npos && ++last < lines().size()) end = lines()[last].find("-->");
      if (end == std::string::npos)
        refuse(at_ + 1, {"注釈の <!-- が閉じていません", "the comment <!-- is not closed"},
               {"--> で閉じてください", "close it with -->"});
      const std::string behind = lines()[last].substr(end + 3);
      std::fill(lecture_.lines.begin() + static_cast<std::ptrdiff_t>(at_) + 1,
                lecture_.lines.begin() + static_cast<std::ptrdiff_t>(last) + 1, "");
      lecture_.lines[at_] = before + (last == at_ ? behind : "");
      if (last != at_) lecture_.lines[last] = behind;
    }
  }

  // --- Footnotes: [^name] in a text, and [^name]: what it says

  static std::string note_defined_in(const std::string& line) {
    const std::size_t end = line.find("]:");
    if (line.rfind("[^", 0) != 0 || end == std::string::npos) return "";
    const std::string name = line.substr(2, end - 2);
    return name.find_first_of(" ]") == std::string::npos ? name : "";
  }

  /// It goes on up to a blank line, and in lines behind that are indented.
  void read_note(const std::string& name) {
    constexpr std::string_view indent = "    ";
    TextBlock note{lines()[at_].substr(name.size() + 4) + '\n', at_ + 1};
    if (!notes_.emplace(name, note).second)
      refuse(at_ + 1, text("脚注 {} が 2 つあります", "there are two footnotes {}", quotation(name)),
             {"一方の名前を変えてください", "rename one of them"});
    std::string& markdown = notes_[name].markdown;
    if (!text_.markdown.empty()) text_.markdown += '\n';
    for (++at_; at_ < lines().size(); ++at_) {
      const std::string& line = lines()[at_];
      const bool is_indented = line.rfind(indent, 0) == 0;
      const bool goes_on = is_blank_line(line)
                               ? at_ + 1 < lines().size() && lines()[at_ + 1].rfind(indent, 0) == 0
                               : is_indented || !is_blank_line(lines()[at_ - 1]);
      if (!goes_on || !note_defined_in(line).empty()) break;
      markdown += line.substr(is_indented ? indent.size() : 0) + '\n';
      if (!text_.markdown.empty()) text_.markdown += '\n';
    }
  }

  /// Those that a text refers to become the last section.
  void add_notes() {
    NotesBlock block;
    std::size_t line = 0;
    const auto look_in = [&](const std::string& markdown) {
      for (std::size_t at = markdown.find("[^"); at != std::string::npos; at = markdown.find("[^", at + 2)) {
        const auto note = notes_.find(markdown.substr(at + 2, markdown.find(']', at) - at - 2));
        if (note == notes_.end() || is_named(note->first)) continue;
        lecture_.notes.push_back(note->first);
        line = std::max(line, note->second.line);
        block.notes.push_back(note->second);
      }
    };
    for (const LectureSection& section : lecture_.sections) {
      for (const LectureBlock& one : section.blocks) {
        if (const auto* text = std::get_if<TextBlock>(&one.content)) look_in(text->markdown);
        if (const auto* question = std::get_if<QuestionBlock>(&one.content)) {
          look_in(question->question.markdown);
          look_in(question->answer.markdown);
        }
      }
    }
    if (block.notes.empty()) return;
    const char* const title = lecture_.language == Language::ja ? "注" : "Notes";
    lecture_.sections.push_back({title, {{line, std::move(block)}}});
  }

  bool is_named(const std::string& note) const {
    return std::find(lecture_.notes.begin(), lecture_.notes.end(), note) != lecture_.notes.end();
  }

  // --- Texts

  /// Blank lines before the first words are left out.
  void take_line(TextBlock& text) {
    remove_comment();
    if (text.markdown.empty()) {
      if (is_blank_line(lines()[at_])) {
        ++at_;
        return;
      }
      text.line = at_ + 1;
    }
    text.markdown += lines()[at_++] + '\n';
  }

  /// Code that is none of ours, with its fences.
  void take_lines(TextBlock& text, const Fence& fence) {
    if (text.markdown.empty()) text.line = at_ + 1;
    const auto take = [&] { text.markdown += lines()[at_++] + '\n'; };
    take();
    while (at_ < lines().size() && !closes(fence, lines()[at_])) take();
    if (at_ < lines().size()) take();
  }

  /// Nothing where the fenced block holds no command line.
  std::optional<BlockAttributes> attributes_of_command(const Fence& fence) const {
    if (fence.info.find("attnlab") == std::string::npos) return std::nullopt;
    BlockAttributes attributes = at_line(at_ + 1, [&] { return read_attributes(fence.info); });
    const auto own = std::find(attributes.classes.begin(), attributes.classes.end(), "attnlab");
    if (own == attributes.classes.end()) return std::nullopt;
    attributes.classes.erase(own);
    return attributes;
  }

  CommandBlock read_command(const Fence& fence, BlockAttributes attributes) {
    CommandBlock block;
    block.line = ++at_;
    std::string command;
    while (at_ < lines().size() && !closes(fence, lines()[at_])) command += lines()[at_++] + '\n';
    if (at_ == lines().size()) {
      refuse(block.line, {"ブロックが閉じていません", "the block is not closed"},
             text("{} だけの行で閉じてください", "close it with a line {}",
                  std::string(fence.length, fence.mark)));
    }
    block.last_line = ++at_;
    block.words = at_line(block.line, [&] { return shell_words(without_option_lines(command, attributes)); });
    if (!block.words.empty() && block.words.front() == "attnlab") block.words.erase(block.words.begin());
    if (block.words.empty()) {
      refuse(block.line, {"ブロックにコマンドがありません", "the block holds no command"},
             {"例：vectors --figure bars", "for example: vectors --figure bars"});
    }
    block.attributes = std::move(attributes);
    return block;
  }

  void add_command(const Fence& fence, const BlockAttributes& attributes) {
    const std::size_t number = at_ + 1;
    CommandBlock block = read_command(fence, attributes);
    block.on_slide = takes_slide(block);
    add(number, std::move(block));
  }

  bool is_in_slide() const {
    return std::find(open_divs_.begin(), open_divs_.end(), true) != open_divs_.end();
  }

  /// The first figure below a heading is on a slide, and what stands in ::: {.slide}.
  bool takes_slide(const CommandBlock& block) {
    const auto is_of_text = [](const std::string& word) {
      return word == "--explain" || word.rfind("--code", 0) == 0;
    };
    const bool is_text = block.words.front() == "claims" || block.attributes.has("report") ||
                         block.attributes.values.count("stage") != 0 ||
                         std::any_of(block.words.begin(), block.words.end(), is_of_text);
    return is_in_slide() || is_text || !std::exchange(has_figure_, true);
  }

  EquationBlock read_equation() {
    const std::size_t first = at_ + 1;
    std::string tex = lines()[at_++].substr(2);
    const auto is_ended = [&tex] {
      const std::string_view text = trimmed(tex, " \t\n");
      return text.size() >= 2 && text.substr(text.size() - 2) == "$$";
    };
    while (!is_ended() && at_ < lines().size()) tex += '\n' + lines()[at_++];
    if (!is_ended())
      refuse(first, {"式の $$ が閉じていません", "the formula's $$ is not closed"},
             {"式の後に $$ を書いてください", "write $$ after it"});
    const std::string_view inside = trimmed(tex, " \t\n");
    return {at_line(first, [&] { return formula::read_tex(inside.substr(0, inside.size() - 2)); })};
  }

  // --- Divs: ::: question

  void read_div(const Fence& div) {
    const std::size_t number = at_ + 1;
    if (div.info.empty()) {
      if (open_divs_.empty())
        refuse(number, {"::: が何も閉じていません", "this ::: closes nothing"}, example());
      end_text();
      open_divs_.pop_back();
      ++at_;
      return;
    }
    const BlockAttributes attributes = attributes_of_div(div);
    if (attributes.has("question")) return add(number, read_question());
    if (attributes.has("steps")) return add(number, read_steps(attributes.name));
    if (attributes.has("notes")) {  // the speaker's, which no page shows
      end_text();
      TextBlock notes;
      return take_until_closed(notes);
    }
    end_text();
    open_divs_.push_back(attributes.has("slide"));  // another one is pandoc's: what it holds counts
    ++at_;
  }

  BlockAttributes attributes_of_div(const Fence& div) const {
    return at_line(at_ + 1, [&] { return read_attributes(trimmed(div.info, " \t:")); });
  }

  /// The lines of a div of text, up to the one that closes it; `on_div` may read a div inside, and
  /// `on_command` a command.
  void take_until_closed(TextBlock& text, const std::function<void()>& on_div = {},
                         const std::function<void(CommandBlock)>& on_command = {}) {
    const std::size_t opened = ++at_;
    while (at_ < lines().size()) {
      const std::optional<Fence> div = fence_of(lines()[at_], ":");
      const std::optional<Fence> fence = fence_of(lines()[at_], "`~");
      if (div && div->info.empty()) {
        ++at_;
        return;
      }
      const std::optional<BlockAttributes> attributes = fence ? attributes_of_command(*fence) : std::nullopt;
      if (attributes && !on_command) refuse_figure_in_text(at_ + 1);
      if (attributes) {
        on_command(read_command(*fence, *attributes));
      } else if (div && on_div) {
        on_div();
      } else if (fence) {
        take_lines(text, *fence);
      } else {
        take_line(text);
      }
    }
    refuse_open_div(opened);
  }

  [[noreturn]] void refuse_figure_in_text(std::size_t line) const {
    refuse(line, {"答えと注記に図は置けません", "an answer and notes hold text alone"},
           {"図を前か後に置いてください", "put the figure before or after it"});
  }

  [[noreturn]] void refuse_open_div(std::size_t line) const {
    refuse(line, {"::: が閉じていません", "this ::: is not closed"},
           {"::: だけの行で閉じてください", "close it with a line :::"});
  }

  QuestionBlock read_question() {
    const std::size_t number = at_ + 1;
    QuestionBlock block;
    const auto read_answer = [&] {
      const std::optional<Fence> div = fence_of(lines()[at_], ":");
      if (!attributes_of_div(*div).has("answer"))
        refuse(at_ + 1, {"問の中に置けるのは answer だけです", "a question holds its answer alone"},
               {"::: answer と書いてください", "write ::: answer"});
      take_until_closed(block.answer);
    };
    const auto read_guess = [&](CommandBlock command) {
      if (block.guess)
        refuse(command.line, {"問に置ける図は 1 枚です", "a question has one figure to guess in"},
               {"2 枚目を別の問にしてください", "make the second one a question of its own"});
      block.guess = std::move(command);
    };
    take_until_closed(block.question, read_answer, read_guess);
    block.last_line = at_;
    for (TextBlock* part : {&block.question, &block.answer}) {
      part->markdown = trimmed(part->markdown, "\n");
      if (!is_blank_line(part->markdown)) continue;
      refuse(number,
             part == &block.question ? Text{"問がありません", "the question is missing"}
                                     : Text{"答えがありません", "the answer is missing"},
             {"::: question の中に問、その後の ::: answer の中に答えを書いてください",
              "write the question between ::: question and ::: answer, and the answer after it"});
    }
    return block;
  }

  StepsBlock read_steps(const std::string& name) {
    const std::size_t opened = ++at_;
    StepsBlock block{name, {}};
    for (; at_ < lines().size();) {
      const std::optional<Fence> div = fence_of(lines()[at_], ":");
      const std::optional<Fence> fence = fence_of(lines()[at_], "`~");
      const std::optional<BlockAttributes> attributes = fence ? attributes_of_command(*fence) : std::nullopt;
      if (attributes) {
        block.steps.push_back(read_command(*fence, *attributes));
      } else if (div && div->info.empty()) {
        ++at_;
        check_number_of_steps(block, opened);
        const bool on_slide = takes_slide(block.steps.front());
        for (CommandBlock& step : block.steps) step.on_slide = on_slide;
        return block;
      } else if (!is_blank_line(lines()[at_])) {
        refuse(at_ + 1, {"手順の中に置けるのは図だけです", "steps hold figures alone"},
               {"文章は前か後に置いてください", "put text before or after them"});
      } else {
        ++at_;
      }
    }
    refuse_open_div(opened);
  }

  void check_number_of_steps(const StepsBlock& block, std::size_t line) const {
    if (block.steps.size() >= 2 && block.steps.size() <= most_steps) return;
    refuse(line, text("手順の数は {} です", "the number of steps is {}", block.steps.size()),
           text("2～{} 個にしてください", "give 2 to {}", most_steps));
  }

  Lecture lecture_;
  std::size_t at_ = 0;  // the line that is read next, from 0
  TextBlock text_;      // that is being read
  std::map<std::string, TextBlock> notes_;
  std::vector<bool> open_divs_;  // which of them are slides
  bool has_figure_ = false;      // on a slide, below the last heading
};

}  // namespace

std::string place_of(const std::filesystem::path& file, std::size_t line) {
  const std::string name = printable(file.string());
  return line == 0 ? name : fmt::format("{}:{}", name, line);
}

Lecture parse_lecture(std::string_view markdown, const std::filesystem::path& file,
                      std::optional<Language> spoken) {
  return DocumentReader(markdown, file).read(spoken);
}

}  // namespace attnlab
