import Jobs
import Testing

@testable import Bundles

struct ZipFuzzTests {
  /// A repeatable source of noise (SplitMix64, https://prng.di.unimi.it/splitmix64.c).
  private struct Noise: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }

  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Opens `bytes` as a zip and reads everything in it; any `Fault` is fine.
  private func read(_ bytes: [UInt8]) throws {
    let path = try folder.write("ad.zip", bytes)
    do throws(Fault) {
      let bundle = try folder.open("ad.zip")
      for name in ["/", "a.js", "b.bin"] { _ = try bundle.resource(path: name) }
    } catch {
      #expect(error.blame == .creative, "\(path): \(error)")
    }
  }

  @Test(arguments: UInt64(1)...4)
  func randomBytesAreAFaultAtMost(seed: UInt64) throws {
    var noise = Noise(state: seed)
    for _ in 0..<100 {
      let length = Int.random(in: 1...600, using: &noise)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &noise) }
      try read(bytes)
      try read(
        [0x50, 0x4B, 3, 4] + bytes + [0x50, 0x4B, 5, 6] + (0..<18).map { _ in UInt8.random(in: 0...3, using: &noise) })
    }
  }

  @Test(arguments: UInt64(1)...4)
  func damagedArchivesAreAFaultAtMost(seed: UInt64) throws {
    let path = folder.path + "/whole.zip"
    try ZipBuilder.write(
      path,
      [
        ("index.html", "<html><title>x</title>"), ("a.js", String(repeating: "abc", count: 200)), ("b.bin", "b"),
      ])
    let whole = try OpenFile(path: path).contents()
    var noise = Noise(state: seed)
    for _ in 0..<200 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &noise) {
        bytes[Int.random(in: 0..<bytes.count, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
      }
      try read(bytes)
    }
  }
}
