// case-file-tables FILE: writes the tables of keys into a document (scripts/update_case_file_docs.sh).
#include <fstream>
#include <iostream>
#include <sstream>

#include "app/problems/methods.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/documents.hpp"

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw dgtd::Error("usage: case-file-tables FILE");
    std::stringstream text;
    text << std::ifstream(argv[1]).rdbuf();
    if (text.str().empty()) throw dgtd::Error(std::string(argv[1]) + ": cannot be read");
    const std::string updated = dgtd::config::with_key_tables(text.str(), dgtd::app::methods());
    std::ofstream(argv[1]) << updated;
  } catch (const dgtd::Error& error) {
    std::cerr << "case-file-tables: error: " << error.what() << "\n";
    return static_cast<int>(error.code());
  }
}
