#include "sequence_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/formula/parser.hpp"

namespace ricochet {

std::vector<std::string> read_sequence(TableReader& table, const toml::node& node, const Model& model) {
  const Document& document = table.document();
  const std::string key = table.key_of("impacts");
  std::vector<std::string> names, sequence;
  for (const Contact& contact : model.contacts) names.push_back(contact.name);
  for (const toml::node& element : read_list(document, node, key, "a list of contacts in the order of their impacts")) {
    const std::string word = read_text(document, element, key);
    for (std::size_t begin = 0; begin <= word.size();) {  // "floor+wall": both at once
      const std::size_t end = std::min(word.find('+', begin), word.size());
      const std::string name = word.substr(begin, end - begin);
      if (std::find(names.begin(), names.end(), name) == names.end())
        document.fail(element.source(), key,
                      fmt::format("there is no contact \"{}\"; there are {}", name, joined(names)),
                      formula::nearest(name, names));
      begin = end + 1;
    }
    sequence.push_back(word);
  }
  return sequence;
}

}  // namespace ricochet
