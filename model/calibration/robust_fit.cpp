// SPDX-License-Identifier: Apache-2.0
#include "model/calibration/robust_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

constexpr double kScale = 0.05;  // of the residuals, in logarithms
constexpr double kStep = 1e-4;   // of the numeric derivatives
constexpr int kMaxIterations = 60;
constexpr double kConverged = 1e-7;  // relative change of the objective

class Problem {
 public:
  Problem(const std::vector<FitParameter>& parameters, const std::vector<FitPoint>& points)
      : parameters_(parameters), points_(points) {
    for (const FitParameter& p : parameters)
      prior_.push_back(std::log(*p.value));
  }

  void set(const Eigen::VectorXd& log_values) const {
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      *parameters_[i].value = std::exp(log_values[static_cast<Eigen::Index>(i)]);
  }

  [[nodiscard]] Eigen::VectorXd residuals() const {
    Eigen::VectorXd r(static_cast<Eigen::Index>(points_.size()));
    for (std::size_t i = 0; i < points_.size(); ++i)
      r[static_cast<Eigen::Index>(i)] = std::log(points_[i].predict_s() / points_[i].measured_s) / kScale;
    return r;
  }

  [[nodiscard]] double objective(const Eigen::VectorXd& log_values, const Eigen::VectorXd& r) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double x = r[static_cast<Eigen::Index>(i)];
      sum += points_[i].weight * 2.0 * (std::sqrt(1.0 + x * x) - 1.0);
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      sum += std::pow(deviation(log_values, i), 2);
    return sum;
  }

  // In units of the prior's width.
  [[nodiscard]] double deviation(const Eigen::VectorXd& log_values, std::size_t i) const {
    return (log_values[static_cast<Eigen::Index>(i)] - prior_[i]) / parameters_[i].prior_log_width;
  }

  [[nodiscard]] Eigen::MatrixXd jacobian(const Eigen::VectorXd& log_values, const Eigen::VectorXd& r) const {
    Eigen::MatrixXd j(r.size(), log_values.size());
    for (Eigen::Index c = 0; c < log_values.size(); ++c) {
      Eigen::VectorXd moved = log_values;
      moved[c] += kStep;
      set(moved);
      j.col(c) = (residuals() - r) / kStep;
    }
    set(log_values);
    return j;
  }

  [[nodiscard]] Eigen::VectorXd weights(const Eigen::VectorXd& r) const {
    Eigen::VectorXd w(r.size());
    for (Eigen::Index i = 0; i < r.size(); ++i)
      w[i] = points_[static_cast<std::size_t>(i)].weight / std::sqrt(1.0 + r[i] * r[i]);
    return w;
  }

 private:
  const std::vector<FitParameter>& parameters_;
  const std::vector<FitPoint>& points_;
  std::vector<double> prior_;
};

}  // namespace

void robust_fit(const std::vector<FitParameter>& parameters, const std::vector<FitPoint>& points) {
  if (parameters.empty() || points.empty())
    return;
  Eigen::VectorXd x(static_cast<Eigen::Index>(parameters.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    TRAINWRIGHT_EXPECTS(*parameters[i].value > 0.0 && parameters[i].prior_log_width > 0.0, "parameter of a fit");
    x[static_cast<Eigen::Index>(i)] = std::log(*parameters[i].value);
  }
  const Problem problem(parameters, points);
  Eigen::VectorXd r = problem.residuals();
  double best = problem.objective(x, r);
  double damping = 1e-2;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const Eigen::MatrixXd j = problem.jacobian(x, r);
    const Eigen::VectorXd w = problem.weights(r);
    Eigen::MatrixXd normal = j.transpose() * w.asDiagonal() * j;
    Eigen::VectorXd gradient = j.transpose() * w.asDiagonal() * r;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const double width = parameters[i].prior_log_width;
      normal(k, k) += 1.0 / (width * width);
      gradient[k] += problem.deviation(x, i) / width;
    }
    bool improved = false;
    for (int attempt = 0; attempt < 8 && !improved; ++attempt) {
      Eigen::MatrixXd damped = normal;
      damped.diagonal() *= 1.0 + damping;
      Eigen::VectorXd move = damped.ldlt().solve(-gradient);
      move = move.cwiseMax(-1.0).cwiseMin(1.0);  // at most a factor of e at once
      const Eigen::VectorXd candidate = x + move;
      problem.set(candidate);
      const Eigen::VectorXd candidate_r = problem.residuals();
      const double value = problem.objective(candidate, candidate_r);
      if (std::isfinite(value) && value < best) {
        const bool converged = best - value < kConverged * best;
        x = candidate;
        r = candidate_r;
        best = value;
        damping = std::max(1e-9, damping / 4.0);
        improved = !converged;
        if (converged)
          return;
      } else {
        damping *= 4.0;
      }
    }
    problem.set(x);
    if (!improved)
      return;
  }
}

double median_log_error(const std::vector<FitPoint>& points) {
  if (points.empty())
    return 0.0;
  std::vector<double> errors;
  for (const FitPoint& point : points)
    errors.push_back(std::abs(std::log(point.predict_s() / point.measured_s)));
  std::sort(errors.begin(), errors.end());
  const std::size_t middle = errors.size() / 2;
  return errors.size() % 2 == 1 ? errors[middle] : 0.5 * (errors[middle - 1] + errors[middle]);
}

}  // namespace trainwright::model
