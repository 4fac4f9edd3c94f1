import Testing
import VAST

@Suite("A moment of a film")
struct VASTOffsetTests {
  @Test(
    "is read from a time or a share",
    arguments: [
      ("00:00:05", VASTOffset.seconds(5)), ("01:02:03", .seconds(3723)), ("00:00:05.250", .seconds(5.25)),
      ("00:00:05.5", .seconds(5.5)), (" 25% ", .share(0.25)), ("0%", .share(0)), ("12.5%", .share(0.125)),
    ])
  func read(text: String, offset: VASTOffset) { #expect(VASTOffset(text) == offset) }

  @Test(
    "is nothing else",
    arguments: ["", "5", "00:05", "00:00:60", "00:60:00", "-00:00:05", "00:00:05.", "00:00:05.1234", "101%", "%", "a%"])
  func refused(text: String) { #expect(VASTOffset(text) == nil) }

  @Test("is counted from the film's length where it is a share")
  func seconds() {
    #expect(VASTOffset.share(0.25).seconds(of: 8) == 2)
    #expect(VASTOffset.share(0.25).seconds(of: nil) == nil)
    #expect(VASTOffset.seconds(3).seconds(of: nil) == 3)
  }

  @Test("is written as the standard writes times", arguments: [(0, "00:00:00.000"), (3723.25, "01:02:03.250")])
  func text(seconds: Double, text: String) { #expect(VASTOffset.text(seconds) == text) }
}
