// Numbered jobs on a thread pool. One job of each kind counts: starting a second one stops the first, and what the
// first still delivers is dropped. Results, failures and progress arrive in the thread of the runner.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "model/estimate/estimator.hpp"

namespace trainwright::gui {

enum class JobKind { prediction, simulation, file };

/// What the jobs bar shows of one running job.
struct JobStatus {
  int number = 0;
  JobKind kind = JobKind::prediction;
  double progress = 0.0;              ///< 0 .. 1
  std::optional<double> secondsLeft;  ///< by the progress so far; empty while too early to say
  double secondsElapsed = 0.0;
};

class JobRunner : public QObject {
  Q_OBJECT

 public:
  explicit JobRunner(QObject* parent = nullptr);
  /// Stops every job and waits for the workers to end.
  ~JobRunner() override;

  /// Runs `work` on a worker thread. Exactly one of `done`, `failed` is called later, or none when the job was stopped
  /// or superseded. `failed` gets the text of the exception. `work` returns an empty optional when it was stopped.
  template <class Result>
  int start(JobKind kind, std::function<std::optional<Result>(std::stop_token, const model::Progress&)> work,
            std::function<void(std::shared_ptr<const Result>)> done, std::function<void(QString)> failed) {
    return startErased(
        kind,
        [work = std::move(work)](std::stop_token stop, const model::Progress& progress) -> std::shared_ptr<const void> {
          std::optional<Result> result = work(std::move(stop), progress);
          return result ? std::make_shared<const Result>(std::move(*result)) : nullptr;
        },
        [done = std::move(done)](std::shared_ptr<const void> result) {
          done(std::static_pointer_cast<const Result>(std::move(result)));
        },
        std::move(failed));
  }

  /// Stops the job of this kind, if one runs; its result will not arrive.
  void cancel(JobKind kind);
  void cancelAll();
  [[nodiscard]] bool isRunning(JobKind kind) const { return current_.contains(kind); }
  [[nodiscard]] std::vector<JobStatus> jobs() const;

 Q_SIGNALS:
  /// A job started, ended or moved on; at most about ten times a second for progress.
  void jobsChanged();

 private:
  using ErasedWork = std::function<std::shared_ptr<const void>(std::stop_token, const model::Progress&)>;
  using ErasedDone = std::function<void(std::shared_ptr<const void>)>;

  /// Shared with the worker, so that neither needs the other to be alive.
  struct State {
    std::stop_source stop;
    std::atomic<double> progress{0.0};
  };
  struct Running {
    int number = 0;
    std::shared_ptr<State> state;
    QElapsedTimer since;
  };

  int startErased(JobKind kind, ErasedWork work, ErasedDone done, std::function<void(QString)> failed);
  void finish(JobKind kind, int number, const std::function<void()>& deliver);

  QThreadPool pool_;
  QTimer progressTimer_;
  std::map<JobKind, Running> current_;
  int lastNumber_ = 0;
};

}  // namespace trainwright::gui
