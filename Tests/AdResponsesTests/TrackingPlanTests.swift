import AdResponses
import Testing

@Suite("Who is told of what")
struct TrackingPlanTests {
  @Test("finds addresses by every word that versions have for an event")
  func words() async throws {
    let events = ["fullscreen", "playerExpand", "exitFullscreen", "close", "start", "progress"]
    let tracking = events.map { event in
      "<Tracking event=\"\(event)\"\(event == "progress" ? " offset=\"50%\"" : "")>https://t.example/\(event)</Tracking>"
    }
    let text = Documents.inLine(
      "<Impression>https://i.example</Impression>" + Documents.video(tracking: tracking.joined()))
    let plan = TrackingPlan(ad: try await Documents.resolve(text).ads[0], duration: 8)
    #expect(plan.beacons(.expand) == ["https://t.example/fullscreen", "https://t.example/playerExpand"])
    #expect(plan.beacons(.collapse) == ["https://t.example/exitFullscreen"])
    #expect(plan.beacons(.closeLinear) == ["https://t.example/close"])
    #expect(plan.beacons(.impression) == ["https://i.example"])
    #expect(plan.beacons(.complete) == [])
    #expect(plan.progress == [4])
    #expect(plan.beacons(.progress(4)) == ["https://t.example/progress"])
    #expect(plan.beacons(.progress(3)) == [])
  }
}

@Suite("Which companion becomes the end card")
struct CompanionChoiceTests {
  private func companion(
    _ width: Double, _ height: Double, _ resource: VASTResource?, mode: String? = nil
  ) -> VASTCompanion {
    VASTCompanion(
      width: width, height: height, resources: resource.map { [$0] } ?? [], clickTracking: [], tracking: [],
      renderingMode: mode)
  }

  private let screenshot = VASTResource.screenshot(url: "a.png", type: "image/png")
  private let flash = VASTResource.screenshot(url: "a.swf", type: "application/x-shockwave-flash")

  @Test("the nearest in size of those that can be shown; one meant for it before all")
  func choice() {
    let companions = [companion(728, 90, screenshot), companion(300, 250, screenshot), companion(390, 800, flash)]
    #expect(CompanionChoice.endCard(of: companions, width: 390, height: 763)?.companion.width == 300)
    let meant = companions + [companion(970, 250, .html("x"), mode: "end-card")]
    #expect(CompanionChoice.endCard(of: meant, width: 390, height: 763)?.companion.width == 970)
    #expect(CompanionChoice.endCard(of: [companion(300, 250, flash)], width: 1, height: 1) == nil)
    #expect(CompanionChoice.endCard(of: [], width: 1, height: 1) == nil)
  }

  @Test("required ones that can't be shown are a problem")
  func required() {
    let (good, bad) = (companion(1, 1, screenshot), companion(1, 1, flash))
    #expect(CompanionChoice.problem(with: [bad], required: .none) == nil)
    #expect(CompanionChoice.problem(with: [bad, good], required: .any) == nil)
    #expect(CompanionChoice.problem(with: [bad], required: .any)?.code == .companionRequired)
    #expect(CompanionChoice.problem(with: [good], required: .all) == nil)
    #expect(CompanionChoice.problem(with: [good, good], required: .all)?.code == .companionRequired)
  }
}

@Suite("Macros in an address")
struct VASTMacroTests {
  private let macros = VASTMacros(["ERRORCODE": "403", "ASSETURI": "https://a.example/x y?b=ü", "VASTVERSIONS": "2,3"])

  @Test(
    "are replaced by percent-encoded values",
    arguments: [
      ("https://e.example/?c=[ERRORCODE]", "https://e.example/?c=403"),
      ("[ASSETURI]", "https%3A%2F%2Fa.example%2Fx%20y%3Fb%3D%C3%BC"),
      ("v=[VASTVERSIONS]", "v=2,3"),
      ("[ERRORCODE][ERRORCODE]", "403403"),
      ("no macro", "no macro"),
    ])
  func replaced(address: String, result: String) { #expect(macros.replaced(in: address) == result) }

  @Test("of the standard that nobody knows the value of are -1")
  func unknown() { #expect(macros.replaced(in: "[LATLONG]&[IFA]") == "-1&-1") }

  @Test(
    "of the list that 4.3 refers to are all known",
    arguments: [
      "PLAYBACKMETHODS", "GPPSTRING", "GPPSECTIONID", "DSAREQUIRED", "DSAPARAMS", "DSAPUBRENDER", "STOREID",
      "CONTENTCAT",
    ])
  func newest(name: String) { #expect(macros.replaced(in: "a=[\(name)]") == "a=-1") }

  @Test(
    "that aren't the standard's stay as they are, and so does what only looks like one",
    arguments: ["a[0]=1", "[FOO]", "[ERRORCODE", "]", "[[", "http://[::1]:80/"])
  func others(address: String) { #expect(macros.replaced(in: address) == address) }

  @Test("are found inside other brackets")
  func nested() { #expect(macros.replaced(in: "a[x[ERRORCODE]]") == "a[x403]") }

  @Test("that differ from run to run can be left in place")
  func leaving() {
    var macros = macros
    macros.values["TIMESTAMP"] = "2026"
    #expect(
      macros.replaced(in: "[TIMESTAMP]/[ERRORCODE]", leaving: VASTMacros.volatile) == "[TIMESTAMP]/403")
  }

  @Test("none of the standard's error codes is there twice, and all lie between 100 and 902")
  func codes() {
    let codes = VASTErrorCode.allCases.map(\.rawValue)
    #expect(codes == codes.sorted())
    #expect(Set(codes).count == 38)
    #expect(codes.first == 100 && codes.last == 902)
  }
}
