// What of a lecture's page is no figure: texts, formulas, tables, programs, claims, questions.
#pragma once

#include "lecture/built_lecture.hpp"

namespace attnlab {

std::string html_of(const BuiltText& text, Language language);
std::string html_of(const BuiltNotes& notes, Language language);
std::string html_of(const BuiltEquation& equation, Language language);
std::string html_of(const BuiltReport& report, Language language);
std::string html_of(const BuiltCode& code, Language language);
std::string html_of(const BuiltClaim& claim, Language language);
std::string html_of(const BuiltSliders& sliders, Language language);
std::string html_of(const BuiltFilm& film, Language language);
std::string html_of(const BuiltBreak& end, Language language);
std::string html_of(const BuiltHtml& block, Language language);

/// A question whose answer opens; in print it is found under its number at the end.
/// `picture`: its covered figure, or "".
std::string question_html(const BuiltQuestion& question, std::size_t number, const std::string& picture,
                          Language language);
std::string answer_html(const BuiltQuestion& question, std::size_t number);

/// A title, and a caption unless it is empty.
std::string title_html(const std::string& title, const std::string& caption);

}  // namespace attnlab
