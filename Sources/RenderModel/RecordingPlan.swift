/// Files in which a run's requests are recorded, or from which they are answered.
package struct RecordingPlan: Hashable, Sendable {
  /// Place of new recordings: a file for one creative, a folder with one for each of several.
  package var record: String?
  /// Folder of a recording that answers every render; nil if each has its own or none.
  package var replay: String?
  /// Folder with a recording for each creative, by the creative's name.
  package var replayEach: String?

  package init(record: String? = nil, replay: String? = nil, replayEach: String? = nil) {
    self.record = record
    self.replay = replay
    self.replayEach = replayEach
  }
}
