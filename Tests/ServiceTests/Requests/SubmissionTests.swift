import Jobs
import MRAID
import Service
import Stage
import Testing

@Suite struct SubmissionTests {
  private let bounds = ServiceSettings.Bounds()

  private func read(_ json: String) throws(Problem) -> Submission {
    try Submission(json: Array(json.utf8), bounds: bounds)
  }

  private func problem(_ json: String) -> Problem? {
    do throws(Problem) {
      let submission = try read(json)
      _ = try submission.request.job(path: "/creative", output: "/out", reach: .publicInternet)
      return nil
    } catch {
      return error
    }
  }

  @Test func readsEverythingThatCanBeAskedFor() throws {
    let submission = try read(
      """
      {"markup": "<p>", "name": "Summer/../ad", "device": "pixel-8", "orientation": "landscape", "size": "300x250",
       "container": "prebid-ios", "scenario": {"steps": [{"wait": {"seconds": 1}}]}, "profiles": ["iab"],
       "timeout": 9, "patience": 5, "memory": 512, "watch": 2, "seed": 7, "network": false, "at": [1, 0]}
      """)
    #expect(submission.creative == .file(Array("<p>".utf8), name: nil))
    #expect(submission.request.checks)
    let job = try submission.request.job(path: "/creative", output: "/out", reach: .publicInternet)
    #expect(job.creative == CreativeReference(argument: "Summer-.-ad", path: "/creative", name: "Summer-.-ad"))
    #expect(job.device.name == "pixel-8")
    #expect(job.orientation == .landscape)
    #expect(job.placement == Placement(kind: .banner, size: Size(width: 300, height: 250)))
    #expect(job.container?.name == "prebid-ios")
    #expect(job.scenario?.steps.count == 1)
    #expect(job.limits == Limits(timeout: 9, memory: 512))
    #expect(job.options.measures && job.options.network == .none)
    #expect(job.options.captures.instants == [0, 1])
    #expect(job.options.clock == .virtual)
  }

  @Test(arguments: [
    (#"{"markup": "x", "network": null}"#, "/network"), (#"{"markup": "x", "siz": "1x1"}"#, "/siz"),
    (#"{"markup": 1}"#, "/markup"), (#"{"zip": "?"}"#, "/zip"),
    (#"{"markup": "x", "url": "https://a.example/"}"#, "/url"), (#"{}"#, "/markup"),
    (#"{"markup": "x", "timeout": 301}"#, "/timeout"), (#"{"markup": "x", "timeout": "9"}"#, "/timeout"),
    (#"{"markup": "x", "memory": 300.5}"#, "/memory"), (#"{"markup": "x", "checks": "true"}"#, "/checks"),
    (#"{"markup": "x", "placement": "feed-me"}"#, "/placement"), (#"{"markup": "x", "size": "0x5"}"#, "/size"),
    (#"{"markup": "x", "placement": "interstitial", "size": "3x5"}"#, "/size"),
    (#"{"markup": "x", "explore": {"deep": 1}}"#, "/explore"), (#"{"markup": "x", "explore": 3}"#, "/explore"),
    (#"{"markup": "x", "explore": true, "scenario": "steps: [close]"}"#, "/scenario"),
    (#"{"markup": "x", "device": "iphone-15", "screen": "3x3@1"}"#, "/screen"),
    (#"{"markup": "x", "orientation": "askew"}"#, "/orientation"), (#"{"markup": "x", "date": "soon"}"#, "/date"),
    (#"{"markup": "x", "profiles": ["nobody"]}"#, "/profiles"), (#"{"markup": "x", "at": [301]}"#, "/at"),
    (#"{"markup": "x", "clock": "real", "date": "2026-12-24T18:00:00Z"}"#, "/date"),
    (#"{"markup": "x", "watch": 30}"#, "/watch"), (#"{"markup": "x", "name": ""}"#, "/name"),
    (#"{"markup": "x", "device": "../../etc/passwd.json"}"#, "/device"),
    (#"{"markup": "x", "container": "/tmp/mine.json"}"#, "/container"),
  ])
  func namesTheMemberThatIsWrong(json: String, pointer: String) throws {
    let found = try #require(problem(json))
    #expect(found.status == 422)
    #expect(found.fields.map(\.pointer) == [pointer])
  }

  @Test(arguments: [
    (#"{"markup": "x", "device": "iphon-15"}"#, "unknown-device"),
    (#"{"markup": "x", "container": "nope"}"#, "unknown-container"),
    (#"{"markup": "x", "profiles": ["nope"]}"#, "unknown-profile"),
  ])
  func hasTheCommandLinesCode(json: String, code: String) throws {
    #expect(try #require(problem(json)).fault.code == code)
  }

  @Test(arguments: ["", "{", "[]", "null", "\"x\""])
  func refusesWhatIsNoObject(json: String) throws {
    let found = try #require(problem(json))
    #expect(found.status == 400)
    #expect(found.fault.code == "json-invalid")
  }

  @Test func readsAFormAsItReadsJSON() throws {
    func part(_ name: String, _ text: String, file: String? = nil) -> MultipartPart {
      MultipartPart(name: name, fileName: file, body: Array(text.utf8)[...])
    }
    let submission = try Submission(
      form: [
        part("creative", "<p>", file: "../../Banner.HTML"), part("checks", "false"), part("profiles", "iab, unity"),
        part("timeout", "9"), part("size", ""), part("options", #"{"network": false}"#),
      ], bounds: bounds)
    #expect(submission.creative == .file(Array("<p>".utf8), name: "../../Banner.HTML"))
    #expect(submission.request.name == "Banner.HTML")
    #expect(!submission.request.checks && !submission.request.network)
    #expect(submission.request.profiles == ["iab", "unity"])
    #expect(submission.request.timeout == 9)
  }

  @Test(arguments: ["-", "report.json", "../report.json", "..", "."])
  func hasANameThatMeansNothingElse(name: String) throws {
    #expect(
      !["-", "report.json", "", ".", ".."].contains(try read("{\"markup\": \"x\", \"name\": \"\(name)\"}").request.name)
    )
  }

  @Test func survivesBeingWrittenDown() throws {
    let request = try read(#"{"url": "https://a.example/x?y=1", "explore": {"actions": 3}, "seed": 1}"#).request
    #expect(RenderRequest.read(request.text) == request)
    #expect(request.name == "a.example-x")
  }
}
