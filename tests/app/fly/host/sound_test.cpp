// SPDX-License-Identifier: MIT
/// Synthesised sound, rendered without a device: bounded, without clicks, silent when it should be.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <span>
#include <thread>
#include <vector>

#include "fly/host/sound/flight_sound.h"
#include "fly/host/sound/mixer.h"
#include "fly/loop/hearing.h"

namespace nearmiss::app::fly {
namespace {

constexpr int rate = static_cast<int>(samplesPerSecond);

std::vector<float> render(Mixer& mixer, double seconds, std::size_t block = 1024) {
  std::vector<float> all;
  while (all.size() < static_cast<std::size_t>(2.0 * seconds * rate)) {
    all.resize(all.size() + block);
    mixer.render(std::span(all).last(block));
  }
  return all;
}

float loudest(std::span<const float> samples) {
  float most = 0.0f;
  for (const float sample : samples) most = std::max(most, std::abs(sample));
  return most;
}

/// Greatest change from one sample of an ear to the next.
float greatestStep(std::span<const float> stereo) {
  float most = 0.0f;
  for (std::size_t i = 2; i < stereo.size(); ++i)
    most = std::max(most, std::abs(stereo[i] - stereo[i - 2]));
  return most;
}

double energy(std::span<const float> samples) {
  double sum = 0.0;
  for (const float sample : samples) sum += double{sample} * double{sample};
  return sum;
}

std::vector<float> samplesOf(const OneShot& shot) {
  OneShotVoice voice;
  voice.start(shot);
  std::vector<float> samples;
  while (voice.playing()) samples.push_back(voice.next());
  return samples;
}

int crossings(std::span<const float> samples) {
  int count = 0;
  for (std::size_t i = 1; i < samples.size(); ++i)
    count += (samples[i - 1] < 0.0f) != (samples[i] < 0.0f);
  return count;
}

Soundscape everything() {
  Soundscape all;
  all.active = all.thrust = all.effectsVolume = all.engineVolume = all.musicVolume = 1.0f;
  all.secondsToHit = 0.3f;
  all.streak = 8.0f;
  all.passing = {PassingShip{1.0f, 1.2f, -1.0f}, PassingShip{1.0f, 0.8f, 1.0f}};
  return all;
}

TEST(Mixer, IsSilentUntilSomethingSounds) {
  Mixer mixer;
  EXPECT_EQ(loudest(render(mixer, 0.2)), 0.0f);
}

TEST(Mixer, StaysInBoundsHoweverMuchSounds) {
  Mixer mixer;
  mixer.set(everything());
  std::vector<float> all;
  for (int i = 0; i < 60; ++i) {
    for (int shot = 0; shot < 4; ++shot)
      mixer.play({shot % 2 == 0 ? Cue::Metal : Cue::Electric, 50.0f, 1.0f, 0.0f, 2});
    const auto part = render(mixer, 0.05);
    all.insert(all.end(), part.begin(), part.end());
  }
  for (const float sample : all) ASSERT_TRUE(sample >= -1.0f && sample <= 1.0f);
  EXPECT_GT(loudest(all), 0.3f);
}

TEST(Mixer, DoesNotDependOnTheSizeOfBlocks) {
  Mixer one, other;
  for (Mixer* mixer : {&one, &other}) mixer->set(everything());
  std::vector<float> large = render(one, 1.0, 4096), small = render(other, 1.0, 64);
  const std::size_t common = std::min(large.size(), small.size());
  large.resize(common);
  small.resize(common);
  EXPECT_EQ(large, small);
}

/// Continuous sounds whose values jump between blocks, as they do between frames.
TEST(Mixer, DoesNotClickBetweenBlocks) {
  Mixer mixer;
  Soundscape scape = everything();
  scape.secondsToHit = 1e3f;
  scape.effectsVolume = scape.engineVolume = scape.musicVolume = 0.5f;
  float quiet = 0.0f, jumping = 0.0f;
  scape.passing[0].ratio = scape.passing[1].ratio = 1.0f;
  mixer.set(scape);
  (void)render(mixer, 1.0);
  quiet = greatestStep(render(mixer, 2.0));
  for (int block = 0; block < 240; ++block) {
    scape.thrust = block % 2 == 0 ? 0.0f : 1.0f;
    scape.streak = static_cast<float>(block % 5);
    scape.active = block % 7 == 0 ? 0.0f : 1.0f;
    scape.musicVolume = block % 3 == 0 ? 0.0f : 0.5f;
    for (PassingShip& ship : scape.passing) {
      ship.loudness = block % 4 == 0 ? 1.0f : 0.0f;
      ship.pan = block % 2 == 0 ? -1.0f : 1.0f;
    }
    mixer.set(scape);
    jumping = std::max(jumping, greatestStep(render(mixer, 0.016)));
  }
  EXPECT_GT(quiet, 0.0f);
  EXPECT_LT(jumping, 1.3f * quiet + 0.01f);
  EXPECT_LT(jumping, 0.12f);
}

TEST(Mixer, IsSilentAtVolumeZeroAndWhileNothingMoves) {
  Mixer mixer;
  Soundscape scape = everything();
  mixer.set(scape);
  EXPECT_GT(loudest(render(mixer, 0.3)), 0.1f);
  const Soundscape loud = scape;
  scape.effectsVolume = scape.engineVolume = scape.musicVolume = 0.0f;
  mixer.set(scape);
  (void)render(mixer, 1.0);
  EXPECT_EQ(loudest(render(mixer, 0.3)), 0.0f) << "volumes";
  scape = loud;
  scape.active = 0.0f;
  mixer.set(scape);
  (void)render(mixer, 1.0);
  mixer.play({Cue::Metal, 4.0f});
  EXPECT_EQ(loudest(render(mixer, 0.3)), 0.0f) << "muted";
}

TEST(Mixer, HasAVolumeForEachKindOfSound) {
  const auto sounds = [](float Soundscape::*volume) {
    Mixer mixer;
    Soundscape scape = everything();
    scape.effectsVolume = scape.engineVolume = scape.musicVolume = 0.0f;
    scape.*volume = 1.0f;
    mixer.set(scape);
    return render(mixer, 1.0);
  };
  const auto effects = sounds(&Soundscape::effectsVolume),
             engine = sounds(&Soundscape::engineVolume), music = sounds(&Soundscape::musicVolume);
  for (const auto& each : {effects, engine, music}) EXPECT_GT(energy(each), 10.0);
  EXPECT_NE(effects, engine);
  EXPECT_NE(engine, music);
}

TEST(Mixer, DropsShotsBeyondItsVoices) {
  Mixer mixer;
  Soundscape scape;
  scape.active = scape.effectsVolume = 1.0f;
  mixer.set(scape);
  for (int i = 0; i < 1000; ++i) mixer.play({Cue::Metal, 4.0f, 0.1f});
  EXPECT_GT(loudest(render(mixer, 0.1)), 0.0f);
  (void)render(mixer, 1.0);
  EXPECT_EQ(loudest(render(mixer, 0.1)), 0.0f) << "nothing waits";
}

/// For the thread sanitizer, and for torn values.
TEST(Mixer, IsSetByOneThreadWhileAnotherRenders) {
  Mixer mixer;
  std::atomic<bool> over = false;
  std::thread audio([&] {
    std::array<float, 256> block{};
    while (!over) {
      mixer.render(block);
      for (const float sample : block) EXPECT_LE(std::abs(sample), 1.0f);
    }
  });
  for (int i = 0; i < 2000; ++i) {
    Soundscape scape = everything();
    scape.thrust = static_cast<float>(i % 2);
    mixer.set(scape);
    mixer.play({Cue::Electric, static_cast<float>(i % 5)});
  }
  over = true;
  audio.join();
}

TEST(Mixer, PansByEar) {
  Mixer mixer;
  Soundscape scape;
  scape.active = scape.effectsVolume = 1.0f;
  mixer.set(scape);
  (void)render(mixer, 0.3);
  mixer.play({Cue::Metal, 4.0f, 1.0f, -1.0f});
  double left = 0.0, right = 0.0;
  const auto samples = render(mixer, 0.3);
  for (std::size_t i = 0; i < samples.size(); i += 2) {
    left += std::abs(double{samples[i]});
    right += std::abs(double{samples[i + 1]});
  }
  EXPECT_GT(left, 2.0 * right);
}

TEST(HitSound, IsLouderTheFasterAndStartsAndEndsInSilence) {
  for (const Cue cue : {Cue::Metal, Cue::Electric}) {
    double before = 0.0;
    for (const float speed : {0.0f, 0.5f, 2.0f, 4.0f}) {
      const auto samples = samplesOf({cue, speed});
      ASSERT_GT(samples.size(), 4000u);
      EXPECT_EQ(samples, samplesOf({cue, speed}));
      EXPECT_LE(loudest(samples), 1.0f);
      EXPECT_GT(energy(samples), before);
      before = energy(samples);
      EXPECT_LT(std::abs(samples.front()), 1e-3f);
      EXPECT_LT(std::abs(samples.back()), 1e-3f);
    }
    EXPECT_EQ(samplesOf({cue, 4.0f}), samplesOf({cue, 90.0f})) << "no hit is louder";
  }
}

/// Share of the energy that changes from sample to sample: high for hiss, low for tones.
double roughness(std::span<const float> samples) {
  double changes = 0.0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const double change = double{samples[i]} - double{samples[i - 1]};
    changes += change * change;
  }
  return changes / energy(samples);
}

TEST(HitSound, TellsSpheresFromTrianglesAndLevelsFromEachOther) {
  const auto metal = samplesOf({Cue::Metal, 3.0f});
  double before = 0.0;
  for (const std::uint8_t level : std::array<std::uint8_t, 5>{0, 1, 2, 3, 4}) {
    const auto electric = samplesOf({Cue::Electric, 3.0f, 1.0f, 0.0f, level});
    EXPECT_GT(roughness(electric), 2.0 * roughness(metal)) << "level " << int{level};
    EXPECT_NE(crossings(electric), static_cast<int>(before));
    before = crossings(electric);
  }
}

TEST(NearMissSound, RisesWithTheStreakAndEndsInSilence) {
  int before = 0;
  for (const float streak : {1.0f, 2.0f, 5.0f, 8.0f}) {
    const auto samples = samplesOf({Cue::NearMiss, streak});
    ASSERT_GT(samples.size(), 4000u);
    EXPECT_LE(loudest(samples), 0.35f);
    EXPECT_LT(std::abs(samples.front()), 1e-3f);
    EXPECT_LT(std::abs(samples.back()), 1e-3f);
    EXPECT_GT(crossings(samples), before);
    before = crossings(samples);
  }
  EXPECT_EQ(samplesOf({Cue::NearMiss, 8.0f}), samplesOf({Cue::NearMiss, 90.0f}));
}

TEST(ProximityTone, BeepsTheMoreOftenTheSoonerTheHit) {
  const auto beepsIn = [](float secondsToHit) {
    ProximityTone tone;
    int beeps = 0, silent = rate;
    for (int i = 0; i < 10 * rate; ++i) {
      const bool heard = std::abs(tone.next(secondsToHit)) > 1e-4f;
      beeps += heard && silent > rate / 100;
      silent = heard ? 0 : silent + 1;
    }
    return beeps;
  };
  EXPECT_EQ(beepsIn(6.0f), 0);
  EXPECT_NEAR(beepsIn(3.0f), 10.0 / 0.9, 2.0);
  EXPECT_GT(beepsIn(1.0f), 2 * beepsIn(3.0f));
  EXPECT_GT(beepsIn(0.2f), 2 * beepsIn(1.0f));
  EXPECT_LT(beepsIn(0.0f), 120) << "tones stay apart";
}

/// The strongest pitch between two, Hz.
double pitchIn(std::span<const float> samples, double low, double high) {
  double best = 0.0, most = 0.0;
  for (double hertz = low; hertz <= high; hertz += 0.5) {
    double c = 0.0, s = 0.0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double angle = 6.283185307179586 * hertz * static_cast<double>(i) / rate;
      c += double{samples[i]} * std::cos(angle);
      s += double{samples[i]} * std::sin(angle);
    }
    if (c * c + s * s <= most) continue;
    most = c * c + s * s;
    best = hertz;
  }
  return best;
}

