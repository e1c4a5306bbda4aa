#pragma once
// `--set a.b.c=value`: changes a document before it is read. The value is TOML, or else text; missing tables are made;
// an element of a list of tables goes by its `name`, an element of any list by its number (1 is the first).

#include <string>

#include "document.hpp"

namespace ricochet {

// Throws InputError. What the override brings in carries "--set a.b.c=value" as its place.
void apply_override(Document& document, const std::string& assignment);

// "a.b.'c d'" -> {"a", "b", "c d"}; empty if malformed.
std::vector<std::string> split_key(const std::string& key);

}  // namespace ricochet
