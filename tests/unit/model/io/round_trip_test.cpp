// Whatever is written reads back as exactly the same value, and writes the same text again.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "any_value.hpp"
#include "model/io/accelerator_v1.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/cluster_v1.hpp"
#include "model/io/estimate_v1.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/io/model_v1.hpp"
#include "model/io/network_v1.hpp"
#include "model/io/plan_v1.hpp"

namespace trainwright::model {
namespace {

template <class T, class Read, class Write>
void check_round_trip(const T& value, Read read, Write write) {
  const std::string text = write(value);
  Diagnostics diagnostics;
  const std::optional<T> back = read(text, "round trip", diagnostics);
  if (!back)
    RC_FAIL(diagnostics.to_text() + text);
  RC_ASSERT(diagnostics.empty());
  if (!(*back == value))
    RC_FAIL("another value was read back from\n" + text + "\nwhich writes\n" + write(*back));
  RC_ASSERT(write(*back) == text);
}

RC_GTEST_PROP(RoundTrip, Accelerator, ()) {
  check_round_trip(any::accelerator(), accelerator_from_json, to_accelerator_json);
}
RC_GTEST_PROP(RoundTrip, Cluster, ()) {
  check_round_trip(any::cluster(), cluster_from_json, to_cluster_json);
}
RC_GTEST_PROP(RoundTrip, Model, ()) {
  check_round_trip(any::model(), model_from_json, to_model_json);
}
RC_GTEST_PROP(RoundTrip, Network, ()) {
  check_round_trip(any::network(), network_from_json, to_network_json);
}
RC_GTEST_PROP(RoundTrip, Plan, ()) {
  check_round_trip(any::plan(), plan_from_json, to_plan_json);
}
RC_GTEST_PROP(RoundTrip, Measurement, ()) {
  check_round_trip(any::measurement(), measurement_from_json, to_measurement_json);
}
RC_GTEST_PROP(RoundTrip, Calibration, ()) {
  check_round_trip(any::calibration(), calibration_from_json, to_calibration_json);
}
RC_GTEST_PROP(RoundTrip, Estimate, ()) {
  const Plan plan = any::plan();
  check_round_trip(any::estimate(), estimate_from_json,
                   [&](const Estimate& estimate) { return to_estimate_json(estimate, plan); });
}

}  // namespace
}  // namespace trainwright::model
