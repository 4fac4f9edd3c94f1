import Foundation
import FoundationNetworking
import Testing

/// A started `galley serve`, and requests to it; it ends with the test.
final class RunningServer: Sendable {
  /// An answer as tests look at it.
  struct Answer {
    let status: Int
    let headers: [String: String]
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: [String: Any] { ((try? JSONSerialization.jsonObject(with: body)) as? [String: Any]) ?? [:] }
    var code: String? { json["code"] as? String }
    var id: String { json["id"] as? String ?? "" }
    var renderStatus: String? { json["status"] as? String }
  }

  let program: RunningProgram
  let address: String

  /// Starts one over the program's folder `data` and returns once it can be called.
  ///
  /// With `disk` that folder is a file system of so many bytes, which only the server and `/proc` see.
  init(_ program: Program, _ options: String = "", jobs: Int = 1, disk: String? = nil) async throws {
    let serve = "exec \"$GALLEY\" serve --port 0 --data data --jobs \(jobs) --json \(options)"
    let mounted = disk.map {
      "mkdir data; exec unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=\($0) tmpfs data && \(serve)'"
    }
    self.program = try program.start(mounted ?? serve)
    var first: String?
    for await line in self.program.lines {
      first = line
      break
    }
    let document = try JSONSerialization.jsonObject(with: Data(try #require(first).utf8)) as? [String: String]
    address = try #require(document?["address"])
  }

  deinit { program.stop() }

  func send(
    _ method: String, _ path: String, _ json: [String: Any]? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    var request = URLRequest(url: try #require(URL(string: address + path)), timeoutInterval: 90)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    if let json {
      request.httpBody = try JSONSerialization.data(withJSONObject: json)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let (body, response) = try await URLSession.shared.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    let fields = http.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") }
    return Answer(status: http.statusCode, headers: Dictionary(fields, uniquingKeysWith: { $1 }), body: body)
  }

  /// Has something rendered and waits for what comes of it.
  func render(_ json: [String: Any], headers: [String: String] = [:]) async throws -> Answer {
    try await send("POST", "/v1/renders", json, headers: headers.merging(["Prefer": "wait=80"]) { own, _ in own })
  }

  /// Waits until a render has ended, as its live events tell.
  func ended(_ id: String) async throws -> Answer {
    _ = try await send("GET", "/v1/renders/\(id)/events", headers: ["Accept": "text/event-stream"])
    return try await send("GET", "/v1/renders/\(id)")
  }
}
