#pragma once
// An entry of the table of keys. Everything that the program does with a key comes from its entry: reading and range
// check, refusals, the line in resolved.cfg, the row in docs/case-file.md, the answer to dgtd --help KEY.
#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "checks.hpp"
#include "codec.hpp"
#include "plain_values.hpp"

namespace dgtd::config {

/// Context on which the meaning of a text depends besides its key.
struct Context {
  std::filesystem::path folder;  // where relative paths start
  solver::Method method;         // of the case
  std::span<const solver::Method> methods;
};

/// A capability that a section or a key requires, and the message for methods without it. In the message {owners}
/// stands for the methods that have the key, such as "method fdtd3d", {names} for the same without "method", {have}
/// for "has" or "have", and {method} for the case's method.
struct Need {
  Test has;
  std::string_view message;
};
using Needs = std::vector<Need>;

inline constexpr Need every_step{has<&Capabilities::every_step>,
                                 "is of {owners}; {method} has fields at the first and the last step only"};

/// Whether a method has all of it.
bool fulfils(const Needs& needs, const Capabilities& c);

/// Condition under which a key has a meaning, besides the methods that have it.
template <class Item>
struct Condition {
  std::function<bool(const Item&, const Case&)> holds;
  std::string owner;           // completes "belongs to ..."; empty: choices of another key of the section:
  std::string_view key;        // that key,
  std::vector<Choice> values;  // and its values with which the condition holds
};

/// The key belongs to what `owner` describes.
template <class Item>
Condition<Item> where(std::type_identity_t<std::function<bool(const Item&, const Case&)>> holds,
                      std::string_view owner) {
  return {std::move(holds), std::string(owner), {}, {}};
}

/// The key belongs to some choices of another key of its section. member: as in Keys::add.
template <class Item, class Member, class E, std::size_t n>
Condition<Item> with(std::string_view key, Member member, const Name<E> (&names)[n],
                     std::initializer_list<std::type_identity_t<E>> values) {
  std::vector<Choice> choices;
  for (const auto& value : values)
    for (const auto& name : names)
      if (name.value == value) choices.push_back({name.text, name.available});
  const auto holds = [member, values = std::vector<E>(values)](const Item& item, const Case&) {
    return std::find(values.begin(), values.end(), std::invoke(member, item)) != values.end();
  };
  return {holds, "", key, std::move(choices)};
}

/// The columns of the table. All but `text` may be left out.
template <class Item>
struct Columns {
  std::string_view unit = {};
  std::string_view initially = {};  // the default as documents write it; empty: that of the case's member
  Needs needs = {};
  std::vector<Condition<Item>> belongs = {};
  bool required = false;  // where it has a meaning
  std::function<bool(const Item&, const Case&)> required_where = {};
  std::string_view required_text = {};  // in the message; {} is the section. Empty: what is allowed
  void (*check)(Item&, const Case&, const Given&) = nullptr;  // against other keys: completes the member, or throws
  std::string_view formerly = {};                             // the spelling of earlier versions
  std::string_view resolved_as = {};                          // the keys of resolved.cfg that replace it
  std::string_view unwritten = {};                            // a value that resolved.cfg leaves out
  std::vector<std::string> examples = {};                     // for tests, in place of the codec's
  bool may_change = false;                                    // between a run and its continuation
  std::string_view text = {};                                 // one sentence
};

/// An entry, with the type of its section erased: `item` is the member of the case that the section describes.
struct Key {
  using Predicate = std::function<bool(const void* item, const Case&)>;
  struct Belonging {
    Predicate holds;
    std::string owner;
    std::string_view key;
    std::vector<Choice> values;
  };
  std::string_view name, unit, formerly, resolved_as, required_text, text;
  std::string fresh;      // text of the default of the case's member
  std::string initially;  // the default as documents write it; empty: none
  Needs needs;
  std::vector<Belonging> belongs;
  bool required;
  bool may_change;           // between a run and its continuation
  Predicate required_where;  // empty: nowhere
  std::function<void(void* item, const Case&, const Given&)> check;
  std::vector<std::string> examples;
  std::vector<Choice> choices;
  std::string allowed_text, missing_axis;
  std::string schema;  // JSON Schema of the value; empty: of its choices, or a text
  Reading reading = Reading::text;
  std::function<bool(void* item, std::string_view text, const Context&)> parse;
  std::function<std::string(const void* item)> format;  // empty: no value that the key can give

