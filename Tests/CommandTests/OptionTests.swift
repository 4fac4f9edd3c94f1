import Application
import ArgumentParser
import Checks
import Comparison
import Core
import Device
import MRAID
import RenderModel
import Testing

@testable import Terminal
@testable import galley

@Suite struct OptionTests {
  @Test(arguments: [
    ([], nil, Placement(kind: .banner)),
    ([], Placement(kind: .interstitial), Placement(kind: .interstitial)),
    (["--placement", "banner"], Placement(kind: .interstitial), Placement(kind: .banner)),
    (
      ["--placement", "interstitial"], Placement(kind: .banner, size: Size(width: 1, height: 1)),
      Placement(kind: .interstitial)
    ),
    (
      ["--size", "300x250"], Placement(kind: .interstitial),
      Placement(kind: .banner, size: Size(width: 300, height: 250))
    ),
    (
      ["--position", "top"], Placement(kind: .banner, size: Size(width: 300, height: 250), position: .bottom),
      Placement(kind: .banner, size: Size(width: 300, height: 250), position: .top)
    ),
  ])
  func placesByCommandLineThenScenarioThenBanner(arguments: [String], scenario: Placement?, expected: Placement) throws
  {
    #expect(try PlacementOptions.parse(arguments).wish.placement(scenario: scenario) == expected)
  }

  @Test func `a feed is a placement of its own, and needs its file`() throws {
    #expect(try PlacementOptions.parse(["--feed", "f.yaml"]).feed == "f.yaml")
    let banner = Placement(kind: .banner)
    #expect(
      try PlacementOptions.parse(["--placement", "feed", "--feed", "f.yaml"]).wish.placement(scenario: banner).kind
        == .feed)
    for wrong in [
      ["--placement", "feed"], ["--placement", "banner", "--feed", "f"], ["--feed", "f", "--size", "300x250"],
      ["--feed", "f", "--position", "top"],
    ] {
      #expect(throws: (any Error).self) { try PlacementOptions.parse(wrong) }
    }
  }

  @Test(arguments: ["320", "320x", "x50", "0x50", "-1x5", "3.5x5", "320x50x1", "10001x1"])
  func refusesSizes(text: String) {
    #expect(throws: (any Error).self) { try PlacementOptions.parse(["--size", text]) }
  }

  @Test func takesAScreenOfOnesOwn() throws {
    let options = try DeviceOptions.parse(["--screen", "390x844@3", "--orientation", "landscape"])
    #expect(try options.resolved().screen == Size(width: 390, height: 844))
    #expect(options.orientation == .landscape)
  }

  @Test func findsTheDefaultDevice() throws {
    #expect(try DeviceOptions.parse([]).resolved().name == "iphone-15")
    #expect(throws: Fault.self) { try DeviceOptions.parse(["--device", "iphone15x"]).resolved() }
    #expect(throws: (any Error).self) { try DeviceOptions.parse(["--device", "iphone-15", "--screen", "390x844"]) }
  }

  @Test func turnsArgumentsIntoOptions() throws {
    let options = try RenderingOptions.parse([
      "--offline", "--follow-clickthroughs", "--isolation", "session", "--memory", "512",
    ])
    #expect(options.options() == RenderOptions(isolation: .session, followsClickthroughs: true, network: .none))
    #expect(options.limits.limits == Limits(timeout: 30, memory: 512))
  }

  @Test func `language, time zone and a sandbox that has to be there are options of every render`() throws {
    let options = try RenderingOptions.parse(["--locale", "PT-br", "--time-zone", "Asia/Tokyo", "--require-sandbox"])
      .options()
    #expect(options.settings == UserSettings(locale: LanguageTag("pt-BR"), timeZone: TimeZoneName("Asia/Tokyo")))
    #expect(options.requiresSandbox == true)
    let asked = try RenderingOptions.parse(["--color-scheme", "dark", "--reduced-motion"]).options()
    #expect(asked.settings == UserSettings(colorScheme: .dark, reducedMotion: true))
    for wrong in [
      ["--color-scheme", "sepia"], ["--locale", "C"], ["--locale", "en_US"], ["--time-zone", "Asia/Nowhere"],
      ["--time-zone", "../UTC"],
    ] {
      #expect(throws: (any Error).self) { try RenderingOptions.parse(wrong) }
    }
  }

  @Test func addressesAreAllowedBesidesWhereNotAllAre() throws {
    let closed = try RenderingOptions.parse(["--offline", "--allow-network", "127.0.0.0/8"]).options().network
    #expect(closed == NetworkPolicy(.none, allowed: ["127.0.0.0/8"]))
    let open = try RenderingOptions.parse(["--network", "public", "--allow-network", "10.1.0.0/16"]).options().network
    #expect(open == NetworkPolicy(.public, allowed: ["10.1.0.0/16"]))
    #expect(throws: (any Error).self) { try RenderingOptions.parse(["--allow-network", "10.1.0.0/16"]) }
  }

  @Test func nobodyIsToldOfAVideosEventsUnlessThatIsAskedFor() throws {
    #expect(try !RenderingOptions.parse([]).options().sendsBeacons)
    #expect(try RenderingOptions.parse(["--send-beacons"]).options().sendsBeacons)
  }

  @Test func aDateNeedsAClockOfItsOwn() throws {
    let options = try RenderingOptions.parse(["--date", "2026-12-24T18:00:00Z", "--seed", "7"]).options()
    #expect(options == RenderOptions(clock: .virtual, date: 1_798_135_200, seed: 7))
    #expect(throws: (any Error).self) {
      try RenderingOptions.parse(["--date", "2026-12-24T18:00:00Z", "--clock", "real"])
    }
    #expect(throws: (any Error).self) { try RenderingOptions.parse(["--date", "christmas"]) }
    #expect(throws: (any Error).self) { try RenderingOptions.parse(["--seed", "-1"]) }
  }

  @Test func readsInstants() throws {
    let captures = try CaptureOptions.parse(["--at", "5, 0,1.5,5", "--filmstrip", "0.5", "--filmstrip-length", "2"])
      .captures
    #expect(captures.instants == [0, 1.5, 5])
    #expect(captures.filmstrip?.instants == [0, 0.5, 1, 1.5, 2])
    #expect(try CaptureOptions.parse([]).captures.isEmpty)
    #expect(try CaptureOptions.parse(["--filmstrip", "1"]).captures.filmstrip?.instants.count == 16)
  }

  @Test(arguments: [
    "--at ,", "--at 1,,2", "--at -1", "--at 301", "--at nan", "--at 1s", "--filmstrip 0", "--filmstrip 61",
    "--filmstrip-length 3", "--filmstrip 2 --filmstrip-length 1", "--filmstrip 0.05 --filmstrip-length 60",
  ])
  func refusesOtherInstants(arguments: String) {
    #expect(throws: (any Error).self) { try CaptureOptions.parse(arguments.split(separator: " ").map(String.init)) }
  }

  @Test func creativesLiveInTheirOwnTimeUnlessTheMachinesIsWanted() throws {
    let captures = CaptureSchedule(instants: [30])
    #expect(try RenderingOptions.parse([]).options(captures).clock == .virtual)
    #expect(try RenderingOptions.parse([]).options().clock == .virtual)
    #expect(try RenderingOptions.parse(["--clock", "real"]).options().clock == .real)
    #expect(try RenderingOptions.parse(["--clock", "real"]).options(captures).clock == .real)
    #expect(try RenderingOptions.parse([]).options(isFeed: true).clock == .real)
    #expect(try RenderingOptions.parse(["--clock", "virtual"]).options(isFeed: true).clock == .virtual)
    #expect(try RenderingOptions.parse(["--date", "2026-12-24T18:00:00Z"]).options(isFeed: true).clock == .virtual)
    #expect(throws: (any Error).self) { try RenderCommand.parse(["ad", "--at", "30", "--clock", "real"]) }
    #expect(throws: (any Error).self) { try RenderCommand.parse(["ad", "--at", "3", "--explore"]) }
    #expect(throws: Never.self) { try RenderCommand.parse(["ad", "--at", "30", "--clock", "real", "--timeout", "40"]) }
  }
}

