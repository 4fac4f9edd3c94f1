import AdExperience
import Testing
import VAST

/// A companion made into a page.
@Suite struct EndCardTests {
  private func card(_ inside: String) throws -> EndCard {
    let text = """
      <VAST version="4.2"><Ad><InLine><Creatives><Creative><CompanionAds><Companion width="300" height="250">\(inside)
      </Companion></CompanionAds></Creative></Creatives></InLine></Ad></VAST>
      """
    let ad = try #require(VASTResolver.inLine(VASTParser.parse(Array(text.utf8))))
    return try #require(EndCard(of: ad, width: 390, height: 763))
  }

  @Test func aPictureIsALinkToTheAdvertiser() throws {
    let card = try card(
      "<StaticResource>a.png</StaticResource><AltText>\"Larch\"</AltText><CompanionClickThrough>https://l.example?a&amp;b</CompanionClickThrough>"
    )
    let html = card.html { "https://cdn.example/\($0)" }
    #expect(
      html.contains(
        "<a id=\"companion\" href=\"https://l.example?a&amp;b\" target=\"_blank\"><img src=\"https://cdn.example/a.png\" alt=\"&quot;Larch&quot;\" width=\"300\" height=\"250\"></a>"
      ))
  }

  @Test(arguments: ["1e19", "nan", "-1", "0", "9223372036854775808", "1e308", "2147483649"])
  func aSizeThatIsNoneIsNeverAnEnd(size: String) throws {
    let text = """
      <VAST version="4.2"><Ad><InLine><Creatives><Creative><CompanionAds>
      <Companion width="300" height="250" assetWidth="\(size)" assetHeight="\(size)"><StaticResource>a.png</StaticResource>
      </Companion></CompanionAds></Creative></Creatives></InLine></Ad></VAST>
      """
    let ad = try #require(VASTResolver.inLine(VASTParser.parse(Array(text.utf8))))
    let card = try #require(EndCard(of: ad, width: 390, height: 763))
    #expect(card.html { $0 }.contains("<img src=\"a.png\""))
  }

  @Test func markupStaysAsItCame() throws {
    #expect(try card("<HTMLResource><![CDATA[<b>&amp;</b>]]></HTMLResource>").html { $0 } == "<b>&amp;</b>")
  }

  @Test func aPageIsFramed() throws {
    #expect(
      try card("<IFrameResource>c.html</IFrameResource>").html { $0 }.contains("<iframe src=\"c.html\"></iframe>"))
  }
}
