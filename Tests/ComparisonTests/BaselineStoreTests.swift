import Core
import Device
import Foundation
import MRAID
import Pixels
import RenderModel
import Testing

@testable import Comparison

@Suite struct StoreTests {
  private let folder: StoreFolder
  private var store: BaselineStore { folder.store }

  init() throws { folder = try StoreFolder() }

  private func write(_ text: String, to path: String) throws {
    let file = URL(filePath: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private var manifestPath: String { "\(store.path)/manifests/ads/banner/phone.json" }

  private func record() throws -> BaselineManifest {
    var approval = try folder.approval([try folder.screenshot("001-default"), try folder.log(["load"])])
    _ = try approval.approve()
    return try #require(try store.manifest(folder.key))
  }

  @Test func aStoreThatIsNotThereHasNoBaseline() throws {
    #expect(try store.manifest(folder.key) == nil)
    #expect(store.keys().isEmpty && !store.exists)
  }

  @Test func contentsThatAreNotWhatWasRecordedAreRefused() throws {
    let name = "\(try record().screenshots[0].sha256).png"
    try write("something else", to: store.objectPath(name))
    let fault = #expect(throws: Fault.self) { try store.object(name) }
    #expect(fault?.code == "baseline-broken")
    try FileManager.default.removeItem(atPath: store.objectPath(name))
    let missing = #expect(throws: Fault.self) { try store.object(name) }
    #expect(missing?.code == "baseline-incomplete")
  }

  @Test func aPointerOfGitLFSIsToldByName() throws {
    let name = "\(try record().screenshots[0].sha256).png"
    try write("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", to: store.objectPath(name))
    let fault = #expect(throws: Fault.self) { try store.object(name) }
    #expect(fault?.code == "baseline-not-fetched")
  }

  @Test(arguments: ["", "{", "[]", "{\"schema\": 2}"]) func aBrokenManifestIsTheCallersToMend(_ text: String) throws {
    try write(text, to: manifestPath)
    let fault = #expect(throws: Fault.self) { try store.manifest(folder.key) }
    #expect(fault?.code == "baseline-broken")
  }

  @Test func aManifestOfAnotherSchemaSaysHowToMakeANewOne() throws {
    try write("{\"schema\": 1, \"pictures\": []}", to: manifestPath)
    let fault = #expect(throws: Fault.self) { try store.manifest(folder.key) }
    #expect(fault?.code == "schema-unsupported")
    #expect(fault?.message.hasSuffix("reads schema 2: remove it and record the baseline again") == true)
  }

  @Test func aManifestCannotReferToFilesOutside() throws {
    let manifest = try record()
    let text = try String(contentsOfFile: manifestPath, encoding: .utf8)
    for evil in ["../../../../etc/passwd", String(repeating: "A", count: 64), String(repeating: "a", count: 63)] {
      try write(text.replacingOccurrences(of: manifest.screenshots[0].sha256, with: evil), to: manifestPath)
      let fault = #expect(throws: Fault.self) { try store.manifest(folder.key) }
      #expect(fault?.code == "baseline-broken")
    }
  }

  @Test func whatNoBaselineRefersToIsAnOrphan() throws {
    let manifest = try record()
    let hash = try store.keep([1, 2, 3], as: "png")
    #expect(store.orphans(of: [manifest]) == [.init(path: store.objectPath("\(hash).png"), bytes: 3)])
    try store.remove(store.orphans(of: [manifest])[0])
    #expect(store.orphans(of: [manifest]).isEmpty)
  }

  @Test func aBaselineKnowsWhetherItsCreativeIsThere() throws {
    let manifest = try record()
    #expect(!store.hasCreative(manifest))
    try write("<p>", to: "\(folder.path)/ads/banner/index.html")
    #expect(store.hasCreative(manifest))
    #expect(store.keys() == [folder.key])
  }
}

@Suite struct KeyTests {
  private func key(_ path: String?, from folder: String = "/repo", argument: String = "x") throws -> BaselineKey {
    try BaselineKey(
      CreativeReference(argument: argument, path: path, name: "name"), from: folder, variant: ["phone", "landscape"])
  }

  @Test(arguments: [
    ("/repo/ads/banner", "ads/banner"), ("/repo/banner.html", "banner.html"), ("/other/banner", "up/other/banner"),
    ("/repo2/banner", "up/repo2/banner"), ("/repo/a:b/.c", "a-b/c"),
  ])
  func namesCreativesByTheWayFromTheStore(path: String, name: String) throws {
    let key = try key(path)
    #expect(key.creative == name)
    #expect(key.text == "\(name)@phone.landscape")
  }

  @Test(arguments: ["/repo/my ads", "/repo/100%", "/repo/größe", "/repo/a#b?c"])
  func foldersOfAnyNameHoldTheirCreatives(folder: String) throws {
    let store = BaselineStore(folder + "/baselines")
    #expect(BaselineKey.relative(folder + "/banner", from: store.parent) == ["banner"])
    #expect(try key(folder + "/banner", from: store.parent).creative == "banner")
  }

  @Test func addressesThatDifferOnlyInTheirQueryHaveKeysOfTheirOwn() throws {
    let (first, second) = (try key(nil, argument: "https://a/?x=1"), try key(nil, argument: "https://a/?x=2"))
    #expect(first.creative.hasPrefix("url/name-") && second.creative.hasPrefix("url/name-"))
    #expect(first != second)
  }

  @Test func standardInputHasNoName() {
    let fault = #expect(throws: Fault.self) { try key("/proc/1/fd/3", argument: "-") }
    #expect(fault?.code == "baseline-name-missing")
  }
}

@Suite struct FingerprintTests {
  private let first = StoreFolder.fingerprint()

  @Test func theSameMachineHasNoDifferences() {
    #expect(first.differences(StoreFolder.fingerprint()).isEmpty)
    #expect(first.sha256 == StoreFolder.fingerprint().sha256)
  }

  @Test func saysWhatIsOther() {
    #expect(first.differences(StoreFolder.fingerprint(webkit: "2.52")) == ["WebKit 2.50 → 2.52"])
    #expect(first.differences(StoreFolder.fingerprint(gl: nil)) == ["GL llvmpipe → none"])
    var device = StoreFolder.device
    device.scale = 2.625
    #expect(
      first.differences(StoreFolder.fingerprint(device: device)) == ["device phone 390x844@3 → phone 390x844@2.625"])
    device = StoreFolder.device
    device.userAgent = "another"
    #expect(
      first.differences(StoreFolder.fingerprint(device: device)) == [
        "device phone has another description: safe areas, user agent or capabilities"
      ])
  }

