import Foundation
import Jobs
import MRAID
import Pixels
import Testing

@testable import Baselines

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
    let parts = [try folder.picture("001-default"), try folder.log(["load", "open"])]
    #expect(try approve(folder.approval(parts)))
    let manifest = try recorded()
    #expect(manifest.pictures.map(\.name) == ["001-default"])
    #expect(manifest.states == [.default])
    #expect(try store.events(of: manifest).map(\.name) == ["load", "open"])
    #expect(try store.fingerprint(of: manifest) == StoreFolder.fingerprint())
    let kept = try PNGDecoder.decode(try store.object("\(manifest.pictures[0].sha256).png"))
    #expect(kept == Bitmap(width: 300, height: 200, fill: .white))
  }

  @Test func recordingTheSameTwiceWritesTheSameFiles() throws {
    let parts = [try folder.picture("001-default"), try folder.log(["load"])]
    #expect(try approve(folder.approval(parts)))
    let before = try recorded()
    #expect(try !approve(folder.approval(parts)))
    #expect(try recorded() == before)
    #expect(store.orphans(of: [before]).isEmpty)
  }

  @Test func aPictureAloneLeavesTheRestAsItWas() throws {
    let parts = [try folder.picture("001-default"), try folder.picture("002-expanded"), try folder.log(["load"])]
    try approve(folder.approval(parts))
    let before = try recorded()
    let changed = [
      try folder.picture("001-default", .black, .changed), try folder.picture("002-expanded", .black, .changed),
      try folder.log(["open"], .changed),
    ]
    #expect(try approve(folder.approval(changed), ["002-expanded"]))
    let after = try recorded()
    #expect(after.pictures[0] == before.pictures[0])
    #expect(after.pictures[1] != before.pictures[1])
    #expect(after.events == before.events)
    #expect(store.orphans(of: [after]).isEmpty, "the first picture is stored once for both names")
  }

  @Test func aMissingPictureLeavesTheBaseline() throws {
    try approve(folder.approval([try folder.picture("001-default"), try folder.picture("002-a"), try folder.log([])]))
    let gone = Candidate.Part(Judgement(name: "002-a", verdict: .missing, render: nil), file: nil, sha256: nil)
    #expect(try approve(folder.approval([gone]), ["002-a"]))
    #expect(try recorded().pictures.map(\.name) == ["001-default"])
  }

  @Test func whatOnlyLooksTheSameIsNotStoredAgain() throws {
    try approve(folder.approval([try folder.picture("001-default"), try folder.log([])]))
    let old = try recorded()
    let new = try folder.picture("001-default", Color(rgb: 0xFE_FEFE), .unchanged)
    let judgement = Judgement(name: new.name, verdict: .unchanged, render: 0)
    let part = Candidate.Part(judgement, file: new.file, sha256: new.sha256, kept: old.pictures[0])
    #expect(try approve(folder.approval([part, try folder.log(["open"], .changed)])))
    #expect(try recorded().pictures == old.pictures)
    #expect(try recorded().events.count == 1)
  }

  @Test func flakyPicturesAndLogsAreMarked() throws {
    try approve(folder.approval([try folder.picture("001-default", .white, .flaky), try folder.log(["x"], .flaky)]))
    #expect(try recorded().pictures[0].flaky == true)
    #expect(try recorded().events.flaky == true)
  }

  @Test func aBaselineThatMovedSinceIsNotOverwritten() throws {
    let parts = [try folder.picture("001-default"), try folder.log([])]
    let first = try folder.approval(parts)
    try approve(folder.approval(parts))
    let fault = #expect(throws: Fault.self) { try approve(first) }
    #expect(fault?.code == "baseline-moved")
  }

  @Test func aPictureThatWasReplacedSinceIsRefused() throws {
    let approval = try folder.approval([try folder.picture("001-default"), try folder.log([])])
    _ = try folder.picture("001-default", .black)
    let fault = #expect(throws: Fault.self) { try approve(approval) }
    #expect(fault?.code == "baseline-result-gone")
    #expect(try store.manifest(folder.key) == nil)
  }

  @Test func aPartOfAnotherDrawingIsRefusedAndTheWholeIsNot() throws {
    let parts = [try folder.picture("001-default"), try folder.log([])]
    try approve(folder.approval(parts))
    let other = StoreFolder.fingerprint(webkit: "2.52")
    let approval = try folder.approval(parts, differences: ["WebKit 2.50 → 2.52"], fingerprint: other)
    let fault = #expect(throws: Fault.self) { try approve(approval, ["001-default"]) }
    #expect(fault?.code == "baseline-other-drawing")
    #expect(try approve(approval))
    #expect(try store.fingerprint(of: recorded()) == other)
  }

  @Test func partsMayBeApprovedOneAfterAnother() throws {
    try approve(folder.approval([try folder.picture("001-a"), try folder.picture("002-b"), try folder.log([])]))
    let changed = [
      try folder.picture("001-a", .black, .changed), try folder.picture("002-b", .black, .changed),
    ]
    #expect(try approve(folder.approval(changed), ["001-a"]))
    let rest = try #require(try Approval.read(folder.result))
    #expect(try approve(rest, ["002-b"]))
    #expect(try recorded().pictures[0].sha256 == recorded().pictures[1].sha256)
  }
}
