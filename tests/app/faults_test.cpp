// Faults around a run: numbers beyond range, disks and streams that cannot be written, results of an earlier
// run, memory that is short, ranks that die. Each ends with one line and its exit code, or the results are there.
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"

namespace {

constexpr const char* grid =
    "[solver]\nmethod = fdtd3d\n[grid]\ncells = 8 8 8\nspacing = 0.01\n[boundary.*]\ntype = pec\n[time]\nsteps = 4\n"
    "[source.a]\ntype = dipole\nposition = 0 0 0\ndirection = 0 0 1\nfrequency = 1e9\n"
    "[probe.p]\nposition = 0.01 0 0\n[output]\ndirectory = out\n";

/// A folder with a case.
fs::path started(const std::string& name, const std::string& text = grid) {
  const auto directory = work("fault_" + name);
  std::ofstream(directory / "a.cfg") << text;
  return directory;
}
std::string case_of(const fs::path& directory) { return (directory / "a.cfg").string(); }

void expect_line(const Outcome& run, int code, const std::string& line) {
  EXPECT_EQ(run.code, code) << run.output;
  EXPECT_NE(run.output.find("dgtd: error: " + line), std::string::npos) << run.output;
}

TEST(Faults, NumbersOfStepsBeyondRange) {
  const auto at = case_of(started("range"));
  const std::pair<const char*, const char*> list[] = {
      {"--set time.end=1e300", "time.end = 1e+300 s is more than 1e+15 time steps\n"},
      {"--set time.periods=1e18 --set time.frequency=1e9", "time.periods = 1e+18 is more than 1e+15 time steps\n"},
      {"--set time.periods=1e-9 --set time.frequency=1e9", "time.periods = 1e-09 is less than half a time step of "},
      {"--set time.frequency=1e-5", "a period of time.frequency = 1e-05 Hz is more than 1e+15 time steps\n"},
      {"--set solver.courant=1e-300", "--set solver.courant=1e-300: must be a number from 1e-6 to 1\n"},
      {"--set grid.spacing=1e-300 --set probe.p.position='0 0 0'", "the largest stable time step is "},
  };
  for (const auto& [options, line] : list) expect_line(dgtd(at + " " + options), 2, line);
  const auto box = case_file("cavity.cfg") + " --dry-run ";
  expect_line(dgtd(box + "--set time.end=1e300"), 2, "time.end = 1e+300 s is more than 1e+15 time steps\n");
  expect_line(dgtd(box + "--set time.frequency=1e-5"), 2,
              "a period of time.frequency = 1e-05 Hz is more than 1e+15 time steps\n");
}

// Found before the loop, not after it.
TEST(Faults, PowersThatCannotBeScaled) {
  const auto at = case_of(started("power")) + " --set time.frequency=1e9 --set sar.normalise=emitted ";
  expect_line(dgtd(at + "--set source.a.moment=0"), 2, "");
  EXPECT_NE(
      dgtd(at + "--set source.a.moment=0")
          .output.find(
              "source.a: sar.normalise = emitted or accepted needs a dipole that radiates in the last period: its "
              "moment must not be 0; allowed is also sar.normalise = none\n"),
      std::string::npos);
  const auto pulse = dgtd(at + "--set source.a.waveform=modulated-gaussian --set source.a.bandwidth=1e9");
  EXPECT_EQ(pulse.code, 2);
  EXPECT_NE(pulse.output.find("its waveform must be sine or ramped-sine"), std::string::npos) << pulse.output;
}

// A run whose power comes out negative keeps its results.
TEST(Faults, PowerThatIsNotPositiveCostsNoResults) {
  // In a closed box without losses the field gives back what the dipole did.
  const auto directory = started("negative");
  const auto run = dgtd(case_of(directory) +
                        " --set time.frequency=3e9 --set source.a.frequency=3e9 --set "
                        "time.periods=6 --set sar.normalise=emitted");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("dgtd: warning: sar.normalise = emitted: the run's power is -"), std::string::npos)
      << run.output;
  EXPECT_EQ(summary(directory / "out")["sar"]["normalise"], "none");
}

