#include <iostream>

#include "sar_command.hpp"

int main(int count, char** values) {
  return dgtd::app::sar_command({values + 1, values + count}, std::cout, std::cerr);
}
