import Exploration
import Jobs
import MRAID
import Testing

@Suite("Exploring with swipes and typing")
struct FingerTests {
  private static func surface(
    _ place: Double, _ directions: [SwipeDirection], _ reasons: [String] = ["overflow-x"], shows: String = ""
  ) -> SwipeSurface {
    SwipeSurface(
      selector: "#row", element: "#row", reasons: reasons, directions: directions, place: Point(x: place, y: 0),
      shows: shows)
  }

  /// Three slides that read the same, with a button on the last.
  private static let slides = FakeCreative(rooms: [
    "start": .init(surfaces: [surface(0, [.left])], ways: ["#row left": "second"]),
    "second": .init(surfaces: [surface(1, [.left, .right])], ways: ["#row left": "third", "#row right": "start"]),
    "third": .init(
      targets: [.button("#buy")], surfaces: [surface(3, [.right])], ways: ["#row right": "second", "#buy": "sold"]),
    "sold": .init(text: "Sold", targets: [.button("#again")], ways: ["#again": "start"]),
  ])

  /// A form of two fields whose button comes when both are filled in.
  private static let form = FakeCreative(rooms: [
    "start": .init(
      targets: [.button("#name")],
      fields: [
        EntryField(selector: "#name", element: "#name", group: "#form"),
        EntryField(selector: "#size", element: "#size", kind: .choice, entry: "Large", group: "#form"),
        EntryField(selector: "#other", element: "#other"),
      ], ways: ["#name": "half", "#size": "nowhere"]),
    "half": .init(
      fields: [EntryField(selector: "#name", element: "#name", isFilled: true, group: "#form")],
      ways: ["#size": "full"]),
    "full": .init(
      targets: [.button("#send")],
      fields: [
        EntryField(selector: "#name", element: "#name", isFilled: true, group: "#form"),
        EntryField(selector: "#size", element: "#size", kind: .choice, entry: "Large", isFilled: true, group: "#form"),
      ], ways: ["#send": "start"]),
  ])

  @Test("follows a list slide by slide, though its text and targets stay the same")
  func slides() {
    let found = Self.slides.exploration()
    #expect(found.states.count == 4)
    let ways = found.edges.map { "\($0.from) \($0.act.label) \($0.to ?? 0)" }.filter { $0.contains("#") }
    #expect(
      ways == [
        "1 swipe #row left 2", "2 swipe #row left 3", "2 swipe #row right 1", "3 tap #buy 4", "3 swipe #row right 2",
        "4 tap #again 1",
      ])
    #expect(found.oddities.isEmpty)
  }

  @Test("tells a carousel's slides apart by what they show")
  func shows() {
    var creative = Self.slides
    for (room, shows) in [("start", "#a"), ("second", "#b"), ("third", "#c")] {
      creative.rooms[room]?.surfaces = [Self.surface(0, [.left, .right], ["listener:touchmove"], shows: shows)]
    }
    #expect(creative.exploration().states.count == 4)
  }

  @Test("replays a swipe as one step, without a pause for what the engine itself scrolls")
  func replay() {
    let paths = Self.slides.exploration().states.map(\.path)
    #expect(paths[1] == [.swipeOver("#row", .left)])
    #expect(paths[2].prefix(2) == [.swipeOver("#row", .left), .swipeOver("#row", .left)])
  }

  @Test("fills in all of a form at once, taps no field for itself, and expects what was typed at the end")
  func form() {
    let found = Self.form.exploration()
    #expect(found.edges.map(\.act.label).prefix(2) == ["fill in #name, #size", "fill in #other"])
    let filled = found.states.first { $0.seen.fields.contains { $0.element == "#size" && $0.isFilled } }
    #expect(
      filled?.path.prefix(2) == [
        .type(text: "Galley", into: .selector("#name")), .choose(option: "Large", from: .selector("#size")),
      ])
    let values = (filled?.expectations ?? []).compactMap { expectation -> JSONValue? in
      if case .evaluate(_, let value) = expectation { value } else { nil }
    }
    #expect(values.contains("Galley") && values.contains("Large"))
  }

  @Test("a swipe that does nothing is odd where none does anything, and only where something claims that it does")
  func deadSwipe() {
    var creative = FakeCreative(rooms: [
      "start": .init(surfaces: [Self.surface(0, [.left, .right], ["listener:touchmove"])], ways: [:])
    ])
    #expect(creative.exploration().odd == ["dead-swipe in 1: swipe #row left"])
    creative.rooms["start"]?.events["#row right"] = [(.creative, "open", [:])]
    #expect(creative.exploration().odd == [])
    creative.rooms["start"]?.events = [:]
    for reason in ["listener:touchmove@document", "overflow-y"] {
      creative.rooms["start"]?.surfaces = [Self.surface(0, [.left], [reason])]
      #expect(creative.exploration().odd == [], "\(reason)")
    }
  }

  @Test("a field that takes nothing is odd")
  func deadField() {
    let creative = FakeCreative(rooms: ["start": .init(fields: [EntryField(selector: "#name", element: "#name")])])
    #expect(creative.exploration().odd == ["dead-field in 1: fill in #name"])
  }

  @Test("finds the same in whatever order the trials come back")
  func order() {
    for creative in [Self.slides, Self.form] {
      let one = creative.explored()
      let two = creative.explored(atOnce: 3) { $0.reversed() }
      #expect(one.ways == two.ways)
      #expect(one.states.map(\.path) == two.states.map(\.path))
    }
  }
}
