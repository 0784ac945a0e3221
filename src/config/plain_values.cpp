#include "plain_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace dgtd::config {
namespace {

// Units of a key's numbers: "m", or several, of which one is right for other keys ("W; `incident`: W/m2").
struct KeyUnit {
  std::vector<UnitSize> sizes;  // empty: a number without unit
  std::string_view own_word;    // a unit without size, such as "periods"
};

KeyUnit key_unit(std::string_view text) {
  KeyUnit unit;
  const std::string_view whole = text;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const auto colon = part.rfind(": "); colon != std::string_view::npos) part.remove_prefix(colon + 1);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    if (const auto size = unit_of(part)) unit.sizes.push_back(*size);
    else unit.own_word = whole;
  }
  return unit;
}

// One number of a value, with what is written around it.
struct Item {
  std::string before;  // "drude ", ", ", "20*"
  Quantity quantity;
  std::string_view text;
  KeyUnit unit;
};

// 1/m is accepted for rad/m; of angular frequencies the difference to a frequency counts.
const UnitSize* matching(const Quantity& q, const KeyUnit& unit) {
  static const Dimension rad = unit_of("rad")->dimension, rad_per_m = unit_of("rad/m")->dimension;
  for (const UnitSize& size : unit.sizes)
    if (q.dimension == size.dimension || (size.dimension == rad_per_m && q.dimension + rad == rad_per_m)) return &size;
  return nullptr;
}

std::string names_of(const KeyUnit& unit) {
  std::string names(unit.own_word);
  for (const UnitSize& size : unit.sizes)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", units_of(size.dimension));
  return names;
}

std::string nouns_of(const KeyUnit& unit) {
  if (unit.sizes.empty()) return std::string(noun_of(Dimension{}));
  std::vector<std::string_view> nouns;
  for (const UnitSize& size : unit.sizes) nouns.push_back(noun_of(size.dimension));
  return listed(nouns);
}

std::string digits_of(const Quantity& q) { return q.text.empty() ? fmt::format("{}", q.value) : q.text; }

std::string plain_item(const Item& item) {
  const Quantity& q = item.quantity;
  if (q.dimension.is_number()) return item.before + digits_of(q);
  if (const UnitSize* const size = matching(q, item.unit)) return item.before + shifted(digits_of(q), -size->exponent);
  const std::string allowed = names_of(item.unit);
  throw Refusal{fmt::format("'{}' is {}, not {}{}", item.text, noun_of(q.dimension), nouns_of(item.unit),
                            allowed.empty() ? "" : fmt::format("; its units are {}", allowed))};
}

// A unit after the last number is that of all; else each number has one, or none has.
void spread_last_unit(std::vector<Item>& items) {
  std::vector<Item*> bare;
  const Item* last = nullptr;
  std::size_t with_unit = 0;
  for (Item& item : items) {
    if (item.unit.sizes.empty()) continue;
    last = &item;
    if (!item.quantity.dimension.is_number()) ++with_unit;
    else if (item.quantity.value != 0) bare.push_back(&item);
  }
  if (with_unit == 0 || bare.empty()) return;
  const auto unit = last->quantity.unit;
  if (with_unit > 1 || !unit)
    throw Refusal{
        fmt::format("'{}' has no unit beside numbers that have one; each number needs its unit, or one unit "
                    "after the last is that of all",
                    bare.front()->text)};
  for (Item* const item : bare) {
    Quantity& q = item->quantity;
    q.text = shifted(digits_of(q), unit->exponent);
    double value = 0;
    if (!parse_number(q.text, value)) throw Refusal{fmt::format("'{}' is out of range", item->text)};
    q.value = value * unit->factor;
    if (unit->factor != 1) q.text = fmt::format("{}", q.value);
    q.dimension = unit->dimension;
  }
}

// Units of the numbers of a pole.
std::vector<std::string_view> pole_units(std::string_view type) {
  if (type == "drude") return {"rad/s", "rad/s"};
  if (type == "lorentz") return {"rad/s", "rad/s", "rad/s"};
  if (type == "debye") return {"", "s"};
  if (type == "critical-point") return {"", "rad/s", "rad", "rad/s"};
  throw Refusal{};
}

