#pragma once
// How often fields must be sampled for a Fourier sum. Samples at a rate r put what the fields have at k r +- f, k = 1,
// 2,
// ..., into the sum at f. The fields of a linear problem have the spectrum of their sources, so nothing is added to any
// f of interest where r > f + the highest frequency of the sources.
#include <cstdint>
#include <vector>

#include "dgtd/physics/source.hpp"

namespace dgtd::physics {

/// Hz, above which a waveform's spectrum is negligible.
///   modulated-gaussian: its amplitude spectrum is 2^(-4 (f - carrier)^2 / bandwidth^2) of its peak, which is 1e-6 at
///     carrier + sqrt(log2(1e6) / 4) bandwidth = carrier + 2.23 bandwidth. The start of the pulse, cut off at
///     exp(-12.5), adds less than that.
///   sine, ramped-sine: the carrier. What their start adds falls as (carrier / f)^2 and (carrier / f)^4; after N
///   periods
///     it is (carrier / f)^2 / (pi N) of the sum at the carrier: at 7 carriers, which eight samples per period alias
///     onto it, 0.65 % / N of an abrupt sine.
double highest_frequency(const Waveform& waveform);

/// The highest one of all sources; 0 without sources.
double highest_frequency(const std::vector<Source>& sources);

/// Longest interval between two samples, s, for Fourier sums at frequencies up to `of_sums` of fields with frequencies
/// up to `of_sources`, both in Hz: samples_per_period at the highest frequency of the sums, and a rate of at least
/// of_sources + of_sums. Infinite where both are 0.
double longest_sampling_interval(double of_sums, double of_sources, double samples_per_period);

/// Steps between samples of Fourier integrals at `frequencies` (Hz): eight samples per period of the highest one or,
/// where the sources need more, as many as above. of_sources: Hz; time_step: s.
std::int64_t sampling_interval(const std::vector<double>& frequencies, double of_sources, double time_step);

}  // namespace dgtd::physics
