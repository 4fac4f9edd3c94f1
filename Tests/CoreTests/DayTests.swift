import Core
import Testing

@Suite struct DayTests {
  @Test(arguments: ["2026-08-19", "2024-02-29", "2000-02-29", "2026-12-31", "2026-04-30"])
  func aDateOfTheCalendarIsOne(text: String) { #expect(Day.isDay(text)) }

  @Test(arguments: [
    "2026-02-29", "2100-02-29", "2026-02-31", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "26-01-01",
    "2026-1-1", "2026/01/01", "", "2026-01-1x", "-026-01-01",
  ])
  func anyOtherTextIsNone(text: String) { #expect(!Day.isDay(text)) }
}
