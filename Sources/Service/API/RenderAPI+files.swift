internal import Application
internal import Comparison
internal import Core
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Pixels
internal import RenderModel
internal import Reports
internal import Scheduling

extension RenderAPI {
  /// Sends a screenshot by its name in the result, with or without `.png`; `NAME-ad` shows the ad alone.
  func screenshot(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    guard let answer = try await screenshot(of: row, context) else {
      let name = context.parameters.get("name") ?? ""
      throw Problem.missing("screenshot '\(name.prefix(80))' of render '\(row.id)'")
    }
    return answer
  }

  /// Screenshot of a given render, without a check of permissions; nil if there is no such screenshot.
  func screenshot(of row: RenderRow, _ context: ServiceContext) async throws -> Response? {
    let given = context.parameters.get("name") ?? ""
    let name = given.hasSuffix(".png") ? String(given.dropLast(4)) : given
    // Only names that the result has become part of a path.
    let known = RenderSummary.read(row.summary)?.pictures.map(\.name) ?? []
    guard known.contains(name) || known.contains(where: { "\($0)-ad" == name }) else { return nil }
    return try await Answer.file(data.result(of: row).file("screenshots/\(name).png"), type: "image/png", context)
  }

  /// Content security policy of a report, which allows its own style and script by their hashes and nothing more in a
  /// frame.
  static let framed: HTTPFields = [.contentSecurityPolicy: "sandbox allow-scripts; frame-ancestors 'self'"]

  /// Sends the results of the checks, in the format that the client accepts best.
  func report(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    guard row.status.isFinal else {
      throw Problem(409, "render-not-finished", "render '\(row.id)' hasn't ended yet", retryAfter: 1)
    }
    guard RenderSummary.read(row.summary)?.verdict != nil else {
      throw Problem(409, "render-not-checked", "render '\(row.id)' has no report: submit it with checks")
    }
    let accept = request.headers[.accept]
    guard let type = MediaChoice.best(of: ReportFormat.allCases.map(\.mediaType), accept: accept),
      let format = ReportFormat.allCases.first(where: { $0.mediaType == type })
    else {
      let offers = ReportFormat.allCases.map(\.mediaType).joined(separator: ", ")
      throw Problem(406, "accept-unsupported", "the report is available as \(offers)")
    }
    let results = data.render(row.id).results
    let text = try await format.text(try ReportSource.read(folder: results, workingFolder: results))
    var headers: HTTPFields = format == .html ? Self.framed : [:]
    headers[.vary] = "Accept"
    return Answer.text(text, type: type, headers: headers)
  }
}

extension RenderAPI {
  /// Sends `result.json` as the result holds it.
  func result(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    guard row.status.isFinal else {
      throw Problem(409, "render-not-finished", "render '\(row.id)' hasn't ended yet", retryAfter: 1)
    }
    let file = data.result(of: row).result
    guard let answer = try await Answer.file(file, type: "application/json", context) else {
      throw Problem.missing("result of render '\(row.id)'")
    }
    return answer
  }

  /// Sends the render as an archive for Playwright's trace viewer.
  func trace(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    guard row.status.isFinal else {
      throw Problem(409, "render-not-finished", "render '\(row.id)' hasn't ended yet", retryAfter: 1)
    }
    let result = data.result(of: row)
    guard result.isResult else { throw Problem.missing("trace of render '\(row.id)'") }
    let bytes = try await traces.pass { try TraceArchive.bytes(of: result) }
    let headers: HTTPFields = [.contentDisposition: "attachment; filename=\"trace.zip\""]
    return Answer.bytes(ByteBuffer(bytes: bytes), type: "application/zip", headers: headers)
  }
}

extension RenderAPI {
  /// Sends the recording of the creative's requests and their answers, in the format of every command.
  ///
  /// For a render whose requests were answered by a recording, it is that recording.
  func recording(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    guard row.status.isFinal else {
      throw Problem(409, "render-not-finished", "render '\(row.id)' hasn't ended yet", retryAfter: 1)
    }
    let file = data.recording(of: row)
    let isZip = file?.hasSuffix(".zip") ?? true
    let type = isZip ? "application/zip" : ReportFormat.har.mediaType
    guard let file, let answer = try await Answer.file(file, type: type, context) else {
      throw Problem.missing("recording of render '\(row.id)'")
    }
    var named = answer
    named.headers[.contentDisposition] = "attachment; filename=\"recording.\(isZip ? "zip" : "har")\""
    return named
  }
}

extension RenderAPI {
  private struct Listing: Encodable {
    let files: [ServedFiles.File]
  }

  /// Lists the files that a render left, such as measurements, results of exploring and filmstrips.
  func files(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    return try Answer.json(Listing(files: row.status.isFinal ? results(row).all : []))
  }

  /// Sends one of those files.
  func file(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    let given = context.parameters.getCatchAll().joined(separator: "/")
    guard row.status.isFinal, let file = results(row).file(given.removingPercentEncoding ?? given),
      let answer = try await Answer.file(data.result(of: row).file(file.path), type: file.type, context)
    else { throw Problem.missing("file '\(given.prefix(80))' of render '\(row.id)'") }
    return answer
  }

  private func results(_ row: RenderRow) -> ServedFiles {
    ServedFiles(folder: data.result(of: row).path, base: "/v1/renders/\(row.id)/files")
  }
}

extension RenderAPI {
  /// The image that `POST /v1/screenshot` answers with.
  private enum Part: String, CaseIterable {
    case screen, ad
    /// All frames on one sheet.
    case filmstrip
  }

