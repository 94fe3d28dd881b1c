// What a reader may type in place of a command's name: a concept, a place in a document, a figure's own name.
#pragma once

#include "core/text.hpp"

namespace attnlab {

struct Meaning {
  std::string command;  // what to type behind "attnlab"
  Text shows;
};

/// Of "layernorm", "図 2.2.14", "eq7", "マルチヘッド"; compared without case, blanks, hyphens and dots
/// between letters. Each command once; none for other words.
std::vector<Meaning> meanings_of(const std::string& word);

/// Every experiment and every synonym, as it is written.
std::vector<std::string> known_names();

/// What the word means, and whatever else has it in its name, in what it shows, in a synonym, in a document's
/// item or in a figure's title of either language.
std::vector<Meaning> found(const std::string& word);

struct DocumentItem {
  std::string place;  // "A 図 2.2.14"
  Meaning meaning;
};

/// Every item of the five documents, in their order.
const std::vector<DocumentItem>& document_items();

/// Somebody else's book or course.
struct Book {
  std::string name;  // "udl"
  std::string title;
  std::vector<Meaning> sections;  // each shows its own number and title
};

const std::vector<Book>& books();

}  // namespace attnlab
