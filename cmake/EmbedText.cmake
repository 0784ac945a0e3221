# cmake -DOUTPUT=FILE.cpp -DHEADER=NAME.hpp -DFILES=A;B -P EmbedText.cmake: text files as constants of namespace dgtd::io.
# The constant of page.css is page_css.
set(source "// Made by cmake/EmbedText.cmake.\n#include \"${HEADER}\"\n\nnamespace dgtd::io {\n\n")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  string(REPLACE "." "_" name "${name}")
  string(APPEND source "const std::string_view ${name} = R\"embedded(${text})embedded\";\n\n")
endforeach()
file(WRITE "${OUTPUT}" "${source}}  // namespace dgtd::io\n")