  @Test func namesFontsThatCameWentAndChanged() {
    let before = StoreFolder.fingerprint(fonts: ["A.ttf": "1", "B.ttf": "1", "C.ttf": "1"])
    let after = StoreFolder.fingerprint(fonts: ["A.ttf": "2", "B.ttf": "1", "D.ttf": "1"])
    #expect(before.differences(after) == ["fonts another version: A.ttf; gone: C.ttf; new: D.ttf"])
    let many = Dictionary(uniqueKeysWithValues: (1...9).map { ("F\($0).ttf", "1") })
    #expect(
      StoreFolder.fingerprint(fonts: [:]).differences(StoreFolder.fingerprint(fonts: many)) == [
        "fonts new: F1.ttf, F2.ttf, F3.ttf, F4.ttf and 5 more"
      ])
  }
}

@Suite struct ApprovalTests {
  private let folder: StoreFolder
  private var store: BaselineStore { folder.store }

  init() throws { folder = try StoreFolder() }

  /// Approves parts, or all.
  @discardableResult private func approve(_ approval: Approval, _ names: Set<String>? = nil) throws -> Bool {
    var approval = approval
    return try approval.approve(names)
  }

  private func recorded() throws -> BaselineManifest { try #require(try store.manifest(folder.key)) }

  @Test func recordsWhatWasVerified() throws {
    let parts = [try folder.screenshot("001-default"), try folder.log(["load", "open"])]
    #expect(try approve(folder.approval(parts)))
    let manifest = try recorded()
    #expect(manifest.screenshots.map(\.name) == ["001-default"])
    #expect(manifest.states == [.default])
    #expect(try store.events(of: manifest).map(\.name) == ["load", "open"])
    #expect(try store.fingerprint(of: manifest) == StoreFolder.fingerprint())
    let kept = try PNGDecoder.decode(try store.object("\(manifest.screenshots[0].sha256).png"))
    #expect(kept == Bitmap(width: 300, height: 200, fill: .white))
  }

  @Test func recordingTheSameTwiceWritesTheSameFiles() throws {
    let parts = [try folder.screenshot("001-default"), try folder.log(["load"])]
    #expect(try approve(folder.approval(parts)))
    let before = try recorded()
    #expect(try !approve(folder.approval(parts)))
    #expect(try recorded() == before)
    #expect(store.orphans(of: [before]).isEmpty)
  }

  @Test func aPictureAloneLeavesTheRestAsItWas() throws {
    let parts = [try folder.screenshot("001-default"), try folder.screenshot("002-expanded"), try folder.log(["load"])]
    try approve(folder.approval(parts))
    let before = try recorded()
    let changed = [
      try folder.screenshot("001-default", .black, .changed), try folder.screenshot("002-expanded", .black, .changed),
      try folder.log(["open"], .changed),
    ]
    #expect(try approve(folder.approval(changed), ["002-expanded"]))
    let after = try recorded()
    #expect(after.screenshots[0] == before.screenshots[0])
    #expect(after.screenshots[1] != before.screenshots[1])
    #expect(after.events == before.events)
    #expect(store.orphans(of: [after]).isEmpty, "the first picture is stored once for both names")
  }

  @Test func aMissingPictureLeavesTheBaseline() throws {
    try approve(
      folder.approval([try folder.screenshot("001-default"), try folder.screenshot("002-a"), try folder.log([])]))
    let gone = Candidate.Part(PartVerdict(name: "002-a", verdict: .missing, render: nil), file: nil, sha256: nil)
    #expect(try approve(folder.approval([gone]), ["002-a"]))
    #expect(try recorded().screenshots.map(\.name) == ["001-default"])
  }

  @Test func whatOnlyLooksTheSameIsNotStoredAgain() throws {
    try approve(folder.approval([try folder.screenshot("001-default"), try folder.log([])]))
    let old = try recorded()
    let new = try folder.screenshot("001-default", Color(rgb: 0xFE_FEFE), .unchanged)
    let judgement = PartVerdict(name: new.name, verdict: .unchanged, render: 0)
    let part = Candidate.Part(judgement, file: new.file, sha256: new.sha256, kept: old.screenshots[0])
    #expect(try approve(folder.approval([part, try folder.log(["open"], .changed)])))
    #expect(try recorded().screenshots == old.screenshots)
    #expect(try recorded().events.count == 1)
  }

  @Test func flakyPicturesAndLogsAreMarked() throws {
    try approve(folder.approval([try folder.screenshot("001-default", .white, .flaky), try folder.log(["x"], .flaky)]))
    #expect(try recorded().screenshots[0].flaky == true)
    #expect(try recorded().events.flaky == true)
  }

  @Test func aBaselineThatMovedSinceIsNotOverwritten() throws {
    let parts = [try folder.screenshot("001-default"), try folder.log([])]
    let first = try folder.approval(parts)
    try approve(folder.approval(parts))
    let fault = #expect(throws: Fault.self) { try approve(first) }
    #expect(fault?.code == "baseline-outdated")
  }

  @Test func aPictureThatWasReplacedSinceIsRefused() throws {
    let approval = try folder.approval([try folder.screenshot("001-default"), try folder.log([])])
    _ = try folder.screenshot("001-default", .black)
    let fault = #expect(throws: Fault.self) { try approve(approval) }
    #expect(fault?.code == "baseline-result-changed")
    #expect(try store.manifest(folder.key) == nil)
  }

  @Test func aPartOfAnotherDrawingIsRefusedAndTheWholeIsNot() throws {
    let parts = [try folder.screenshot("001-default"), try folder.log([])]
    try approve(folder.approval(parts))
    let other = StoreFolder.fingerprint(webkit: "2.52")
    let approval = try folder.approval(parts, differences: ["WebKit 2.50 → 2.52"], fingerprint: other)
    let fault = #expect(throws: Fault.self) { try approve(approval, ["001-default"]) }
    #expect(fault?.code == "baseline-fingerprint-differs")
    #expect(try approve(approval))
    #expect(try store.fingerprint(of: recorded()) == other)
  }

  /// Writes the verification of another machine, in a folder that doesn't exist here.
  private func artifact(directory: String?) throws {
    let one = try folder.approval([try folder.screenshot("001-default"), try folder.log([])]).candidate
    let other = Candidate(
      key: one.key, store: "/gone/project/galley-baselines", directory: directory, source: one.source,
      verdict: one.verdict,
      renders: 1, against: nil, differences: [], fingerprint: one.fingerprint, states: one.states, parts: one.parts,
      findings: [])
    try StoredFile.write(Document.bytes(other), to: "\(folder.result)/\(Candidate.fileName)")
  }

  @Test func whatAnotherMachineVerifiedIsApprovedAtTheSamePlaceHere() throws {
    try artifact(directory: "/gone/project")
    #expect(try approve(try #require(try Approval.read(folder.result, in: folder.path))))
    #expect(try recorded().screenshots.map(\.name) == ["001-default"])
    #expect(!FileManager.default.fileExists(atPath: "/gone"))
  }

  @Test func baselinesThatAreNamedAreThoseThatAreApproved() throws {
    try artifact(directory: nil)
    #expect(try approve(try #require(try Approval.read(folder.result, baselines: store.path))))
    #expect(try recorded().screenshots.count == 1)
  }

  @Test(arguments: [nil, "/elsewhere", "/gone"]) func baselinesThatAreNowhereHereAreAskedFor(directory: String?) throws
  {
    try artifact(directory: directory)
    let fault = #expect(throws: Fault.self) { try Approval.read(folder.result, in: folder.path) }
    #expect(fault?.code == "baseline-elsewhere")
  }

  /// Changes the content of an artifact, as its producer could.
  private func tamper(_ change: (inout [String: Any]) -> Void) throws {
    try artifact(directory: "/gone/project")
    let file = URL(filePath: "\(folder.result)/\(Candidate.fileName)")
    var document = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    change(&document)
    try JSONSerialization.data(withJSONObject: document).write(to: file)
  }

  @Test(arguments: [
    ("../../../evil", "../pkg"), ("/etc", "x"), ("a/../b", "x"), ("ads/banner", "../x"), ("ads/banner", "a/b"),
    ("", "x"), ("ads", ""), (".git/hooks", "x"), ("ads", ".."), ("a//b", "x"), ("ads/./a", "x"), ("a\0b", "x"),
  ]) func aKeyOfAnArtifactIsPlainNames(creative: String, variant: String) throws {
    try tamper { $0["key"] = ["creative": creative, "variant": variant] }
    let fault = #expect(throws: Fault.self) { try Approval.read(folder.result, baselines: store.path) }
    #expect(fault?.code == "baseline-broken" && !FileManager.default.fileExists(atPath: store.path))
    #expect(throws: Fault.self) { try store.manifest(BaselineKey(creative: creative, variant: variant)) }
  }

  @Test(arguments: [
    "/tmp/galley-elsewhere/galley-baselines", "/gone/project/../galley-baselines", "/gone/project/.git",
    "/gone/project/link/galley-baselines", "/gone/project//galley-baselines", "galley-baselines",
  ]) func aStoreOfAnArtifactIsBelowTheWorkingFolderAndByItsNameOne(place: String) throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/.git", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "/tmp")
    try tamper { $0["store"] = place }
    let fault = #expect(throws: Fault.self) { try Approval.read(folder.result, in: folder.path) }
    #expect(fault?.code == "baseline-elsewhere")
  }