// With the least address space in which the run itself succeeds there is none for the copy loop.
TEST(Faults, ShortMemoryAtTheEndCostsNoResults) {
  const auto directory = started("memory");
  Outcome run{};
  for (int kilobytes = 200'000; kilobytes < 2'000'000; kilobytes += 20'000) {
    run = shell("sh -c 'ulimit -v " + std::to_string(kilobytes) + "; exec " + DGTD_PROGRAM + " " + case_of(directory) +
                "'");
    if (run.code == 0) break;
  }
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(summary(directory / "out")["performance"]["copy_GB_per_s"].is_null());
  EXPECT_TRUE(fs::exists(directory / "out" / "fields.pvtr"));
}

TEST(Faults, ResultsOfAnEarlierRunAreRemoved) {
  const auto directory = started("earlier");
  const auto at = directory / "out";
  ASSERT_EQ(dgtd_on(2, case_of(directory)).code, 0);
  for (const char* file : {"summary.json", "report.html", "energy.csv", "probe_p.csv", "fields.pvtr", "fields_1.vtr"})
    ASSERT_TRUE(fs::exists(at / file)) << file;
  std::ofstream(at / "fieldsofmine.vtr") << "mine";
  std::ofstream(at / "notes.txt") << "mine";
  // A run that fails leaves its case and nothing of the other run.
  fs::create_symlink("/dev/full", at / "energy.csv.tmp");
  EXPECT_EQ(dgtd(case_of(directory) + " --steps 2").code, 0);  // the link is an unfinished result: removed
  EXPECT_FALSE(fs::exists(at / "fields_1.vtr"));
  fs::remove_all(at / "probe_p.csv");
  fs::create_directory(at / "probe_p.csv");
  std::ofstream(at / "probe_p.csv" / "file") << "cannot be removed";
  const auto failed = dgtd(case_of(directory));
  expect_line(failed, 1, (at / "probe_p.csv").string() + ": cannot remove this result of an earlier run: ");
  fs::remove_all(at / "probe_p.csv");
  const auto unstable = dgtd(case_of(directory) + " --set source.a.position='9 9 9'");
  EXPECT_EQ(unstable.code, 2);
  for (const char* file : {"fieldsofmine.vtr", "notes.txt"}) EXPECT_TRUE(fs::exists(at / file)) << file;
}

// A run that lasts, another one in its directory, the first one killed, and its continuation.
TEST(Faults, TwoRunsInOneDirectory) {
  const auto directory = started("two_runs");
  const auto at = directory / "out", lock = at / "dgtd-run.lock";
  const std::string program = DGTD_PROGRAM, long_run = case_of(directory) + " --set time.steps=100000000";
  const auto both = shell("sh -c '" + program + " " + long_run + " > /dev/null & pid=$!; while [ ! -e " +
                          (at / "energy.csv").string() + " ] && [ ! -s " + (at / "probe_p.csv").string() +
                          " ]; do sleep 0.02; done; echo first is $pid; " + program + " " + case_of(directory) +
                          "; echo second ends with $?; " + program + " " + case_of(directory) +
                          " --dry-run > /dev/null; echo a dry run with $?; kill -9 $pid; wait $pid; true'");
  const auto number = both.output.substr(both.output.find("first is ") + 9);
  EXPECT_NE(
      both.output.find("dgtd: error: " + at.string() + ": process " + number.substr(0, number.find('\n')) + " on "),
      std::string::npos)
      << both.output;
  EXPECT_NE(both.output.find(" is writing its results there; wait for its end, or set another output.directory\n"
                             "second ends with 1\na dry run with 0\n"),
            std::string::npos)
      << both.output;
  EXPECT_TRUE(fs::exists(lock));
  const auto continued = dgtd(case_of(directory) + " --restart");
  EXPECT_EQ(continued.code, 0) << continued.output;
  EXPECT_FALSE(fs::exists(lock));

  std::ofstream(lock) << "elsewhere 1\n";
  expect_line(dgtd_on(2, case_of(directory)), 1,
              at.string() +
                  ": process 1 on elsewhere is writing its results there, or was ended before it had removed " +
                  lock.string() + "; remove this file if it has ended, or set another output.directory\n");
  fs::remove(lock);
  EXPECT_EQ(dgtd_on(2, case_of(directory)).code, 0);
  EXPECT_FALSE(fs::exists(lock));
}

