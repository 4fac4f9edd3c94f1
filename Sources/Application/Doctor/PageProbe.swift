internal import Core
internal import Device
internal import FoundationEssentials
internal import RenderModel
internal import Workers

/// Trial with a tiny page, rendered to test the whole pipeline and to read facts about the engine.
struct PageProbe {
  /// Outcome of the trial.
  struct Outcome {
    let findings: [MachineFinding]
    let record: RenderRecord?
  }

  /// Folder of the page and its results.
  let folder: String

  /// Folder of the results.
  var results: String { "\(folder)/result" }

  /// Renders the page as a creative.
  func run() async -> Outcome {
    let settings: PoolSettings
    do throws(Fault) {
      settings = PoolSettings(executable: try Executables.worker(), capacity: 1)
      try Self.write(Self.page, to: "\(folder)/page/index.html")
    } catch {
      return Outcome(findings: [Self.failure(error.message)], record: nil)
    }
    guard let device = DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName) else {
      return Outcome(findings: [Self.failure("there is no device to render on")], record: nil)
    }
    let path = "\(folder)/page"
    let job = RenderJob(
      id: 0, creative: CreativeReference(argument: path, path: path, name: "page"), output: results, device: device,
      placement: Placement(kind: .banner), options: RenderOptions(network: .none))
    let (records, _) = await PoolRun(settings: settings).render([job])
    guard let record = records[0] else { return Outcome(findings: [Self.failure("it was interrupted")], record: nil) }
    return Outcome(findings: findings(record), record: record)
  }

  private func findings(_ record: RenderRecord) -> [MachineFinding] {
    guard record.outcome == .completed else {
      return [Self.failure(record.message ?? "the reason is unknown")]
    }
    let answer = PageAnswer(ResultFolder(results).log)
    return [rendered(record), isolation(record), clock(record), forkServer(record), codecs(answer)]
  }

  private func rendered(_ record: RenderRecord) -> MachineFinding {
    guard let shown = record.screenshots.fullest, (shown.contentShare ?? 0) > 0 else {
      return Self.failure("the screenshot of a test page is empty")
    }
    let time = record.timings["total"].map { ResultTime.text(Bounded.milliseconds($0)) } ?? "unknown time"
    return .ok(.render, "rendered a page in \(time) with WebKitGTK \(record.engine?.webkit ?? "")")
  }

  /// Returns the finding on the isolation of files; all warnings on this page's result are caused by the machine.
  private func isolation(_ record: RenderRecord) -> MachineFinding {
    guard let warning = record.warnings.first(where: { $0 == MachineWarning.filesVisible }) else {
      return .ok(.isolation, "a worker can read only its creative's files")
    }
    return .warning(
      .isolation, warning,
      remedy: "allow user namespaces, or render untrusted creatives on a machine without other data")
  }

  private func clock(_ record: RenderRecord) -> MachineFinding {
    guard let warning = record.warnings.first(where: { $0 == MachineWarning.clockMissing }) else {
      return .ok(.clock, "the virtual clock works")
    }
    return .warning(.clock, warning, remedy: "install libGalleyClock.so beside galley-worker, readable for this user")
  }

  private func forkServer(_ record: RenderRecord) -> MachineFinding {
    guard let reason = record.engine?.unforked else { return .ok(.forkServer, "web processes are forked") }
    return .warning(
      .forkServer, "web processes start without the fork server, which is slower: \(reason)",
      remedy: "unset GALLEY_FORK_SERVER; install galley-fork-client and libGalleyForkServer.so beside galley-worker")
  }

  private func codecs(_ answer: PageAnswer) -> MachineFinding {
    guard !answer.missing.isEmpty else { return .ok(.codecs, "pages play \(answer.playable.joined(separator: ", "))") }
    return .warning(
      .codecs, "pages can't play \(answer.missing.joined(separator: ", "))",
      remedy: "apt install gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-libav")
  }

  private static func failure(_ reason: String) -> MachineFinding {
    .error(
      .render, "can't render a test page: \(reason)",
      remedy: "solve the problems above; if a library is missing, apt install libwebkit2gtk-4.1-0")
  }

  /// Writes a file and creates its parent folders.
  private static func write(_ text: String, to path: String) throws(Fault) {
    do {
      try OutputFile.write(text, to: path)
    } catch {
      throw Fault.writing(path, error)
    }
  }

  private static let page = """
    <!doctype html><meta charset="utf-8"><meta name="ad.size" content="width=320,height=50">
    <title>galley doctor</title>
    <body style="margin:0;background:#fff;font:24px sans-serif"><p style="margin:8px">Galley draws \u{1F600}</p>
    <script>
      const player = document.createElement("video");
      const formats = \(PageAnswer.formats);
      for (const [name, type] of Object.entries(formats)) {
        console.log("galley-doctor " + (player.canPlayType(type) ? "plays " : "lacks ") + name);
      }
    </script>
    """
}

/// Formats that the page can play, according to its console output.
private struct PageAnswer {
  private(set) var playable: [String] = []
  private(set) var missing: [String] = []

  init(_ log: EventLogFile) {
    for line in log.console.split(separator: "\n") {
      if let name = Self.rest(of: line, after: "galley-doctor plays ") { playable.append(name) }
      if let name = Self.rest(of: line, after: "galley-doctor lacks ") { missing.append(name) }
    }
  }

  /// Formats of video ads and sounds by readable names, as a JavaScript object.
  static let formats = """
    {
      "H.264": 'video/mp4; codecs="avc1.42E01E"', "AAC": 'audio/mp4; codecs="mp4a.40.2"',
      "VP8": 'video/webm; codecs="vp8"', "VP9": 'video/webm; codecs="vp9"', "MP3": "audio/mpeg",
      "Ogg Vorbis": 'audio/ogg; codecs="vorbis"'
    }
    """

  private static func rest(of line: Substring, after beginning: String) -> String? {
    line.hasPrefix(beginning) ? String(line.dropFirst(beginning.count)) : nil
  }
}
