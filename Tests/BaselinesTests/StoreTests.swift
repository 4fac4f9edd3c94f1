import Foundation
import Jobs
import Testing

@testable import Baselines

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
    var approval = try folder.approval([try folder.picture("001-default"), try folder.log(["load"])])
    _ = try approval.approve()
    return try #require(try store.manifest(folder.key))
  }

  @Test func aStoreThatIsNotThereHasNoBaseline() throws {
    #expect(try store.manifest(folder.key) == nil)
    #expect(store.keys().isEmpty && !store.exists)
  }

  @Test func contentsThatAreNotWhatWasRecordedAreRefused() throws {
    let name = "\(try record().pictures[0].sha256).png"
    try write("something else", to: store.objectPath(name))
    let fault = #expect(throws: Fault.self) { try store.object(name) }
    #expect(fault?.code == "baseline-broken")
    try FileManager.default.removeItem(atPath: store.objectPath(name))
    let missing = #expect(throws: Fault.self) { try store.object(name) }
    #expect(missing?.code == "baseline-incomplete")
  }

  @Test func aPointerOfGitLFSIsToldByName() throws {
    let name = "\(try record().pictures[0].sha256).png"
    try write("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", to: store.objectPath(name))
    let fault = #expect(throws: Fault.self) { try store.object(name) }
    #expect(fault?.code == "baseline-pointer")
  }

  @Test(arguments: ["", "{", "[]", "{\"schema\": 1}"]) func aBrokenManifestIsTheCallersToMend(_ text: String) throws {
    try write(text, to: manifestPath)
    let fault = #expect(throws: Fault.self) { try store.manifest(folder.key) }
    #expect(fault?.code == "baseline-broken")
  }

  @Test func aManifestCannotReferToFilesOutside() throws {
    let manifest = try record()
    let text = try String(contentsOfFile: manifestPath, encoding: .utf8)
    for evil in ["../../../../etc/passwd", String(repeating: "A", count: 64), String(repeating: "a", count: 63)] {
      try write(text.replacingOccurrences(of: manifest.pictures[0].sha256, with: evil), to: manifestPath)
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
