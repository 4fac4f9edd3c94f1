import Core
import Testing

@testable import MRAID

@Suite struct DeviceTests {
  private func ready(supports: Set<String> = Container.allFeatures, confirms: Bool = true) -> Container {
    var container = Container(supports: supports, confirms: confirms)
    container.send(.loaded(.one))
    return container
  }

  @Test(arguments: [
    "https://a.example/?a=b c", "http://a.example", "tel:+123", "sms:123", "mailto:a@b.c", "app://x", "HTTPS://A",
  ])
  func openHandsTheURLToTheHost(_ url: String) {
    var container = ready()
    #expect(container.call(.open(url: " \(url)\n"), gesture: true) == [.open(url, gesture: true)])
  }

  @Test(arguments: [
    "", "  ", "landing.html", "//a.example", "%%CLICK%%", "javascript:void(0)", "about:blank", "file:///a", "https:",
    "https://",
    "http:///x", "https:a.example", "tel:", "https://a.example/\u{0}",
  ])
  func openOfWhatIsNoURLIsAnError(_ url: String) {
    var container = ready()
    let effects = container.call(.open(url: url))
    #expect(effects.errors() == ["open"])
    #expect(effects.count == 1)
  }

  @Test(arguments: ["sms:1", "tel:1", "TEL:1"])
  func openOfAnUnsupportedFeatureIsAnError(_ url: String) {
    var container = ready(supports: [])
    #expect(container.call(.open(url: url)).errors() == ["open"])
  }

  @Test(arguments: ["video.mp4", "https://a.example/v.mp4", "data:video/mp4;base64,AA=="])
  func playVideoHandsTheURIToTheHost(_ uri: String) {
    var container = ready()
    #expect(container.call(.playVideo(uri: uri)) == [.playVideo(uri)])
  }

  @Test(arguments: ["", " ", "javascript:1", "about:blank", "v\u{7}.mp4"])
  func playVideoOfNothingIsAnError(_ uri: String) {
    var container = ready()
    #expect(container.call(.playVideo(uri: uri)).errors() == ["playVideo"])
  }

  @Test func confirmedPicturesAndEventsAreHandedOver() {
    var container = ready()
    #expect(container.call(.storePicture(uri: "p.png")) == [.storePicture("p.png", confirmed: true)])
    let event: JSONValue = ["description": "d", "start": "2030-01-01"]
    #expect(container.call(.createCalendarEvent(event)) == [.createCalendarEvent(event, confirmed: true)])
  }

  static let dates = [
    "2030-01-01", "2030-01-01T09:00", "2030-01-01T09:00Z", "2030-01-01T09:00-08:00", "2030-01-01T09:00:30.125+0530",
    "2028-02-29T23:59:59Z", "0000-01-01", "9999-12-31T23:59:59+14:00",
  ]

  @Test(arguments: dates)
  func aDateIsOneOfTheStandards(_ date: String) {
    var container = ready()
    let event: JSONValue = ["description": "d", "start": .string(date), "recurrence": ["expires": .string(date)]]
    #expect(container.call(.createCalendarEvent(event)) == [.createCalendarEvent(event, confirmed: true)])
  }

  static let wrongDates: [(JSONValue, String)] = [
    (["start": "soon"], "start isn't a date: soon"), (["start": ""], "start isn't a date: "),
    (["start": "2030-02-29"], "start isn't a date: 2030-02-29"),
    (["start": "2030-13-01"], "start isn't a date: 2030-13-01"),
    (["start": "2030-01-00"], "start isn't a date: 2030-01-00"),
    (["start": 1_893_456_000_000], "start isn't a date: 1893456000000"),
    (["start": ["a": 1]], #"start isn't a date: {"a":1}"#),
    (["start": "2030-01-01T24:00"], "start isn't a date: 2030-01-01T24:00"),
    (["start": "01/04/2030 16:00"], "start isn't a date: 01/04/2030 16:00"),
    (["start": "2030-01-01", "end": "later"], "end isn't a date: later"),
    (["start": "2030-01-02T09:00Z", "end": "2030-01-02T09:30+01:00"], "end is before start"),
    (["start": "2030-01-01", "recurrence": ["expires": "never"]], "recurrence.expires isn't a date: never"),
    (["recurrence": ["exceptionDates": ["2030-01-01", "x"]]], "recurrence.exceptionDates isn't a date: x"),
  ]

  @Test(arguments: wrongDates)
  func whatIsNoDateIsAnError(_ event: JSONValue, _ message: String) {
    var container = ready()
    #expect(
      container.call(.createCalendarEvent(event)).events()
        == [MRAIDEvent("error", [.string(message), "createCalendarEvent"])])
  }

  @Test func refusalIsAnErrorAfterTheAttempt() {
    var container = ready(confirms: false)
    let image = container.call(.storePicture(uri: "p.png"))
    #expect(image.first == .storePicture("p.png", confirmed: false))
    #expect(image.errors() == ["storePicture"])
    let event = container.call(.createCalendarEvent(["description": "d"]))
    #expect(event.first == .createCalendarEvent(["description": "d"], confirmed: false))
    #expect(event.errors() == ["createCalendarEvent"])
  }

  static let unsupported: [(MRAIDCommand, String)] = [
    (.storePicture(uri: "p.png"), "storePicture"), (.createCalendarEvent(["a": 1]), "createCalendarEvent"),
    (.initVpaid, "initVpaid"),
  ]

  @Test(arguments: unsupported)
  func unsupportedFeaturesAreErrors(_ command: MRAIDCommand, _ action: String) {
    var container = ready(supports: [])
    let effects = container.call(command)
    #expect(effects.errors() == [action])
    #expect(effects.count == 1)
  }

  static let empty: [(MRAIDCommand, String)] = [
    (.storePicture(uri: ""), "storePicture"), (.createCalendarEvent([:]), "createCalendarEvent"),
    (.createCalendarEvent("x"), "createCalendarEvent"),
  ]

  @Test(arguments: empty)
  func emptyRequestsAreErrors(_ command: MRAIDCommand, _ action: String) {
    var container = ready()
    #expect(container.call(command).errors() == [action])
  }

  @Test func initVpaidIsToldToTheHost() {
    var container = ready()
    #expect(container.call(.initVpaid) == [.vpaid("init")])
  }

  @Test func misuseIsAnsweredWithItsMessage() {
    var container = ready()
    let effects = container.call(.misuse(action: "open", message: "open needs a URL string, not nothing"))
    #expect(effects.events() == [MRAIDEvent("error", ["open needs a URL string, not nothing", "open"])])
  }
}