  @Test(arguments: ["../../secret.png", "/etc/hostname", "screenshots/link.png"])
  func aPartOfAnArtifactIsAFileOfItsOwn(file: String) throws {
    let secret = try Data(contentsOf: URL(filePath: "\(try drawn())"))
    try secret.write(to: URL(filePath: folder.path + "/secret.png"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.result + "/screenshots/link.png", withDestinationPath: folder.path + "/secret.png")
    try tamper { document in
      var parts = document["parts"] as? [[String: Any]] ?? []
      for index in parts.indices where (parts[index]["name"] as? String)?.hasPrefix("001") == true {
        parts[index]["file"] = file
      }
      document["parts"] = parts
    }
    let fault = #expect(throws: Fault.self) {
      var approval = try Approval.read(folder.result, baselines: store.path)
      _ = try approval?.approve()
    }
    #expect(["baseline-broken", "baseline-result-changed"].contains(fault?.code), "\(String(describing: fault))")
  }

  /// Returns the path of a picture in a result.
  private func drawn() throws -> String {
    let part = try folder.screenshot("001-default")
    return "\(folder.result)/\(part.file ?? "")"
  }

  @Test func aStoreWithALinkInItIsNotWrittenThrough() throws {
    let elsewhere = folder.path + "/elsewhere"
    for path in [elsewhere, store.path] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(atPath: store.path + "/objects", withDestinationPath: elsewhere)
    try artifact(directory: "/gone/project")
    let fault = #expect(throws: Fault.self) {
      var approval = try Approval.read(folder.result, in: folder.path)
      _ = try approval?.approve()
    }
    #expect(fault?.code == "baseline-broken")
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
  }

  @Test func partsMayBeApprovedOneAfterAnother() throws {
    try approve(folder.approval([try folder.screenshot("001-a"), try folder.screenshot("002-b"), try folder.log([])]))
    let changed = [
      try folder.screenshot("001-a", .black, .changed), try folder.screenshot("002-b", .black, .changed),
    ]
    #expect(try approve(folder.approval(changed), ["001-a"]))
    let rest = try #require(try Approval.read(folder.result, in: folder.path))
    #expect(try approve(rest, ["002-b"]))
    #expect(try recorded().screenshots[0].sha256 == recorded().screenshots[1].sha256)
  }
}