  /// Renders and answers with the last screenshot: the whole screen, or with `?part=` the ad alone or the filmstrip.
  func picture(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.render)
    let part = try Self.part(QueryText.parameters(request.uri.query ?? ""))
    let accepted = try await accept(request, context)
    let row = try await data.atHome(
      try await wait(for: accepted, seconds: bounds.queueTimeout + bounds.timeout))
    guard row.status.isFinal else {
      throw Problem(503, .engine("server-stopping", "the server is shutting down"), retryAfter: 10)
    }
    let summary = row.status == .completed ? RenderSummary.read(row.summary) : nil
    guard let file = Self.file(part, of: summary) else {
      throw Problem(
        row.fault ?? .creative("screenshot-missing", "the render has no screenshot of the \(part.rawValue)"))
    }
    guard let bytes = FileContents.read(data.result(of: row).file(file)) else {
      throw Problem(.engine("result-gone", "the screenshot \(file) no longer exists"))
    }
    let headers: HTTPFields = [.location: "/v1/renders/\(row.id)"]
    return Answer.bytes(ByteBuffer(bytes: bytes), type: "image/png", headers: headers)
  }

  private static func part(_ parameters: [(name: String, value: String)]) throws(Problem) -> Part {
    guard let (name, value) = parameters.first else { return .screen }
    guard parameters.count == 1, name == "part", let part = Part(rawValue: value) else {
      let known = Part.allCases.map { "part=\($0.rawValue)" }.joined(separator: ", ")
      throw Problem(422, "query-invalid", "the only allowed parameters are \(known)")
    }
    return part
  }

  private static func file(_ part: Part, of summary: RenderSummary?) -> String? {
    guard summary?.isSound == true else { return nil }
    let last = summary?.pictures.last
    return switch part {
    case .screen: last.map { "screenshots/\($0.name).png" }
    case .ad: last?.hasAd == true ? last.map { "screenshots/\($0.name)-ad.png" } : nil
    case .filmstrip: summary?.filmstrip?.sheet
    }
  }
}

/// The files of one result, by their paths in it.
struct ServedFiles {
  /// A file that clients can fetch.
  struct File: Encodable {
    let path: String
    let bytes: Int
    let type: String
    let url: String
  }

  let folder: String
  /// The path of the address below which the files are served.
  let base: String

  /// All files of known kinds, sorted by their paths.
  var all: [File] {
    let found = FileManager.default.enumerator(atPath: folder)
    return (found?.allObjects as? [String] ?? []).sorted().compactMap(describe)
  }

  /// The file at a path; nil for everything that isn't listed, such as paths outside the folder or behind a link.
  func file(_ path: String) -> File? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !path.contains("\0"), parts.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
    let folders = parts.indices.dropFirst().map { parts[..<$0].joined(separator: "/") }
    guard folders.allSatisfy({ kind(of: $0) == .typeDirectory }) else { return nil }
    return describe(path)
  }

  private func describe(_ path: String) -> File? {
    // What approving and verifying note is the server's own, with paths of its machine.
    guard path != Candidate.fileName else { return nil }
    guard let type = Self.type(of: path), let bytes = size(path) else { return nil }
    let url = path.split(separator: "/").map { BaselineDocument.escaped(String($0)) }.joined(separator: "/")
    return File(path: path, bytes: bytes, type: type, url: "\(base)/\(url)")
  }

  /// Type of the file at a path; links aren't followed.
  private func kind(of path: String) -> FileAttributeType? {
    (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)"))?[.type] as? FileAttributeType
  }

  /// Size in bytes; nil for anything but a regular file, links included.
  private func size(_ path: String) -> Int? {
    let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
    guard facts?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return (facts?[.size] as? NSNumber)?.intValue
  }

  private static func type(of path: String) -> String? {
    if let film = films[path] { return film.mediaType }
    if let backup = backups[path] { return backup.mediaType }
    return switch path.split(separator: ".").last {
    case "json": "application/json"
    case "ndjson": "application/x-ndjson"
    case "png": "image/png"
    case "yaml", "mmd": "text/plain; charset=utf-8"
    case "zip": "application/zip"
    default: nil
    }
  }

  /// Formats of videos by their file names in a result.
  private static let films = Dictionary(uniqueKeysWithValues: FilmFormat.allCases.map { ("film.\($0.rawValue)", $0) })
  private static let backups = Dictionary(
    uniqueKeysWithValues: StillFormat.allCases.map { (BackupRequest.fileName($0), $0) })
}

/// The formats in which reports are sent.
enum ReportFormat: CaseIterable {
  case json, html, junit, sarif, ctrf, har

  var mediaType: String {
    switch self {
    case .json: "application/json"
    case .html: "text/html"
    case .junit: "application/xml"
    case .sarif: "application/sarif+json"
    case .ctrf: "application/vnd.ctrf+json"
    case .har: "application/har+json"
    }
  }

  /// The text of a complete report.
  func text(_ source: ReportSource) async throws(Fault) -> String {
    switch self {
    case .json:
      do {
        return try JSONText.of(source.report)
      } catch {
        throw .engine("report-failed", "the report can't be written as JSON: \(error)")
      }
    case .html: return await HTMLReport.text(source)
    case .junit: return try JUnitReport.text(source)
    case .sarif: return try SARIFReport.text(source)
    case .ctrf: return try CTRFReport.text(source)
    case .har: return try HARReport.text(source)
    }
  }
}
