internal import Core
internal import Creatives
internal import Device
internal import Foundation
internal import Recordings
internal import RenderModel
internal import Scheduling
internal import Telemetry

/// A job that this machine has leased, with its files in a folder of its own.
struct LeasedJob: Sendable {
  /// The rendering that a job asks for.
  enum Work: Sendable {
    /// A render that a server accepted, with exploring, checks and videos.
    case served(RenderWork)
    case batched(RenderJob)
  }

  let lease: LeaseGrant
  let folder: RenderFolder
  var work: Work
  let trace: JobTrace

  /// Fetches the files of a leased job, if it is within the limits of this machine.
  static func prepare(
    _ lease: LeaseGrant, in path: String, client: WorkerClient, settings: WorkSettings
  ) async throws(Fault) -> LeasedJob {
    let order = try JobPayload.read(lease.job)
    let trace = JobTrace(order.traceparent, render: lease.job.id, attempt: lease.attempt, worker: settings.name)
    let folder = RenderFolder(path)
    let work: Work
    if let served = order.served {
      work = .served(try await prepare(served, lease, folder, client, settings))
    } else if let batched = order.batched {
      work = .batched(try await prepare(batched, lease, folder, client, settings))
    } else {
      throw .request("job-unreadable", "the job \(lease.job.id) is empty")
    }
    trace.end(.fetch)
    return LeasedJob(lease: lease, folder: folder, work: work, trace: trace)
  }

  private static func prepare(
    _ served: JobPayload.Served, _ lease: LeaseGrant, _ folder: RenderFolder, _ client: WorkerClient,
    _ settings: WorkSettings
  ) async throws(Fault) -> RenderWork {
    guard served.deadline > Instant.now else {
      throw .deadline("queue-timed-out", "no worker was free in time")
    }
    if let file = served.file {
      try make(folder.creative)
      try await client.fetch(.creative, of: lease, to: "\(folder.creative)/\(file)")
    }
    if served.recording != nil { try await fetchRecording(of: lease, to: folder, client) }
    let work = try RenderWork(
      id: lease.job.id, content: served.content, created: served.created, request: served.request, folder: folder,
      reach: settings.reach)
    try check(work.job, settings)
    return work
  }

  private static func fetchRecording(
    of lease: LeaseGrant, to folder: RenderFolder, _ client: WorkerClient
  ) async throws(Fault) {
    try make(folder.path)
    let fetched = "\(folder.recording).zip"
    try await client.fetch(.recording, of: lease, to: fetched)
    var file = fetched
    if !RecordingFile.isZip(fetched) {
      file = "\(folder.recording).har"
      try DurableFile.move(fetched, to: file)
    }
    try RecordingFile.unpack(file, into: folder.recording, within: RenderFolder.recordingBounds)
  }

  private static func prepare(
    _ batched: JobPayload.Batched, _ lease: LeaseGrant, _ folder: RenderFolder, _ client: WorkerClient,
    _ settings: WorkSettings
  ) async throws(Fault) -> RenderJob {
    var job = batched.job
    guard job.feed == nil, job.options.bridge == nil else {
      throw .request("job-not-on-queue", "workers of a queue don't render feeds or custom bridges")
    }
    job.output = folder.result("result")
    job.creative.path = nil
    if batched.creative != nil, let file = batched.file {
      try make(folder.creative)
      var path = "\(folder.creative)/\(file)"
      if batched.form == .file {
        try await client.fetch(.creative, of: lease, to: path)
      } else {
        let parcel = "\(folder.path)/creative.parcel"
        let place = batched.form == .folder ? path : "\(folder.creative)/creative"
        try await client.fetch(.creative, of: lease, to: parcel)
        try ResultArchive.unpack(parcel, to: place)
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

  /// Rejects a job that exceeds the limits of this machine.
  private static func check(_ job: RenderJob, _ settings: WorkSettings) throws(Fault) {
    try job.validate()
    let bounds = settings.bounds
    guard job.limits.timeout > 0, job.limits.timeout <= bounds.timeout, job.limits.memory <= bounds.memory,
      job.device.pixels <= Double(bounds.pixels)
    else {
      throw .request(
        "job-too-large",
        "the job exceeds the workers' limits: \(bounds.timeout.plain) s, \(bounds.memory) MiB, "
          + "\(bounds.pixels / 1_000_000) megapixels"
      )
    }
  }

  private static func make(_ path: String) throws(Fault) {
    do {
      try PrivateFolder.make(path)
    } catch {
      throw Fault.writing(path, error)
    }
  }

  /// The pool job whose files were fetched; for a server's render it is the first one.
  var job: RenderJob {
    switch work {
    case .served(let work): work.job
    case .batched(let job): job
    }
  }
}
