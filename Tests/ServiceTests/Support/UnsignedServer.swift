import Foundation
import Subprocess

/// `openssl s_server` for hook.example, whose certificate nobody has signed.
struct UnsignedServer {
  struct StartError: Error {}

  let port: Int
  /// The certificate's file, for whoever wants to trust it.
  let certificate: String
  private let writer: StandardInputWriter

  /// Runs one while something is done with it.
  static func during<Result: Sendable>(
    in scratch: Scratch, _ work: @escaping @Sendable (UnsignedServer) async throws -> Result
  ) async throws -> Result {
    let (certificate, key) = ("\(scratch.path)/certificate", "\(scratch.path)/key")
    let names = ["-subj", "/CN=hook.example", "-addext", "subjectAltName=DNS:hook.example"]
    let making = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out",
      certificate,
    ]
    _ = try await Subprocess.run(
      .name("openssl"), arguments: Arguments(making + names), output: .discarded, error: .discarded)
    let serving = ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key]
    return try await Subprocess.run(
      .name("openssl"), arguments: Arguments(serving), input: .inputWriter, output: .sequence, error: .discarded
    ) { execution in
      var said = ""
      for try await buffer in execution.standardOutput {
        said += buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        guard let port = said.firstMatch(of: /ACCEPT .*:(\d+)\n/).flatMap({ Int($0.1) }) else { continue }
        defer { try? execution.send(signal: .kill) }
        return try await work(
          UnsignedServer(port: port, certificate: certificate, writer: execution.standardInputWriter))
      }
      throw StartError()
    }.closureResult
  }

  /// Says this to whoever is connected, or comes next.
  func say(_ answer: String) async throws { _ = try await writer.write(Array(answer.utf8)) }
}
