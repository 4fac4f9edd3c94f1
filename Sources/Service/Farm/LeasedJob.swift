internal import Core
internal import Creatives
internal import Device
internal import Foundation
internal import Queue
internal import Recordings
internal import RenderModel

/// A job that this machine was handed, with its files in a folder of its own.
struct LeasedJob: Sendable {
  /// What is rendered for it.
  enum Work: Sendable {
    /// What a server accepted: with exploring, checks and films.
    case served(RenderWork)
    case batched(RenderJob)
  }

  let lease: Lease
  let folder: RenderFolder
  let work: Work
  /// What a server accepted; nil for a job of a batch.
  private let served: FarmOrder.Served?
  let trace: JobTrace

  /// Fetches what a lease is about, within what this machine gives.
  static func prepare(
    _ lease: Lease, in path: String, contents: JetStreamContents, settings: WorkSettings
  ) async throws(Fault) -> LeasedJob {
    let order = try FarmOrder.read(lease.job)
    let trace = JobTrace(order.traceparent, render: lease.job.id, attempt: lease.attempt, worker: settings.name)
    let folder = RenderFolder(path)
    let work: Work
    if let served = order.served {
      work = .served(try await prepare(served, lease.job, folder, contents, settings))
    } else if let batched = order.batched {
      work = .batched(try await prepare(batched, folder, contents, settings))
    } else {
      throw .request("job-unreadable", "the job \(lease.job.id) says nothing")
    }
    trace.end(.fetch)
    return LeasedJob(lease: lease, folder: folder, work: work, served: order.served, trace: trace)
  }

  private static func prepare(
    _ served: FarmOrder.Served, _ job: QueuedJob, _ folder: RenderFolder, _ contents: JetStreamContents,
    _ settings: WorkSettings
  ) async throws(Fault) -> RenderWork {
    guard served.deadline > Instant.now else {
      throw .deadline("queue-timed-out", "no worker was free in time")
    }
    if let file = served.file {
      try make(folder.creative)
      try await contents.getKept(served.content, to: "\(folder.creative)/\(file)", patience: patience)
    }
    if let recording = served.recording {
      try await fetch(recording, to: folder, contents)
    }
    let work = try RenderWork(
      id: job.id, content: served.content, created: served.created, request: served.request, folder: folder,
      reach: settings.reach)
    try check(work.job, settings)
    return work
  }

  /// Shorter than a lease.
  private static let patience = Duration.seconds(20)

  private static func fetch(
    _ recording: String, to folder: RenderFolder, _ contents: JetStreamContents
  ) async throws(Fault) {
    try make(folder.path)
    let fetched = "\(folder.recording).zip"
    try await contents.getKept(recording, to: fetched, patience: patience)
    var file = fetched
    if !RecordingFile.isZip(fetched) {
      file = "\(folder.recording).har"
      try DurableFile.move(fetched, to: file)
    }
    try RecordingFile.unpack(file, into: folder.recording, within: TakenRecording.bounds)
  }

  private static func prepare(
    _ batched: FarmOrder.Batched, _ folder: RenderFolder, _ contents: JetStreamContents, _ settings: WorkSettings
  ) async throws(Fault) -> RenderJob {
    var job = batched.job
    guard job.feed == nil, job.options.bridge == nil else {
      throw .request("job-not-on-queue", "feeds and bridges of one's own aren't rendered by a queue's workers")
    }
    job.output = folder.result("result")
    job.creative.path = nil
    if let creative = batched.creative, let file = batched.file {
      try make(folder.creative)
      var path = "\(folder.creative)/\(file)"
      if batched.form == .file {
        try await contents.getKept(creative, to: path, patience: patience)
      } else {
        let parcel = "\(folder.path)/creative.parcel"
        let place = batched.form == .folder ? path : "\(folder.creative)/creative"
        try await contents.getKept(creative, to: parcel, patience: patience)
        try Parcel.unpack(parcel, to: place)
        try? FileManager.default.removeItem(atPath: parcel)
        if batched.form == .fileInFolder { path = "\(place)/\(file)" }
      }
      job.creative.path = path
    } else if !["http://", "https://"].contains(where: job.creative.argument.hasPrefix) {
      throw .request("job-unreadable", "the job has neither a creative nor an address")
    }
    // What a creative reaches is this machine's to say.
    if !settings.allowsPrivateNetwork, job.options.network.kind == .any { job.options.network = .publicInternet }
    if !settings.allowsPrivateNetwork { job.options.network.allowed = [] }
    try check(job, settings)
    return job
  }

  /// Refuses what takes more than this machine gives to any job.
  private static func check(_ job: RenderJob, _ settings: WorkSettings) throws(Fault) {
    let bounds = settings.bounds
    guard job.limits.timeout > 0, job.limits.timeout <= bounds.timeout, job.limits.memory <= bounds.memory,
      job.device.pixels <= Double(bounds.pixels)
    else {
      throw .request(
        "job-too-large",
        "workers give \(bounds.timeout.plain) s, \(bounds.memory) MiB and \(bounds.pixels / 1_000_000) megapixels")
    }
  }

  private static func make(_ path: String) throws(Fault) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Fault.writing(path, error)
    }
  }

  /// The job of a pool that the file system is made ready for; of a served one it is the first.
  var job: RenderJob {
    switch work {
    case .served(let work): work.job
    case .batched(let job): job
    }
  }

  /// How a render that completed has ended, for servers to remember; nil where one of them has something to add.
  func ending(_ outcome: FarmOutcome, _ fault: Fault?) -> EndRender? {
    guard fault == nil, case .served(let work) = work, let served, served.isEndedByWorker == true,
      let parts = outcome.parts, let parcel = outcome.parcel
    else { return nil }
    let review = Review(of: work.id, name: served.name, work.request, showing: parts)
    var ending = RenderCompletion(
      status: .completed, summary: outcome.summary, finished: Instant.now, review: review)
    (ending.parcel, ending.seconds) = (parcel, outcome.seconds)
    return EndRender(id: work.id, ending: ending)
  }
}

extension Farm {
  /// Has all servers make a change, without waiting for that.
  func append(_ change: some StoreChange) async throws(Fault) {
    let ticket = UUID().uuidString
    try await journal.append(try ChangeText.bytes(change, ticket: ticket), ticket: ticket)
  }
}
