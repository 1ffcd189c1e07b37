// Walks the whole window in both languages: whatever reads the same in Chinese as in English, and is no name or unit,
// was forgotten.
// SPDX-License-Identifier: Apache-2.0
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <map>

#include "gui/app/profile_plan_source.hpp"
#include "gui/format/core_text.hpp"
#include "gui/models/labels.hpp"
#include "model/estimate/analytic_estimator.hpp"
#include "tests/gui/support/window_fixture.hpp"

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;
using testing_support::smallScenario;

/// Every text the user can read in `window`, by a key that is the same in all languages.
std::map<QString, QString> textsOf(QWidget& window) {
  std::map<QString, QString> texts;
  int number = 0;
  const auto add = [&](const QString& kind, const QString& text) {
    texts[u"%1 %2"_s.arg(number, 5, 10, QChar(u'0')).arg(kind)] = text;
    ++number;
  };
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    add(u"tool tip"_s, widget->toolTip());
    if (const auto* label = qobject_cast<QLabel*>(widget))
      add(u"label "_s + label->objectName(), label->text());
    if (const auto* button = qobject_cast<QAbstractButton*>(widget))
      add(u"button "_s + button->objectName(), button->text());
    if (const auto* box = qobject_cast<QSpinBox*>(widget))
      add(u"special value"_s, box->specialValueText());
    if (const auto* box = qobject_cast<QComboBox*>(widget))
      for (int i = 0; i < box->count(); ++i)
        add(u"choice "_s + box->objectName(), box->itemText(i));
    if (const auto* view = qobject_cast<QAbstractItemView*>(widget); view != nullptr && view->model() != nullptr)
      for (int column = 0; column < view->model()->columnCount(); ++column)
        add(u"header"_s, view->model()->headerData(column, Qt::Horizontal).toString());
  }
  return texts;
}

/// Names of products, formats and options that are the same in every language.
bool isName(const QString& text) {
  static const QStringList names{u"Small Model"_s,  u"Test Cluster"_s, u"English"_s,
                                 u"bf16"_s,         u"tf32"_s,         u"nvfp4"_s,
                                 u"mxfp8"_s,        u"adam"_s,         u"sgd"_s,
                                 u"sgd-momentum"_s, u"flash"_s,        u"megatron-core"_s,
                                 u"megatron-lm"_s,  u"deepspeed"_s,    u"megatron-deepspeed"_s,
                                 u"fsdp"_s,         u"torchtitan"_s,   u"pytorch-ddp"_s,
                                 u"gpipe"_s,        u"interleaved"_s,  u"zb-h1"_s,
                                 u"dualpipe"_s,     u"1f1b"_s,         u"fp32"_s,
                                 u"fp16"_s,         u"fp64"_s,         u"fp8"_s};
  return names.contains(text);
}

class Translation : public testing_support::WindowFixture {
 protected:
  void expectTranslated() {
    const std::map<QString, QString> english = textsOf(window());
    settings().setLanguage(u"zh_CN"_s);
    QCoreApplication::processEvents();
    const std::map<QString, QString> chinese = textsOf(window());
    ASSERT_EQ(english.size(), chinese.size());
    static const QRegularExpression word(u"[a-z]{3,}"_s);
    for (const auto& [key, text] : english) {
      if (!word.match(text).hasMatch() || isName(text) || coreTexts_.contains(text))
        continue;
      EXPECT_NE(text, chinese.at(key)) << key.toStdString() << ": " << text.toStdString();
    }
    settings().setLanguage(u"en"_s);
  }
  /// Texts that come from the planner and not from the window.
  QStringList coreTexts_;
};

TEST_F(Translation, NothingOnTheWindowStaysEnglish) {
  build();
  coreTexts_ << find<QLabel>("assumptions").text();
  expectTranslated();
}

TEST_F(Translation, SwitchingBackRestoresEnglish) {
  build();
  const std::map<QString, QString> before = textsOf(window());
  settings().setLanguage(u"zh_CN"_s);
  settings().setLanguage(u"en"_s);
  EXPECT_EQ(textsOf(window()), before);
}

