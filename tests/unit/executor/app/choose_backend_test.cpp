// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "executor/app/device_parts.hpp"
#include "executor/app/job.hpp"
#include "model/base/error.hpp"
#include "tests/support/device_double/device_double.hpp"

namespace trainwright::executor {
namespace {

BackendParts on_cores() {
  BackendParts parts;
  parts.name = "gloo";
  parts.obstacle = [](int) { return std::optional<Obstacle>(); };
  return parts;
}

class ChooseBackend : public ::testing::Test {
 protected:
  static std::string chosen(const std::string& name, int ranks, int devices) {
    const test::DeviceDouble device({.devices = devices});
    Parts parts;
    parts.backends = {device_parts([&] { return device.api(); }), on_cores()};
    try {
      return choose_backend(parts, name, ranks).name;
    } catch (const model::EnvironmentError& error) {
      return error.what();
    }
  }
};

TEST_F(ChooseBackend, AutoTakesGpusWhereThereIsOneForEachRank) {
  EXPECT_EQ(chosen("auto", 2, 2), "nccl");
  EXPECT_EQ(chosen("auto", 2, 1), "gloo");
  EXPECT_EQ(chosen("auto", 2, 0), "gloo");
}

TEST_F(ChooseBackend, ANamedOneIsTakenOrItIsSaidWhyNot) {
  EXPECT_EQ(chosen("gloo", 2, 2), "gloo");
  EXPECT_EQ(chosen("nccl", 2, 2), "nccl");
  EXPECT_EQ(chosen("nccl", 4, 2),
            "the plan has 4 ranks, and this machine has 2 GPUs: NCCL wants one for each rank; plan for 2, or --backend "
            "gloo runs the same plan on CPU cores");
}

TEST_F(ChooseBackend, WhatIsNotBuiltInIsSaid) {
  Parts parts;
  parts.backends = {on_cores()};
  try {
    static_cast<void>(choose_backend(parts, "nccl", 1));
    FAIL();
  } catch (const model::EnvironmentError& error) {
    EXPECT_STREQ(error.what(),
                 "the nccl backend is not built into this program, which has: gloo; build with "
                 "-DTRAINWRIGHT_WITH_CUDA=ON -DTRAINWRIGHT_WITH_NCCL=ON where the CUDA toolkit and NCCL are installed; "
                 "--backend gloo runs on CPU cores");
  }
}

TEST_F(ChooseBackend, UnknownNamesAreBadInput) {
  EXPECT_THROW(static_cast<void>(choose_backend({}, "mpi", 1)), model::InputError);
}

}  // namespace
}  // namespace trainwright::executor
