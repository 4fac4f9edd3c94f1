internal import Exploration
internal import Foundation
internal import Glibc
internal import Jobs
internal import MRAID
internal import Stage
internal import Workers

/// What an exploration leaves in the creative's folder, and what it takes away from there.
struct ExplorationFiles {
  let folder: ResultFolder
  let job: RenderJob

  func write(_ found: Exploration, _ document: ExplorationDocument) throws(Fault) {
    do {
      let files = FileManager.default
      for path in [folder.states, folder.scenarios] {
        try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      for state in found.states { try keep(state.seen.picture, of: state.trial, as: state.slug) }
      for edge in found.edges {
        if let name = found.awayName(of: edge) { try keep(edge.awayPicture, of: edge.trial, as: name) }
      }
      for replay in found.replays {
        try write(
          ScenarioWriter.text(of: replay.scenario, comment: comment(replay)), to: "\(folder.scenarios)/\(replay.file)")
      }
      try write(StateGraph(found).mermaid, to: folder.graph)
      try write(JSONText.of(document), to: folder.exploration)
    } catch {
      throw .engine("output-failed", "can't write the exploration to \(folder.path): \(error.localizedDescription)")
    }
  }

  /// Takes away what only exploring needed; what can't be removed does no harm.
  func clear() {
    for path in [folder.trials, folder.observations] { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Copies a trial's picture and that of the ad alone, which may not be there.
  private func keep(_ picture: String?, of trial: Int, as name: String) throws {
    guard let picture else { return }
    let from = trial == 0 ? folder.screenshots : ResultFolder("\(folder.trials)/\(trial)").screenshots
    for suffix in ["", "-ad"] {
      let source = "\(from)/\(picture)\(suffix).png"
      guard FileManager.default.fileExists(atPath: source) else { continue }
      try FileManager.default.copyItem(atPath: source, toPath: "\(folder.states)/\(name)\(suffix).png")
    }
  }

  private func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// How to play it: the scenario names the placement, the device is the caller's.
  private func comment(_ replay: Replay) -> [String] {
    let orientation = job.orientation.map { " --orientation \($0.rawValue)" } ?? ""
    let device = job.device.name == DeviceCatalogue.defaultName ? "" : " --device \(job.device.name)"
    return [
      replay.title, "galley render \(job.creative.argument) --scenario \(replay.file)\(device)\(orientation)",
    ]
  }
}
