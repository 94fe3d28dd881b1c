#include "tasks/world/grammar.hpp"

#include <toml++/toml.h>

#include "core/embedded_file.hpp"
#include "core/utf8.hpp"

namespace attnlab {

const std::vector<EmbeddedFile>& world_files();

namespace {

constexpr const char* world_beginning = "\xC2\xB6";  // ¶

struct Item;
using Sequence = std::vector<Item>;

/// A word, an entry of [words], or one of several sequences.
struct Item {
  enum class Kind { word, entry, choice };
  Kind kind = Kind::word;
  std::string word = {};
  int number = 0;                        // of the word, once all are known
  std::size_t slot = 0;                  // of an entry: what the story calls it, numbered
  std::size_t table = 0;                 // of [words]
  std::size_t form = 0;                  // of its forms
  bool draws = false;                    // a new entry
  std::vector<Sequence> sequences = {};  // of a choice
  std::string mark = {};
};

/// entries[e][f]: form f of entry e.
struct EntryTable {
  std::string name;
  std::vector<std::string> forms;
  std::vector<std::vector<Sequence>> entries;
};

struct StoryRule {
  double weight = 1.0;
  Sequence sequence;
  Sequence target = {};  // of a pair: it draws nothing of its own
  std::size_t slots = 0;
};

[[noreturn]] void refuse_rule(const std::string& what, const std::string& text) {
  throw std::logic_error("data/world: " + what + " in " + text);
}

/// Between bars that stand in no brackets.
std::vector<std::string> parted(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char letter : text) {
    depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
    if (letter == '|' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

/// Reads one text of the grammar into a sequence.
class Reader {
 public:
  using Rules = std::map<std::string, std::vector<Sequence>>;
  Reader(std::string text, const std::vector<EntryTable>& tables, const Rules& rules)
      : text_(std::move(text)), tables_(tables), rules_(rules) {}

  /// The text, and then others that name what it has drawn.
  Sequence all() {
    Sequence sequence = sequence_until("");
    if (at_ < text_.size()) refuse_rule("a bracket too many", text_);
    return sequence;
  }
  Sequence also(const std::string& text) {
    text_ = text;
    at_ = 0;
    Sequence sequence = all();
    for (const Item& item : sequence) {
      if (item.draws || item.kind == Item::Kind::choice) refuse_rule("a choice", text);
    }
    return sequence;
  }
  std::size_t slots() const { return slots_.size(); }

 private:
  Sequence sequence_until(std::string_view ends) {
    Sequence sequence;
    for (skip_blanks(); at_ < text_.size() && ends.find(text_[at_]) == std::string_view::npos;
         skip_blanks()) {
      sequence.push_back(item());
      sequence.back().mark = mark();
    }
    return sequence;
  }

  Item item() {
    if (text_[at_] == '[') return choice();
    if (text_[at_] == '{') return entry(inside('}'));
    if (text_[at_] == '<') return rule(inside('>'));
    Item word;
    const std::size_t begin = at_++;
    while (at_ < text_.size() && std::string_view(" \n[]|{}<>?").find(text_[at_]) == std::string_view::npos)
      ++at_;
    word.word = text_.substr(begin, at_ - begin);
    return word;
  }

  Item choice() {
    Item choice;
    choice.kind = Item::Kind::choice;
    do {
      ++at_;
      choice.sequences.push_back(sequence_until("|]"));
    } while (at_ < text_.size() && text_[at_] == '|');
    if (at_ == text_.size()) refuse_rule("a bracket too few", text_);
    ++at_;
    return choice;
  }

  Item rule(const std::string& name) const {
    const auto found = rules_.find(name);
    if (found == rules_.end()) refuse_rule("no rule " + name, text_);
    Item choice;
    choice.kind = Item::Kind::choice;
    choice.sequences = found->second;
    return choice;
  }

  /// "a:person.she", "a.she", "a"
  Item entry(const std::string& answered) {
    const std::size_t dot = answered.find('.');
    const std::string form = dot == std::string::npos ? "" : answered.substr(dot + 1);
    const std::string name = answered.substr(0, dot);
    const std::size_t colon = name.find(':');
    Item entry;
    entry.kind = Item::Kind::entry;
    entry.draws = colon != std::string::npos;
    const std::string slot = name.substr(0, colon);
    if (entry.draws) {
      const std::size_t next = slots_.size();
      slots_.try_emplace(slot, Slot{next}).first->second.table = table_called(name.substr(colon + 1));
    }
    const auto found = slots_.find(slot);
    if (found == slots_.end()) refuse_rule("nothing is called " + slot, text_);
    entry.slot = found->second.number;
    entry.table = found->second.table;
    const std::vector<std::string>& forms = tables_[entry.table].forms;
    const auto place = form.empty() ? forms.begin() : std::find(forms.begin(), forms.end(), form);
    if (place == forms.end()) refuse_rule("no form " + form, text_);
    entry.form = static_cast<std::size_t>(place - forms.begin());
    return entry;
  }

  std::size_t table_called(const std::string& name) const {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (tables_[i].name == name) return i;
    }
    refuse_rule("no words " + name, text_);
  }

  std::string inside(char end) {
    const std::size_t close = text_.find(end, at_);
    if (close == std::string::npos) refuse_rule("an open bracket", text_);
    std::string answered = text_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    return answered;
  }

  std::string mark() {
    if (at_ + 1 >= text_.size() || text_[at_] != '?') return "";
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  std::string text_;
  const std::vector<EntryTable>& tables_;
  const Rules& rules_;
  std::size_t at_ = 0;
  struct Slot {
    std::size_t number = 0;
    std::size_t table = 0;  // that it was drawn from last: branches of a choice may call theirs by one name
  };
  std::map<std::string, Slot> slots_;
};

std::string text_in(const toml::node& node) { return node.value<std::string>().value(); }

/// Calls visit(item) for every item of the sequence and of what is in it.
template <class Visit>
void for_each_item(Sequence& sequence, const Visit& visit) {
  for (Item& item : sequence) {
    visit(item);
    for (Sequence& inner : item.sequences) for_each_item(inner, visit);
  }
}

}  // namespace

struct WorldGrammar::Rules {
  std::vector<std::string> words;
  std::vector<EntryTable> tables;
  std::vector<StoryRule> stories;
  double weight = 0.0;  // of all stories

  explicit Rules(const EmbeddedFile& file) {
    const toml::table root = toml::parse(file.text, file.path);
    read_tables(root);
    Reader::Rules rules;
    for (const auto& [name, alternatives] : *root["rules"].as_table()) {
      for (const toml::node& text : *alternatives.as_array())
        rules[std::string(name.str())].push_back(Reader(text_in(text), tables, rules).all());
    }
    for (const toml::node& node : *root["story"].as_array()) {
      const toml::table& story = *node.as_table();
      const std::string text = text_in(*story.get("text"));
      Reader reader(text, tables, rules);
      StoryRule rule{story["weight"].value_or(1.0), reader.all()};
      if (const toml::node* target = story.get("target")) rule.target = reader.also(text_in(*target));
      rule.slots = reader.slots();
      weight += rule.weight;
      stories.push_back(std::move(rule));
    }
    number_words();
  }

 private:
  void read_tables(const toml::table& root) {
    for (const auto& [name, entries] : *root["words"].as_table()) {
      EntryTable table;
      table.name = name.str();
      table.forms = split(root["forms"][table.name].value_or<std::string>("word"), " ");
      for (const toml::node& entry : *entries.as_array()) {
        std::vector<Sequence> forms;
        for (const std::string& form : parted(text_in(entry))) forms.push_back(Reader(form, {}, {}).all());
        if (forms.size() != table.forms.size()) refuse_rule("a wrong number of forms", text_in(entry));
        table.entries.push_back(std::move(forms));
      }
      tables.push_back(std::move(table));
    }
  }

  template <class Visit>
  void for_each_word(const Visit& visit) {
    const auto of_word = [&](Item& item) {
      if (item.kind == Item::Kind::word) visit(item);
    };
    for (EntryTable& table : tables) {
      for (std::vector<Sequence>& forms : table.entries) {
        for (Sequence& form : forms) for_each_item(form, of_word);
      }
    }
    for (StoryRule& story : stories) {
      for_each_item(story.sequence, of_word);
      for_each_item(story.target, of_word);
    }
  }

  void number_words() {
    std::set<std::string> different;
    for_each_word([&](const Item& item) { different.insert(item.word); });
    words.emplace_back(world_beginning);
    words.insert(words.end(), different.begin(), different.end());
    for_each_word([&](Item& item) {
      item.number =
          static_cast<int>(std::lower_bound(words.begin() + 1, words.end(), item.word) - words.begin());
    });
  }
};

namespace {

/// A story while it is told.
class Teller {
 public:
  Teller(const std::vector<EntryTable>& tables, std::size_t slots, NumpyRandom& random)
      : tables_(tables), random_(random), drawn_(slots), first_mentioned_(slots), used_(tables.size()) {}

  /// A story begins with its sign, and ends with it.
  void sign() { story_.words.push_back(0); }

  std::size_t choose(std::size_t count) {
    const auto index = static_cast<std::size_t>(random_.uniform() * static_cast<double>(count));
    count_choice(index, std::log(static_cast<double>(count)));
    return index;
  }
  void count_choice(std::size_t index, double nats) {
    story_.nats += nats;
    story_.combination += index;
    story_.choices += nats > 0.0 ? 1 : 0;
  }

  /// The same in the other language.
  void reveal_target(const Sequence& sequence) {
    std::vector<int> words;
    words.swap(story_.words);
    reveals_target_ = true;
    sign();
    complete(sequence);
    sign();
    words.swap(story_.words);
    story_.target = std::move(words);
  }

  void complete(const Sequence& sequence) {
    for (const Item& item : sequence) {
      if (!item.mark.empty()) story_.requested.push_back({item.mark, story_.words.size(), first_words(item)});
      complete(item);
    }
  }

  WorldStory described() && { return std::move(story_); }

 private:
  void complete(const Item& item) {
    if (item.kind == Item::Kind::word) return story_.words.push_back(item.number);
    if (item.kind == Item::Kind::choice) return complete(item.sequences[choose(item.sequences.size())]);
    if (item.draws) draw(item);
    if (reveals_target_) {
      story_.aligned.push_back({story_.words.size(), first_mentioned_[item.slot]});
    } else if (item.draws) {
      first_mentioned_[item.slot] = story_.words.size();
    }
    complete(tables_[item.table].entries[drawn_[item.slot]][item.form]);
  }

  /// An entry that the story has not yet.
  void draw(const Item& item) {
    std::set<std::size_t>& used = used_[item.table];
    std::size_t index = choose(tables_[item.table].entries.size() - used.size());
    for (const std::size_t other : used) index += other <= index ? 1 : 0;
    used.insert(index);
    drawn_[item.slot] = index;
  }

  std::set<int> first_words(const Item& item) const {
    if (item.kind == Item::Kind::word) return {item.number};
    std::set<int> words;
    const auto add = [&](const Sequence& sequence) { words.merge(first_words(sequence.front())); };
    if (item.kind == Item::Kind::choice) {
      std::for_each(item.sequences.begin(), item.sequences.end(), add);
    } else if (!item.draws) {
      add(tables_[item.table].entries[drawn_[item.slot]][item.form]);
    } else {
      for (const std::vector<Sequence>& forms : tables_[item.table].entries) add(forms[item.form]);
    }
    return words;
  }

  WorldStory story_;
  const std::vector<EntryTable>& tables_;
  NumpyRandom& random_;
  std::vector<std::size_t> drawn_;            // the entry of each slot
  std::vector<std::size_t> first_mentioned_;  // and its place in the text
  bool reveals_target_ = false;
  std::vector<std::set<std::size_t>> used_;  // of each table, in their order
};

/// How many entries of each table a story has drawn so far, and how likely that is.
using DrawnCounts = std::map<std::vector<std::size_t>, double>;

/// Adds up what a sequence says and how open it is, over all that it may be.
class Expectation {
 public:
  Expectation(const std::vector<EntryTable>& tables, double weight)
      : tables_(tables), states_{{std::vector<std::size_t>(tables.size()), weight}} {}

  const SourceEntropy& sum() const { return sum_; }

  void add(const Sequence& sequence) {
    for (const Item& item : sequence) {
      if (item.kind == Item::Kind::word) {
        sum_.words += likelihood();
      } else if (item.kind == Item::Kind::choice) {
        add_choice(item);
      } else {
        if (item.draws) draw(item.table);
        add_form(item);
      }
    }
  }

 private:
  double likelihood() const {
    return std::accumulate(states_.begin(), states_.end(), 0.0,
                           [](double total, const auto& state) { return total + state.second; });
  }

  void add_choice(const Item& item) {
    const auto count = static_cast<double>(item.sequences.size());
    sum_.nats += likelihood() * std::log(count);
    DrawnCounts before = std::move(states_);
    for (auto& state : before) state.second /= count;
    DrawnCounts after;
    for (const Sequence& sequence : item.sequences) {
      states_ = before;
      add(sequence);
      for (const auto& [drawn, likely] : states_) after[drawn] += likely;
    }
    states_ = std::move(after);
  }

  void draw(std::size_t table) {
    DrawnCounts after;
    for (const auto& [drawn, likely] : states_) {
      sum_.nats += likely * std::log(static_cast<double>(tables_[table].entries.size() - drawn[table]));
      std::vector<std::size_t> more = drawn;
      ++more[table];
      after[more] += likely;
    }
    states_ = std::move(after);
  }

  /// Every entry of a table is as likely as every other.
  void add_form(const Item& item) {
    const auto& entries = tables_[item.table].entries;
    const double share = likelihood() / static_cast<double>(entries.size());
    for (const std::vector<Sequence>& forms : entries) {
      Expectation form(tables_, share);
      form.add(forms[item.form]);
      sum_.nats += form.sum().nats;
      sum_.words += form.sum().words;
    }
  }

  SourceEntropy sum_;
  const std::vector<EntryTable>& tables_;
  DrawnCounts states_;
};

}  // namespace

WorldGrammar::WorldGrammar(const std::string& name)
    : rules_(std::make_shared<const Rules>(*find_file(world_files(), name + ".toml"))) {}

const std::vector<std::string>& WorldGrammar::words() const { return rules_->words; }

WorldStory WorldGrammar::draw(NumpyRandom& random) const {
  double left = random.uniform() * rules_->weight;
  std::size_t index = 0;
  while (index + 1 < rules_->stories.size() && left >= rules_->stories[index].weight)
    left -= rules_->stories[index++].weight;
  const StoryRule& rule = rules_->stories[index];
  Teller teller(rules_->tables, rule.slots, random);
  teller.count_choice(index, std::log(rules_->weight / rule.weight));
  teller.sign();
  teller.complete(rule.sequence);
  teller.sign();
  if (!rule.target.empty()) teller.reveal_target(rule.target);
  return std::move(teller).described();
}

SourceEntropy WorldGrammar::entropy() const {
  SourceEntropy all;
  for (const StoryRule& rule : rules_->stories) {
    const double likely = rule.weight / rules_->weight;
    Expectation story(rules_->tables, likely);
    story.add(rule.sequence);
    all.nats += story.sum().nats - likely * std::log(likely);
    all.words += story.sum().words + likely;  // the sign of the end
  }
  return all;
}

std::vector<WorldStory> draw_stories(NumpyRandom& random, std::size_t count, const WorldGrammar& grammar,
                                     bool held_out) {
  std::vector<WorldStory> stories;
  stories.reserve(count);
  while (stories.size() < count) {
    WorldStory story = grammar.draw(random);
    if (story.is_held_out() == held_out) stories.push_back(std::move(story));
  }
  return stories;
}

}  // namespace attnlab
