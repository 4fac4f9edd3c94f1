internal import ArgumentParser

/// Keeps pictures and event logs that somebody was content with, and compares creatives with them.
struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Keep what creatives look like and do, and notice when that changes.",
    discussion: """
      Baselines lie in galley-baselines beside each creative, or in --baselines, and belong into version control. \
      'record' keeps what has none yet, 'verify' compares, 'approve' takes over what the last 'verify' found.
      """,
    subcommands: [
      BaselineRecordCommand.self, BaselineVerifyCommand.self, BaselineApproveCommand.self, BaselineListCommand.self,
      BaselinePruneCommand.self,
    ])
}
