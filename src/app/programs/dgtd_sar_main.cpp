#include <iostream>

#include "app/programs/sar_command.hpp"
#include "dgtd/base/prepare_process.hpp"

int main(int count, char** values) {
  dgtd::prepare_process();
  return dgtd::app::sar_command({values + 1, values + count}, std::cout, std::cerr);
}
