package import Core
internal import FoundationEssentials
package import Pixels
internal import Subprocess
internal import SystemPackage

/// The program beside this one that encodes films and images; it receives frames and images, but no creative.
package enum FilmProgram {
  private static let name = "galley-film"

  /// Checks that films of a format can be encoded, before one is recorded; throws the reason if they can't.
  package static func prepare(_ format: FilmFormat) async throws(Fault) { _ = try await call([format.rawValue]) }

  /// Encodes the frames that a render stored in `reel` into a file of a format.
  package static func encode(_ reel: String, as format: FilmFormat, to file: String) async throws(Fault) {
    _ = try await call([format.rawValue, reel, file])
  }

  /// Converts a PNG to another image format, in the best quality that fits in `maxBytes`.
  ///
  /// `scale` is the number of pixels per dip in the PNG, and the number that the result is to have.
  package static func still(
    _ picture: String, as format: StillFormat, to file: String, maxBytes: Int? = nil,
    scale: (given: Int, wanted: Int) = (1, 1)
  ) async throws(Fault) -> WrittenStill {
    let limit = maxBytes.map(String.init) ?? "0"
    let told = try await call(
      ["still", format.rawValue, picture, file, limit, String(scale.given), String(scale.wanted)])
    guard let written = try? JSONDecoder().decode(WrittenStill.self, from: Data(told.utf8)) else {
      throw .engine("still-failed", "can't read the output of \(name)")
    }
    return written
  }

  /// Draws pages of images as a PDF; the plan is passed in a file in `folder`.
  package static func sheet(_ plan: ContactPlan, to file: String, by folder: String) async throws(Fault) {
    let path = "\(folder)/contact-plan.json"
    do {
      try Data(JSONText.bytes(plan)).write(to: URL(filePath: path))
    } catch {
      throw .writing(path, error)
    }
    _ = try await call(["sheet", path, file])
  }

  /// Indicates if the program is installed beside this one.
  package static var isThere: Bool { Executables.beside(name) != nil }

  /// Throws a fault if the program is missing, before anything is rendered for it.
  package static func require() throws(Fault) { _ = try located() }

  private static func located() throws(Fault) -> String {
    guard let program = Executables.beside(name) else {
      throw .engine("film-program-missing", "\(name) is missing: build it with swift build --product \(name)")
    }
    return program
  }

  /// Runs the program and returns its standard output; throws the fault that it reports on its standard error.
  private static func call(_ words: [String]) async throws(Fault) -> String {
    let program = try located()
    BrokenPipes.survive()
    let (status, output, said): (TerminationStatus, String, String)
    do {
      let result = try await run(
        .path(FilePath(program)), arguments: Arguments(words), input: .none, output: .string(limit: 1 << 16),
        error: .string(limit: 1 << 16))
      (status, output, said) = (result.terminationStatus, result.standardOutput, result.standardError)
    } catch {
      throw .engine("film-failed", "can't run \(name): \(error)")
    }
    guard !status.isSuccess else { return output }
    let told = said.split(whereSeparator: \.isNewline).last ?? ""
    throw (try? JSONDecoder().decode(Fault.self, from: Data(told.utf8)))
      ?? .engine("film-failed", "\(name) ended with \(status): \(told.prefix(300))")
  }
}
