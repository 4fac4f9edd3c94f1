internal import CWebKitGTK
internal import Engine
internal import Glibc
internal import Synchronization

extension EngineActor {
  /// Returns once the engine's thread has nothing else to do.
  @EngineActor package static func idle() async {
    await wait { wakeup in whenIdle { wakeup.resume() } }
  }

  /// Runs `body` once the engine's thread has nothing else to do; uses no task, whose waits involve other threads.
  static func whenIdle(_ body: @escaping @EngineActor () -> Void) { GLibExecutor.shared.whenIdle(body) }
}

/// Executor that runs jobs on one thread of its own, with the GLib main loop of GTK and WebKit.
///
/// `@unchecked Sendable`: the main context's pointer is only used by thread-safe GLib calls.
package final class GLibExecutor: SerialExecutor, @unchecked Sendable {
  /// Executor of `EngineActor`, whose start initialises GTK, so `DISPLAY` must be set before its first use.
  static let shared = GLibExecutor()

  private let context: OpaquePointer
  private let thread = Mutex<pthread_t?>(nil)
  private let opened = Mutex<Bool>(false)

  /// Starts the thread; GTK opens the display named by `DISPLAY` before the first job runs.
  private init() {
    context = g_main_context_default()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 8 << 20)
    var handle = pthread_t()
    let me = Unmanaged.passRetained(self).toOpaque()
    let status = pthread_create(&handle, &attributes, { runLoop($0) }, me)
    pthread_attr_destroy(&attributes)
    precondition(status == 0, "no thread for the main loop: errno \(status)")
  }

  /// Indicates if GTK could open a display; true only after the first job has run.
  var displayIsOpen: Bool { opened.withLock { $0 } }

  package func enqueue(_ job: consuming ExecutorJob) {
    let source = g_idle_source_new()
    g_source_set_priority(source, G_PRIORITY_DEFAULT)
    let pending = Unmanaged.passRetained(PendingJob(UnownedJob(job), on: self)).toOpaque()
    g_source_set_callback(source, { runJob($0) }, pending, { releasePendingJob($0) })
    g_source_attach(source, context)
    g_source_unref(source)
  }

  /// Runs `body` on the loop's thread once no work of any higher priority is left.
  func whenIdle(_ body: @escaping @EngineActor () -> Void) {
    let source = g_idle_source_new()
    g_source_set_priority(source, G_PRIORITY_LOW)
    g_source_set_callback(source, { runIdle($0) }, Unmanaged.passRetained(IdleWork(body)).toOpaque(), nil)
    g_source_attach(source, context)
    g_source_unref(source)
  }

  package func isIsolatingCurrentContext() -> Bool? {
    thread.withLock { owner in owner.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  package func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "not on the engine's thread")
  }

  fileprivate func run() {
    thread.withLock { $0 = pthread_self() }
    g_main_context_push_thread_default(context)
    var argc: Int32 = 0
    let open = gtk_init_check(&argc, nil) != 0
    opened.withLock { $0 = open }
    g_main_loop_run(g_main_loop_new(context, 0))
  }
}

/// Job on its way to the main loop.
private final class PendingJob: Sendable {
  let job: UnownedJob
  let executor: GLibExecutor

  init(_ job: UnownedJob, on executor: GLibExecutor) {
    self.job = job
    self.executor = executor
  }
}

private func runLoop(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<GLibExecutor>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}

private func runJob(_ data: gpointer?) -> gboolean {
  guard let data else { return 0 }
  let pending = Unmanaged<PendingJob>.fromOpaque(data).takeUnretainedValue()
  pending.job.runSynchronously(on: pending.executor.asUnownedSerialExecutor())
  return 0
}

private func releasePendingJob(_ data: gpointer?) {
  if let data { Unmanaged<PendingJob>.fromOpaque(data).release() }
}

/// Closure that waits for the main loop to have nothing else to do.
private final class IdleWork: Sendable {
  let body: @EngineActor () -> Void
  init(_ body: @escaping @EngineActor () -> Void) { self.body = body }
}

private func runIdle(_ data: gpointer?) -> gboolean {
  guard let data else { return 0 }
  let work = Unmanaged<IdleWork>.fromOpaque(data).takeRetainedValue()
  EngineActor.assumeIsolated { work.body() }
  return 0
}