TEST_F(Translation, LabelsHaveAChineseNameEach) {
  build();
  settings().setLanguage(u"zh_CN"_s);
  static const QRegularExpression chinese(u"\\p{Han}"_s);
  for (std::size_t i = 0; i < model::kStepPartCount; ++i) {
    const auto part = static_cast<model::StepPart>(i);
    EXPECT_TRUE(chinese.match(Labels::name(part)).hasMatch()) << i;
    EXPECT_TRUE(chinese.match(Labels::explanation(part)).hasMatch()) << i;
  }
  for (std::size_t i = 0; i < model::kMemoryTermCount; ++i) {
    const auto term = static_cast<model::MemoryTerm>(i);
    EXPECT_TRUE(chinese.match(Labels::name(term)).hasMatch()) << i;
    EXPECT_TRUE(chinese.match(Labels::explanation(term)).hasMatch()) << i;
  }
  for (std::size_t i = 0; i < kActivityCount; ++i)
    EXPECT_TRUE(chinese.match(Labels::name(static_cast<Activity>(i))).hasMatch()) << i;
  settings().setLanguage(u"en"_s);
}

/// Sentences of the planner that stay English in Chinese.
QStringList untranslated(const ScenarioInputs& inputs) {
  static const QRegularExpression chinese(u"\\p{Han}"_s);
  QStringList left;
  const auto look = [&left](const std::string& sentence) {
    if (!sentence.empty() && !chinese.match(coreText(sentence)).hasMatch())
      left << QString::fromStdString(sentence);
  };
  const ProfilePlanSource source;
  const Resolution resolution = source.resolve(inputs);
  for (const model::Diagnostic& problem : resolution.problems.list()) {
    look(problem.message);
    look(problem.hint);
  }
  if (!resolution.plan)
    return left;
  const auto estimate = model::AnalyticEstimator().estimate(*resolution.plan, {}, {});
  for (const std::string& assumption : estimate->assumptions)
    look(assumption);
  for (const model::Advice& advice : estimate->advice) {
    look(advice.action);
    look(advice.reason);
  }
  return left;
}

TEST_F(Translation, SentencesOfThePlannerAreKnown) {
  build();
  settings().setLanguage(u"zh_CN"_s);
  const ScenarioInputs good = firstScenario();
  std::vector<ScenarioInputs> scenarios{good};
  for (const auto& [field, value] : std::vector<std::pair<Field, std::int64_t>>{{Field::tp, 3},
                                                                                {Field::tp, 16},
                                                                                {Field::pp, 3},
                                                                                {Field::pp, 64},
                                                                                {Field::dp, 3},
                                                                                {Field::gpus, 15},
                                                                                {Field::vpp, 2},
                                                                                {Field::cp, 2},
                                                                                {Field::ep, 2},
                                                                                {Field::etp, 2},
                                                                                {Field::zero, 2},
                                                                                {Field::zero, 9},
                                                                                {Field::hsdp, 3},
                                                                                {Field::micro_batch, 3},
                                                                                {Field::micro_batch, 2},
                                                                                {Field::global_batch, 7},
                                                                                {Field::seq_len, 0},
                                                                                {Field::seq_len, 100'000}})
    scenarios.push_back(withNumber(good, field, value));
  scenarios.push_back(good);
  scenarios.back().choices = {};
  for (const char* model : {"mixtral-8x7b", "bert-large", "gpt3-175b"}) {
    scenarios.push_back(good);
    scenarios.back().model = {model};
  }
  for (const char* cluster : {"dgx-1-v100", "2x-rtx-4090-ethernet"}) {
    scenarios.push_back(good);
    scenarios.back().cluster = {cluster};
  }
  for (const ScenarioInputs& inputs : scenarios)
    EXPECT_EQ(untranslated(inputs).join(u'\n').toStdString(), "");
  settings().setLanguage(u"en"_s);
}

}  // namespace
}  // namespace trainwright::gui
