// SPDX-License-Identifier: Apache-2.0
#include "gui/format/core_text.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <vector>

#include "gui/format/core_sentences.hpp"
#include "gui/format/text.hpp"

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;

struct Sentence {
  const char* source;
  QRegularExpression pattern;
  qsizetype literals;  ///< characters outside the places
};

Sentence makeSentence(const char* source) {
  static const QRegularExpression place(u"%([1-9])"_s);
  const QString text = QString::fromLatin1(source);
  QString pattern;
  qsizetype from = 0;
  qsizetype literals = 0;
  QSet<QString> seen;
  for (auto matches = place.globalMatch(text); matches.hasNext();) {
    const QRegularExpressionMatch match = matches.next();
    pattern += QRegularExpression::escape(text.mid(from, match.capturedStart() - from));
    // A place that occurs again holds the same text again.
    const QString number = match.captured(1);
    pattern += (seen.contains(number) ? u"\\k<p%1>"_s : u"(?<p%1>.+?)"_s).arg(number);
    seen.insert(number);
    literals += match.capturedStart() - from;
    from = match.capturedEnd();
  }
  pattern += QRegularExpression::escape(text.mid(from));
  literals += text.size() - from;
  return {source, QRegularExpression(QRegularExpression::anchoredPattern(pattern)), literals};
}

/// The most specific sentence first: of two that match, the one with more words of its own is meant.
const std::vector<Sentence>& sentences() {
  static const std::vector<Sentence> list = [] {
    std::vector<Sentence> made;
    for (const char* source : kCoreSentences)
      made.push_back(makeSentence(source));
    std::stable_sort(made.begin(), made.end(),
                     [](const Sentence& a, const Sentence& b) { return a.literals > b.literals; });
    return made;
  }();
  return list;
}

QString translated(const QString& text, int depth) {
  constexpr int kDeepest = 3;  // a sentence within a sentence, and a word within that
  if (depth > kDeepest)
    return text;
  for (const Sentence& sentence : sentences()) {
    const QRegularExpressionMatch match = sentence.pattern.match(text);
    if (!match.hasMatch())
      continue;
    QString result = QCoreApplication::translate("Core", sentence.source);
    // Each place is replaced once and from the right, so that text put in is never taken for a place.
    static const QRegularExpression place(u"%([1-9])"_s);
    std::vector<QRegularExpressionMatch> places;
    for (auto found = place.globalMatch(result); found.hasNext();)
      places.push_back(found.next());
    for (auto found = places.rbegin(); found != places.rend(); ++found)
      result.replace(found->capturedStart(), found->capturedLength(),
                     translated(match.captured(u"p"_s + found->captured(1)), depth + 1));
    return result;
  }
  return text;
}

}  // namespace

QString coreText(std::string_view sentence) {
  return translated(toQString(sentence), 0);
}

}  // namespace trainwright::gui