TEST(PassBy, ChangesItsPitchByDoppler) {
  EXPECT_NEAR(dopplerRatio(8.0f), 40.0f / 32.0f, 1e-6f);
  EXPECT_NEAR(dopplerRatio(-8.0f), 40.0f / 48.0f, 1e-6f);
  EXPECT_TRUE(std::isfinite(dopplerRatio(1e9f)) && dopplerRatio(1e9f) > 0.0f);
  for (const float closing : {-10.0f, 0.0f, 10.0f}) {
    PassBy ship;
    std::vector<float> samples;
    for (int i = 0; i < rate; ++i) samples.push_back(ship.next(1.0f, dopplerRatio(closing)));
    const auto steady = std::span(samples).last(rate / 2);
    const double expected = double{PassBy::pitch} * double{dopplerRatio(closing)};
    EXPECT_NEAR(pitchIn(steady, 70.0, 180.0), expected, 1.5) << closing;
  }
}

TEST(EngineHum, IsLouderAndHigherWithThrust) {
  const auto hum = [](float thrust) {
    EngineHum engine;
    std::vector<float> samples;
    for (int i = 0; i < rate; ++i) samples.push_back(engine.next(thrust));
    return samples;
  };
  const auto idle = hum(0.0f), full = hum(1.0f);
  EXPECT_LT(10.0 * energy(idle), energy(full));
  EXPECT_GT(energy(idle), 0.0);
  EXPECT_NEAR(pitchIn(std::span(idle).last(rate / 2), 30.0, 60.0), 44.0, 1.5);
  EXPECT_NEAR(pitchIn(std::span(full).last(rate / 2), 80.0, 120.0), 96.0, 1.5);
}

