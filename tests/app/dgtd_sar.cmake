dgtd_test(dgtd_sar_test LABEL cli SOURCES dgtd_sar_test.cpp
  LIBRARIES dgtd_test_program VTK::IOXML VTK::CommonDataModel VTK::CommonCore)
foreach(test dgtd_sar_test mass_average_runs_test)
  target_compile_definitions(${test} PRIVATE DGTD_SAR_PROGRAM="$<TARGET_FILE:dgtd-sar>")
  add_dependencies(${test} dgtd-sar)
endforeach()
