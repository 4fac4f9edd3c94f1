package import Core
internal import FoundationEssentials
package import Pixels
internal import Subprocess
internal import SystemPackage

/// The program that encodes films, beside this one: it gets frames, and no creative.
package enum FilmProgram {
  private static let name = "galley-film"

  /// Throws what would keep a film of a format from being encoded, before one is taken.
  package static func prepare(_ format: FilmFormat) async throws(Fault) { try await call([format.rawValue]) }

  /// Encodes what a render took on `reel` into a file of a format.
  package static func encode(_ reel: String, as format: FilmFormat, to file: String) async throws(Fault) {
    try await call([format.rawValue, reel, file])
  }

  private static func call(_ words: [String]) async throws(Fault) {
    guard let program = Executables.beside(name) else {
      throw .engine("film-program-missing", "\(name) isn't built: swift build --product \(name) builds it")
    }
    BrokenPipes.survive()
    let (status, said): (TerminationStatus, String)
    do {
      let result = try await run(
        .path(FilePath(program)), arguments: Arguments(words), input: .none, output: .discarded,
        error: .string(limit: 1 << 16))
      (status, said) = (result.terminationStatus, result.standardError)
    } catch {
      throw .engine("film-failed", "\(name) can't be run: \(error)")
    }
    guard !status.isSuccess else { return }
    let told = said.split(whereSeparator: \.isNewline).last ?? ""
    throw (try? JSONDecoder().decode(Fault.self, from: Data(told.utf8)))
      ?? .engine("film-failed", "\(name) ended with \(status): \(told.prefix(300))")
  }
}
