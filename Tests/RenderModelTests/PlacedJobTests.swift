import Device
import Files
import RenderModel
import Testing

@Suite struct PlacedJobTests {
  private func job(_ creative: CreativeReference, feed: FeedReference? = nil) throws -> RenderJob {
    let device = try #require(DeviceCatalogue.standard.device(named: "pixel-8"))
    var job = RenderJob(
      id: 7, creative: creative, output: "/out/a", device: device, placement: Placement(kind: .banner))
    job.feed = feed
    return job
  }

  private func creative(_ path: String?, _ argument: String = "ad") -> CreativeReference {
    CreativeReference(argument: argument, path: path, name: "ad")
  }

  @Test(arguments: [
    ("/c/ad.html", "ad", BrokeredLine.Word.Kind.creative), ("/c/ad.ZIP", "ad", .alone), ("/c/tag.js", "ad", .alone),
    ("/tmp/x/creative", "-", .alone), ("/c/folder", "ad", .creative),
  ])
  func aCreativeBringsWhatLiesBesideItUnlessItIsWhole(
    path: String, argument: String, kind: BrokeredLine.Word.Kind
  ) throws {
    let words = try job(creative(path, argument)).files
    #expect(words == [BrokeredLine.Word(.output, "/out/a"), BrokeredLine.Word(kind, path)])
  }

  @Test func anAddressBringsNothing() throws {
    #expect(try job(creative(nil, "https://a.example")).files == [BrokeredLine.Word(.output, "/out/a")])
  }

  @Test func aFeedBringsItselfAndAllOfItsCreatives() throws {
    let feed = FeedReference(
      argument: "f.yaml", path: "/f/f.yaml", creatives: [creative("/c/1.html"), creative("/c/2.zip")])
    let job = try job(creative("/f/f.yaml"), feed: feed)
    #expect(job.files.map(\.path) == ["/out/a", "/f/f.yaml", "/f/f.yaml", "/c/1.html", "/c/2.zip"])
    let placed = PlacedJob(
      job,
      [
        BrokeredLine.Word(.output, "/out/a", at: "/job/1/output"),
        BrokeredLine.Word(.document, "/f/f.yaml", at: "/job/1/0/f.yaml"),
        BrokeredLine.Word(.creative, "/c/1.html", at: "/job/1/1/1.html"),
        BrokeredLine.Word(.name, "/c", at: "/job/1/1"),
      ])
    #expect(placed.job.output == "/job/1/output" && placed.job.creative.path == "/job/1/0/f.yaml")
    #expect(placed.job.feed?.path == "/job/1/0/f.yaml")
    // What wasn't brought keeps its path.
    #expect(placed.job.feed?.creatives.map(\.path) == ["/job/1/1/1.html", "/c/2.zip"])
    #expect(placed.names == ["/job/1/1": "/c"])
  }

  @Test func whatIsOnlyAskedForChangesNothing() throws {
    let job = try job(creative("/c/ad.html"))
    let placed = PlacedJob(job, job.files)
    #expect(placed.job == job && placed.names.isEmpty)
  }
}
