import Checks
import Exploration
import Jobs
import MRAID
import Testing

@Suite("Each check")
struct CheckCaseTests {
  /// Checks that other suites show at work.
  private static let elsewhere: Set<String> = [Check.expiredSuppressionID]

  @Test("finds what it is for", arguments: CheckCase.all)
  func trips(example: CheckCase) throws {
    let check = try #require(Check.named(example.id))
    let remarks = try #require(try check.judge(example.trips), "it had nothing to judge")
    #expect(remarks.count == 1)
    #expect(remarks.allSatisfy { !$0.message.isEmpty && !$0.message.contains("\n") })
  }

  @Test("leaves alone what comes near and is well", arguments: CheckCase.all)
  func passes(example: CheckCase) throws {
    let check = try #require(Check.named(example.id))
    let remarks = try #require(try check.judge(example.passes), "it had nothing to judge")
    #expect(remarks.map(\.message) == [])
  }

  @Test("without profiles has nothing to say where numbers are the networks'", arguments: CheckCase.all)
  func withoutProfiles(example: CheckCase) throws {
    let check = try #require(Check.named(example.id))
    guard check.needsProfile else { return }
    var evidence = example.trips
    evidence.profiles = []
    #expect(try check.judge(evidence) == nil)
  }

  @Test("judges what never rendered without a word of its own")
  func nothing() throws {
    var evidence = Evidence.made()
    evidence.journeys = []
    evidence.record.outcome = .failed
    for check in Check.all { #expect(try check.judge(evidence) == nil, "\(check.id)") }
  }

  @Test("a host's close control that turning moved weighs less than a close button that is covered")
  func hostControl() throws {
    let check = try #require(Check.named("covered-close"))
    let oddities: [ExploredStates.Odd] = [
      .init(.closeCovered, "div#x is covered", state: 2),
      .init(.closeCovered, "partly outside", action: "rotate and back"),
    ]
    let remarks = try #require(try check.judge(.made(explored: ExploredStates(oddities: oddities))))
    #expect(remarks.map(\.severity) == [nil, .warning])
    #expect(remarks.map(\.message) == ["div#x is covered", "rotate and back: partly outside"])
  }

  @Test(
    "a dead end in a banner's slot weighs less than one that holds the screen",
    arguments: [(MRAIDState.default, Severity?.some(.note)), (.expanded, nil)])
  func deadEnd(state: MRAIDState, severity: Severity?) throws {
    let check = try #require(Check.named("no-way-out"))
    let explored = ExploredStates(
      oddities: [.init(.noWayOut, "nothing leaves it", state: 1)],
      states: [Observation(moment: "start", state: state, targets: [])])
    #expect(try check.judge(.made(explored: explored))?.map(\.severity) == [severity])
  }

  @Test("has an id of its own in kebab-case, an explanation, a remedy and a source")
  func catalogue() {
    #expect(Set(Check.all.map(\.id)).count == Check.all.count)
    #expect(Check.all.count >= 40)
    for check in Check.all {
      #expect(check.id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(check.id)")
      for text in [check.title, check.why, check.remedy, check.source.title] { #expect(!text.isEmpty, "\(check.id)") }
      #expect(check.why.hasSuffix(".") && check.remedy.hasSuffix("."), "\(check.id)")
      #expect(check.source.url.contains(":"), "\(check.id)")
    }
    let families = Check.all.map(\.family)
    #expect(families == CheckFamily.allCases.flatMap { family in families.filter { $0 == family } })
  }

  @Test("of the families that need no engine has a case here")
  func complete() {
    let measured: Set<CheckFamily> = [.heavyAd, .accessibility]
    let cases = Set(CheckCase.all.map(\.id)).union(Self.elsewhere)
    for check in Check.all where !measured.contains(check.family) && !check.isMeasured {
      #expect(cases.contains(check.id), "\(check.id) has no case")
    }
  }
}

extension Check {
  fileprivate static let expiredSuppressionID = "expired-suppression"
  /// Checks of measured motion and layout are shown at work by creatives, in `MeasuredCheckTests`.
  fileprivate var isMeasured: Bool {
    (family == .layout && id != "blank-render") || id.contains("motion") || id.contains("flash")
      || ["no-end-frame", "loop-count"].contains(id)
  }
}
