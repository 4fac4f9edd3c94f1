import Testing
import VAST

@Suite("Who is told of what")
struct TrackingPlanTests {
  @Test("finds addresses by every word that versions have for an event")
  func words() async throws {
    let events = ["fullscreen", "playerExpand", "exitFullscreen", "close", "start", "progress"]
    let tracking = events.map { event in
      "<Tracking event=\"\(event)\"\(event == "progress" ? " offset=\"50%\"" : "")>https://t.example/\(event)</Tracking>"
    }
    let text = Documents.inLine(
      "<Impression>https://i.example</Impression>" + Documents.film(tracking: tracking.joined()))
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

  private let picture = VASTResource.picture(url: "a.png", type: "image/png")
  private let flash = VASTResource.picture(url: "a.swf", type: "application/x-shockwave-flash")

  @Test("the nearest in size of those that can be shown; one meant for it before all")
  func choice() {
    let companions = [companion(728, 90, picture), companion(300, 250, picture), companion(390, 800, flash)]
    #expect(CompanionChoice.endCard(of: companions, width: 390, height: 763)?.companion.width == 300)
    let meant = companions + [companion(970, 250, .html("x"), mode: "end-card")]
    #expect(CompanionChoice.endCard(of: meant, width: 390, height: 763)?.companion.width == 970)
    #expect(CompanionChoice.endCard(of: [companion(300, 250, flash)], width: 1, height: 1) == nil)
    #expect(CompanionChoice.endCard(of: [], width: 1, height: 1) == nil)
  }

  @Test("required ones that can't be shown are a problem")
  func required() {
    let (good, bad) = (companion(1, 1, picture), companion(1, 1, flash))
    #expect(CompanionChoice.problem(with: [bad], required: .none) == nil)
    #expect(CompanionChoice.problem(with: [bad, good], required: .any) == nil)
    #expect(CompanionChoice.problem(with: [bad], required: .any)?.code == .companionRequired)
    #expect(CompanionChoice.problem(with: [good], required: .all) == nil)
    #expect(CompanionChoice.problem(with: [good, good], required: .all)?.code == .companionRequired)
  }
}