class Items {
 public:
  Items(std::string_view text, Reading reading, std::string_view unit, const Parameters& parameters)
      : reading_(reading), unit_(key_unit(unit)), parameters_(parameters) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size() && text[i] != ',') {
        depth += (text[i] == '(') - (text[i] == ')');
        continue;
      }
      if (i < text.size() && depth > 0) continue;
      if (begin > 0) before_ = ", ";
      add_group(text.substr(begin, i - begin));
      begin = i + 1;
    }
    if (reading != Reading::pole_list) spread_last_unit(items_);
    if (reading == Reading::cell_runs && !has_names_) throw Refusal{};  // the codec has said what is wrong
  }

  std::string plain_text() const {
    std::string text;
    for (const Item& item : items_) text += plain_item(item);
    return before_.size() > 1 ? text + before_ : text;  // a comma that no number follows
  }

 private:
  void add_group(std::string_view group) {
    std::vector<std::string_view> units;
    if (reading_ == Reading::pole_list) {
      const auto words = split_words(group);
      if (words.empty()) throw Refusal{};
      units = pole_units(words[0]);
      before_ += fmt::format("{} ", words[0]);
      group.remove_prefix(static_cast<std::size_t>(words[0].data() + words[0].size() - group.data()));
    }
    const auto lookup = [this](std::string_view name) -> const Quantity& { return parameters_.at(name); };
    for (std::size_t i = 0; !group.empty(); ++i) {
      KeyUnit unit = unit_;
      if (reading_ == Reading::pole_list) unit = key_unit(i < units.size() ? units[i] : "");
      if ((reading_ == Reading::range && i == 2) || (reading_ == Reading::turn && i < 3)) unit = {};
      if (reading_ == Reading::cell_runs) take_count(group);
      ExpressionReader reader(group, lookup, unit.own_word);
      if (reader.at_end()) return;
      try {
        Item item{std::exchange(before_, std::string(1, ' ')), reader.next(), {}, unit};
        item.text = reader.last();
        items_.push_back(std::move(item));
      } catch (Refusal& refusal) {
        if (!refusal.is_unknown_name) throw;
        if (!unit.sizes.empty()) refusal.why += fmt::format("; units of {} are {}", nouns_of(unit), names_of(unit));
        else if (parameters_.empty() && !has_names_) refusal.why.clear();
        throw;
      }
      has_names_ = has_names_ || reader.has_names();
      group = reader.rest();
    }
  }

  // "20*" or "n*" before the spacing of n cells.
  void take_count(std::string_view& group) {
    group.remove_prefix(std::min(group.find_first_not_of(" \t"), group.size()));
    std::string_view rest = group;
    std::string count;
    if (const std::string_view name = take_name(rest); !name.empty()) {
      if (!rest.starts_with('*') || !parameters_.at(name).dimension.is_number()) return;
      count = fmt::format("{}", parameters_.at(name).value);
      has_names_ = true;
    } else {
      const auto end = std::min(group.find_first_not_of("0123456789"), group.size());
      count = group.substr(0, end);
      rest = group.substr(end);
    }
    if (count.empty() || !rest.starts_with('*')) return;
    before_ += count + "*";
    group = rest.substr(1);
  }

  Reading reading_;
  KeyUnit unit_;
  const Parameters& parameters_;
  std::vector<Item> items_;
  std::string before_;
  bool has_names_ = false;
};

bool is_words(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || c == '*' || c == '('; });
}

}  // namespace

std::string allowed_units(Reading reading, std::string_view unit) {
  if (reading == Reading::text || reading == Reading::expression) return {};
  if (reading == Reading::pole_list)
    return fmt::format("{}; TAU {}; PHI {}", names_of(key_unit("rad/s")), names_of(key_unit("s")),
                       names_of(key_unit("rad")));
  return names_of(key_unit(unit));
}

std::string plain_text(std::string_view text, Reading reading, std::string_view unit, const Parameters& parameters) {
  if (reading == Reading::text) return std::string(text);
  if (reading == Reading::expression) return parameters.put_into(text);
  try {
    return Items(text, reading, unit, parameters).plain_text();
  } catch (const Refusal& refusal) {
    // A misspelt word of a key that may have words.
    if (refusal.is_unknown_name && parameters.empty() && is_words(text)) throw Refusal{};
    throw;
  }
}

}  // namespace dgtd::config
