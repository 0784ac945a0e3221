#pragma once
// Command lines of dgtd-mesh's commands.
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <iosfwd>
#include <string>
#include <vector>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/generate.hpp"

namespace dgtd::app {

using Arguments = std::vector<std::string>;

/// Throws Error for anything that the description does not have, and for what is missing.
/// positional: names of options that are given without their names.
inline boost::program_options::variables_map parse_options(
    const std::string& program, const boost::program_options::options_description& known, const Arguments& arguments,
    const boost::program_options::positional_options_description& positional = {}) {
  namespace po = boost::program_options;
  std::string allowed;
  for (const auto& option : known.options()) allowed += " --" + option->long_name();
  try {
    po::variables_map values;
    // Abbreviations are off: a misspelt option must not pass as another one. Words that start with a minus and a digit
    // are values.
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(known).positional(positional).style(style).run(), values);
    po::notify(values);
    return values;
  } catch (const po::error& error) { throw Error(fmt::format("{}: {} (options:{})", program, error.what(), allowed)); }
}

/// --NAME 1 -2 3 becomes --NAME=1 -2 3 as one word for these names (with their dashes): by themselves negative numbers
/// are taken for options.
Arguments join_numbers(const Arguments& arguments, const std::vector<std::string>& names);

/// So many (at most four) numbers of an option's text, else throws Error.
std::vector<double> numbers(const std::string& option, const std::string& text, std::size_t count);

/// Refinements from the texts "X Y Z H" of --refine.
std::vector<mesh::Refinement> refinements(const std::string& program, const std::vector<std::string>& texts);

/// The commands of their own files; each returns what is printed, or the rest of it: from-labels prints a line per
/// stage on out at once, and its warnings on err.
std::string from_labels_command(const Arguments& arguments, std::ostream& out, std::ostream& err);
std::string info_command(const Arguments& arguments);
std::string convert_command(const Arguments& arguments);
std::string curve_command(const Arguments& arguments);
std::string partition_command(const Arguments& arguments);

}  // namespace dgtd::app