TEST(Music, GainsLayersWithTheStreak) {
  double before = 0.0;
  for (const float streak : {0.0f, 1.0f, 3.0f, 8.0f}) {
    Music music;
    std::vector<float> samples;
    for (int i = 0; i < 10 * rate; ++i) samples.push_back(music.next(streak));
    EXPECT_LE(loudest(samples), 1.0f);
    EXPECT_GT(energy(samples), 1.03 * before) << streak;
    before = energy(samples);
    EXPECT_LT(greatestStep(samples), 0.16f) << streak;
  }
}

TEST(PassingShips, AreTheNearestAndLouderTheNearerAndFaster) {
  std::array<BodyState, 5> bodies;
  const std::array<double, 5> places{0.0, 30.0, 4.0, -3.0, 50.0};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].shape = ShapeRef::ofRadius(0.3, 0);
    bodies[i].pose.position = {places[i], 0.0, 0.0};
    bodies[i].velocity = {places[i] > 0.0 ? -5.0 : 5.0, 0.0, 0.0};
  }
  bodies[0].velocity = Vec3(0.0);
  const auto heard = passingShips(bodies, 0, {});
  // In the order of the ships: at 4 m to the right, then at 3 m to the left
  EXPECT_GT(heard[0].pan, 0.9f);
  EXPECT_LT(heard[1].pan, -0.9f);
  EXPECT_GT(heard[1].loudness, heard[0].loudness);
  EXPECT_NEAR(heard[0].ratio, dopplerRatio(5.0f), 1e-5f);
  EXPECT_NEAR(heard[1].ratio, dopplerRatio(5.0f), 1e-5f);
  bodies[3].velocity = {-5.0, 0.0, 0.0};
  EXPECT_NEAR(passingShips(bodies, 0, {})[1].ratio, dopplerRatio(-5.0f), 1e-5f);
  bodies[2].velocity = Vec3(0.0);
  EXPECT_EQ(passingShips(bodies, 0, {})[0].loudness, 0.0f) << "a ship that keeps its distance";
  EXPECT_EQ(passingShips(std::span(bodies).first(1), 0, {})[0].loudness, 0.0f) << "alone";
}

TEST(FlightSound, HandsOverToAnAudioThread) {
  ::setenv("SDL_AUDIODRIVER", "dummy", 1);
  FlightSound sound;
  sound.open();
  EXPECT_TRUE(sound.ready());
  sound.set(everything());
  sound.play({Cue::Metal, 3.0f});
  ::unsetenv("SDL_AUDIODRIVER");
}

TEST(FlightSound, IsSilentWithoutADevice) {
  FlightSound sound;
  EXPECT_FALSE(sound.ready());
  sound.set(everything());
  sound.play({Cue::Metal, 3.0f});
}

}  // namespace
}  // namespace nearmiss::app::fly
