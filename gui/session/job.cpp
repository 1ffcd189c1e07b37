// SPDX-License-Identifier: Apache-2.0
#include "gui/session/job.hpp"

#include <algorithm>
#include <exception>

namespace trainwright::gui {

JobRunner::JobRunner(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(std::max(QThread::idealThreadCount(), 3));  // a simulation never keeps a prediction waiting
  constexpr int kProgressMs = 100;
  progressTimer_.setInterval(kProgressMs);
  connect(&progressTimer_, &QTimer::timeout, this, &JobRunner::jobsChanged);
}

JobRunner::~JobRunner() {
  cancelAll();
  pool_.waitForDone();
}

int JobRunner::startErased(JobKind kind, ErasedWork work, ErasedDone done, std::function<void(QString)> failed) {
  cancel(kind);
  const int number = ++lastNumber_;
  auto state = std::make_shared<State>();
  Running running{number, state, {}};
  running.since.start();
  current_.insert_or_assign(kind, std::move(running));
  if (!progressTimer_.isActive())
    progressTimer_.start();

  pool_.start([this, kind, number, state, work = std::move(work), done = std::move(done), failed = std::move(failed)] {
    std::shared_ptr<const void> result;
    QString error;
    const model::Progress progress = [state](double fraction) {
      state->progress.store(std::clamp(fraction, 0.0, 1.0));
    };
    try {
      result = work(state->stop.get_token(), progress);
    } catch (const std::exception& exception) {
      error = QString::fromUtf8(exception.what());
      if (error.isEmpty())
        error = QStringLiteral("std::exception");
    }
    // The runner outlives its pool, so `this` is alive here; a call still queued when it dies is dropped by Qt.
    QMetaObject::invokeMethod(
        this,
        [this, kind, number, result = std::move(result), error, done, failed] {
          finish(kind, number, [&] {
            if (!error.isEmpty())
              failed(error);
            else if (result)
              done(result);
          });
        },
        Qt::QueuedConnection);
  });
  Q_EMIT jobsChanged();
  return number;
}

void JobRunner::finish(JobKind kind, int number, const std::function<void()>& deliver) {
  const auto found = current_.find(kind);
  if (found == current_.end() || found->second.number != number)
    return;
  current_.erase(found);
  if (current_.empty())
    progressTimer_.stop();
  deliver();
  Q_EMIT jobsChanged();
}

void JobRunner::cancel(JobKind kind) {
  const auto found = current_.find(kind);
  if (found == current_.end())
    return;
  found->second.state->stop.request_stop();
  current_.erase(found);
  if (current_.empty())
    progressTimer_.stop();
  Q_EMIT jobsChanged();
}

void JobRunner::cancelAll() {
  while (!current_.empty())
    cancel(current_.begin()->first);
}

std::vector<JobStatus> JobRunner::jobs() const {
  std::vector<JobStatus> list;
  for (const auto& [kind, running] : current_) {
    JobStatus status;
    status.number = running.number;
    status.kind = kind;
    status.progress = running.state->progress.load();
    status.secondsElapsed = static_cast<double>(running.since.elapsed()) * 1e-3;
    constexpr double kEnoughToExtrapolate = 0.02;
    if (status.progress >= kEnoughToExtrapolate)
      status.secondsLeft = status.secondsElapsed * (1.0 - status.progress) / status.progress;
    list.push_back(status);
  }
  return list;
}

}  // namespace trainwright::gui
