internal import ArgumentParser
internal import Core
internal import FoundationEssentials
internal import Pages
internal import Play
internal import RenderModel
internal import Reports
internal import Terminal

/// The `show` command, which shows the results of another command on a local page.
struct ShowCommand: AsyncParsableCommand, StandaloneCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show results or a report in the browser.",
    discussion: """
      Prints the secret address of a page on this machine. For a folder of galley check, galley render or galley \
      baseline verify the page shows every result in or below it; for galley diff it is the page that --html wrote. \
      The command renders and writes nothing.

      Exit codes: 0 stopped by a signal, 2 wrong usage, 3 Galley or the machine failed.
      """)

  @Argument(
    help: ArgumentHelp("A folder of results, or a page that --html wrote.", valueName: "folder"))
  var folder: String

  @Option(help: ArgumentHelp("The page's port; 0 for any free port.", valueName: "number")) var port = 0
  @Flag(help: "Open the page with xdg-open.") var open = false

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
  }

  func run() async throws {
    let server = ShowServer(try await Self.page(of: folder), port: port)
    try await PageAddress.run("galley shows \(folder.printable) on", opens: open) { ready throws(Fault) in
      try await server.run(ready: ready)
    }
  }

  /// Maximum number of bytes of a page.
  private static let largest = 512 << 20

  /// The report of the results in a folder, else the only page in it.
  private static func page(of path: String) async throws(Fault) -> FinishedPage {
    guard AbsolutePath.isFolder(path) else { return try file(path) }
    do throws(Fault) {
      let source = try ReportSource.results(in: path, workingFolder: FileManager.default.currentDirectoryPath)
      guard let page = FinishedPage(await HTMLReport.text(source)) else {
        throw .engine("report-failed", "the report isn't a page")
      }
      return page
    } catch let error where error.has(.resultFolderMissing) {
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
      let pages = names.filter { $0.hasSuffix(".html") }.compactMap { try? file("\(path)/\($0)") }
      guard let page = pages.first, pages.count == 1 else { throw error }
      return page
    }
  }

  private static func file(_ path: String) throws(Fault) -> FinishedPage {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.regular(path, most: largest)
    } catch {
      throw .request("report-missing", "can't read \(path.printable): \(error)")
    }
    guard let page = FinishedPage(String(decoding: bytes, as: UTF8.self)) else {
      throw .request(
        "report-unreadable", "\(path.printable) is neither a folder of results nor a page that galley's --html wrote")
    }
    return page
  }
}

/// Printing of a local page's address for the user.
enum PageAddress {
  /// Serves a page, and prints the words with its address once it is available.
  static func run(
    _ words: String, opens: Bool, serve: (@escaping @Sendable (String) -> Void) async throws(Fault) -> Void
  ) async throws(Fault) {
    try await serve { address in
      do throws(Fault) {
        try Console.output.printMessage("\(words) \(address)\n")
      } catch {
        // Nobody could find a page that can't say where it is.
        Console.error.printMessage(error)
        ExitStatus(error.origin).exit()
      }
      if opens { BrowserLauncher.open(address) }
    }
  }
}
