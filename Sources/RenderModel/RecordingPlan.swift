/// Which files a run's requests are kept in, or answered from.
package struct RecordingPlan: Hashable, Sendable {
  /// Where recordings are written: a file for one creative, a folder with one for each of several.
  package var record: String?
  /// A recording's folder that answers every render; nil where each has its own or none.
  package var replay: String?
  /// A folder with a recording for each creative, by its name.
  package var replayEach: String?

  package init(record: String? = nil, replay: String? = nil, replayEach: String? = nil) {
    self.record = record
    self.replay = replay
    self.replayEach = replayEach
  }
}
