import Testing

@testable import Pixels

@Suite struct ContactSheetTests {
  private static func frame(_ rgb: UInt32, width: Int = 300, height: Int = 50) -> Bitmap {
    Bitmap(width: width, height: height, fill: Color(rgb: rgb))
  }

  @Test func setsFramesInRowsWithTheirInstantsBelow() {
    let sheet = ContactSheet.draw((0..<7).map { Self.frame($0) }, captions: (0..<7).map { "\($0)s" })
    // Five to a row of 1600: 10 between and around them, 22 for the text.
    #expect((sheet.width, sheet.height) == (5 * 310 + 10, 2 * 82 + 10))
    #expect((0..<7).allSatisfy { sheet[10 + $0 % 5 * 310, 10 + $0 / 5 * 82] == Color(rgb: UInt32($0)) })
    let ink = Color(rgb: 0x33_3333)
    #expect((10..<40).contains { x in (64..<80).contains { sheet[x, $0] == ink } })
    #expect(!(10..<40).contains { x in (60..<64).contains { sheet[x, $0] == ink } })
  }

  @Test func hasRoomForAFrameWiderThanASheet() {
    let sheet = ContactSheet.draw([Self.frame(1, width: 2000), Self.frame(2, width: 2000)], captions: ["0s", "1s"])
    #expect((sheet.width, sheet.height) == (2020, 2 * 82 + 10))
  }

  @Test func ofNothingIsEmpty() { #expect(ContactSheet.draw([], captions: []).pixels.isEmpty) }

  @Test func writesAsWideAsItSays() {
    var blank = Bitmap(width: 60, height: 20, fill: .white)
    let width = blank.draw("1.5s?", x: 2, y: 2, size: 1, color: .black)
    #expect(width == 6 + 3 + 6 + 6 + 6)
    let inked = (0..<60).filter { x in (0..<20).contains { blank[x, $0] == .black } }
    #expect(inked.first == 3)
    #expect((inked.last ?? 60) < 2 + 21)
  }
}
