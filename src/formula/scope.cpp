// The names a formula may use, and the nearest of them to a misspelt one.

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "composites.hpp"
#include "lexer.hpp"
#include "scope_entry.hpp"
#include "syntax.hpp"

namespace ricochet::formula {

Scope::Scope(std::shared_ptr<Graph> graph) : graph_(std::move(graph)) {}

void Scope::add(const std::string& name, Entry entry) {
  if (!is_identifier(name) || is_reserved(name)) throw std::invalid_argument("not a free name: " + name);
  const auto found = entries_.find(name);
  const bool next_index =
      found != entries_.end() && entry.kind == Entry::Kind::index && found->second->kind == Entry::Kind::index;
  if (found != entries_.end() && !next_index) throw std::invalid_argument("the name is taken: " + name);
  std::vector<Expr> varying;
  for (const Expr& e : entry.values)
    if (!e.is_constant()) varying.push_back(e);
  for (const std::uint32_t id : dependencies(varying)) {
    const Node& n = (*graph_)[id];
    if (n.op != Op::symbol) continue;
    const SymbolKind kind = graph_->symbol_of(n).kind;
    entry.uses_time |= kind == SymbolKind::time;
    entry.uses_velocity |= kind == SymbolKind::velocity;
    entry.uses_coordinates |= kind == SymbolKind::coordinate;
  }
  entries_[name] = std::make_shared<Entry>(std::move(entry));  // never changed in place: copies of a scope share it
}

void Scope::add_name(const std::string& name, Expr value) { add(name, {.values = {value}}); }
void Scope::add_list(const std::string& name, std::vector<Expr> values) {
  add(name, {.kind = Entry::Kind::list, .values = std::move(values)});
}
void Scope::add_coordinate(const std::string& name, Expr q) {
  add(name, {.kind = Entry::Kind::coordinate, .values = {q}});
}
void Scope::add_coordinate_array(const std::string& name, int first, std::vector<Expr> q) {
  add(name, {.kind = Entry::Kind::coordinate_array, .first = first, .values = std::move(q)});
}
void Scope::set_index(const std::string& name, int value) {
  add(name, {.kind = Entry::Kind::index, .values = {graph_->constant(value)}});
}
void Scope::remove_index(const std::string& name) {
  const auto found = entries_.find(name);
  if (found != entries_.end() && found->second->kind == Entry::Kind::index) entries_.erase(found);
}

bool Scope::knows(const std::string& name) const { return entries_.contains(name); }

bool Scope::is_reserved(const std::string& name) {
  return name == "t" || name == "pi" || name == "sum" || name == "in" || find_function(name) != nullptr ||
         find_composite(name) != nullptr;
}

bool Scope::is_identifier(const std::string& name) {
  return !name.empty() && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> result = function_names();
  result.emplace_back("pi");
  if (allow_time) result.emplace_back("t");
  for (const auto& [name, entry] : entries_)
    if (allow_coordinates || !entry->uses_coordinates) result.push_back(name);
  return result;
}

namespace {

// Edits between two words: insert, delete, replace, swap neighbours. Upper and lower case count as the same.
int distance(std::string_view a, std::string_view b) {
  const std::size_t n = b.size();
  std::vector<int> before(n + 1), row(n + 1), next(n + 1);
  for (std::size_t j = 0; j <= n; ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= n; ++j) {
      const auto equal = [&](std::size_t p, std::size_t q) {
        return std::tolower(static_cast<unsigned char>(a[p])) == std::tolower(static_cast<unsigned char>(b[q]));
      };
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (equal(i - 1, j - 1) ? 0 : 1)});
      if (i > 1 && j > 1 && equal(i - 1, j - 2) && equal(i - 2, j - 1)) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    std::swap(before, row);
    std::swap(row, next);
  }
  return row[n];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64;
  if (word.size() > longest) return {};
  // One edit for each three letters; a single letter may only be of the wrong case.
  int best = static_cast<int>((word.size() + 1) / 3) + 1;
  std::string result;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest || candidate == word) continue;
    const int d = distance(word, candidate);
    if (d < best) best = d, result = candidate;
  }
  return result;
}

}  // namespace ricochet::formula