  /// Text that completes "must be ..." for a method.
  std::string allowed(const Context& context) const;
  /// Sets the member; false: the text is not allowed.
  bool set(void* item, std::string_view text, const Context& context) const;
  /// Whether the key has a meaning in an item of a case.
  bool applies(const void* item, const Case& c) const;
};

/// A section of the case file: one member of the case, or for [kind.NAME] the elements of one.
struct Section {
  std::string_view kind, formerly, text;
  bool named = false;
  Needs needs;
  Needs star_needs;   // of [kind.*]
  bool star = false;  // NAME may be *
  std::vector<Key> keys;
  std::function<std::size_t(const Case&)> count;
  std::function<void*(Case&, std::size_t)> item;
  std::function<std::string(const Case&, std::size_t)> title;  // "material.skin"
  std::function<Origin(const Case&, std::size_t)> origin;
  std::function<void(Case&, std::size_t)> clear_origin;  // which does not count where cases are compared
  std::function<void(Case&, std::string name, const Origin&)> add;

  const void* item_of(const Case& c, std::size_t i) const { return item(const_cast<Case&>(c), i); }
  const Key* find(std::string_view key) const;
};

/// Builds a section whose keys are members of Item.
template <class Item>
class Keys {
 public:
  Keys(std::string_view kind, Item Case::*member, std::string_view text) {
    s_.kind = kind;
    s_.text = text;
    s_.count = [](const Case&) { return std::size_t{1}; };
    s_.item = [member](Case& c, std::size_t) -> void* { return &(c.*member); };
    s_.title = [kind](const Case&, std::size_t) { return std::string(kind); };
    s_.origin = [](const Case&, std::size_t) { return Origin(); };
    s_.clear_origin = [](Case&, std::size_t) {};
    s_.add = [](Case&, std::string, const Origin&) {};
  }
  Keys(std::string_view kind, std::vector<Item> Case::*member, std::string_view text) {
    s_.kind = kind;
    s_.text = text;
    s_.named = true;
    s_.count = [member](const Case& c) { return (c.*member).size(); };
    s_.item = [member](Case& c, std::size_t i) -> void* { return &(c.*member)[i]; };
    s_.title = [kind, member](const Case& c, std::size_t i) { return std::string(kind) + "." + (c.*member)[i].name; };
    s_.origin = [member](const Case& c, std::size_t i) { return (c.*member)[i].origin; };
    s_.clear_origin = [member](Case& c, std::size_t i) { (c.*member)[i].origin.clear(); };
    s_.add = [member](Case& c, std::string name, const Origin& origin) {
      Item& item = (c.*member).emplace_back();
      item.name = std::move(name);
      item.origin = origin;
    };
  }

  Keys& needs(Needs needs) {
    s_.needs = std::move(needs);
    return *this;
  }
  Keys& star(Needs needs = {}) {
    s_.star = true;
    s_.star_needs = std::move(needs);
    return *this;
  }
  Keys& formerly(std::string_view kind) {
    s_.formerly = kind;
    return *this;
  }

  /// member: a pointer to a member of Item, or a function that returns a reference to it: a T, or an optional of T.
  template <class T, class Member>
  Keys& add(std::string_view name, Member member, Codec<T> codec, Columns<Item> columns);

  /// All keys so far may change between a run and its continuation.
  Keys& may_change() {
    for (Key& key : s_.keys) key.may_change = true;
    return *this;
  }

  Section section() { return std::move(s_); }

 private:
  static Key entry(std::string_view name, Columns<Item>& columns);
  void finish(Key key);

