import Jobs
import MRAID
import Testing

@Suite("measurements.schema.json")
struct MeasurementsSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("measurements.schema.json") }

  private static let frame = Rect(x: 1, y: 2, width: 3, height: 4)
  private static func element(_ kind: String) -> DocumentAudit.Element {
    DocumentAudit.Element(kind: kind, selector: "img#a", text: "a.png", frame: frame)
  }
  private static let document = DocumentAudit(
    language: "en", title: "Ad", isCut: true, unnamed: [element("image")],
    lettering: [.init(element: element("text"), size: 7.5)], overflow: .init(x: 1, y: 2, scrolls: true),
    clipped: [element("text")], placeholders: [element("link")], drawn: frame,
    closeControls: [.init(element: element("close"), contrast: 4.5)],
    media: [
      MediaElement(
        selector: "video", source: "a.mp4", isPlaying: true, isAudible: true, autoplays: true, loops: true,
        hasControls: true, duration: 4)
    ], animations: AnimationAudit(running: 2, endless: 1, end: 300, loops: 2, names: ["spin on i"]), canvases: 1)
  private static let resource = MeasuredResource(
    url: "creative://ad/a.js", origin: .creative, part: "two", type: "text/javascript", initiator: "script", start: 1,
    end: 2, encoded: 30, decoded: 40, gzipEstimate: 20, failure: "refused", redirects: ["x"],
    requestHeaders: [.init(name: "Accept", value: "*/*")], responseHeaders: [.init(name: "Vary", value: "Origin")])

  private static let full = Measurements(
    clock: .virtual,
    load: LoadBoundary.all(domContentLoaded: 1, windowLoad: 2, complete: 3, dividing: [resource]),
    firstPaint: 2, resources: [resource],
    heavyAd: HeavyAdBudget(
      resources: [resource], samples: [ProcessorSample(t: 1, seconds: 0.5)], activation: 5, end: 9),
    beforeShown: EarlyPlayback(media: 1, animations: 2),
    pages: [
      PageAudit(
        state: .expanded, t: 4, picture: "001-default", width: 320, height: 50, document: document,
        surface: SurfaceAudit(isBlank: false, hasBorder: true, whiteEdge: 0.5, blackEdge: 0))
    ],
    motion: MotionMeasure(
      from: 1, until: 30_000, pictures: 2, steps: [.init(t: 2, share: 0.1)], endsBlank: true,
      flashes: FlashMeasure(count: 4, mostInOneSecond: 2, worstFrom: 1, area: 9, share: 0.5)))

  private static let bare = Measurements(
    clock: .real, load: [], resources: [],
    heavyAd: HeavyAdBudget(resources: [], samples: [], activation: nil, end: 0),
    pages: [PageAudit(state: .default, t: 0, width: 1, height: 1)])

  @Test("accepts the fullest and the barest measurements", arguments: [full, bare])
  func accepts(measurements: Measurements) throws {
    #expect(try schema.problems(of: Samples.json(measurements)) == [])
  }

  @Test("names no member that the fullest measurements lack")
  func staleMembers() throws {
    let json = try Samples.json(Self.full)
    let page = json["pages"]?[0]
    let parts: [String: JSONValue?] = [
      "boundary": json["load"]?[0], "weight": json["load"]?[0]?["initial"], "resource": json["resources"]?[0],
      "header": json["resources"]?[0]?["requestHeaders"]?[0], "heavyAd": json["heavyAd"],
      "share": json["heavyAd"]?["network"], "playback": json["beforeShown"], "page": page,
      "document": page?["document"], "surface": page?["surface"], "element": page?["document"]?["unnamed"]?[0],
      "motion": json["motion"], "summary": json["motion"]?["summary"],
    ]
    for (name, part) in parts {
      let named = try #require(schema.root["$defs"]?[name]?["properties"]?.object)
      #expect(Set(named.keys) == Set(try #require(part?.object).keys), "\(name)")
    }
    #expect(Set(try #require(schema.root["properties"]?.object).keys) == Set(try #require(json.object).keys))
  }

  @Test("has no keyword that these tests would overlook")
  func keywords() { #expect(schema.unknownKeywords() == []) }

  @Test("measurements survive encoding", arguments: [full, bare])
  func survives(measurements: Measurements) throws {
    #expect(try roundTrip(measurements) == measurements)
  }
}
