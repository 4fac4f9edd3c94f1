internal import Core
package import RenderModel

/// Settings of a machine that renders for a queue.
package struct WorkSettings: Sendable {
  /// Upper limits for every job, whatever it requests.
  package struct Bounds: Sendable {
    /// Maximum seconds and mebibytes of a job.
    package var timeout: Double
    package var memory: Int
    /// Maximum number of pixels of a screen.
    package var pixels: Int
    /// Seconds that running renders have to end when the program shuts down.
    package var drain: Double

    package init(timeout: Double, memory: Int, pixels: Int, drain: Double) {
      (self.timeout, self.memory, self.pixels, self.drain) = (timeout, memory, pixels, drain)
    }
  }

  /// Maximum number of creatives rendered concurrently.
  package var jobs: Int
  /// Paths of the worker program and of this program, which runs as its watchdog.
  package var worker: String
  package var executable: String
  /// A folder for temporary files; emptied at the start.
  package var folder: String
  /// Capabilities that jobs may require of this machine.
  package var capabilities: Set<String>
  package var bounds: Bounds
  /// Allows creatives to reach private addresses.
  package var allowsPrivateNetwork = false
  /// The proxy for creatives' requests; nil for none.
  package var proxy: String?
  /// Address on which metrics are served; nil for none.
  package var metrics: (host: String, port: Int)?
  /// The machine's name in the queue's lists: letters, digits and hyphens.
  package var name: String

  package init(
    jobs: Int, worker: String, executable: String, folder: String, capabilities: Set<String>, bounds: Bounds,
    name: String
  ) {
    (self.jobs, self.worker, self.executable, self.folder) = (jobs, worker, executable, folder)
    (self.capabilities, self.bounds, self.name) = (capabilities, bounds, name)
  }

  /// The widest network policy for creatives.
  package var reach: NetworkPolicy { allowsPrivateNetwork ? .any : .publicInternet }
}
