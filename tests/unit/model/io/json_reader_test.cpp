// SPDX-License-Identifier: Apache-2.0
#include "model/io/json_reader.hpp"

#include <gtest/gtest.h>

namespace trainwright::model {
namespace {

struct Read {
  Diagnostics diagnostics;
  std::optional<JsonDocument> document;
  explicit Read(std::string_view text) : document(JsonDocument::parse(text, "a.json", diagnostics)) {}
  JsonObject root() { return document->root(diagnostics); }
  [[nodiscard]] std::string problems() const { return diagnostics.to_text(); }
};

TEST(JsonReader, ReadsEachKind) {
  Read read(R"({"name":"x","n":3,"f":1.5,"on":true,"rate":"50 GB/s","size":"1 GiB","list":[1,2],"inner":{"a":0}})");
  JsonObject root = read.root();
  EXPECT_EQ(root.string("name"), "x");
  EXPECT_EQ(root.integer("n"), 3);
  EXPECT_EQ(root.number("f"), 1.5);
  EXPECT_TRUE(root.boolean("on"));
  EXPECT_EQ(root.bytes_per_second("rate"), BytesPerSecond(50e9));
  EXPECT_EQ(root.byte_count("size"), ByteCount(1L << 30));
  EXPECT_EQ(root.integers("list"), (std::vector<std::int64_t>{1, 2}));
  JsonObject inner = root.object("inner");
  EXPECT_EQ(inner.integer("a"), 0);
  inner.finish();
  root.finish();
  EXPECT_EQ(read.problems(), "");
}

TEST(JsonReader, ReportsAllProblemsAtOnceWithPaths) {
  Read read(R"({"n":3.9,"rate":"400Gb/s","on":1,"inner":{"b":-1},"extra":0})");
  JsonObject root = read.root();
  root.integer("n");
  root.bytes_per_second("rate");
  root.boolean("on");
  root.string("name");
  JsonObject inner = root.object("inner");
  inner.integer("b", {0, 10});
  inner.finish();
  root.finish();
  EXPECT_EQ(read.problems(),
            "a.json: /n: is a number (3.9); a whole number is needed\n"
            "a.json: /rate: \"400Gb/s\" has no known unit; write for example \"50 GB/s\" or \"400 Gbit/s\"\n"
            "a.json: /on: is a whole number (1); true or false is needed\n"
            "a.json: /name: is missing\n"
            "a.json: /inner/b: is -1; allowed: between 0 and 10\n"
            "a.json: /extra: this key is not known; known here: n, rate, on, name, inner\n");
}

TEST(JsonReader, RefusesRepeatedKeysWithTheirPath) {
  Read read(R"({"list":[{"a":1},{"a":1,"a":2}]})");
  EXPECT_FALSE(read.document);
  EXPECT_EQ(read.problems(), "a.json: /list/1/a: this key occurs twice; keep one of them\n");
}

TEST(JsonReader, RefusesNotANumber) {
  Read read(R"({"a": NaN})");
  EXPECT_FALSE(read.document);
  EXPECT_NE(read.problems().find("line 1, column 7"), std::string::npos) << read.problems();
  EXPECT_NE(read.problems().find("JSON has no NaN or Infinity; leave the field out"), std::string::npos);
}

TEST(JsonReader, RefusesNumbersBeyondTheirType) {
  Read read(R"({"a": 18446744073709551615, "b": 1e30})");
  JsonObject root = read.root();
  root.integer("a");
  root.integer("b");
  EXPECT_EQ(read.problems(),
            "a.json: /a: is 18446744073709551615; allowed: at most 9223372036854775807\n"
            "a.json: /b: is a number (1e+30); a whole number is needed\n");
  Read overflow(R"({"a": 1e999})");
  EXPECT_FALSE(overflow.document);
}

TEST(JsonReader, RefusesSyntaxErrorsEmptyTextAndDeepNesting) {
  Read syntax("{\"a\": 1,\n \"b\" 2}");
  EXPECT_FALSE(syntax.document);
  EXPECT_NE(syntax.problems().find("line 2, column 6"), std::string::npos) << syntax.problems();
  Read empty("");
  EXPECT_EQ(empty.problems(), "a.json: the file is empty; a JSON object is needed\n");
  Read deep(std::string(100000, '['));
  EXPECT_FALSE(deep.document);
}

TEST(JsonReader, RootOfAnotherTypeIsAProblem) {
  Read read("[1]");
  JsonObject root = read.root();
  root.string("name");
  EXPECT_EQ(read.problems(), "a.json: is a list ([1]); an object {...} is needed\n");
}

TEST(JsonReader, EscapesPointers) {
  Read read(R"({"a/b~c": 1})");
  JsonObject root = read.root();
  root.string("a/b~c");
  EXPECT_EQ(read.problems(), "a.json: /a~1b~0c: is a whole number (1); text is needed\n");
}

TEST(JsonReader, ChecksTheFormatWord) {
  Read read(R"({"format":"trainwright/cluster/v2"})");
  JsonObject root = read.root();
  EXPECT_FALSE(check_format(root, "cluster"));
  EXPECT_EQ(read.problems(),
            "a.json: /format: is \"trainwright/cluster/v2\"; a file of format \"trainwright/cluster/v1\" is needed "
            "here\n");
}

TEST(JsonReader, ChoiceNamesTheAllowedWords) {
  static constexpr std::array<std::pair<std::string_view, int>, 2> kWords{{{"one", 1}, {"two", 2}}};
  Read read(R"({"w":"three"})");
  JsonObject root = read.root();
  root.choice<int>("w", kWords);
  EXPECT_EQ(read.problems(), "a.json: /w: \"three\" is not known; allowed: one, two\n");
}

}  // namespace
}  // namespace trainwright::model