TEST(Faults, ADirectoryThatIsGoneIsAnError) {
  const auto directory = started("gone");
  const auto at = directory / "out";
  const auto run =
      shell("sh -c '" + std::string(DGTD_PROGRAM) + " " + case_of(directory) +
            " --set time.steps=100000000 --set output.energy_interval=1000 & pid=$!; while [ ! -e " +
            (at / "resolved.cfg").string() + " ]; do sleep 0.02; done; rm -r " + at.string() + "; wait $pid'");
  EXPECT_EQ(run.code, 1) << run.output;
  EXPECT_NE(run.output.find(at.string() + ": the directory of the results was removed during the run\n"),
            std::string::npos)
      << run.output;
  EXPECT_FALSE(fs::exists(at));
}

TEST(Faults, StandardOutputThatCannotBeWritten) {
  const auto directory = started("stdout");
  for (const std::string to : {">/dev/full", ">&-"}) {
    const auto log = directory / "errors";
    const auto other =
        shell("sh -c 'exec 2>" + log.string() + "; " + DGTD_PROGRAM + " " + case_of(directory) + " " + to + "'");
    EXPECT_EQ(other.code, 1);
    EXPECT_NE(content(log).find("dgtd: error: standard output: cannot write: "), std::string::npos) << content(log);
  }
  for (const std::string& command :
       {std::string(DGTD_PROGRAM) + " --help", std::string(DGTD_BENCH) + " --help",
        std::string(DGTD_BENCH) + " --method fdtd3d --cells 8 --precisions single --kernels fused --seconds 0.01"}) {
    const auto run = shell("sh -c 'exec 3>&2; " + command + " 2>&3 >/dev/full'");
    EXPECT_EQ(run.code, 1) << command;
    EXPECT_NE(run.output.find("error: standard output: cannot write: "), std::string::npos) << command << run.output;
  }
  const auto log = directory / "errors";
  const auto pipe = shell("sh -c 'exec 2>" + log.string() + "; { " + DGTD_PROGRAM + " " + case_of(directory) +
                          " --set time.steps=100000; echo $? >" + (directory / "code").string() + "; } | head -c 1'");
  EXPECT_EQ(content(directory / "code"), "141\n") << "128 + SIGPIPE";
  EXPECT_EQ(content(log), "");
}

// Three ranks, of which the second is sent a signal while it computes.
Outcome run_with_signal(const fs::path& directory, const std::string& signal) {
  std::ofstream(directory / "run.sh")
      << "DGTD_WATCHDOG=3 " << DGTD_MPIEXEC << " --allow-run-as-root --oversubscribe --bind-to none -np 3 "
      << DGTD_PROGRAM << " " << case_of(directory)
      << " --set time.steps=100000000 --set grid.cells='24 24 24' --set output.fields=none &\n"
      << "m=$!; while [ ! -e " << (directory / "out/probe_p.csv").string() << " ]; do sleep 0.1; done\n"
      << "kill -" << signal
      << " $(awk -v m=$m '$4==m && $2==\"(dgtd)\" {print $1}' /proc/[0-9]*/stat 2>/dev/null | sed -n 2p)\n"
      << "wait $m\n";
  return shell("timeout 60 sh " + (directory / "run.sh").string());
}

TEST(Faults, ARankThatStandsStillEndsAll) {
  const auto run = run_with_signal(started("stopped"), "STOP");
  EXPECT_EQ(run.code, 5) << run.output;
  EXPECT_NE(run.output.find("rank 1 does not respond: it is stopped, or its host is lost\n"), std::string::npos)
      << run.output;
}

TEST(Faults, ARankThatDiesEndsAll) {
  const auto run = run_with_signal(started("killed"), "KILL");
  EXPECT_EQ(run.code, 137) << run.output;
  EXPECT_NE(run.output.find("rank 1 has died (killed, or out of memory)\n"), std::string::npos) << run.output;
  const auto crash = run_with_signal(started("crashed"), "SEGV");
  EXPECT_EQ(crash.code, 139) << crash.output;
  EXPECT_NE(crash.output.find("dgtd: error (rank 1): the program crashed (segmentation fault)\n"), std::string::npos)
      << crash.output;
}

TEST(Faults, CaseFilesOfAnyShape) {
  const auto directory = work("fault_text");
  std::string text = grid;
  std::replace(text.begin(), text.end(), '\n', '\r');
  std::ofstream(directory / "cr.cfg") << text;
  EXPECT_EQ(dgtd((directory / "cr.cfg").string() + " --dry-run").code, 0);
  std::ofstream(directory / "long.cfg") << "[solver]\nmethod = " << std::string(10'000'000, 'x') << "\n";
  const auto run = dgtd((directory / "long.cfg").string());
  EXPECT_EQ(run.code, 2);
  EXPECT_LT(run.output.size(), 1200u);
  EXPECT_EQ(dgtd((directory / "cr").string() + " --dry-run").code, 0);  // without its extension
}

