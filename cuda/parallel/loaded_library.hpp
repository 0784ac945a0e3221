#pragma once
// A library that is loaded when the program runs, so that the program also starts where it is missing.
#include <string>
#include <vector>

namespace dgtd::parallel {

class LoadedLibrary {
 public:
  /// The first of the files that can be loaded; it stays loaded. label: its name in messages.
  LoadedLibrary(std::string label, const std::vector<std::string>& files);

  /// Sets a pointer to a function of the library, null if there is none.
  template <class Function>
  void find(Function*& function, const char* symbol) {
    function = reinterpret_cast<Function*>(address(symbol));
  }

  /// Empty where the library is loaded and has all that was looked for.
  const std::string& why_not() const { return why_not_; }

 private:
  void* address(const char* symbol);

  std::string label_, why_not_;
  void* handle_ = nullptr;
};

}  // namespace dgtd::parallel
