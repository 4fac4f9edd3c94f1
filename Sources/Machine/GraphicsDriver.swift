internal import Glibc

/// Driver that draws WebGL and 3D on a display without a graphics card, such as Galley's own: Mesa's renderer and
/// version.
package enum GraphicsDriver {
  private typealias Display = UnsafeMutableRawPointer
  private typealias GetPlatformDisplay = @convention(c) (UInt32, UnsafeRawPointer?, UnsafeRawPointer?) -> Display?
  private typealias Initialize = @convention(c) (Display, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> UInt32
  private typealias BindAPI = @convention(c) (UInt32) -> UInt32
  private typealias CreateContext =
    @convention(c) (
      Display, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?
    ) -> UnsafeMutableRawPointer?
  private typealias MakeCurrent =
    @convention(c) (
      Display, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?
    ) -> UInt32
  private typealias Terminate = @convention(c) (Display) -> UInt32
  private typealias GetString = @convention(c) (UInt32) -> UnsafePointer<CChar>?

  /// EGL_PLATFORM_SURFACELESS_MESA, EGL_OPENGL_ES_API, GL_RENDERER and GL_VERSION of the Khronos registry.
  private static let (surfaceless, openGLES, renderer, version): (UInt32, UInt32, UInt32, UInt32) = (
    0x31DD, 0x30A0, 0x1F01, 0x1F02
  )

  /// EGL_CONTEXT_CLIENT_VERSION 2, EGL_NONE.
  private static let attributes: [Int32] = [0x3098, 2, 0x3038]
  private static let forcing = "LIBGL_ALWAYS_SOFTWARE"

  /// Returns a name such as `llvmpipe (LLVM 15.0.6, 256 bits), OpenGL ES 3.2 Mesa 22.3.6`; nil if there is no driver.
  ///
  /// Loads the driver into this process and temporarily changes its environment, so call it before other code runs.
  package static func name() -> String? {
    // Xvfb has no card to draw with, whatever this machine has.
    let isForced = getenv(forcing) != nil
    setenv(forcing, "1", 0)
    defer { if !isForced { unsetenv(forcing) } }
    guard let library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL) else { return nil }
    func function<F>(_ name: String, _: F.Type) -> F? { dlsym(library, name).map { unsafeBitCast($0, to: F.self) } }
    guard let display = function("eglGetPlatformDisplay", GetPlatformDisplay.self)?(surfaceless, nil, nil),
      function("eglInitialize", Initialize.self)?(display, nil, nil) == 1
    else { return nil }
    defer { _ = function("eglTerminate", Terminate.self)?(display) }
    guard function("eglBindAPI", BindAPI.self)?(openGLES) == 1,
      let context = function("eglCreateContext", CreateContext.self)?(display, nil, nil, attributes),
      function("eglMakeCurrent", MakeCurrent.self)?(display, nil, nil, context) == 1,
      let string = function("eglGetProcAddress", (@convention(c) (UnsafePointer<CChar>) -> GetString?).self)?(
        "glGetString")
    else { return nil }
    defer { _ = function("eglMakeCurrent", MakeCurrent.self)?(display, nil, nil, nil) }
    let parts = [renderer, version].compactMap { string($0).map { String(cString: $0) } }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