/// Store and folder of results made for one test, deleted with this object.
final class StoreFolder: Sendable {
  let path: String
  let store: BaselineStore
  let key = BaselineKey(creative: "ads/banner", variant: "phone")

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "baselines-\(UUID().uuidString)").path()
    store = BaselineStore(path + "/" + BaselineStore.folderName)
    try FileManager.default.createDirectory(atPath: path + "/result/screenshots", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var result: String { path + "/result" }

  static let device = Device(
    name: "phone", screen: Size(width: 390, height: 844), scale: 3, touch: true, userAgent: "UA", platform: "iPhone")

  static func fingerprint(
    webkit: String = "2.50", gl: String? = "llvmpipe", device: Device = device, fonts: [String: String] = ["A.ttf": "1"]
  ) -> Fingerprint {
    Fingerprint(
      webkit: webkit, gl: gl, device: device, clock: .real,
      fonts: fonts.map { Fingerprint.Font(file: $0.key, sha256: $0.value) }, fontSettings: "s")
  }

  /// Writes a picture of the result and returns its part of a verification.
  func screenshot(_ name: String, _ color: Color = .white, _ verdict: BaselineVerdict = .new) throws -> Candidate.Part {
    let bytes = try PNGEncoder.encode(Bitmap(width: 300, height: 200, fill: color))
    return try part(name, "screenshots/\(name).png", bytes, verdict)
  }

  /// Writes the result's log of host events.
  func log(_ events: [String], _ verdict: BaselineVerdict = .new) throws -> Candidate.Part {
    let lines = try events.enumerated().map { index, event in
      try JSONEncoder().encode(Event(seq: index, t: 9, source: .host, name: event, detail: ["timing": 4]))
    }
    return try part(PartName.events, "events.ndjson", lines.flatMap { Array($0) + [10] }, verdict)
  }

  private func part(
    _ name: String, _ file: String, _ bytes: [UInt8], _ verdict: BaselineVerdict
  ) throws -> Candidate.Part {
    try Data(bytes).write(to: URL(filePath: result).appending(path: file))
    let judgement = PartVerdict(name: name, verdict: verdict, render: 0, isSteady: verdict != .flaky)
    return Candidate.Part(judgement, file: file, sha256: Document.hash(of: bytes))
  }

  /// Creates the approval that a verification of these parts leaves, beside the current baseline.
  func approval(
    _ parts: [Candidate.Part], states: [MRAIDState] = [.default], differences: [String] = [],
    fingerprint: Fingerprint = fingerprint()
  ) throws -> Approval {
    let old = try store.manifest(key)
    let states = Candidate(
      key: key, store: store.path, directory: nil, source: "ads/banner", verdict: old == nil ? .new : .changed,
      renders: 2,
      against: old.map(Document.hash(ofJSON:)), differences: differences, fingerprint: fingerprint, states: states,
      parts: parts + [
        Candidate.Part(PartVerdict(name: PartName.states, verdict: .changed, render: 0), file: nil, sha256: nil)
      ],
      findings: [])
    return Approval(states, folder: result)
  }
}
