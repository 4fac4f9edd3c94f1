internal import Core
internal import RenderModel

/// How a machine renders for a queue.
package struct WorkSettings: Sendable {
  /// Creatives rendered at a time.
  package var jobs: Int
  /// The worker program, and this one's, which guards it.
  package var worker: String
  package var executable: String
  /// A folder of its own for what it is at; emptied when it begins.
  package var folder: String
  /// What jobs may ask of this machine.
  package var capabilities: Set<String>
  /// The most that a job may take, whatever it asks for.
  package var bounds = ServiceSettings.Bounds()
  /// Whether creatives may reach private addresses.
  package var allowsPrivateNetwork = false
  /// The proxy that creatives' requests go by; nil for none.
  package var proxy: String?
  /// Where metrics are told; nil for nowhere.
  package var metrics: (host: String, port: Int)?
  /// What the queue's lists call it: letters, digits and hyphens.
  package var name: String

  package init(jobs: Int, worker: String, executable: String, folder: String, capabilities: Set<String>, name: String) {
    (self.jobs, self.worker, self.executable, self.folder) = (jobs, worker, executable, folder)
    (self.capabilities, self.name) = (capabilities, name)
  }

  /// How far creatives reach at most.
  var reach: NetworkPolicy { allowsPrivateNetwork ? .any : .publicInternet }
}
