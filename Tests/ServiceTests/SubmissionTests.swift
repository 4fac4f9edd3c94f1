import Application
import Core
import Device
import MRAID
import Pixels
import RenderModel
import TestFolders
import Testing

@testable import Scheduling
@testable import Service

@Suite struct SubmissionTests {
  private let bounds = ServiceSettings.Bounds()

  private func read(_ json: String) throws(Problem) -> Submission {
    try Submission(json: Array(json.utf8), bounds: bounds)
  }

  private func problem(_ json: String) -> Problem? {
    do {
      let submission = try read(json)
      _ = try submission.request.job(path: "/creative", output: "/out", reach: .publicInternet)
      return nil
    } catch {
      return error as? Problem ?? (error as? InvalidRequest).map(Problem.init)
    }
  }

  @Test(
    "A name that is nearly right is told with the one that was probably meant",
    arguments: [
      (#"{"markup": "<p>", "sise": "300x250"}"#, "isn't known; did you mean size?"),
      (
        #"{"markup": "<p>", "orientation": "landskape"}"#, "must be one of portrait, landscape; did you mean landscape?"
      ),
      (#"{"markup": "<p>", "device": "pixel-9000"}"#, "there is no device 'pixel-9000'; did you mean"),
      (#"{"markup": "<p>", "device": "toaster"}"#, "there is no device 'toaster'; available devices: "),
    ])
  func hints(json: String, detail: String) throws {
    let field = try #require(problem(json)?.fields.first)
    #expect(field.detail.hasPrefix(detail), "\(field.detail)")
  }

  @Test(
    "A field of a form whose text can't be read is told by its name, if there is such a field",
    arguments: [
      ("creatve", "isn't known; did you mean creative?"), ("device", "isn't UTF-8"), ("options", "isn't UTF-8"),
    ])
  func unreadableField(name: String, detail: String) throws {
    let parts = [
      FormPart(name: "url", content: .bytes(Array("https://a.example/".utf8))),
      FormPart(name: name, fileName: "x.zip", content: .bytes([0x50, 0x4B, 3, 4, 0xFF])),
    ]
    let problem = #expect(throws: Problem.self) { try Submission(form: parts, bounds: bounds) }
    #expect(problem?.fields.map(\.pointer) == ["/\(name)"] && problem?.fields.first?.detail == detail)
    // The creative that is missing besides is what was misspelt.
    let alone = #expect(throws: Problem.self) { try Submission(form: [parts[1]], bounds: bounds) }
    #expect(alone?.fields.map(\.pointer) == ["/\(name)"])
  }

  @Test(
    "A member that is to be a list says so",
    arguments: [
      (#"{"markup": "x", "profiles": "iab"}"#, "must be a list of strings"),
      (#"{"markup": "x", "at": ["1"]}"#, "must be a list of numbers from 0 to 300"),
      (#"{"markup": "x", "at": [400]}"#, "must be a list of numbers from 0 to 300"),
    ])
  func lists(json: String, detail: String) throws {
    #expect(problem(json)?.fields.map(\.detail) == [detail])
  }

  @Test(
    "A comparison says which of its sides is missing",
    arguments: [
      (#"{"frist": "a", "second": "b"}"#, "frist: isn't known; did you mean first?"),
      (#"{"second": "b"}"#, "first: is missing: set it to a render's id, or set baseline"),
      (#"{"first": "a"}"#, "second: is missing: set it to a render's id"),
      (#"{"first": "a", "baseline": "a@b", "second": "b"}"#, "baseline: excludes first"),
    ])
  func comparison(json: String, message: String) throws {
    let members = try Submission.object(Array(json.utf8))
    let problem = #expect(throws: Problem.self) { try DiffRequest(members) }
    #expect(problem?.fault.message == message)
  }

  @Test("What nobody said of device and placement is the creative's to say, as on the command line")
  func inference() throws {
    let folder = try TestFolder()
    func job(_ name: String, _ html: String, _ members: String = "") throws -> RenderJob {
      let path = try folder.write("creative.html", html)
      let request = try read("{\"markup\": \"x\", \"name\": \"\(name)\"\(members)}").request
      return try request.job(path: path, output: "/out", reach: .any)
    }
    let playable = "<script>FbPlayableAd.onCTAClick()</script>"
    #expect(try job("game", playable).placement.kind == .interstitial)
    #expect(try job("game", playable).assumptions?.map(\.what) == [.placement])
    #expect(try job("game", playable, ", \"placement\": \"banner\"").placement.kind == .banner)
    #expect(try job("game", playable, ", \"size\": \"320x50\"").placement.kind == .banner)
    let wide = try job("ad_970x250", "<p>", ", \"film\": [\"gif\"]")
    #expect(wide.device.name == "desktop" && wide.options.film?.scale == wide.device.renderScale)
    #expect(try job("ad_970x250", "<p>", ", \"device\": \"pixel-8\"").device.name == "pixel-8")
    // A picture of two pixels a dip isn't to be had on every device.
    let backup = ", \"backup\": {\"scale\": 2}"
    #expect(try job("ad_970x250", "<p>", backup).device.name == DeviceCatalogue.defaultName)
  }

  @Test func readsEverythingThatCanBeAskedFor() throws {
    let submission = try read(
      """
      {"markup": "<p>", "name": "Summer/../ad", "device": "pixel-8", "orientation": "landscape", "size": "300x250",
       "container": "prebid-ios", "scenario": {"steps": [{"wait": {"seconds": 1}}]}, "profiles": ["iab"],
       "timeout": 9, "queueTimeout": 5, "memory": 512, "idleTime": 2, "measureTime": 3, "seed": 7,
       "network": false, "at": [1, 0], "locale": "PT-br", "timeZone": "Asia/Tokyo", "colorScheme": "dark",
       "reducedMotion": true}
      """)
    #expect(submission.creative == .bytes(Array("<p>".utf8)))
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
    #expect(
      job.options.settings
        == UserSettings(
          locale: LanguageTag("pt-BR"), timeZone: TimeZoneName("Asia/Tokyo"), colorScheme: .dark, reducedMotion: true))
  }

  @Test(arguments: [
    (#"{"markup": "x", "locale": "C"}"#, "/locale"), (#"{"markup": "x", "locale": "en-US\r\nA: b"}"#, "/locale"),
    (#"{"markup": "x", "timeZone": "Asia/Nowhere"}"#, "/timeZone"),
    (#"{"markup": "x", "timeZone": "../../etc/passwd"}"#, "/timeZone"),
    (#"{"markup": "x", "network": null}"#, "/network"), (#"{"markup": "x", "siz": "1x1"}"#, "/siz"),
    (#"{"markup": 1}"#, "/markup"), (#"{"zip": "?"}"#, "/zip"),
    (#"{"markup": "x", "url": "https://a.example/"}"#, "/url"), (#"{}"#, "/markup"),
    (#"{"markup": "x", "timeout": 301}"#, "/timeout"), (#"{"markup": "x", "timeout": "9"}"#, "/timeout"),
    (#"{"markup": "x", "memory": 300.5}"#, "/memory"), (#"{"markup": "x", "checks": "true"}"#, "/checks"),
    (#"{"markup": "x", "placement": "feed-me"}"#, "/placement"), (#"{"markup": "x", "size": "0x5"}"#, "/size"),
    (#"{"markup": "x", "placement": "interstitial", "size": "3x5"}"#, "/size"),
    (#"{"markup": "x", "explore": {"deep": 1}}"#, "/explore"), (#"{"markup": "x", "explore": 3}"#, "/explore"),
    (#"{"markup": "x", "explore": true, "scenario": "steps: [close]"}"#, "/scenario"),
    (#"{"markup": "x", "playables": true, "scenario": "steps: [close]"}"#, "/scenario"),
    (#"{"markup": "x", "playables": true, "container": "meta"}"#, "/container"),
    (#"{"markup": "x", "playables": true, "checks": false}"#, "/checks"),
    (#"{"markup": "x", "playables": 1}"#, "/playables"),
    (#"{"markup": "x", "device": "iphone-15", "screen": "3x3@1"}"#, "/screen"),
    (#"{"markup": "x", "orientation": "askew"}"#, "/orientation"), (#"{"markup": "x", "date": "soon"}"#, "/date"),
    (#"{"markup": "x", "profiles": ["nobody"]}"#, "/profiles"), (#"{"markup": "x", "at": [301]}"#, "/at"),
    (#"{"markup": "x", "clock": "real", "date": "2026-12-24T18:00:00Z"}"#, "/date"),
    (#"{"markup": "x", "clock": "real", "idleTime": 30}"#, "/idleTime"), (#"{"markup": "x", "name": ""}"#, "/name"),
    (#"{"markup": "x", "device": "../../etc/passwd.json"}"#, "/device"),
    (#"{"markup": "x", "container": "/tmp/mine.json"}"#, "/container"),
    (#"{"markup": "x", "container": {"name": "mine", "title": "Mine"}}"#, "/container"),
    (#"{"markup": "x", "placement": "feed"}"#, "/placement"), (#"{"markup": "x", "device": {}}"#, "/device"),
    (#"{"markup": "x", "device": {"width": 390, "height": 844, "depth": 3}}"#, "/device"),
    (#"{"markup": "x", "device": {"width": 4096, "height": 4096, "scale": 4}}"#, "/device"),
    (#"{"markup": "x", "device": {"width": 390, "height": 844, "userAgent": "a\r\nCookie: b"}}"#, "/device"),
    (#"{"markup": "x", "device": {"width": 390, "height": 844, "name": "../x"}}"#, "/device"),
    (#"{"markup": "x", "device": {"width": 390, "height": 844, "safeArea": {"top": -1}}}"#, "/device"),
    (#"{"markup": "x", "filmstrip": 0.01}"#, "/filmstrip"), (#"{"markup": "x", "filmstrip": {}}"#, "/filmstrip"),
    (#"{"markup": "x", "filmstrip": {"interval": 2, "length": 1}}"#, "/filmstrip"),
    (#"{"markup": "x", "filmstrip": {"interval": 0.1, "length": 30}}"#, "/filmstrip"),
    (#"{"markup": "x", "backup": "gif"}"#, "/backup"), (#"{"markup": "x", "backup": 40000}"#, "/backup"),
    (#"{"markup": "x", "backup": {"maxBytes": 10}}"#, "/backup"),
    (#"{"markup": "x", "backup": {"scale": 3}}"#, "/backup"),
    (#"{"markup": "x", "film": ["avi"]}"#, "/film"), (#"{"markup": "x", "film": []}"#, "/film"),
    (#"{"markup": "x", "film": ["gif", "gif"]}"#, "/film"), (#"{"markup": "x", "film": {"rate": 45}}"#, "/film"),
    (#"{"markup": "x", "film": {"length": 500}}"#, "/film"), (#"{"markup": "x", "film": ["gif"], "at": [1]}"#, "/film"),
    (#"{"markup": "x", "film": ["gif"], "clock": "real"}"#, "/film"),
    (#"{"markup": "x", "film": ["gif"], "backup": "jpeg"}"#, "/film"),
    (#"{"markup": "x", "film": ["gif"], "explore": true}"#, "/film"),
    (#"{"markup": "x", "film": ["gif"], "scenario": "- close"}"#, "/film"),
    (#"{"markup": "x", "filmstrip": 1, "explore": true}"#, "/filmstrip"),
    (#"{"markup": "x", "filmstrip": 10, "clock": "real", "timeout": 5}"#, "/filmstrip"),
    (#"{"markup": "x", "compositing": "often"}"#, "/compositing"), (#"{"markup": "x", "measure": 1}"#, "/measure"),
  ])
  func namesTheMemberThatIsWrong(json: String, pointer: String) throws {
    let found = try #require(problem(json))
    #expect(found.status == 422)
    #expect(found.fields.map(\.pointer) == [pointer])
  }

  @Test func takesADeviceThatIsDescribed() throws {
    let request = try read(
      """
      {"markup": "x", "device": {"name": "kiosk", "screen": {"width": 1080, "height": 1920}, "scale": 1.5,
       "safeArea": {"top": 24}, "touch": false, "userAgent": "Kiosk/1.0", "platform": "Linux armv8l",
       "capabilities": {"supports": ["sms"], "confirms": false, "location": null}}}
      """
    ).request
    let device = try request.job(path: "/creative", output: "/out", reach: .any).device
    #expect(device.name == "kiosk" && device.screen == Size(width: 1080, height: 1920) && device.scale == 1.5)
    #expect(device.safeArea == Insets(top: 24) && device.safeAreaLandscape == .zero && !device.touch)
    #expect(device.userAgent == "Kiosk/1.0" && device.platform == "Linux armv8l")
    #expect(device.capabilities == Capabilities(supports: ["sms"], confirms: false))
    #expect(RenderRequest.read(request.text) == request)
  }

  @Test func takesADeviceOfWhichOnlyTheScreenIsSaid() throws {
    let request = try read(#"{"markup": "x", "device": {"width": 390, "height": 844, "scale": 3}}"#).request
    #expect(try request.job(path: "/creative", output: "/out", reach: .any).device == Device.plain(screen: "390x844@3"))
  }

  @Test func takesAContainerThatIsDescribed() throws {
    let shipped = try ContainerCatalogue.standard.required("prebid-android")
    let described = try read("{\"markup\": \"x\", \"container\": \(JSONText.line(shipped))}").request
    #expect(try described.job(path: "/creative", output: "/out", reach: .any).container == shipped)
    #expect(RenderRequest.read(described.text) == described)
  }

  @Test(arguments: [("0.5", 0.5, 15.0), (#"{"interval": 1, "length": 3}"#, 1, 3), ("20", 20, 20)])
  func takesAFilmstrip(strip: String, interval: Double, length: Double) throws {
    let request = try read("{\"markup\": \"x\", \"filmstrip\": \(strip)}").request
    let options = try request.job(path: "/creative", output: "/out", reach: .any).options
    #expect(
      options.captures == CaptureSchedule(filmstrip: CaptureSchedule.Filmstrip(interval: interval, length: length)))
    #expect(options.clock == .virtual)
  }

  @Test func takesAFilm() throws {
    let plain = try read(#"{"markup": "x", "film": ["mp4", "gif"], "device": "iphone-15"}"#).request
    let film = try plain.job(path: "/creative", output: "/out", reach: .any).options.film
    #expect(plain.film?.formats == [.mp4, .gif])
    #expect(film == FilmRequest(rate: .half, length: 15, view: .ad, scale: 3))
    let played = try read(
      #"{"markup": "x", "film": {"rate": 60, "length": 8, "states": true}, "scenario": "- close"}"#
    ).request
    let job = try played.job(path: "/creative", output: "/out", reach: .any)
    #expect(job.options.film == FilmRequest(rate: .full, length: 8, view: .screen, scale: 1, playsScenario: true))
    #expect(played.film?.formats == [.mp4] && job.scenario != nil)
    #expect(RenderRequest.read(played.text) == played)
    // A scenario that comes along isn't played where the ad is filmed alone; one that is to be filmed has to be there.
    #expect(try plain.job(path: "/creative", own: job.scenario, output: "/out", reach: .any).scenario == nil)
    let empty = try read(#"{"markup": "x", "film": {"states": true}}"#).request
    #expect(throws: InvalidRequest.self) { try empty.job(path: "/creative", output: "/out", reach: .any) }
  }

  @Test func takesABackupImage() throws {
    let plain = try read(#"{"markup": "x", "backup": "webp"}"#).request
    #expect(plain.backup == BackupRequest(format: .webp))
    let small = try read(#"{"markup": "x", "backup": {"maxBytes": 40000, "scale": 2}}"#).request
    #expect(small.backup == BackupRequest(format: .jpeg, maxBytes: 40_000, scale: 2))
    #expect(RenderRequest.read(small.text) == small)
    // A device of one pixel a dip has no picture of two.
    let coarse = try read(#"{"markup": "x", "screen": "300x600@1", "backup": {"scale": 2}}"#).request
    #expect(throws: InvalidRequest.self) { try coarse.job(path: "/creative", output: "/out", reach: .any) }
  }

  @Test func takesWhatTheCommandLineTakes() throws {
    let request = try read(
      #"{"markup": "x", "measure": true, "followClickthroughs": true, "sendBeacons": true, "compositing": "never", "omid": true}"#
    ).request
    let options = try request.job(path: "/creative", output: "/out", reach: .any).options
    #expect(
      options.measures && options.followsClickthroughs && options.sendsBeacons && options.compositing == .never
        && options.omid)
    #expect(!request.checks)
  }

  @Test(
    "Without a container the render takes the one that its profiles agree on",
    arguments: [
      (#""profiles": ["meta"]"#, "meta"), (#""profiles": ["meta", "iab"]"#, "meta"),
      (#""profiles": ["meta", "vungle"]"#, nil), (#""profiles": ["meta"], "container": "gma""#, "gma"),
      (#""profiles": ["meta"], "container": "spec""#, nil), (#""checks": true"#, nil),
    ] as [(String, String?)])
  func containerOfProfiles(members: String, container: String?) throws {
    let job = try read("{\"markup\": \"<p>\", \(members)}").request.job(
      path: "/creative", output: "/out", reach: .publicInternet)
    #expect(job.container?.name == container)
  }

  @Test func readsWhatAnEarlierServerWroteDown() throws {
    let earlier = try #require(
      RenderRequest.read(
        """
        {"at":[],"checks":false,"container":"unity","device":"pixel-8","memory":2048,"name":"a","network":true,\
        "patience":600,"profiles":[],"timeout":30,"watch":2}
        """))
    #expect(earlier.queueTimeout == 600 && earlier.idleTime == 2 && earlier.measureTime == 2)
    #expect(earlier.device == .name("pixel-8") && earlier.container == .name("unity"))
  }

  @Test func isTheSameRecipeWhoeverIsToldAndHoweverItIsCalled() throws {
    func recipe(_ rest: String) throws -> String { try read("{\"markup\": \"x\", \(rest)}").request.recipe }
    let plain = try recipe(#""name": "a""#)
    #expect(try recipe(#""name": "b", "queueTimeout": 5, "callback": "https://a.example/""#) == plain)
    #expect(try recipe(#""seed": 1"#) != plain)
  }

  @Test(arguments: [
    (#"{"markup": "x", "device": "iphon-15"}"#, "device-unknown"),
    (#"{"markup": "x", "container": "nope"}"#, "container-unknown"),
    (#"{"markup": "x", "profiles": ["nope"]}"#, "profile-unknown"),
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
    func part(_ name: String, _ text: String) -> FormPart { FormPart(name: name, content: .bytes(Array(text.utf8))) }
    let file = SpooledFile(path: "/tmp/part-0", size: 3, hash: "abc", beginning: Array("<p>".utf8))
    let submission = try Submission(
      form: [
        FormPart(name: "creative", fileName: "../../Banner.HTML", content: .file(file)), part("checks", "false"),
        part("profiles", "iab, unity"), part("timeout", "9"), part("size", ""), part("filmstrip", "2"),
        part("options", #"{"network": false}"#),
      ], bounds: bounds)
    #expect(submission.creative == .file(file, name: "../../Banner.HTML"))
    #expect(submission.request.name == "Banner.HTML")
    #expect(!submission.request.checks && !submission.request.network)
    #expect(submission.request.profiles == ["iab", "unity"])
    #expect(submission.request.timeout == 9 && submission.request.filmstrip?.interval == 2)
  }

  @Test func takesOneCreativeOfAForm() throws {
    func creative(_ name: String, _ size: Int, file: String?) -> FormPart {
      let spooled = SpooledFile(path: "/tmp/\(name)", size: size, hash: name, beginning: [])
      return FormPart(name: name, fileName: file, content: .file(spooled))
    }
    let chosen = try Submission(
      form: [creative("creative", 0, file: ""), creative("markup", 3, file: nil)], bounds: bounds)
    #expect(chosen.creative.hash == "markup")
    #expect(throws: Problem.self) {
      try Submission(form: [creative("creative", 3, file: "a"), creative("markup", 3, file: nil)], bounds: bounds)
    }
  }

  @Test(arguments: ["-", "report.json", "../report.json", "..", "."])
  func hasANameThatMeansNothingElse(name: String) throws {
    #expect(
      !["-", "report.json", "", ".", ".."].contains(try read("{\"markup\": \"x\", \"name\": \"\(name)\"}").request.name)
    )
  }

  @Test func aPlayableIsExploredAndCheckedForItsNetworks() throws {
    let request = try read(#"{"markup": "x", "playables": true}"#).request
    #expect(request.checks && request.explore != nil)
    #expect(request.checkedProfiles == ["all-playables"])
    let job = try request.job(path: "/creative", output: "/out", reach: .publicInternet)
    #expect(job.placement.kind == .interstitial && job.container == nil)
    let members = #""profiles": ["meta"], "explore": {"actions": 3}"#
    let chosen = try read("{\"markup\": \"x\", \"playables\": true, \(members)}").request
    #expect(chosen.checkedProfiles == ["meta"] && chosen.explore?.actions == 3)
    #expect(try read(#"{"markup": "x", "playables": false}"#).request == read(#"{"markup": "x"}"#).request)
  }

  @Test func survivesBeingWrittenDown() throws {
    let request = try read(#"{"url": "https://a.example/x?y=1", "explore": {"actions": 3}, "seed": 1}"#).request
    #expect(RenderRequest.read(request.text) == request)
    #expect(request.name.hasPrefix("a.example-x-"))
  }

  /// A name tells one baseline from another.
  @Test func twoOfNoNameHaveTwo() throws {
    let texts = [
      #"{"markup": "<p>AAA"}"#, #"{"markup": "<p>BBB"}"#, #"{"url": "https://a.example/tag?id=1"}"#,
      #"{"url": "https://a.example/tag?id=2"}"#,
    ]
    let names = try texts.map { try read($0).request.name }
    #expect(Set(names).count == 4, "\(names)")
    #expect(try texts.map { try read($0).request.name } == names)
    #expect(try read(#"{"markup": "<p>AAA", "name": "summer"}"#).request.name == "summer")
    #expect(try read(#"{"url": "https://a.example/tag"}"#).request.name == "a.example-tag")
  }
}

/// Numbers in requests that end careless servers.
@Suite struct HostileNumberTests {
  private static let numbers = [
    "1e308", "-1e308", "2147483649", "-2147483649", "9007199254740993", "9223372036854775808", "-0", "1e19", "0.1",
    "1e400", "\"nan\"", "\"inf\"", "\"-Infinity\"", "\"0x10\"", "null",
  ]
  private static let members = [
    "timeout", "queueTimeout", "memory", "idleTime", "measureTime", "seed", "at", "filmstrip", "film", "size", "date",
    "locale", "timeZone",
    "device", "explore", "screen", "scenario", "scale", "width",
  ]

  @Test(arguments: numbers, members)
  func `each member of a request is read or refused`(number: String, member: String) {
    let values = [
      number, "[\(number)]", "{\"width\": \(number), \"height\": \(number), \"scale\": \(number)}",
      "{\"actions\": \(number), \"seconds\": \(number)}", "{\"interval\": \(number), \"length\": \(number)}",
      "{\"steps\": [{\"wait\": \(number)}, {\"scroll\": \(number)}, {\"tap\": {\"x\": \(number), \"y\": \(number)}}]}",
    ]
    for value in values {
      let body = "{\"markup\": \"<p>\", \"\(member)\": \(value)}"
      guard let submission = try? Submission(json: Array(body.utf8), bounds: ServiceSettings.Bounds()) else { continue }
      let job = try? submission.request.job(path: "/creative", output: "/out", reach: .any)
      #expect(job.map { (0.1...3600).contains($0.limits.timeout) } ?? true)
    }
  }

  @Test(arguments: [
    "1:9223372036854775807", "1:-9223372036854775808", "1:99999999999999999999", "1:", ":", "1:1:1", "nan:nan", "",
  ])
  func `a place in a log may be any text`(last: String) {
    var tail = LogTail(path: "/nowhere/events.ndjson", attempt: 1, after: last)
    #expect(tail.read() == [])
  }

  @Test(arguments: ["wait=9223372036854775807", "wait=-1", "wait=nan", "wait=1e9", "wait="])
  func `a client prefers to wait for a bounded time`(text: String) {
    #expect(Preference(text).wait.map { (1...Preference.longest).contains($0) } ?? true)
  }

  @Test(arguments: [Double.nan, .infinity, 0, -1, 1e308, 1e-308])
  func `advice on when to come again is bounded`(pace: Double) {
    #expect((1...60).contains(RetryAdvice.seconds(waiting: 10, width: 1, pace: pace)))
  }
}
