import Application
import Checks
import Core
import Device
import Foundation
import MRAID
import RenderModel
import Testing

/// Parts of a creative's own files that the checks receive.
@Suite struct InventoryTests {
  private let program: GalleyProgram

  init() throws { program = try GalleyProgram() }

  private func evidence(of file: String, _ text: String) throws -> CheckContext {
    let path = try program.file(file, text)
    let device = Device(
      name: "phone", screen: Size(width: 390, height: 844), scale: 3, touch: true, userAgent: "UA", platform: "iPhone")
    let job = RenderJob(
      id: 0, creative: CreativeReference(argument: path, path: path, name: "ad"), output: program.folder + "/out",
      device: device, placement: Placement(kind: .interstitial))
    return CheckContextReader.read(job, record: .fake(), explored: nil)
  }

  private func tags(_ evidence: CheckContext) throws -> Int? {
    var evidence = evidence
    let source = Citation(title: "Net", url: "https://net.example/")
    evidence.profiles = [
      Profile(id: "net", title: "Net", rules: [.init(check: "missing-click-tag", note: "its rule", source: source)])
    ]
    return try #require(Check.named("missing-click-tag")).judge(evidence)?.count
  }

  private static let assets = String(
    repeating: "a['1'] = 'data:image/png;base64,\(String(repeating: "iVBORw0KGgo+/A9_", count: 65_536))';", count: 5)

  @Test("A playable of five megabytes of pictures is read to its end")
  func playable() throws {
    let leads = try evidence(of: "leads.html", "<script>\(Self.assets) ExitApi.exit()</script>")
    #expect(leads.inventory?.files.first.map { $0.bytes > 5_000_000 } == true)
    #expect(try tags(leads) == 0)
    #expect(try tags(evidence(of: "leads-nowhere.html", "<script>\(Self.assets)</script>")) == 1)
  }

  @Test("Where code goes on beyond what is read, nothing is said of what it lacks")
  func code() throws {
    let code = String(repeating: "step(now, 1 / 60); ", count: 150_000)
    #expect(try tags(evidence(of: "long.html", "<script>\(code) ExitApi.exit()</script>")) == nil)
  }
}
