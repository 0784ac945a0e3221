#include "read_bytes.hpp"

#include <fstream>
#include <new>
#include <stdexcept>

#include "dgtd/base/error.hpp"

namespace dgtd::fuzz {

void write_file(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

Reading read_bytes(const Target& target, std::string_view bytes, const std::filesystem::path& file) {
  write_file(file, bytes);
  try {
    target.read(file);
    return {.accepted = true, .failed_in_library = false, .refusal = {}};
  } catch (const Error& error) {
    const std::string_view message = error.what();
    if (error.code() == ExitCode::out_of_memory) throw std::runtime_error(error.what());
    if (message.find('\n') != message.npos && target.name != "case")
      throw std::runtime_error("a message of several lines");
    return {.accepted = false,
            .failed_in_library = message.find(" library ") != message.npos,
            .refusal = std::string(message)};
  } catch (const std::bad_alloc&) { throw std::runtime_error("out of memory"); }
}

}  // namespace dgtd::fuzz
