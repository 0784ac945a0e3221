#include "loaded_library.hpp"

#include <dlfcn.h>

namespace dgtd::parallel {

LoadedLibrary::LoadedLibrary(std::string label, const std::vector<std::string>& files) : label_(std::move(label)) {
  for (const std::string& file : files) {
    handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) break;
    if (why_not_.empty()) why_not_ = dlerror();
  }
  if (handle_ != nullptr) why_not_.clear();
}

void* LoadedLibrary::address(const char* symbol) {
  if (handle_ == nullptr) return nullptr;
  void* const function = dlsym(handle_, symbol);
  if (function == nullptr) why_not_ = label_ + " lacks " + symbol;
  return function;
}

}  // namespace dgtd::parallel
