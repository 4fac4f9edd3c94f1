import Foundation
import RenderModel
import Testing

/// Settings of the user on a phone, as callers write them.
@Suite struct UserSettingsTests {
  @Test(arguments: [
    ("en", "en"), ("PT-br", "pt-BR"), ("ZH-HANT-tw", "zh-Hant-TW"), ("es-419", "es-419"), ("gsw-CH", "gsw-CH"),
    ("de-CH-1996", "de-CH-1996"), ("sl-ROZAJ-BISKE", "sl-rozaj-biske"),
  ])
  func `a tag has its letters in the case that is recommended`(text: String, expected: String) {
    #expect(LanguageTag(text)?.text == expected)
  }

  @Test(arguments: [
    "", "C", "e", "posix", "en_US", "en-", "-en", "en--US", "en-US-u-va-posix", "x-mine", "i-klingon", "en-US.UTF-8",
    "de-1996-1996", "en-US\r\nCookie: a", "日本", "en-US-abcdefghi", String(repeating: "a-", count: 20), "en\u{0}",
  ])
  func `what is no tag is refused`(text: String) { #expect(LanguageTag(text) == nil) }

  @Test(arguments: ["UTC", "Asia/Tokyo", "America/Argentina/Buenos_Aires", "America/Port-au-Prince"])
  func `zones of the system's database are there`(text: String) throws {
    #expect(try #require(TimeZoneName(text)).isInstalled)
  }

  @Test(arguments: [
    "", "/etc/passwd", "../../../etc/passwd", "Asia/../Europe/Paris", "posix/Asia/Tokyo", "right/UTC", "posixrules",
    "localtime", ":Asia/Tokyo", "Asia/", "a/b/c/d", "Asia/Tokyo\n", "EST5EDT,M3.2.0", String(repeating: "a", count: 41),
    "+01:00", "Äsia",
  ])
  func `what can't be a zone is refused`(text: String) { #expect(TimeZoneName(text) == nil) }

  @Test(arguments: ["Asia/Nowhere", "Asia", "zone1970.tab", "tzdata", "leapseconds"])
  func `a zone that isn't there is known as such`(text: String) {
    #expect(TimeZoneName(text)?.isInstalled != true)
  }

  @Test func `both come back from JSON, and what is none doesn't`() throws {
    var options = RenderOptions()
    (options.locale, options.timeZone) = (LanguageTag("fr-CA"), TimeZoneName("Asia/Tokyo"))
    let text = try JSONEncoder().encode(options)
    #expect(try JSONDecoder().decode(RenderOptions.self, from: text) == options)
    for wrong in ["C", "en_US", "../x"] {
      let broken = String(decoding: text, as: UTF8.self).replacing("fr-CA", with: wrong)
      #expect(throws: (any Error).self) { try JSONDecoder().decode(RenderOptions.self, from: Data(broken.utf8)) }
    }
  }

  @Test func `a baseline of others than the standard has a name of its own`() {
    #expect(UserSettings().words == [])
    #expect(
      UserSettings(locale: .standard, timeZone: .standard, colorScheme: .light, reducedMotion: false).words == [])
    let settings = UserSettings(
      locale: LanguageTag("ja-JP"), timeZone: TimeZoneName("Asia/Tokyo"), colorScheme: .dark, reducedMotion: true)
    #expect(settings.words == ["ja-JP", "Asia-Tokyo", "dark", "reduced-motion"])
    var options = RenderOptions(settings: settings)
    #expect(options.settings == settings)
    options.assume(UserSettings(locale: LanguageTag("de-DE"), colorScheme: .light, reducedMotion: false))
    #expect(options.settings == settings)
    (options.locale, options.timeZone, options.colorScheme, options.reducedMotion) = (.standard, nil, .light, false)
    #expect(options.settings == UserSettings())
  }
}
