package import Core
internal import FoundationEssentials
package import Pixels
internal import Subprocess
internal import SystemPackage

/// The program that encodes films and pictures, beside this one: it gets what renders took, and no creative.
package enum FilmProgram {
  private static let name = "galley-film"

  /// Throws what would keep a film of a format from being encoded, before one is taken.
  package static func prepare(_ format: FilmFormat) async throws(Fault) { _ = try await call([format.rawValue]) }

  /// Encodes what a render took on `reel` into a file of a format.
  package static func encode(_ reel: String, as format: FilmFormat, to file: String) async throws(Fault) {
    _ = try await call([format.rawValue, reel, file])
  }

  /// Writes a PNG as another kind of picture, in the best quality that fits in `maxBytes`.
  ///
  /// `scale` is how many pixels of a dip the PNG has, and how many are wanted.
  package static func still(
    _ picture: String, as format: StillFormat, to file: String, maxBytes: Int? = nil,
    scale: (given: Int, wanted: Int) = (1, 1)
  ) async throws(Fault) -> WrittenStill {
    let limit = maxBytes.map(String.init) ?? "0"
    let told = try await call(
      ["still", format.rawValue, picture, file, limit, String(scale.given), String(scale.wanted)])
    guard let written = try? JSONDecoder().decode(WrittenStill.self, from: Data(told.utf8)) else {
      throw .engine("still-failed", "\(name) doesn't say what it wrote")
    }
    return written
  }

  /// Draws pages of pictures as a PDF; the plan goes by a file in `folder`.
  package static func sheet(_ plan: ContactPlan, to file: String, by folder: String) async throws(Fault) {
    let path = "\(folder)/contact-plan.json"
    do {
      try Data(JSONText.bytes(plan)).write(to: URL(filePath: path))
    } catch {
      throw .writing(path, error)
    }
    _ = try await call(["sheet", path, file])
  }

  /// Whether the program stands beside this one.
  package static var isThere: Bool { Executables.beside(name) != nil }

  /// What the program says on its output; throws what it says on the other.
  private static func call(_ words: [String]) async throws(Fault) -> String {
    guard let program = Executables.beside(name) else {
      throw .engine("film-program-missing", "\(name) isn't built: swift build --product \(name) builds it")
    }
    BrokenPipes.survive()
    let (status, output, said): (TerminationStatus, String, String)
    do {
      let result = try await run(
        .path(FilePath(program)), arguments: Arguments(words), input: .none, output: .string(limit: 1 << 16),
        error: .string(limit: 1 << 16))
      (status, output, said) = (result.terminationStatus, result.standardOutput, result.standardError)
    } catch {
      throw .engine("film-failed", "\(name) can't be run: \(error)")
    }
    guard !status.isSuccess else { return output }
    let told = said.split(whereSeparator: \.isNewline).last ?? ""
    throw (try? JSONDecoder().decode(Fault.self, from: Data(told.utf8)))
      ?? .engine("film-failed", "\(name) ended with \(status): \(told.prefix(300))")
  }
}
