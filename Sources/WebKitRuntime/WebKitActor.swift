internal import CWebKitGTK
internal import Glibc
internal import Synchronization

/// The one thread that GTK and WebKit may be called on.
@globalActor package actor WebKitActor {
  package static let shared = WebKitActor()
  /// Starting it initialises GTK, so `DISPLAY` has to be set before anything is isolated here.
  private static let executor = GLibExecutor()

  nonisolated package var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }

  /// Whether GTK found a display.
  static var displayIsOpen: Bool { executor.displayIsOpen }

  /// Runs `body` at once, for C callbacks that GLib makes on this thread; traps on any other.
  static func assumeIsolated<T: Sendable>(_ body: @WebKitActor () throws -> T) rethrows -> T {
    executor.checkIsolated()
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> T).self)()
    }
  }

  /// Returns when the WebKit thread has nothing else to do.
  @WebKitActor package static func idle() async {
    await wait { wakeup in whenIdle { wakeup.resume() } }
  }

  /// Runs `body` when the WebKit thread has nothing else to do; without a task, whose waits go by other threads.
  static func whenIdle(_ body: @escaping @WebKitActor () -> Void) { executor.whenIdle(body) }

  /// Runs `body` on the WebKit thread.
  package static func run<T: Sendable>(_ body: @WebKitActor () throws -> T) async rethrows -> T {
    try await body()
  }
}

/// Runs jobs on one thread of its own, whose GLib main loop GTK and WebKit live on.
///
/// `@unchecked Sendable`: the main context's pointer is only used by thread-safe GLib calls.
package final class GLibExecutor: SerialExecutor, @unchecked Sendable {
  private let context: OpaquePointer
  private let thread = Mutex<pthread_t?>(nil)
  private let opened = Mutex<Bool>(false)

  /// Starts the thread; GTK opens the display named by `DISPLAY` before the first job runs.
  init() {
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

  /// Whether GTK could open a display; true only after the first job has run.
  var displayIsOpen: Bool { opened.withLock { $0 } }

  package func enqueue(_ job: consuming ExecutorJob) {
    let source = g_idle_source_new()
    g_source_set_priority(source, G_PRIORITY_DEFAULT)
    let pending = Unmanaged.passRetained(PendingJob(UnownedJob(job), on: self)).toOpaque()
    g_source_set_callback(source, { runJob($0) }, pending, { releasePendingJob($0) })
    g_source_attach(source, context)
    g_source_unref(source)
  }

  /// Runs `body` on the loop's thread when no work of any higher priority is left.
  func whenIdle(_ body: @escaping @WebKitActor () -> Void) {
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
    precondition(isIsolatingCurrentContext() == true, "not on the WebKit thread")
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

/// A job on its way to the main loop.
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

/// What waits for the loop to have nothing else to do.
private final class IdleWork: Sendable {
  let body: @WebKitActor () -> Void
  init(_ body: @escaping @WebKitActor () -> Void) { self.body = body }
}

private func runIdle(_ data: gpointer?) -> gboolean {
  guard let data else { return 0 }
  let work = Unmanaged<IdleWork>.fromOpaque(data).takeRetainedValue()
  WebKitActor.assumeIsolated { work.body() }
  return 0
}
