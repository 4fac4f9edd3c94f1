import Core
import Device
import RenderModel
import Testing

@testable import Checks

@Suite("What was cut off")
struct CutOffTests {
  private func context(_ refused: String?, failure: String, host: String = "fonts.a.com", isOffline: Bool = false)
    -> CheckContext
  {
    let detail: JSONValue = ["url": .string("https://\(host)/a.css"), "refused": refused.map { .string($0) } ?? .null]
    return .made(
      [event(.network, "resource", detail)],
      resources: [resource("https://\(host)/a.css", status: 0, type: "", failure: failure)],
      profiles: [.network("external-request")]
    ) { $0.isMachineOffline = isOffline }
  }

  private func messages(_ id: String, _ context: CheckContext) throws -> [String]? {
    try #require(Check.named(id)).judge(context)?.map(\.message)
  }

  @Test("by --offline is told as not judged, and doesn't pass for a request that worked")
  func offline() throws {
    let context = context("offline", failure: "Load request cancelled")
    #expect(
      try messages("cut-off-request", context)
        == ["not judged: a request cut off, no network was allowed: fonts.a.com"])
    #expect(try messages("failed-request", context) == nil)
    #expect(try messages("external-request", context)?.count == 1)
  }

  @Test("by the guard isn't a failure of the host's")
  func guarded() throws {
    let context = context("private", failure: "status 502", host: "10.0.0.1")
    #expect(try messages("cut-off-request", context)?.first?.contains("addresses outside the public") == true)
    #expect(try messages("failed-request", context) == nil)
    #expect(try messages("private-address", context)?.count == 1)
  }

  @Test("by the machine is no ad's fault, and is told as the machine's")
  func machine() throws {
    let failure = "Error resolving “fonts.a.com”: Name or service not known"
    let judged = context(nil, failure: failure)
    #expect(judged.reachedNothing)
    #expect(try messages("failed-request", judged)?.count == 1)
    let offline = context(nil, failure: failure, isOffline: true)
    #expect(try messages("failed-request", offline) == nil)
    let report = CheckRunner(profiles: [], today: "2026-11-28").report(on: offline, name: "ad", folder: "ad")
    #expect(report.findings.filter(\.isTheMachines).map(\.severity) == [.note])
    #expect(!report.passedChecks.contains("failed-request"))
  }

  @Test("isn't a name that is nobody's, which fails on any machine", arguments: ["cdn.invalid", "a.test"])
  func reserved(host: String) throws {
    let context = context(nil, failure: "Error resolving “\(host)”", host: host, isOffline: true)
    #expect(!context.reachedNothing)
    #expect(try messages("failed-request", context)?.count == 1)
    #expect(try messages("cut-off-request", context) == [])
  }

  @Test("is the creative's own address as well, whatever its name")
  func own() throws {
    var context = context(nil, failure: "Error resolving “no.such.example”", host: "no.such.example", isOffline: true)
    context.record.creative.path = "https://no.such.example/a.css"
    #expect(context.reachedNothing)
    #expect(try messages("failed-request", context) == nil)
    #expect(try messages("cut-off-request", context)?.count == 1)
  }

  @Test("isn't told of where nothing was asked for")
  func nothing() throws { #expect(try messages("cut-off-request", .made()) == nil) }
}

@Suite("Names of files")
struct FileNameCheckTests {
  private func missing(_ url: String, _ file: String) throws -> [String] {
    let context = CheckContext.made(
      files: [.document("<img>"), .init(path: file, bytes: 1)],
      resources: [resource("creative://ad/\(url)", status: 404)])
    let check = try #require(Check.named("missing-file"))
    return try #require(try check.judge(context)).map(\.message)
  }

  @Test("that are missing are shown as they are written, with what is nearly the same")
  func nearMisses() throws {
    #expect(
      try missing("b%C3%A4nner.png", "ba\u{308}nner.png") == [
        "bänner.png isn't in the creative; ba\u{308}nner.png is, but its name has decomposed letters, as macOS packs them, so servers treat it as another name"
      ])
    #expect(
      try missing("img/Logo.png", "img/logo.PNG")
        == ["img/Logo.png isn't in the creative; img/logo.PNG is, but upper and lower case differ"])
    #expect(
      try missing("a%20b.png", "a%20b.png")
        == [
          "a b.png isn't in the creative; a%20b.png is, but its name contains percent escapes, which are decoded in addresses"
        ])
    #expect(try missing("a%20b.png", "other.png") == ["a b.png isn't in the creative"])
  }

  @Test("that are asked for by escapes are no orphans", arguments: ["größe.png", "50% off.png", "x#y.png"])
  func escaped(name: String) throws {
    let escaped = name.utf8.map { byte in
      let isPlain = Character(Unicode.Scalar(byte)).isASCII && (Character(Unicode.Scalar(byte)).isLetter || byte == 46)
      return isPlain ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    let check = try #require(Check.named("orphaned-file"))
    let files: [Inventory.File] = [.document("<p>"), .init(path: name, bytes: 1)]
    #expect(try check.judge(.made(files: files, resources: []))?.count == 1)
    #expect(try check.judge(.made(files: files, resources: [resource("creative://ad/\(escaped)")]))?.count == 0)
    let written: [Inventory.File] = [.document("<img src='\(escaped)'>"), .init(path: name, bytes: 1)]
    #expect(try check.judge(.made(files: written, resources: []))?.count == 0)
  }
}

@Suite("A network's sizes")
struct SizeRuleTests {
  private static let meta = "<meta name='ad.size' content='width=300,height=250'>"

  private func refusals(
    _ markup: String, by name: String, size: Size = Size(width: 300, height: 250), assumed: SizeSource? = nil
  ) throws -> [String] {
    let profiles = try ProfileCatalogue.standard.named([name])
    let context = CheckContext.made(files: [.document(markup)]) {
      $0.record.placement = RenderRecord.PlacementSummary(
        kind: .banner, width: size.width, height: size.height, position: .center, assumedFrom: assumed)
    }
    let report = CheckRunner(profiles: profiles, today: "2026-11-28").report(on: context, name: "ad", folder: "ad")
    return try #require(report.acceptance.first).refusedBy
  }

  @Test("Google Ads and Ad Manager take no ad without ad.size", arguments: ["google-ads", "ad-manager"])
  func withoutMeta(profile: String) throws {
    let tag = "<script>var clickTag = 'https://a.example/'</script>"
    #expect(try refusals(tag, by: profile) == ["missing-size-meta"])
    #expect(try refusals(Self.meta + tag, by: profile) == [])
    #expect(try refusals("<meta name='ad.size' content='fluid'>" + tag, by: profile) == ["missing-size-meta"])
  }

  @Test("Google Ads takes sizes of its list only; nothing is said of one that nobody knows")
  func sizes() throws {
    let odd = Size(width: 517, height: 113)
    let meta = "<meta name='ad.size' content='width=517,height=113'>"
    #expect(try refusals(meta, by: "google-ads") == ["unsupported-size"])
    #expect(
      try refusals("<p>", by: "google-ads", size: odd, assumed: .body) == ["missing-size-meta", "unsupported-size"])
    #expect(
      try refusals("<p>", by: "google-ads", size: Size(width: 320, height: 51), assumed: .fallback)
        == ["missing-size-meta"])
  }

  @Test("Ad Manager wants a click tag")
  func clickTag() throws { #expect(try refusals(Self.meta, by: "ad-manager") == ["missing-click-tag"]) }
}
