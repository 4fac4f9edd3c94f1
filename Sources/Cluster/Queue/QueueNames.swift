internal import Core

/// Names of a queue's streams, buckets and subjects in NATS.
struct QueueNames: Sendable {
  private let name: String

  init(_ name: String) { self.name = name }

  var stream: String { "\(name)-jobs" }
  var records: String { "\(name)-renders" }
  var keys: String { "\(name)-keys" }
  var losses: String { "\(name)-losses" }
  var contents: String { "\(name)-contents" }
  var journal: String { "\(name)-journal" }
  var changes: String { "\(name).journal" }
  var locks: String { "\(name)-locks" }
  var workers: String { "\(name)-workers" }
  var facts: String { "\(name)-facts" }
  var endings: String { "\(name)-endings" }
  var ended: String { "\(name).ended" }
  var allJobs: String { "\(name).jobs.>" }
  var wake: String { "\(name).wake" }

  func notice(of id: String, about topic: String) -> String { "\(name).notice.\(topic).\(id)" }

  /// The subject of notices about a sender's jobs, for that sender alone.
  func word(to owner: String, of id: String) -> String { "\(name).tell.\(owner).\(id)" }

  /// The subjects of requests that any server may answer.
  var requests: String { "\(name).ask.*.*.*" }

  /// The subjects of requests that one server is to answer.
  func requests(to server: String) -> String { "\(name).ask.*.*.*.\(server)" }

  func request(of caller: QueueCaller, to server: String?) -> String {
    "\(name).ask.\(caller.text)" + (server.map { ".\($0)" } ?? "")
  }

  /// The caller that the subject of a request names; nil for another subject.
  func caller(of subject: String) -> QueueCaller? {
    let words = subject.split(separator: ".", omittingEmptySubsequences: false)
    guard (5...6).contains(words.count), words[0] == name, words[1] == "ask" else { return nil }
    return QueueCaller(words[2..<5])
  }

  /// The subject below which a caller's answers come.
  func inbox(of caller: QueueCaller) -> String { "\(name).reply.\(caller.text)" }

  func subject(of job: QueuedJob) -> String { "\(name).jobs.\(job.priority.rawValue).\(JobKind(of: job).text)" }

  /// The kind of jobs on a subject; nil for another priority, where that is named, or no such subject.
  func kind(of subject: String, _ priority: QueuedJob.Priority? = nil) -> JobKind? {
    let words = subject.split(separator: ".")
    guard words.count == 4, priority.map({ $0.rawValue == words[2] }) ?? true else { return nil }
    return JobKind(String(words[3]))
  }

  /// Returns the name of a subject's consumer: letters, digits and hyphens, as NATS requires.
  func consumer(of subject: String) -> String { String(SHA256.of(subject).hex.prefix(32)) }
}
