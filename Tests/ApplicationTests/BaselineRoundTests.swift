import Application
import Comparison
import Core
import Device
import Foundation
import MRAID
import Pixels
import RenderModel
import Testing
import Workers

/// Repeated recording, changing, verifying and approving: each verification compares with the approved state.
@Suite struct BaselineRoundTests {
  private let rounds: BaselineRounds

  init() throws { rounds = try BaselineRounds() }

  /// Pictures of an ad that expands and closes, with screenshots on the way: those of the expanded state are equal.
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

  @Test func aSingleRenderOfAnAddressHasNoFilesToApprove() throws {
    let own = try rounds.partsOfSingle(path: "/ads/ad.html")
    #expect(own.contains("files"))
    #expect(try rounds.partsOfSingle(path: nil) == own.filter { $0 != "files" })
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

  /// Adds a picture in front, which shifts the numbers of all others.
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

  /// Verifies a finished render alone, without further renders: differences are changed, or flaky if the baseline says
  /// so.
  @Test func oneRenderIsJudgedByItself() async throws {
    #expect(try await rounds.verify(Self.expanding, isSingle: true).verdict == .new)
    try await record(Self.expanding)
    let same = try await rounds.verify(Self.expanding, isSingle: true)
    #expect(same.verdict == .unchanged && same.candidate?.renders == 1)
    var pictures = Self.expanding
    pictures["001-default"] = 0xCC0000
    pictures["004-default"] = nil
    let other = try await rounds.verify(pictures, isSingle: true)
    let verdicts = other.candidate?.parts.filter { $0.verdict != .unchanged }.map { "\($0.name) \($0.verdict)" }
    #expect(other.verdict == .changed && other.candidate?.renders == 1)
    #expect(verdicts?.sorted() == ["001-default changed", "004-default missing"])
    #expect(try rounds.recorded() == Self.expanding)
  }

  /// Approves a verification by an earlier version, which assigns equal pictures wrong names.
  @Test func aVerificationThatNamesAnEqualPictureLosesNone() async throws {
    try await record(Self.expanding)
    var pictures = Self.expanding
    pictures["001-default"] = 0xCC0000
    _ = try await rounds.verify(pictures)
    try rounds.misname("003-open", as: "002-expanded")
    try rounds.approve()
    try await expectUnchanged(pictures)
  }

  /// Accepts several variants of a picture as equally good.
  @Test func acceptedVariantsAreUnchangedWhateverElseIsApproved() async throws {
    try await record(Self.expanding)
    var other = Self.expanding
    (other["002-expanded"], other["003-open"]) = (0xAAAAAA, 0xAAAAAA)
    #expect(try await rounds.verify(other).verdict == .changed)
    try rounds.approveVariants()
    for pictures in [Self.expanding, other] {
      #expect(try await rounds.verify(pictures).verdict == .unchanged)
    }
    // The recorded ones are still those of the first day.
    #expect(try rounds.recorded() == Self.expanding)
    // What changes besides is approved without losing them.
    var next = Self.expanding
    next["001-default"] = 0xCC0000
    #expect(try await rounds.verify(next).verdict == .changed)
    try rounds.approve()
    next["003-open"] = 0xAAAAAA
    #expect(try await rounds.verify(next).verdict == .unchanged)
    // A third look of it replaces the first and its variants.
    next["003-open"] = 0x00AA00
    #expect(try await rounds.verify(next).verdict == .changed)
    try rounds.approve()
    next["003-open"] = 0xAAAAAA
    #expect(try await rounds.verify(next).verdict == .changed)
  }

  @Test func itsPageShowsTheCommandThatApprovesIt() async throws {
    let outcome = try await rounds.verify(Self.expanding)
    var text = ""
    try BaselinePage(outcomes: [outcome], gone: [], baselines: "b", out: "o'p").page.write { text += $0 }
    let command = "galley baseline approve ad@phone --out &#39;o&#39;\\&#39;&#39;p&#39;"
    #expect(text.contains("<code>\(command)</code>"), "\(text.suffix(900))")
    #expect(outcome.title == "ad@phone" && text.contains("<h2>ad@phone</h2>"), "\(text.suffix(900))")
    // One that can't be compared has the same name.
    let failed = try await rounds.verify(Self.expanding, fails: true)
    #expect(failed.verdict == .failed && failed.title == "ad@phone")
  }

  @Test func variantsAreOfPicturesThatChangedAndNoMoreThanThereMayBe() async throws {
    _ = try await rounds.verify(Self.expanding)
    #expect(rounds.refusal() == "baseline-without-variants")
    try await record(Self.expanding)
    #expect(rounds.refusal() == "baseline-without-variants")
    var pictures = Self.expanding
    let colors: [UInt32] = [
      0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0xFF00FF, 0x00FFFF, 0x000000, 0x880000, 0x008800,
    ]
    try #require(colors.count == BaselineManifest.Screenshot.mostVariants + 1)
    for (number, color) in colors.enumerated() {
      pictures["001-default"] = color
      _ = try await rounds.verify(pictures)
      let isTooMany = number == BaselineManifest.Screenshot.mostVariants
      #expect(rounds.refusal() == (isTooMany ? "baseline-variants-too-many" : nil))
    }
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

  /// Random run of pictures of few names and few colours, so that many are equal.
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

/// Generator with the same numbers for the same seed (SplitMix64).
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

/// Files of a creative beside those of its baseline.
@Suite struct BaselineFileTests {
  private static let pictures: [String: UInt32] = ["001-default": 0x0066CC]

  @Test(arguments: [false, true]) func anAddressThatIsExchangedIsAVerdictOfItsOwn(isSingle: Bool) async throws {
    let rounds = try BaselineRounds()
    _ = try await rounds.verify(Self.pictures, click: "https://a.example")
    try rounds.approve()
    #expect(
      try await rounds.verify(Self.pictures, isSingle: isSingle, click: "https://a.example").verdict == .unchanged)
    let other = try await rounds.verify(Self.pictures, isSingle: isSingle, click: "https://b.example")
    #expect(other.verdict == .filesChanged && other.candidate?.filesCompared == true)
    #expect(other.candidate?.fileChanges?.flatMap(\.lines) == ["index.html: https://a.example → https://b.example"])
    #expect(other.comparison.verdict == .filesChanged)
    // What looks other as well is changed, and tells the files all the same.
    let both = try await rounds.verify(["001-default": 0xCC0000], isSingle: isSingle, click: "https://b.example")
    #expect(both.verdict == .changed && both.candidate?.fileChanges?.count == 1)
    try rounds.approve(["001-default"])
    #expect(try await rounds.verify(["001-default": 0xCC0000], click: "https://b.example").verdict == .filesChanged)
    try rounds.approve(["files"])
    #expect(try await rounds.verify(["001-default": 0xCC0000], click: "https://b.example").verdict == .unchanged)
  }

  @Test func aDocumentThatIsAnotherEachTimeIsNotCompared() async throws {
    let rounds = try BaselineRounds()
    let first = try await rounds.verify(Self.pictures, click: "https://a.example/1", later: "https://a.example/2")
    #expect(first.verdict == .new && first.candidate?.files == nil)
    try rounds.approve()
    let second = try await rounds.verify(Self.pictures, click: "https://a.example/3")
    #expect(second.verdict == .unchanged && second.candidate?.filesCompared == false)
    // One that was the same twice by chance is found out when it is another for the first time.
    let other = try rounds.beside("other")
    _ = try await other.verify(Self.pictures, click: "https://a.example/1")
    try other.approve()
    let third = try await other.verify(Self.pictures, click: "https://a.example/2", later: "https://a.example/3")
    #expect(third.verdict == .unchanged && third.candidate?.filesCompared == false)
  }

  @Test func aScriptThatAnAddressExchangedIsNamedAndOneThatIsAnotherEachTimeIsNot() async throws {
    let rounds = try BaselineRounds()
    let page = ["index.html": "1", "app.js": "1"]
    let news = { (text: String, script: String) in page.merging(["news.json": text, "app.js": script]) { $1 } }
    let first = try await rounds.verify(Self.pictures, server: [news("a", "1"), news("b", "1")])
    #expect(first.candidate?.files?.files.map(\.path) == ["app.js", "index.html"])
    try rounds.approve()
    #expect(try await rounds.verify(Self.pictures, server: [news("c", "1")]).verdict == .unchanged)
    let changed = try await rounds.verify(Self.pictures, server: [news("d", "2"), news("e", "2")])
    #expect(changed.verdict == .filesChanged)
    #expect(changed.candidate?.fileChanges?.map(\.text) == ["app.js"])
  }

  @Test func whatNobodyKnowsIsNotCompared() async throws {
    let rounds = try BaselineRounds()
    _ = try await rounds.verify(Self.pictures)
    try rounds.approve()
    #expect(try await rounds.verify(Self.pictures).candidate?.filesCompared == false)
  }

  @Test func aBaselineOfBeforeIsNotCompared() async throws {
    let rounds = try BaselineRounds()
    _ = try await rounds.verify(Self.pictures)
    try rounds.approve()
    let later = try await rounds.verify(Self.pictures, click: "https://a.example")
    #expect(later.verdict == .unchanged && later.candidate?.filesCompared == false)
    try rounds.approve()
    #expect(try await rounds.verify(Self.pictures, click: "https://b.example").verdict == .filesChanged)
  }
}

/// Renders in which servers weren't reached.
@Suite struct UnansweredBaselineTests {
  private static let blue: [String: UInt32] = ["001-default": 0x0066CC]
  private static let red: [String: UInt32] = ["001-default": 0xCC0000]
  private static let answered = #""status":200"#
  private static let offline = #""status":0,"failure":"Load request cancelled","refused":"offline""#
  private static let down = #""status":0,"failure":"Could not connect to cdn.example: Connection refused""#
  private let rounds: BaselineRounds

  init() throws { rounds = try BaselineRounds() }

  private func record() async throws {
    _ = try await rounds.verify(Self.blue, answers: [Self.answered])
    try rounds.approve()
  }

  @Test(arguments: [Fault.Origin.request, .engine], [false, true])
  func areNotCompared(origin: Fault.Origin, isSingle: Bool) async throws {
    try await record()
    let answer = origin == .request ? Self.offline : Self.down
    let outcome = try await rounds.verify(Self.red, isSingle: isSingle, answers: [answer])
    #expect(outcome.verdict == .failed && outcome.candidate == nil)
    #expect(outcome.problem?.code == "baseline-not-compared" && outcome.problem?.origin == origin)
    #expect(outcome.problem?.message.hasPrefix("not compared: a request ") == true)
    #expect(outcome.problem?.message.hasSuffix(": cdn.example") == true)
    #expect(try await rounds.verify(Self.blue, answers: [Self.answered]).verdict == .unchanged)
  }

  @Test func areTriedAgainWhereAServerMayAnswer() async throws {
    try await record()
    #expect(try await rounds.verify(Self.blue, answers: [Self.down, Self.answered]).verdict == .unchanged)
  }

  @Test func areComparedWhereTheBaselineHadNoAnswerEither() async throws {
    _ = try await rounds.verify(Self.blue, answers: [Self.offline])
    try rounds.approve()
    #expect(try await rounds.verify(Self.blue, answers: [Self.offline]).verdict == .unchanged)
    #expect(try await rounds.verify(Self.red, answers: [Self.offline]).verdict == .changed)
  }

  @Test func areWhatABaselineIsMadeOfThatIsRecordedAnew() async throws {
    try await record()
    #expect(try await rounds.verify(Self.red, isAnew: true, answers: [Self.down]).verdict == .changed)
  }

  @Test func areNoneWhereAServerSaysThatThereIsNothing() async throws {
    try await record()
    #expect(try await rounds.verify(Self.red, answers: [#""status":404"#]).verdict == .changed)
  }
}

/// A creative's verifications and approvals without an engine: each picture is of one colour.
final class BaselineRounds: Sendable {
  private let folder: String
  private let place: BaselineLocation
  private let job: RenderJob
  private static let machine = MachineFingerprint()
  private static let device = Device(
    name: "phone", screen: Size(width: 390, height: 844), scale: 3, touch: true, userAgent: "UA", platform: "iPhone")

  init(_ creative: String = "ad", folder: String? = nil) throws {
    self.folder =
      folder ?? FileManager.default.temporaryDirectory.appending(path: "rounds-\(UUID().uuidString)").path()
    place = BaselineLocation(
      store: BaselineStore(self.folder + "/baselines"), key: BaselineKey(creative: creative, variant: "phone"),
      source: creative)
    job = RenderJob(
      id: 0, creative: CreativeReference(argument: creative, path: nil, name: creative),
      output: "\(self.folder)/\(creative)", device: Self.device, placement: Placement(kind: .banner))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Another creative with the same store.
  func beside(_ creative: String) throws -> BaselineRounds { try BaselineRounds(creative, folder: folder) }

  /// Verifies two renders that show these pictures against the baseline.
  ///
  /// `click` is an address in the document, and `later` that of renders after the first if it is different. `answers`
  /// are the results of each render's request for one address, and `server` the digests of each render's files by their
  /// paths; the last one applies to all that follow.
  func verify(
    _ pictures: [String: UInt32], isSingle: Bool = false, isAnew: Bool = false, fails: Bool = false,
    click: String? = nil, later: String? = nil, answers: [String] = [], server: [[String: String]] = []
  ) async throws -> BaselineOutcome {
    let comparer = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget())
    var work = VerificationState(job: job, place: place, isAcross: false, isSingle: isSingle, isAnew: isAnew)
    for render in 1...2 where render == 1 || work.needsAnother {
      let output = render == 1 ? job.output : "\(job.output)/retries/\(render)"
      let answer = answers.dropFirst(render - 1).first ?? answers.last
      var record = try write(pictures, answer, to: output)
      record.creative.delivered = (render == 1 ? click : later ?? click).map { address in
        DeliveredFiles(
          sha256: address, whole: true, document: "index.html",
          files: [.init(path: "index.html", sha256: address, addresses: [address])])
      }
      if let files = server.dropFirst(render - 1).first ?? server.last {
        record.creative.delivered = DeliveredFiles(
          sha256: "all", whole: false, document: "index.html",
          files: files.sorted { $0.key < $1.key }.map { .init(path: $0.key, sha256: $0.value) })
      }
      if fails { record.fail(.creative("x", "it failed")) }
      await work.addSample(record, folder: output, Self.machine, comparer)
    }
    return try await work.outcome("ad", comparer)
  }

  /// Names of the parts of a server's render with one picture and the digest of a document.
  func partsOfSingle(path: String?) throws -> [String] {
    var record = try write(["001-default": 0x0066CC], nil, to: job.output)
    record.creative.delivered = DeliveredFiles(
      sha256: "all", whole: false, document: "index.html", files: [.init(path: "index.html", sha256: "one")])
    let creative = CreativeReference(argument: path ?? "https://ads.example/", path: path, name: "ad")
    return try BaselineRender(single: record, of: creative, folder: job.output).partNames
  }

  private func write(_ pictures: [String: UInt32], _ answer: String?, to output: String) throws -> RenderRecord {
    try? FileManager.default.removeItem(atPath: output + "/screenshots")
    try FileManager.default.createDirectory(atPath: output + "/screenshots", withIntermediateDirectories: true)
    for (name, color) in pictures {
      let bitmap = Bitmap(width: 40, height: 30, fill: Color(rgb: color))
      try Data(PNGEncoder.encode(bitmap)).write(to: URL(filePath: "\(output)/screenshots/\(name).png"))
    }
    let log = answer.map { answer in
      let detail = #"{"url":"https://cdn.example/a.png",\#(answer)}"#
      return #"{"detail":\#(detail),"name":"resource","seq":0,"source":"network","t":0}"# + "\n"
    }
    try Data((log ?? "").utf8).write(to: URL(filePath: output + "/events.ndjson"))
    return RenderRecord(
      creative: RenderRecord.Creative(path: "ad"), device: RenderRecord.DeviceSummary(Self.device),
      engine: RenderRecord.Engine(webkit: "2.50", galley: Galley.version, sandbox: true), outcome: .completed,
      states: [.default])
  }

  /// Approves parts, or all, from the files on disk as the command does.
  func approve(_ names: Set<String>? = nil) throws {
    var approval = try #require(try Approval.read(job.output, baselines: folder + "/baselines"))
    _ = try approval.approve(names)
  }

  func approveVariants() throws {
    var approval = try #require(try Approval.read(job.output, baselines: folder + "/baselines"))
    #expect(try approval.approveVariants())
  }

  /// Returns the code with which the verified result is refused as a variant; nil if it is accepted.
  func refusal() -> String? {
    do throws(Fault) {
      var approval = try Approval.read(job.output, baselines: folder + "/baselines")
      _ = try approval?.approveVariants()
      return nil
    } catch {
      return error.code
    }
  }

  /// Changes the verification on disk, so that a part refers to the baseline's picture of another name.
  func misname(_ part: String, as name: String) throws {
    let file = URL(filePath: job.output).appending(path: Candidate.fileName)
    var document = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
    guard case .object(var members) = document, var parts = members["parts"]?.array else { return }
    for index in parts.indices where parts[index]["name"]?.string == part {
      guard case .object(var changed) = parts[index], case .object(var kept) = changed["kept"] else { continue }
      kept["name"] = .string(name)
      changed["kept"] = .object(kept)
      parts[index] = .object(changed)
    }
    members["parts"] = .array(parts)
    document = .object(members)
    try JSONEncoder().encode(document).write(to: file)
  }

  /// Returns the colours of the recorded pictures by name.
  func recorded() throws -> [String: UInt32] {
    let manifest = try #require(try place.store.manifest(place.key))
    #expect(Set(manifest.screenshots.map(\.name)).count == manifest.screenshots.count)
    return try Dictionary(
      uniqueKeysWithValues: manifest.screenshots.map { screenshot in
        let bitmap = try PNGDecoder.decode(place.store.object("\(screenshot.sha256).png"))
        return (screenshot.name, bitmap.pixels[0] & 0xFF_FFFF)
      })
  }
}
