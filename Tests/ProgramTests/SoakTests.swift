import Foundation
import Jobs
import Testing

extension ProgramTier {
  /// A batch whose workers and web processes are killed while it runs; `Scripts/soak` does the same at length.
  @Suite(.timeLimit(.minutes(2))) struct SoakTests {
    @Test func losesNoResultAndLeavesNoProcess() async throws {
      let program = try Program()
      let names = (1...24).map { "ad-\($0)" }
      for name in names { try program.file(name + ".html", "<script src=mraid.js></script><p>\(name)") }
      let creatives = names.map { $0 + ".html" }
      let running = try program.start("exec \"$GALLEY\" render --jobs 2 --out out " + creatives.joined(separator: " "))
      var processes: RunProcesses?
      var killed: [RunProcesses.Kind: Int] = [:]
      var told = 0
      for await line in running.lines where names.contains(where: { line.hasPrefix($0 + " ") }) {
        processes = processes ?? RunProcesses(of: running.id)
        told += 1
        guard told.isMultiple(of: 4) else { continue }
        let victim = told.isMultiple(of: 8) ? RunProcesses.Kind.worker : .webProcess
        if let id = processes?.ids(victim).randomElement(), kill(id, SIGKILL) == 0 { killed[victim, default: 0] += 1 }
      }
      let outcome = await running.outcome()
      #expect(killed.count == 2)
      for name in names {
        let data = try Data(contentsOf: URL(filePath: "\(program.folder)/out/\(name)/result.json"))
        let record = try JSONDecoder().decode(RenderRecord.self, from: data)
        #expect(record.outcome == .completed, "\(name): \(record.message ?? "")")
        #expect(record.screenshots.map { program.has("out/\(name)/\($0.path)") } == [true])
      }
      #expect(outcome.code == 0)
      #expect(await processes?.leftovers(after: 5) == [])
    }
  }
}
