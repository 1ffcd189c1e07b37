// SPDX-License-Identifier: Apache-2.0
#include "executor/app/arguments.hpp"

#include <gtest/gtest.h>

#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

TEST(Arguments, ReadsBothSpellings) {
  Arguments arguments({"--plan", "a.json", "--steps=7", "--quiet"});
  EXPECT_EQ(arguments.required_text("--plan"), "a.json");
  EXPECT_EQ(arguments.integer("--steps", 1, 10, 5), 7);
  EXPECT_EQ(arguments.integer("--warmup", 0, 10, 2), 2);
  EXPECT_TRUE(arguments.flag("--quiet"));
  EXPECT_FALSE(arguments.flag("--json"));
  EXPECT_NO_THROW(arguments.finish());
}

TEST(Arguments, CollectsEveryProblem) {
  Arguments arguments({"--steps", "1.5", "--warmup", "99", "--name", "--twice", "a", "--twice", "b", "stray"});
  static_cast<void>(arguments.required_text("--plan"));
  static_cast<void>(arguments.integer("--steps", 1, 10, 5));
  static_cast<void>(arguments.integer("--warmup", 0, 10, 2));
  static_cast<void>(arguments.text("--name"));
  static_cast<void>(arguments.text("--twice"));
  try {
    arguments.finish();
    FAIL();
  } catch (const model::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "command line: --plan: is required\n"
                 "command line: --steps: \"1.5\" is not a whole number from 1 to 10\n"
                 "command line: --warmup: \"99\" is not a whole number from 0 to 10\n"
                 "command line: --name: has no value\n"
                 "command line: --twice: is given more than once\n"
                 "command line: stray: is not known; allowed: --plan, --steps, --warmup, --name, --twice\n");
  }
}

}  // namespace
}  // namespace trainwright::executor
