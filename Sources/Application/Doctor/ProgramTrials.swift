internal import Core
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import Workers

/// Trials of the programs that rendering takes, each of which is started.
enum ProgramTrials {
  static func findings() async -> [MachineFinding] {
    [await programs(), await display(), await sandbox(), await timeZones()]
  }

  /// What stands beside this program, and what comes from the system.
  private static func programs() async -> MachineFinding {
    let missing = Executables.missingParts
    guard missing.isEmpty else {
      return .error(
        .programs, "missing beside galley: \(missing.joined(separator: ", "))",
        remedy: "install Galley's package again, or build it with Scripts/galley --version")
    }
    var broken: [(name: String, complaint: String)] = []
    for (name, argument) in [("xdg-dbus-proxy", "--version"), ("curl", "--version"), ("setpriv", "--version")] {
      let outcome = await ProgramTrial(name, [argument]).run()
      if !outcome.isSuccess { broken.append((name, outcome.complaint)) }
    }
    guard let first = broken.first else { return .ok(.programs, "all there, and they start") }
    let packages = broken.map { $0.name == "setpriv" ? "util-linux" : $0.name }.joined(separator: " ")
    return .warning(.programs, "\(first.name) \(first.complaint)", remedy: "apt install \(packages)")
  }

  /// Starts the X server that pages are drawn on, as a worker does.
  private static func display() async -> MachineFinding {
    guard let folder = EngineFolder.make(), let number = EngineFolder.drawDisplay(for: folder.path) else {
      return .error(
        .display, "no folder can be made in \(EngineFolder.place)",
        remedy: "TMPDIR=FOLDER names one that this user may write to")
    }
    defer {
      close(folder.lock)
      EngineFolder.remove(folder.path)
    }
    let start = ContinuousClock.now
    let outcome = await ProgramTrial(
      "setpriv",
      [
        "--pdeathsig", "KILL", "Xvfb", ":\(number)", "-displayfd", "1", "-screen", "0", "64x64x24", "-nolisten", "tcp",
        "-nolisten", "local", "-noreset",
      ], endsWithFirstLine: true
    ).run()
    guard Int(outcome.output) == Int(number) else {
      return .error(
        .display, "Xvfb \(outcome.complaint)",
        remedy: "apt install xvfb; it needs a writable /tmp/.X11-unix, or leave to make it")
    }
    let took = ResultTime.text(start.duration(to: .now))
    return .ok(.display, "Xvfb takes connections after \(took)")
  }

  /// Starts the sandbox as a worker does for web processes.
  private static func sandbox() async -> MachineFinding {
    let outcome = await ProgramTrial(
      "bwrap",
      ["--die-with-parent", "--unshare-pid", "--unshare-uts", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    ).run()
    if outcome.isSuccess { return .ok(.sandbox, "web processes are shut in") }
    if outcome.end == .missing {
      return .warning(.sandbox, "bubblewrap isn't installed, so web processes aren't shut in", remedy: "apt install bubblewrap")
    }
    return .warning(
      .sandbox, "web processes aren't shut in: bwrap \(outcome.complaint)",
      remedy: "allow user namespaces: sysctl user.max_user_namespaces, "
        + "kernel.apparmor_restrict_unprivileged_userns=0; in a container --security-opt seccomp=unconfined")
  }

  /// Asks for New York's time in winter, five hours behind.
  private static func timeZones() async -> MachineFinding {
    let outcome = await ProgramTrial("date", ["-d", "@1767225600", "+%z"], environment: ["TZ": "America/New_York"]).run()
    guard outcome.output == "-0500" else {
      return .warning(
        .timeZones, "the system knows no time zones, so TZ=Europe/Berlin means UTC", remedy: "apt install tzdata")
    }
    return .ok(.timeZones, ProcessInfo.processInfo.environment["TZ"].map { "TZ=\($0)" } ?? "the system's own")
  }
}

/// A duration for people.
enum ResultTime {
  /// `0.4 s`
  static func text(_ duration: Duration) -> String { "\(NumberText.tenths(duration / .seconds(1))) s" }
}
