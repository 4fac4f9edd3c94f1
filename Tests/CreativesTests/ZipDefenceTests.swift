import Core
import TestFolders
import Testing

@testable import Creatives

struct ZipDefenceTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func fault(_ zip: RawZip, limits: BundleLimits = .standard) throws -> Fault? {
    try folder.write("ad.zip", zip.bytes)
    return folder.fault("ad.zip", limits: limits)
  }

  @Test(arguments: [
    "../x", "a/../../x", "a/..", "..", "/etc/passwd", "C:/x", "c:x", "C:\\x", "\\x", "a\\..\\..\\x", "..\\x", "a\0.png",
    "\0", "..%2f/../x",
  ])
  func unsafeNamesAreRefused(name: String) throws {
    let fault = try fault(RawZip([.init("index.html", "<html>"), .init(name)]))
    #expect(fault?.code == "zip-path-unsafe")
    #expect(fault?.origin == .creative)
  }

  @Test(arguments: ["a..b", "...", "..a/b", "ab:c", "./x", "a//b", "1:x", "%2e%2e/x"])
  func oddButSafeNamesAreTaken(name: String) throws {
    #expect(try fault(RawZip([.init("index.html", "<html>"), .init(name)])) == nil)
  }

  @Test func tooManyEntriesAreABomb() throws {
    let entries = (0..<2_000).map { RawZip.Entry("\($0).js") }
    #expect(try fault(RawZip(entries + [.init("index.html", "<html>")]))?.code == "zip-bomb")
    #expect(try fault(RawZip(entries.dropLast() + [.init("index.html", "<html>")])) == nil)
  }

  @Test func tableOfContentsTooLongIsRefusedByItsDeclaration() throws {
    var zip = RawZip([.init("index.html", "<html>")])
    zip.declaredCount = 60_000
    #expect(
      try fault(zip) == .creative("zip-bomb", "\(folder.path)/ad.zip has 60000 entries, the limit is 2000"))
  }

  @Test func zip64ArchivesAreCheckedAlike() throws {
    var zip = RawZip([.init("index.html", "<html>"), .init("a.js")])
    zip.isZip64 = true
    #expect(try fault(zip) == nil)
    zip.entries.append(.init("b\0.js"))
    #expect(try fault(zip)?.code == "zip-path-unsafe")
    zip.declaredCount = 60_000
    #expect(try fault(zip)?.code == "zip-bomb")
  }

  @Test func tooLargeAnEntryIsABomb() throws {
    var limits = BundleLimits.standard
    limits.largestFile = 1_000
    let entry = RawZip.Entry("a.bin", String(repeating: "x", count: 1_001))
    let fault = try fault(RawZip([.init("index.html", "<html>"), entry]), limits: limits)
    #expect(fault?.code == "zip-bomb")
    #expect(fault?.message == "\(folder.path)/ad.zip: a.bin has 0.1 MB, the limit is 0.1 MB")
  }

  @Test func tooMuchInTotalIsABomb() throws {
    var limits = BundleLimits.standard
    limits.largestTotal = 3_000
    let entries = ["a", "b"].map { RawZip.Entry($0, String(repeating: "x", count: 1_000)) }
    #expect(try fault(RawZip(entries + [.init("index.html", "<html>")]), limits: limits) == nil)
    limits.largestTotal = 2_005
    let path = folder.path + "/small.zip"
    try ZipBuilder.write(
      path,
      [
        ("index.html", "<html>"), ("a", String(repeating: "x", count: 1_000)),
        ("b", String(repeating: "x", count: 1_000)),
      ])
    #expect(folder.fault("small.zip", limits: limits)?.code == "zip-bomb")
  }

  @Test func hugeArchiveIsRefusedBeforeItIsRead() throws {
    _ = try folder.writeSparse("ad.zip", size: 200_000_001)
    #expect(folder.fault("ad.zip")?.code == "zip-too-large")
  }

  @Test func highRatioIsABombAboveAMegabyte() throws {
    let path = folder.path + "/ad.zip"
    try ZipBuilder.write(path, [("index.html", Array("<html>".utf8)), ("z", [UInt8](repeating: 0, count: 1_000_001))])
    #expect(folder.fault("ad.zip")?.code == "zip-bomb")
    try ZipBuilder.write(path, [("index.html", Array("<html>".utf8)), ("z", [UInt8](repeating: 0, count: 1_000_000))])
    #expect(folder.fault("ad.zip") == nil)
  }

  @Test func entryThatInflatesBeyondItsClaimIsStopped() throws {
    let path = folder.path + "/ad.zip"
    try ZipBuilder.write(path, [("index.html", Array("<html>".utf8)), ("z", [UInt8](repeating: 0, count: 5_000_000))])
    let honest = try OpenFile(path: path).contents()
    try folder.write("ad.zip", honest.replacing([0x40, 0x4B, 0x4C, 0x00], with: [0xE8, 0x03, 0, 0]))
    let bundle = try folder.open("ad.zip")
    let message = "\(path): z inflates to more than the 1000 bytes it declares"
    #expect(throws: Fault.creative("zip-bomb", message)) { try bundle.resource(path: "z") }
    #expect(try bundle.resource(path: "index.html") == bundle.entry)
  }

  @Test func documentThatInflatesBeyondItsClaimIsStopped() throws {
    let path = folder.path + "/ad.zip"
    try ZipBuilder.write(path, [("index.html", [UInt8](repeating: 0x20, count: 5_000_000))])
    let honest = try OpenFile(path: path).contents()
    try folder.write("ad.zip", honest.replacing([0x40, 0x4B, 0x4C, 0x00], with: [0xE8, 0x03, 0, 0]))
    #expect(folder.fault("ad.zip")?.code == "zip-bomb")
  }

  @Test func entryShorterThanItsClaimIsBroken() throws {
    var entry = RawZip.Entry("index.html", "<html>")
    entry.declaredSize = 7
    #expect(try fault(RawZip([entry]))?.code == "zip-broken")
  }

  @Test func wrongChecksumIsBroken() throws {
    var entry = RawZip.Entry("index.html", "<html>")
    entry.checksum = 1
    let fault = try fault(RawZip([entry]))
    #expect(fault == .creative("zip-broken", "\(folder.path)/ad.zip isn't a readable zip: index.html: CRC error"))
  }

  @Test func unknownMethodIsBroken() throws {
    var entry = RawZip.Entry("index.html", "<html>")
    entry.method = 77
    let fault = try fault(RawZip([entry]))
    #expect(
      fault
        == .creative(
          "zip-broken", "\(folder.path)/ad.zip isn't a readable zip: index.html: Compression method not supported"))
  }

  @Test func encryptedArchiveIsRefused() throws {
    try ZipBuilder.write(folder.path + "/ad.zip", [("index.html", "<html>")], password: "secret")
    let remedy = "pack it without a password, because ad servers unpack it"
    #expect(
      folder.fault("ad.zip")
        == .creative("zip-encrypted", "\(folder.path)/ad.zip is encrypted (index.html): \(remedy)"))
  }

  @Test func whatIsNoArchiveIsBroken() throws {
    try folder.write("ad.zip", "not a zip")
    #expect(
      folder.fault("ad.zip") == .creative("zip-broken", "\(folder.path)/ad.zip isn't a readable zip: Not a zip archive")
    )
    let whole = RawZip([.init("index.html", "<html>")]).bytes
    for length in 1..<whole.count {
      try folder.write("ad.zip", Array(whole.prefix(length)))
      #expect(folder.fault("ad.zip")?.code == "zip-broken", "\(length) bytes")
    }
    try folder.write("ad.zip", Array(whole.prefix(whole.count / 2)))
    #expect(folder.fault("ad.zip")?.message.contains("its end is missing; the file is incomplete") == true)
  }

  @Test func zipsInAZipAreNamed() throws {
    let fault = try fault(RawZip([.init("a.zip", "PK"), .init("sub/b.zip", "PK")]))
    #expect(fault?.code == "index-missing")
    #expect(
      fault?.message.hasSuffix("it contains other zips, a.zip, sub/b.zip: unpack it and pass each zip by itself")
        == true)
  }

}

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

  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Opens `bytes` as a zip and reads everything in it; any `Fault` is fine.
  private func read(_ bytes: [UInt8]) throws {
    let path = try folder.write("ad.zip", bytes)
    do throws(Fault) {
      let bundle = try folder.open("ad.zip")
      for name in ["/", "a.js", "b.bin"] { _ = try bundle.resource(path: name) }
    } catch {
      #expect(error.origin == .creative, "\(path): \(error)")
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
