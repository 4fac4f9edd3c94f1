import Baselines
import Foundation
import Jobs
import Testing

@testable import galley

/// Recording, changing, verifying and approving, over and over: what was approved is what is verified against.
@Suite struct BaselineRoundTests {
  private let rounds: BaselineRounds

  init() throws { rounds = try BaselineRounds() }

  /// An ad that expands, has its picture taken and closes: the pictures of the expanded state are equal.
  private static let expanding: [String: UInt32] = [
    "001-default": 0x0066CC, "002-expanded": 0xFFFFFF, "003-open": 0xFFFFFF, "004-default": 0x0066CC,
  ]

  private func record(_ pictures: [String: UInt32]) async throws {
    #expect(try await rounds.verify(pictures).verdict == .new)
    try rounds.approve()
    #expect(try rounds.recorded() == pictures)
  }

  private func expectUnchanged(_ pictures: [String: UInt32], _ trail: Comment? = nil) async throws {
    #expect(try await rounds.verify(pictures).verdict == .unchanged, trail)
    #expect(try rounds.recorded() == pictures, trail)
  }

  @Test func equalPicturesAllStayWhenOthersAreApproved() async throws {
    var pictures = Self.expanding
    try await record(pictures)
    // The second and the third day are like the first.
    for color: UInt32 in [0xCC0000, 0x00AA00, 0x0066CC] {
      (pictures["001-default"], pictures["004-default"]) = (color, color)
      #expect(try await rounds.verify(pictures).verdict == .changed)
      try rounds.approve()
      try await expectUnchanged(pictures)
    }
  }

  @Test func equalPicturesAllStayWhenPartsAreApprovedOneByOne() async throws {
    try await record(Self.expanding)
    var pictures = Self.expanding
    (pictures["001-default"], pictures["003-open"]) = (0xCC0000, 0x333333)
    for name in ["003-open", "002-expanded", "001-default", "004-default", "events", "states"] {
      _ = try await rounds.verify(pictures)
      try rounds.approve([name])
    }
    try await expectUnchanged(pictures)
  }

  @Test func partsOfOneVerificationAreApprovedOneByOne() async throws {
    try await record(Self.expanding)
    let pictures = Self.expanding.mapValues { $0 ^ 0x888888 }
    _ = try await rounds.verify(pictures)
    for name in pictures.keys.sorted() { try rounds.approve([name]) }
    try await expectUnchanged(pictures)
  }

  /// One more picture in front moves the numbers of all others on.
  @Test(arguments: [true, false]) func picturesThatGetOtherNumbersReplaceTheirFormerSelves(atOnce: Bool) async throws {
    try await record(Self.expanding)
    let pictures: [String: UInt32] = [
      "001-default": 0x0066CC, "002-resized": 0x123456, "003-expanded": 0xFFFFFF, "004-open": 0xABCDEF,
      "005-default": 0x0066CC,
    ]
    let outcome = try await rounds.verify(pictures)
    #expect(outcome.verdict == .changed)
    #expect(outcome.candidate?.parts.first { $0.name == "004-open" }?.replaces == "003-open")
    if atOnce {
      try rounds.approve()
    } else {
      for name in pictures.keys.sorted() {
        _ = try await rounds.verify(pictures)
        try rounds.approve([name])
      }
    }
    try await expectUnchanged(pictures)
  }

  @Test(arguments: [nil, ["003-open"]] as [Set<String>?]) func aPictureThatIsGoneLeavesItsEqualBehind(
    names: Set<String>?
  ) async throws {
    try await record(Self.expanding)
    let pictures = Self.expanding.filter { $0.key != "003-open" }
    #expect(try await rounds.verify(pictures).verdict == .changed)
    try rounds.approve(names)
    try await expectUnchanged(pictures)
  }

  @Test func twoCreativesWithEqualPicturesDontTouchEachOther() async throws {
    let other = try rounds.beside("other")
    try await record(Self.expanding)
    _ = try await other.verify(Self.expanding)
    try other.approve()
    var pictures = Self.expanding
    pictures["001-default"] = 0xCC0000
    _ = try await rounds.verify(pictures)
    try rounds.approve()
    try await expectUnchanged(pictures)
    #expect(try await other.verify(Self.expanding).verdict == .unchanged)
    #expect(try other.recorded() == Self.expanding)
  }

  /// What an earlier version left to approve names equal pictures wrongly.
  @Test func aVerificationThatNamesAnEqualPictureLosesNone() async throws {
    try await record(Self.expanding)
    var pictures = Self.expanding
    pictures["001-default"] = 0xCC0000
    _ = try await rounds.verify(pictures)
    try rounds.misname("003-open", as: "002-expanded")
    try rounds.approve()
    try await expectUnchanged(pictures)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>) func whateverChangesApprovingItAllConverges(seed: UInt64) async throws
  {
    var numbers = Numbers(state: seed)
    for day in 1...4 {
      let pictures = Self.some(&numbers)
      _ = try await rounds.verify(pictures)
      if day > 1, Bool.random(using: &numbers) {
        // A few parts first, then the rest.
        let names = pictures.keys.sorted().filter { _ in Bool.random(using: &numbers) }
        for name in names { try rounds.approve([name]) }
        _ = try await rounds.verify(pictures)
      }
      try rounds.approve()
      try await expectUnchanged(pictures, "day \(day): \(pictures)")
    }
  }

  /// A run of pictures of few names and few colours, so that many are equal.
  private static func some(_ numbers: inout Numbers) -> [String: UInt32] {
    let names = ["default", "expanded", "open", "resized"]
    let colors: [UInt32] = [0xFFFFFF, 0x0066CC, 0xCC0000]
    let count = Int.random(in: 1...7, using: &numbers)
    return Dictionary(
      uniqueKeysWithValues: (1...count).map { number in
        let name = names[Int.random(in: 0..<names.count, using: &numbers)]
        return ("00\(number)-\(name)", colors[Int.random(in: 0..<colors.count, using: &numbers)])
      })
  }
}

/// The same numbers for the same seed (SplitMix64).
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
