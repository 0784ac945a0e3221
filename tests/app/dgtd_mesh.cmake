dgtd_test(dgtd_mesh_test LABEL cli SOURCES dgtd_mesh_test.cpp LIBRARIES dgtd_options)
target_compile_definitions(dgtd_mesh_test PRIVATE DGTD_MESH_PROGRAM="$<TARGET_FILE:dgtd-mesh>")
add_dependencies(dgtd_mesh_test dgtd-mesh)
