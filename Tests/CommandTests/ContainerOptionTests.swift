import ArgumentParser
import Comparison
import Jobs
import MRAID
import Planning
import Testing

@testable import galley

@Suite struct ContainerOptionTests {
  private let program: GalleyProgram

  init() throws { program = try GalleyProgram() }

  @Test func theStandardIsNoContainerOfItsOwn() throws {
    #expect(try ContainerOptions.parse([]).resolved() == nil)
    #expect(try ContainerOptions.parse(["--container", "spec"]).resolved() == nil)
    #expect(try ContainerOptions.parse(["--container", "gma"]).resolved()?.name == "gma")
  }

  @Test func anUnknownContainerIsTheCallersFaultAndAllAreNamed() throws {
    let fault = #expect(throws: Fault.self) { try ContainerOptions.parse(["--container", "gam"]).resolved() }
    #expect(fault?.code == "unknown-container")
    #expect(fault?.message.contains("prebid-ios") == true)
  }

  @Test(arguments: [
    ("{", "not readable as JSON"), ("{\"name\": \"a\"}", "title is missing"),
    (difference("\"colour\"", "true"), "differences.0.what is none of version"),
    (difference("\"environment\"", "\"no\""), "environment needs true or false"),
    ("{\"name\": \"A b\", \"title\": \"\", \"differences\": []}", "'A b' is no name"),
  ])
  func aBrokenFileSaysWhatIsWrong(text: String, message: String) throws {
    let path = try program.file("container.json", text)
    let fault = #expect(throws: Fault.self) { try ContainerOptions.parse(["--container", path]).resolved() }
    #expect(fault?.code == "container-invalid")
    #expect(fault?.message.contains(message) == true, "\(fault?.message ?? "")")
  }

  @Test func someContainersOnlyEverFillTheScreen() throws {
    let banner = Placement(kind: .banner, size: Size(width: 320, height: 50))
    #expect(banner.shown(in: nil) == banner)
    #expect(banner.shown(in: try ContainerOptions.profile("gma")) == banner)
    #expect(banner.shown(in: try ContainerOptions.profile("unity")) == Placement(kind: .interstitial))
  }

  @Test func listsEachContainerWithItsSources() async throws {
    let text = try await program.run("containers")
    for container in ContainerCatalogue.standard.containers {
      #expect(text.output.contains("\(container.name)  \(container.title)\n"))
      for difference in container.differences {
        #expect(text.output.contains("\(difference.source) (\(difference.date))"))
      }
    }
    let json = try await program.run("containers --json")
    #expect(json.output.contains("\"what\" : \"sizeChangeUnit\""))
  }

  @Test func aContainerIsComparedOnce() async throws {
    try program.file("ad.html")
    let outcome = try await program.run("compare-containers ad.html --container gma --container gma")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("[container-twice]"))
  }

  @Test func aCreativeFailsOnlyWhenItFailsEverywhere() {
    let good = RenderRecord.fake(.completed)
    let bad = RenderRecord.fake(.failed, .creative("no-index", ""))
    let broken = RenderRecord.fake(.failed, .engine("disk-full", ""))
    #expect(ExitStatus(Self.verdict([good, bad])) == .pass)
    #expect(ExitStatus(Self.verdict([bad, good])) == .pass)
    #expect(ExitStatus(Self.verdict([bad, bad])) == .findings)
    #expect(ExitStatus(Self.verdict([good, broken])) == .engine)
    #expect(ExitStatus(ContainerVerdict(name: "ad", refusal: bad)) == .findings)
  }

  private static func verdict(_ records: [RenderRecord]) -> ContainerVerdict {
    ContainerVerdict(
      name: "ad",
      showings: records.map { .init(container: "c", record: $0, folder: "ad/c", comparison: ResultVerdict(name: "")) })
  }

  private static func difference(_ what: String, _ value: String) -> String {
    """
    {"name": "a", "title": "A", "differences": [{"what": \(what), "value": \(value), "note": "n",
    "source": "https://example.com/", "date": "2026-01-31"}]}
    """
  }
}
