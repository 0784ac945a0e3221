// Lines about the stages of a long task.
#include "dgtd/base/stage_lines.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace dgtd {
namespace {

using std::chrono::milliseconds;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
  return number;
}

TEST(StageLines, TellThatALongStageGoesOn) {
  testing::internal::CaptureStdout();
  {
    StageLines lines("mesh", milliseconds(20));
    lines.begin("surfaces");
    std::this_thread::sleep_for(milliseconds(150));
    lines.begin("volumes");
  }
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(text.find("mesh: surfaces, 0 s\n"), 0u) << text;
  EXPECT_GE(count(text, "mesh: surfaces, "), 2u) << text;
  EXPECT_EQ(count(text, "volumes"), 0u) << text;
}

}  // namespace
}  // namespace dgtd
