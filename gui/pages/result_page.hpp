// Result: what the step is made of, what memory is made of, what limits it and what to try next. Shows the live
// estimate.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <map>

#include "gui/format/display_format.hpp"
#include "gui/models/advice_model.hpp"
#include "gui/models/breakdown_model.hpp"
#include "gui/models/memory_model.hpp"
#include "gui/models/what_if_model.hpp"
#include "gui/session/planning_session.hpp"
#include "gui/theme/theme.hpp"
#include "gui/widgets/inspector.hpp"

class QLabel;
class QStackedWidget;

namespace trainwright::gui {

class BreakdownBar;
class Card;
class Chip;
class FlatTable;
class Legend;
class MemoryChart;

class ResultPage : public QWidget {
  Q_OBJECT

 public:
  ResultPage(PlanningSession& session, const Theme& theme, QWidget* parent = nullptr);

  void setFormat(const DisplayFormat& format);

 Q_SIGNALS:
  void explained(const Explain& explain);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  enum class Figure { step, tokens, tokens_per_device, mfu, hfu, rate };

  [[nodiscard]] QWidget* buildContent(const Theme& theme);
  void refresh();
  void refreshFigures(const model::Estimate& estimate, const model::Plan& plan);
  void refreshSentences(const model::Estimate& estimate);
  void retranslate();
  void explainPart(int row);
  void explainTerm(int row, int column);

  PlanningSession& session_;
  DisplayFormat format_;
  BreakdownModel breakdown_;
  MemoryModel memory_;
  WhatIfModel whatIfs_;
  AdviceModel advice_;
  QStackedWidget* stack_;
  QLabel* empty_;
  std::map<Figure, Chip*> figures_;
  Card* breakdownCard_ = nullptr;
  Card* memoryCard_ = nullptr;
  Card* whatIfCard_ = nullptr;
  Card* adviceCard_ = nullptr;
  Card* assumptionsCard_ = nullptr;
  BreakdownBar* bar_ = nullptr;
  MemoryChart* chart_ = nullptr;
  Legend* memoryLegend_ = nullptr;
  FlatTable* adviceTable_ = nullptr;
  QLabel* noAdvice_ = nullptr;
  QLabel* assumptions_ = nullptr;
};

}  // namespace trainwright::gui
