// SPDX-License-Identifier: Apache-2.0
#include "gui/format/core_text.hpp"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QTranslator>

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;

/// Marks what it translates and swaps the first two places.
class Swapping : public QTranslator {
 public:
  using QTranslator::QTranslator;
  [[nodiscard]] bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* source, const char*, int) const override {
    if (QLatin1String(context) != QLatin1String("Core"))
      return {};
    QString text = QString::fromLatin1(source);
    if (text.contains(u"%2"_s))
      text.replace(u"%1"_s, u"%0"_s).replace(u"%2"_s, u"%1"_s).replace(u"%0"_s, u"%2"_s);
    return u"<"_s + text + u">"_s;
  }
};

class CoreText : public testing::Test {
 protected:
  void SetUp() override { QCoreApplication::installTranslator(&translator_); }
  void TearDown() override { QCoreApplication::removeTranslator(&translator_); }
  Swapping translator_;
};

TEST_F(CoreText, PutsNumbersIntoTheTranslatedPlaces) {
  EXPECT_EQ(coreText("with dp 4 the micro-batch may be 1, 2"), u"<with dp 1, 2 the micro-batch may be 4>"_s);
}

TEST_F(CoreText, TranslatesASentenceWithinASentence) {
  EXPECT_EQ(
      coreText("a pipeline of an encoder-decoder model (4 stages) is not yet supported by this version; allowed: 1"),
      u"<1 is not yet supported by this version; allowed: <a pipeline of an encoder-decoder model (4 stages)>>"_s);
}

TEST_F(CoreText, LeavesAnUnknownSentenceAsItIs) {
  EXPECT_EQ(coreText("a sentence nobody knows: %1 %2"), u"a sentence nobody knows: %1 %2"_s);
  EXPECT_EQ(coreText(""), QString());
}

TEST_F(CoreText, TextPutInIsNeverTakenForAPlace) {
  EXPECT_EQ(coreText("with dp %2 the micro-batch may be %1"), u"<with dp %1 the micro-batch may be %2>"_s);
}

}  // namespace
}  // namespace trainwright::gui
