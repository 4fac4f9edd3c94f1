internal import Application
internal import ArgumentParser
internal import Core
internal import Files
internal import Parties
internal import Recordings
internal import Terminal

/// Shows, edits and converts recordings.
struct HARCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "har", abstract: "Show, edit, redact, merge and convert network recordings.",
    discussion: """
      A recording is a file of --record, or any HTTP Archive: a .har, or a .zip with bodies as separate files. \
      Playwright's routeFromHAR replays files that this command writes.
      """, subcommands: [Show.self, Edit.self, Redact.self, Merge.self, Convert.self])

  /// Prints each request on a line, followed by the parties that received requests.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show each request and the parties that received them.")
    @Argument(help: ArgumentHelp("A recording: a .zip, a .har or its folder.", valueName: "file")) var file: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let folder = try RecordingFile.copy(file, into: try ScratchFolder.make())
      let summary = RecordingSummary(try folder.exchanges(), rules: try folder.rules())
      if json { return try Console.output.printMessage(document: summary) }
      try Console.output.printMessage(RecordingText.table(summary))
    }
  }

  struct Edit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Change responses, leave out hosts, and add matching rules.",
      discussion: "Requests are numbered as in the output of `galley har show`.")
    @Argument(help: ArgumentHelp("A recording: a .zip, a .har or its folder.", valueName: "file")) var file: String
    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file")) var out: String
    @Option(help: ArgumentHelp("Replace a status: 3=503.", valueName: "number=status")) var status: [String] = []
    @Option(help: ArgumentHelp("Replace a body: 3=new.json.", valueName: "number=file")) var body: [String] = []
    @Option(help: ArgumentHelp("Replace a header: 3=Age: 0; 3=Age: removes it.", valueName: "number=line"))
    var header: [String] = []
    @Option(help: ArgumentHelp("Leave out requests to these hosts: *.tracker.example.", valueName: "host"))
    var drop: [String] = []
    @Option(help: ArgumentHelp("Leave out requests to all other hosts.", valueName: "host")) var keep: [String] =
      []
    @Option(help: ArgumentHelp("A matching rule: 'ignore query cb,t on *.example'.", valueName: "rule"))
    var rule: [String] = []

    func run() throws {
      let folder = try RecordingFile.copy(file, into: try ScratchFolder.make())
      for text in status {
        let (number, value) = try pair(text)
        guard let status = Int(value), (100...599).contains(status) else {
          throw ValidationError("'\(value)' isn't a status: use a number from 100 to 599")
        }
        try RecordingEdit.set(status: status, of: number, in: folder)
      }
      for text in body {
        let (number, path) = try pair(text)
        do {
          try RecordingEdit.set(body: try FileReading.named(path, most: 64 << 20), of: number, in: folder)
        } catch let error as FileReadingError {
          throw Fault.request("body-unreadable", "can't read \(path): \(error)")
        }
      }
      for text in header {
        let (number, line) = try pair(text)
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
          throw ValidationError("'\(line)' isn't a header: write a name, a colon and a value")
        }
        let value = parts[1].drop { $0 == " " }
        try RecordingEdit.set(header: String(parts[0]), to: value.isEmpty ? nil : String(value), of: number, in: folder)
      }
      if !keep.isEmpty { try RecordingEdit.keep(hosts: keep, in: folder) }
      for host in drop { try RecordingEdit.drop(host: host, from: folder) }
      try RecordingEdit.add(try rule.map { try MatchRule(parsing: $0) }, to: folder)
      try RecordingFile.pack(folder.path, to: out)
    }

    private func pair(_ text: String) throws -> (Int, String) {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let number = Int(parts[0]), number >= 0 else {
        throw ValidationError("'\(text)' isn't an edit: write the request's number, =, and the new value")
      }
      return (number, String(parts[1]))
    }
  }

  struct Redact: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "redact", abstract: "Remove personal data from a recording.",
      discussion: """
        Cookies, tokens, challenges, client addresses and the parameters \
        \(Redaction.usualParameters.sorted().joined(separator: ", ")) are always removed, also from URLs inside URLs. \
        A matching rule is added, so that the recording can still be replayed.
        """)
    @Argument(help: ArgumentHelp("A recording: a .zip, a .har or its folder.", valueName: "file")) var file: String
    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file")) var out: String
    @Option(help: ArgumentHelp("Another header to redact.", valueName: "name")) var header: [String] = []
    @Option(help: ArgumentHelp("Another query parameter to redact.", valueName: "name")) var query: [String] = []
    @Option(help: ArgumentHelp("A field of JSON or form bodies to redact: user.id.", valueName: "name")) var field:
      [String] = []

    func run() throws {
      let folder = try RecordingFile.copy(file, into: try ScratchFolder.make())
      try Redaction(headers: Set(header), parameters: Set(query), fields: Set(field)).apply(to: folder)
      try RecordingFile.pack(folder.path, to: out)
    }
  }

  struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "merge", abstract: "Join several recordings into one, in this order.")
    @Argument(help: ArgumentHelp("Recordings.", valueName: "file")) var files: [String]
    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file")) var out: String

    func run() throws {
      let folder = try RecordingFolder.create(try ScratchFolder.make())
      for file in files {
        try RecordingEdit.add(try RecordingFile.copy(file, into: try ScratchFolder.make()), to: folder)
      }
      try RecordingFile.pack(folder.path, to: out)
    }
  }

  struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "convert", abstract: "Convert a recording to another format.",
      discussion: "A .wacz is for players of web archives, like pywb and ReplayWeb.page; Galley can't read it.")
    @Argument(help: ArgumentHelp("A recording: a .zip, a .har or its folder.", valueName: "file")) var file: String
    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write: .zip, .har or .wacz.", valueName: "file"))
    var out: String

    func run() throws {
      try RecordingFile.pack(try RecordingFile.copy(file, into: try ScratchFolder.make()).path, to: out)
    }
  }
}

/// Recording as readable text.
private enum RecordingText {
  /// Maximum number of characters of a URL in a line.
  private static let width = 90

  static func table(_ summary: RecordingSummary) -> String {
    var lines = summary.requests.map { request in
      let status = request.status.map { "\($0)" } ?? request.failure ?? "–"
      let cells = [
        right("\(request.index)", 4), right(status, 11), left(request.method, 6), right("\(request.size)", 9),
        right("\(Bounded.int(request.milliseconds, in: 0...Int.max))", 6), "ms ",
        String(request.url.printable.prefix(width)),
      ]
      return cells.joined(separator: " ")
    }
    lines.append("")
    for party in summary.parties {
      let cookies = party.cookies > 0 ? ", \(party.cookies) set cookies" : ""
      let who = party.who.map { " (\($0))" } ?? ""
      lines.append("\(party.domain)\(who): \(party.requests) requests, \(party.bytes) bytes\(cookies)")
    }
    if summary.parties.contains(where: \.isTracker) { lines += ["", "trackers by \(summary.trackers)"] }
    if !summary.rules.isEmpty { lines += [""] + summary.rules }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