TEST(Faults, FrequenciesOnce) {
  const auto at = case_of(started("twice"));
  expect_line(dgtd(at + " --set time.frequency=1e9 --set dft.frequencies='1e9 1e9'"), 2,
              "--set dft.frequencies=1e9 1e9: 1000000000 Hz is given twice\n");
}

// ulimit -f counts units of 1024 bytes.
TEST(Faults, FilesBeyondTheLimitOfTheirSize) {
  const auto directory = started("filesize");
  const auto run = shell(std::string("bash -c 'ulimit -f 8; exec ") + DGTD_PROGRAM + " " + case_of(directory) +
                         " --set output.fields=\"E H\"'");
  EXPECT_EQ(run.code, 1) << run.output;
  EXPECT_NE(
      run.output.find(": cannot write: the file would be larger than the process may write; see ulimit -f and the "
                      "file system's limit\n"),
      std::string::npos)
      << run.output;
}

TEST(Faults, LinksThatFormALoop) {
  const auto directory = started("loop");
  fs::create_symlink("b", directory / "c");
  fs::create_symlink("c", directory / "b");
  const std::string loop = (directory / "b").string(), reason = "its symbolic links form a loop, or are too many\n";
  expect_line(dgtd(loop), 2, loop + ": the case file cannot be read: " + reason);
  expect_line(dgtd_on(2, loop), 2, loop + ": the case file cannot be read: " + reason);
  std::ofstream(directory / "mesh.cfg")
      << "[mesh]\nfile = b\n[material.*]\n[boundary.*]\ntype = pec\n[time]\nsteps = 1\n";
  expect_line(dgtd((directory / "mesh.cfg").string()), 2, loop + ": " + reason);
  expect_line(dgtd(case_of(directory) + " --set output.directory=" + loop), 1,
              loop + ": cannot create the directory: " + reason);
}

// The case comes by a pipe, so that the signal comes before it is read.
TEST(Faults, SignalsDuringSetUpAreRemembered) {
  const auto directory = started("early");
  const auto run = [&](const std::string& signal, const std::string& options) {
    std::ofstream(directory / "run.sh") << "cd " << directory.string() << "; rm -f p; mkfifo p\n"
                                        << DGTD_PROGRAM << " p " << options << " & pid=$!\n"
                                        << "exec 3>p\nkill -" << signal
                                        << " $pid\nsleep 0.2\ncat a.cfg >&3\nexec 3>&-\nwait $pid\n";
    return shell("timeout 60 bash " + (directory / "run.sh").string());
  };
  for (const std::string signal : {"TERM", "INT", "USR2"}) {
    const auto ended = run(signal, "");
    EXPECT_EQ(ended.code, 6) << ended.output;
    EXPECT_NE(ended.output.find("dgtd: SIG" + signal +
                                ": the run ends with its results as soon as it can; SIGINT or "
                                "SIGTERM again ends it at once\n"),
              std::string::npos)
        << ended.output;
    EXPECT_NE(ended.output.find("dgtd: warning: interrupted by SIG" + signal +
                                " before the first step; nothing was written\n"),
              std::string::npos)
        << ended.output;
    EXPECT_FALSE(fs::exists(directory / "out"));
  }
  const auto checkpoint = run("USR1", "");
  EXPECT_EQ(checkpoint.code, 0) << checkpoint.output;
  EXPECT_TRUE(fs::exists(directory / "out" / "checkpoint-1.h5")) << checkpoint.output;
  EXPECT_EQ(run("TERM", "--dry-run").code, 143);  // which has nothing to save
}

// Processes without a launcher shared a directory there, which one removed while another one started.
TEST(Faults, ASingleRankNeedsNoTemporaryDirectory) {
  const auto directory = started("tmpdir");
  const auto run =
      shell(std::string("TMPDIR=/dev/null/nowhere ") + DGTD_PROGRAM + " " + case_of(directory) + " --dry-run");
  EXPECT_EQ(run.code, 0) << run.output;
}

}  // namespace
