#include <iostream>

#include "mesh_command.hpp"

int main(int count, char** values) {
  return dgtd::app::mesh_command({values + 1, values + count}, std::cout, std::cerr);
}
