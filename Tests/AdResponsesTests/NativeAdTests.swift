import AdResponses
import Testing

@Suite("Reading native ads")
struct NativeAdTests {
  private func parse(_ text: String) throws -> NativeAd { try NativeAdParser.parse(Array(text.utf8)) }

  fileprivate static let complete = #"""
    {"native": {"ver": "1.2", "assets": [
      {"id": 1, "required": 1, "title": {"text": "Oak chairs"}},
      {"id": 2, "img": {"type": 3, "url": "https://a.example/m.png", "w": 600, "h": "300"},
        "link": {"url": "https://img.example"}},
      {"id": 3, "data": {"type": 12, "value": "Buy"}}, {"id": 4, "data": {"value": "Sturdy", "label": "desc"}},
      {"id": 5, "video": {"vasttag": "<VAST version='3.0'/>"}}, {"id": 6, "hologram": {}}],
      "link": {"url": "https://oak.example", "clicktrackers": ["https://c.example"], "fallback": "https://f.example"},
      "imptrackers": ["https://i.example"], "jstracker": "<script src='https://j.example'></script>",
      "eventtrackers": [{"event": 1, "method": 1, "url": "https://e.example"},
        {"event": 2, "method": 1, "url": "https://v.example"},
        {"event": 555, "method": 2, "url": "https://omid.example/v.js",
          "ext": {"vendorKey": "omid.example", "verification_parameters": "c=1"}},
        {"event": 600, "method": 2, "url": "https://own.example/v.js"}],
      "privacy": "https://p.example"}}
    """#

  @Test("reads assets, links and whoever wants to hear of it")
  func whole() throws {
    let ad = try parse(Self.complete)
    #expect(ad.version == "1.2")
    #expect(ad.assets.count == 5)
    #expect(ad.title == "Oak chairs" && ad.assets[0].isRequired)
    let image = try #require(ad.images.first)
    #expect(image.url == "https://a.example/m.png" && image.kind == .main)
    #expect(image.width == 600 && image.height == 300 && ad.images.count == 1)
    #expect(ad.assets[1].link?.url == "https://img.example")
    #expect(ad.texts(.callToAction) == ["Buy"] && ad.texts(nil) == ["Sturdy"])
    #expect(ad.link?.url == "https://oak.example" && ad.link?.fallback == "https://f.example")
    #expect(ad.link?.clickTracking == ["https://c.example"])
    #expect(ad.impressions == ["https://i.example", "https://e.example"])
    #expect(ad.viewableImpressions == ["https://v.example"])
    #expect(ad.scripts == ["<script src='https://j.example'></script>", "https://own.example/v.js"])
    #expect(ad.verifications.map(\.omidScript?.url) == ["https://omid.example/v.js"])
    #expect(ad.verifications[0].vendor == "omid.example" && ad.verifications[0].parameters == "c=1")
    #expect(ad.privacy == "https://p.example")
  }

  @Test("an ad without the object around it is the same")
  func bare() throws {
    #expect(try parse(#"{"assets": [{"title": {"text": "T"}}]}"#).title == "T")
  }

  @Test(
    "what is told apart from other objects",
    arguments: [
      (complete, true), (#"{"assets": []}"#, true), (#"{"native": {"assets": []}}"#, true),
      (#"{"id": "r", "seatbid": []}"#, false), ("{}", false), ("{x", false), (#"{"assets": []}&p=1"#, true),
      ("<b>", false),
    ])
  func found(text: String, isNative: Bool) { #expect(NativeAdParser.isNative(text) == isNative) }

  @Test(
    "says what is wrong and where",
    arguments: [
      (#"{"assets": []}"#, "the native ad has no assets"),
      (#"{"native": {"assets": 1}}"#, "native.assets isn't a list"),
      (#"{"assets": [{"img": {"url": ""}}]}"#, "the native ad has no assets"),
      (#"{"assets": [{"title": {"text": {}}}]}"#, "assets[0].title.text isn't text"),
    ])
  func wrong(text: String, reason: String) {
    let error = #expect(throws: BidError.self) { try parse(text) }
    #expect(error?.description == reason)
  }
}
