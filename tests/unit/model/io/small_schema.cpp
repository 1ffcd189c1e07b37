// SPDX-License-Identifier: Apache-2.0
#include "small_schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

namespace trainwright::model {
namespace {

using nlohmann::json;

class Validator {
 public:
  explicit Validator(const json& root) : root_(root) {}

  void check(const json& schema_or_ref, const json& value, const std::string& path) {
    const json& schema = resolved(root_, schema_or_ref);
    for (const auto& [keyword, rule] : schema.items())
      check(keyword, rule, schema, value, path);
  }

  std::vector<std::string> take() { return std::move(problems_); }

 private:
  void check(const std::string& keyword, const json& rule, const json& schema, const json& value,
             const std::string& path) {
    if (keyword == "type")
      require(has_type(rule, value), path, "is not of type " + rule.dump());
    else if (keyword == "const")
      require(value == rule, path, "is not " + rule.dump());
    else if (keyword == "enum")
      require(std::find(rule.begin(), rule.end(), value) != rule.end(), path, "is none of " + rule.dump());
    else if (keyword == "minimum")
      require(!value.is_number() || value.get<double>() >= rule.get<double>(), path, "is below " + rule.dump());
    else if (keyword == "maximum")
      require(!value.is_number() || value.get<double>() <= rule.get<double>(), path, "is above " + rule.dump());
    else if (keyword == "minLength")
      require(!value.is_string() || value.get<std::string>().size() >= rule.get<std::size_t>(), path, "is too short");
    else if (keyword == "pattern")
      require(!value.is_string() || std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())),
              path, "does not match " + rule.dump());
    else if (keyword == "minItems" || keyword == "minProperties")
      require(value.size() >= rule.get<std::size_t>(), path, "has too few entries");
    else if (keyword == "maxItems")
      require(value.size() <= rule.get<std::size_t>(), path, "has too many entries");
    else if (keyword == "required")
      for (const json& key : rule)
        require(!value.is_object() || value.contains(key.get<std::string>()), path, "lacks " + key.dump());
    else if (keyword == "properties")
      members(rule, value, path);
    else if (keyword == "additionalProperties")
      additional(rule, schema, value, path);
    else if (keyword == "items")
      for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
        check(rule, value[i], path + "/" + std::to_string(i));
    else if (keyword == "oneOf")
      require(matching(rule, value) == 1, path, "does not match exactly one alternative");
    else if (keyword != "$schema" && keyword != "$defs" && keyword != "title" && keyword != "description")
      problems_.push_back("the schema uses " + keyword + ", which this validator does not know");
  }

  void require(bool holds, const std::string& path, const std::string& what) {
    if (!holds)
      problems_.push_back(path + ": " + what);
  }

  static bool has_type(const json& type, const json& value) {
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "boolean" ? value.is_boolean()
           : type == "integer" ? value.is_number_integer()
                               : type == "number" && value.is_number();
  }

  void members(const json& properties, const json& value, const std::string& path) {
    for (const auto& [key, schema] : properties.items())
      if (value.is_object() && value.contains(key))
        check(schema, value[key], path + "/" + key);
  }

  void additional(const json& rule, const json& schema, const json& value, const std::string& path) {
    if (!value.is_object())
      return;
    for (const auto& [key, member] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(key))
        continue;
      if (rule.is_boolean())
        require(rule.get<bool>(), path + "/" + key, "is not a key of the schema");
      else
        check(rule, member, path + "/" + key);
    }
  }

  std::size_t matching(const json& alternatives, const json& value) const {
    std::size_t count = 0;
    for (const json& alternative : alternatives) {
      Validator other(root_);
      other.check(alternative, value, "");
      count += other.problems_.empty() ? 1 : 0;
    }
    return count;
  }

  const json& root_;
  std::vector<std::string> problems_;
};

}  // namespace

const json& resolved(const json& root, const json& schema) {
  if (!schema.contains("$ref"))
    return schema;
  const std::string reference = schema["$ref"].get<std::string>().substr(1);  // "#/$defs/name"
  return resolved(root, root.at(json::json_pointer(reference)));
}

std::vector<std::string> schema_violations(const json& schema, const json& value) {
  Validator validator(schema);
  validator.check(schema, value, "");
  return validator.take();
}

}  // namespace trainwright::model