  Section s_;
};

// From and to members of the case.
template <class M, class T>
void assign(M& member, T value) {
  if constexpr (requires { member = std::move(value); } && !std::is_arithmetic_v<M>) member = std::move(value);
  else if constexpr (requires { member.size(); }) std::copy(value.begin(), value.end(), member.begin());
  else member = static_cast<M>(value);
}
template <class T, class M>
bool retrieve(const M& member, T& value) {
  if constexpr (requires { member.has_value(); }) {
    if (member) value = static_cast<T>(*member);
    return member.has_value();
  } else {
    assign(value, member);
    return true;
  }
}

/// Sets and gets the member that a key stands for, with the types of section and member erased.
template <class T>
struct Access {
  std::function<void(void* item, T&& value)> set;
  std::function<bool(const void* item, T& value)> get;  // false: there is no value
};

// Sets the columns that follow from the type of a key's values alone: code that all sections share.
template <class T>
void give_values(Key& key, Codec<T> of_values, Access<T> access, std::string_view unwritten) {
  const auto codec = std::make_shared<const Codec<T>>(std::move(of_values));
  if (key.examples.empty()) key.examples = codec->examples;
  key.choices = codec->choices;
  key.allowed_text = codec->allowed;
  key.missing_axis = codec->missing_axis;
  key.schema = codec->schema;
  key.reading = codec->reading;
  key.parse = [codec, set = std::move(access.set)](void* item, std::string_view text,
                                                   [[maybe_unused]] const Context& context) {
    T value{};
    if constexpr (std::is_same_v<T, solver::Method>) {
      for (const solver::Method& m : context.methods)
        if (m.name == text) value = m;
      if (value.name != text) return false;
    } else if (!codec->parse(text, value)) {
      return false;
    }
    if constexpr (std::is_same_v<T, std::filesystem::path>)
      value = (context.folder / value).lexically_normal();  // an absolute path replaces the folder
    set(item, std::move(value));
    return true;
  };
  // A value that the key cannot give, such as an empty list, has no text.
  key.format = [codec, get = std::move(access.get), unwritten](const void* item) {
    T value{}, again{};
    if (!get(item, value)) return std::string();
    std::string text = codec->format(value);
    return text != unwritten && codec->parse(text, again) ? text : std::string();
  };
}
extern template void give_values(Key&, Codec<bool>, Access<bool>, std::string_view);
extern template void give_values(Key&, Codec<double>, Access<double>, std::string_view);
extern template void give_values(Key&, Codec<std::int64_t>, Access<std::int64_t>, std::string_view);
extern template void give_values(Key&, Codec<std::string>, Access<std::string>, std::string_view);
extern template void give_values(Key&, Codec<std::filesystem::path>, Access<std::filesystem::path>, std::string_view);
extern template void give_values(Key&, Codec<Vec3>, Access<Vec3>, std::string_view);

// Entry of the table that follows from the columns alone.
template <class Item>
Key Keys<Item>::entry(std::string_view name, Columns<Item>& columns) {
  const auto item_of = [](const void* item) -> const Item& { return *static_cast<const Item*>(item); };
  Key key;
  key.name = name;
  key.unit = columns.unit;
  key.formerly = columns.formerly;
  key.resolved_as = columns.resolved_as;
  key.text = columns.text;
  key.needs = std::move(columns.needs);
  for (auto& b : columns.belongs)
    key.belongs.push_back(
        {[item_of, holds = std::move(b.holds)](const void* item, const Case& c) { return holds(item_of(item), c); },
         std::move(b.owner), b.key, std::move(b.values)});
  key.required = columns.required;
  key.may_change = columns.may_change;
  key.required_text = columns.required_text;
  if (columns.required) key.required_where = [](const void*, const Case&) { return true; };
  if (columns.required_where)
    key.required_where = [item_of, where = std::move(columns.required_where)](const void* item, const Case& c) {
      return where(item_of(item), c);
    };
  if (columns.check)
    key.check = [check = columns.check](void* item, const Case& c, const Given& given) {
      check(*static_cast<Item*>(item), c, given);
    };
  key.examples = std::move(columns.examples);
  key.initially = columns.initially;
  return key;
}

template <class Item>
void Keys<Item>::finish(Key key) {
  const Item fresh;
  key.fresh = key.format(&fresh);
  if (key.initially.empty() && !key.required) key.initially = key.fresh;
  s_.keys.push_back(std::move(key));
}

template <class Item>
template <class T, class Member>
Keys<Item>& Keys<Item>::add(std::string_view name, Member member, Codec<T> codec, Columns<Item> columns) {
  Key key = entry(name, columns);
  give_values<T>(
      key, std::move(codec),
      {[member](void* item, T&& value) { assign(std::invoke(member, *static_cast<Item*>(item)), std::move(value)); },
       [member](const void* item, T& value) {
         return retrieve(std::invoke(member, *static_cast<const Item*>(item)), value);
       }},
      columns.unwritten);
  finish(std::move(key));
  return *this;
}

/// All sections, in the order of resolved.cfg.
const std::vector<Section>& key_table();

/// The section of that kind; null: there is none.
const Section* find_section(std::string_view kind);

// Its parts, by file.
Section solver_keys(), domain_keys(), mesh_keys(), grid_keys(), time_keys(), material_keys(), shape_keys(), permittivity_keys(),
    refine_keys(), boundary_keys(), initial_keys(), source_keys(), port_keys(), s_parameter_keys(), excitation_keys(), probe_keys(), flux_keys(),
    monitor_keys(), snapshot_keys(), far_field_keys(), dft_keys(), sar_keys(), output_keys(), checkpoint_keys();

}  // namespace dgtd::config