@Suite struct ContainerOptionTests {
  private let program: GalleyProgram

  init() throws { program = try GalleyProgram() }

  @Test func theStandardIsNoContainerOfItsOwn() throws {
    #expect(try ContainerOptions.parse([]).resolved() == nil)
    #expect(try ContainerOptions.parse(["--container", "spec"]).resolved() == nil)
    #expect(try ContainerOptions.parse(["--container", "gma"]).resolved()?.name == "gma")
  }

  @Test func theContainerOfTheProfilesIsTakenIfTheCallNamesNone() throws {
    func profile(_ container: String?) -> Profile { Profile(id: "x", title: "X", container: container, rules: []) }
    let applovin = [profile("applovin"), profile(nil)]
    #expect(try ContainerOptions.parse([]).resolved(for: applovin)?.name == "applovin")
    #expect(try ContainerOptions.parse([]).resolved(for: applovin + [profile("unity")]) == nil)
    #expect(try ContainerOptions.parse([]).resolved(for: [profile(nil)]) == nil)
    #expect(try ContainerOptions.parse(["--container", "gma"]).resolved(for: applovin)?.name == "gma")
    #expect(try ContainerOptions.parse(["--container", "spec"]).resolved(for: applovin) == nil)
  }

  @Test func anUnknownContainerIsTheCallersFaultAndAllAreNamed() throws {
    let fault = #expect(throws: Fault.self) { try ContainerOptions.parse(["--container", "gam"]).resolved() }
    #expect(fault?.code == "container-unknown")
    #expect(fault?.message.contains("prebid-ios") == true)
  }

  @Test(arguments: [
    ("{", "invalid JSON"), ("{\"name\": \"a\"}", "title is missing"),
    (difference("\"colour\"", "true"), "differences.0.what must be one of version"),
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
    #expect(banner.shown(in: try ContainerFile.named("gma")) == banner)
    #expect(banner.shown(in: try ContainerFile.named("unity")) == Placement(kind: .interstitial))
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
    #expect(outcome.errors.contains("[container-duplicate]"))
  }

  @Test func aCreativeFailsOnlyWhenItFailsEverywhere() {
    let good = RenderRecord.fake(.completed)
    let bad = RenderRecord.fake(.failed, .creative("index-missing", ""))
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
      runs: records.map { .init(container: "c", record: $0, folder: "ad/c", comparison: ResultVerdict(name: "")) })
  }

  private static func difference(_ what: String, _ value: String) -> String {
    """
    {"name": "a", "title": "A", "differences": [{"what": \(what), "value": \(value), "note": "n",
    "source": "https://example.com/", "date": "2026-01-31"}]}
    """
  }
}
