import AdResponses
import Testing

@Suite("Which media file is played")
struct MediaChoiceTests {
  private func file(
    _ url: String, _ width: Int, _ height: Int, bitrate: Int? = nil, type: String = "video/mp4",
    delivery: VASTMediaFile.Delivery = .progressive, api: String? = nil
  ) -> VASTMediaFile {
    VASTMediaFile(
      url: url, type: type, width: width, height: height, bitrate: bitrate, delivery: delivery, apiFramework: api)
  }

  private func choice(_ files: [VASTMediaFile]) throws -> String {
    try MediaChoice.choose(from: files, width: 1170, height: 660).url
  }

  @Test("the smallest that fills the player")
  func fills() throws {
    #expect(
      try choice([file("s", 640, 360), file("xl", 3840, 2160), file("l", 1920, 1080), file("m", 1280, 720)]) == "m")
  }

  @Test("the largest where none fills it")
  func largest() throws { #expect(try choice([file("s", 320, 180), file("m", 640, 360)]) == "m") }

  @Test("of one size the best bitrate that flows")
  func bitrate() throws {
    let files = [
      file("a", 1280, 720, bitrate: 800), file("b", 1280, 720, bitrate: 2500), file("c", 1280, 720, bitrate: 9000),
    ]
    #expect(try choice(files) == "b")
    #expect(try choice([file("c", 1280, 720, bitrate: 9000), file("d", 1280, 720, bitrate: 8000)]) == "d")
  }

  @Test("a whole file before a stream")
  func delivery() throws {
    #expect(try choice([file("s", 1280, 720, delivery: .streaming), file("p", 320, 180)]) == "p")
    #expect(try choice([file("s", 1280, 720, delivery: .streaming)]) == "s")
  }

  @Test("the first of equals, and types with parameters")
  func first() throws {
    #expect(try choice([file("a", 640, 360, type: "video/mp4; codecs=\"avc1\""), file("b", 640, 360)]) == "a")
  }

  @Test("a film before a program")
  func program() throws {
    let vpaid = file("v", 1280, 720, type: "application/javascript", api: "VPAID")
    #expect(try choice([vpaid, file("f", 320, 180)]) == "f")
  }

  struct Refusal: Sendable {
    let files: [VASTMediaFile]
    let code: VASTErrorCode
    let message: String
    var programs: [String] = []
  }

  static let refusals = [
    Refusal(files: [], code: .mediaNotFound, message: "the ad has no media file"),
    Refusal(
      files: [VASTMediaFile(url: "a", type: "application/javascript", width: 1, height: 1, apiFramework: "VPAID")],
      code: .vpaid, message: "all its media are programs (VPAID), which aren't run"),
    Refusal(
      files: [VASTMediaFile(url: "a", type: "text/html", width: 1, height: 1, apiFramework: "SIMID")],
      code: .interactiveNotExecuted,
      message:
        "the ad has no video: its MediaFile is a program (SIMID), which belongs in an InteractiveCreativeFile beside "
        + "a video",
      programs: ["SIMID"]),
    Refusal(
      files: [VASTMediaFile(url: "a", type: "video/x-flv", width: 1, height: 1)], code: .mediaNotSupported,
      message: "none of its media types can be played: video/x-flv"),
  ]

  @Test("or why there is none, with the standard's code", arguments: refusals)
  func refused(refusal: Refusal) {
    #expect(throws: VASTProblem(refusal.code, refusal.message, programs: refusal.programs)) {
      try MediaChoice.choose(from: refusal.files, width: 100, height: 100)
    }
  }

  @Test("or that there is only a program beside no film")
  func programAlone() throws {
    var linear = VASTLinear()
    linear.interactiveFiles = [VASTMediaFile(url: "a", type: "text/html", width: 0, height: 0, apiFramework: "SIMID")]
    let problem = VASTProblem(
      .interactiveNotExecuted, "the ad has no video, only programs (SIMID), which need a video below them",
      programs: ["SIMID"])
    #expect(throws: problem) { try MediaChoice.choose(of: linear, width: 100, height: 100) }
    linear.mediaFiles = [file("f", 320, 180)]
    #expect(try MediaChoice.choose(of: linear, width: 100, height: 100).url == "f")
  }
}
