// Every transport between devices delivers every value of every exchange, whichever rank is late, and never overwrites
// what is not yet read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "dgtd/base/error.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "parallel/cuda_memory.hpp"
#include "parallel/cuda_streams.hpp"
#include "parallel/cuda_transport.hpp"
#include "pattern_kernels.hpp"

namespace dgtd::parallel {
namespace {

/// Values in messages from each rank to each: count(from, to), 0 for no message.
template <class Count>
HaloPlan plan_of(const Communicator& comm, const Count& count) {
  HaloPlan plan;
  plan.reals_per_face = 2;
  std::size_t sent = 0, received = 0;
  for (int other = 0; other < comm.size(); ++other) {
    if (const std::size_t n = count(comm.rank(), other); n > 0) plan.sends.push_back({other, sent, n}), sent += n;
    if (const std::size_t n = count(other, comm.rank()); n > 0) {
      plan.receives.push_back({other, received, n});
      received += n;
    }
  }
  plan.faces = std::max(sent, received);
  return plan;
}

class CudaTransportTest : public testing::TestWithParam<Transport> {
 protected:
  void SetUp() override {
    const auto device = take_cuda_device(world_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
    std::string reason;
    try {
      (void)choose_transport(GetParam(), world_, reason);
    } catch (const Error& error) { GTEST_SKIP() << error.what(); }
  }

  /// Exchanges of one plan in a stream; late: the ranks that are slow at random places.
  template <class Real>
  class Exchanges {
   public:
    Exchanges(Transport transport, HaloPlan plan, const Communicator& comm, cudaStream_t stream)
        : plan_(std::move(plan)), comm_(comm), stream_(stream), memory_(stream), errors_(1, memory_) {
      transport_ = make_transport<Real>(transport, plan_, comm, stream);
    }
    void run(int round) {
      delay();
      if (!plan_.sends.empty()) {
        const SendView<Real> view = transport_->send_view();
        for (const auto& m : plan_.sends)
          test::queue_pattern(view, std::int64_t(2 * m.first), std::int64_t(2 * m.count),
                              seed(comm_.rank(), m.rank, round), stream_);
      }
      transport_->start();
      delay();
      transport_->finish();
      delay();
      for (const auto& m : plan_.receives)
        test::queue_check(transport_->receive_buffer() + 2 * m.first, std::int64_t(2 * m.count),
                          seed(m.rank, comm_.rank(), round), errors_.write(), stream_);
    }
    /// Number of errors on all ranks.
    std::int64_t errors() const { return comm_.sum(std::int64_t{errors_.part(0, 1)[0]}); }

   private:
    static std::uint32_t seed(int from, int to, int round) {
      return static_cast<std::uint32_t>(((round * 64) + from) * 64 + to) * 7919u;
    }
    // One rank at a time is late, another one every 16 exchanges.
    void delay() {
      if (int(calls_++ / 48) % comm_.size() == comm_.rank() && random_() % 3 == 0)
        test::queue_delay(static_cast<int>(random_() % 200), stream_);
    }
    HaloPlan plan_;
    const Communicator& comm_;
    cudaStream_t stream_;
    CudaMemory memory_;
    Array<unsigned> errors_;
    std::unique_ptr<CudaTransport<Real>> transport_;
    unsigned calls_ = 0;
    std::minstd_rand random_{static_cast<unsigned>(comm_.rank() + 1)};
  };

  template <class Real, class Count>
  void exchange(const Count& count, int rounds = 100) const {
    const CudaStream stream(true);
    Exchanges<Real> exchanges(GetParam(), plan_of(world_, count), world_, stream.get());
    for (int round = 0; round < rounds; ++round) exchanges.run(round);
    EXPECT_EQ(exchanges.errors(), 0);
  }
  const Communicator world_;
};

TEST_P(CudaTransportTest, RandomSizesBetweenAllRanksAndWithThemselves) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const auto count = [&](int from, int to) -> std::size_t {
      std::minstd_rand random(seed * 1000 + 31 * static_cast<unsigned>(std::min(from, to)) +
                              static_cast<unsigned>(std::max(from, to)));
      random.discard(5);
      const std::size_t most = random() % 2 == 0 ? 20 : 40000;
      return 1 + random() % most;
    };
    exchange<float>(count, 50);
    exchange<double>(count, 50);
  }
}

// As the half steps of a grid: nothing comes back that would tell that the values are read.
TEST_P(CudaTransportTest, OneDirectionRoundARing) {
  const int n = world_.size();
  exchange<float>([&](int from, int to) -> std::size_t { return to == (from + 1) % n ? 5000 : 0; });
}

TEST_P(CudaTransportTest, OneDirectionAlongAChain) {
  exchange<float>([](int from, int to) -> std::size_t { return to == from + 1 ? 5000 : 0; });
}

TEST_P(CudaTransportTest, ARankWithoutMessages) {
  const int last = world_.size() - 1;
  exchange<double>([&](int from, int to) -> std::size_t { return from != to && from < last && to < last ? 300 : 0; });
}

// Electric half steps send upwards, magnetic ones downwards, through two transports in one stream.
TEST_P(CudaTransportTest, TwoExchangesInTurn) {
  const CudaStream stream(true);
  const int n = world_.size();
  const auto up = plan_of(world_, [&](int from, int to) -> std::size_t { return to == (from + 1) % n ? 3000 : 0; });
  const auto down = plan_of(world_, [&](int from, int to) -> std::size_t { return from == (to + 1) % n ? 3000 : 0; });
  Exchanges<float> electric(GetParam(), up, world_, stream.get()), magnetic(GetParam(), down, world_, stream.get());
  for (int round = 0; round < 100; ++round) {
    electric.run(round);
    magnetic.run(1000 + round);
  }
  EXPECT_EQ(electric.errors(), 0);
  EXPECT_EQ(magnetic.errors(), 0);
}

INSTANTIATE_TEST_SUITE_P(Halos, CudaTransportTest,
                         testing::Values(Transport::mpi_host, Transport::mpi_cuda, Transport::nccl, Transport::peer,
                                         Transport::peer_copy),
                         [](const auto& info) {
                           std::string name = name_of(info.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST(FastestTransport, ExchangesAndIsReported) {
  const Communicator world;
  const auto device = take_cuda_device(world);
  if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  const CudaStream stream(true);
  const auto plan = plan_of(world, [](int, int) -> std::size_t { return 1000; });
  Transport chosen = Transport::automatic;
  const auto transport = make_fastest_transport<float>(plan, world, stream.get(), chosen);
  ASSERT_TRUE(transport);
  EXPECT_NE(chosen, Transport::automatic);
  EXPECT_EQ(measured_transport(), chosen);
  EXPECT_EQ(world.min(std::int64_t(chosen)), world.max(std::int64_t(chosen)));
  Transport none = Transport::automatic;
  EXPECT_TRUE(make_fastest_transport<float>({}, world, stream.get(), none));
  EXPECT_EQ(none, Transport::automatic);  // a plan without messages determines nothing
}

}  // namespace
}  // namespace dgtd::parallel
