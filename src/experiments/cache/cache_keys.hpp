// A configuration's keys under any of the names that families give them, with the defaults of its class.
#pragma once

#include <nlohmann/json.hpp>

#include "core/sentences.hpp"

namespace attnlab {

/// Its keys; those with a dot stand in an object. Every function throws Error (usage) naming the key for a
/// value of another kind, and for two names of one number that disagree.
class CacheKeys {
 public:
  using Names = std::initializer_list<const char*>;

  CacheKeys(const std::string& json, std::string place);

  const std::string& type() const { return type_; }
  /// Whether the family stands in the rows of that name.
  bool is_listed(const char* rows) const;

  /// What stands there and is not null; else the class's default.
  const nlohmann::json* find(const std::string& key) const;
  bool has(const char* key) const { return find(key) != nullptr; }
  bool is_on(const char* key) const;
  /// The number of the first name that stands there.
  std::optional<std::size_t> whole(Names names) const;
  /// The same, where no two of the names disagree.
  std::optional<std::size_t> agreed(Names names) const;
  /// The same above 0. Refuses a configuration without it.
  std::size_t size(Names names) const;
  /// One number a layer; nothing where it is one number for all, or not there.
  std::optional<std::vector<std::size_t>> list(const std::string& key) const;
  /// A word, a number or a letter a layer, as words; nothing where it is no list.
  std::optional<std::vector<std::string>> words(const std::string& key) const;
  /// The keys of the outermost object.
  std::vector<std::string> names() const;

  [[noreturn]] void refuse(const Text& problem) const;
  [[noreturn]] void refuse_missing(Names names) const;
  /// The defaults that were taken: "head_dim = 256".
  const std::set<std::string>& taken() const { return taken_; }

 private:
  const nlohmann::json* stored(const std::string& key) const;
  std::size_t number_in(const std::string& key, const nlohmann::json& value) const;

  nlohmann::json config_;
  nlohmann::json defaults_ = nlohmann::json::object();
  std::string place_;
  std::string type_;
  mutable std::set<std::string> taken_;
};

/// The rows of cache.toml.
const std::vector<Sentences>& cache_rows(const std::string& name);

}  // namespace attnlab
