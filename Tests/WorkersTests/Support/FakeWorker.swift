import Foundation
import Jobs

/// A worker that renders nothing and behaves as the creative's name says.
enum FakeWorker {
  /// Absolute path of the script; written once per test run.
  static let path: String = {
    let path = FileManager.default.temporaryDirectory.appending(path: "galley-fake-worker-\(UUID().uuidString)").path()
    guard
      FileManager.default.createFile(atPath: path, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
    else { preconditionFailure("can't write \(path)") }
    atexit { try? FileManager.default.removeItem(atPath: FakeWorker.path) }
    return path
  }()

  private static let script = #"""
    #!/bin/sh
    finished() { # outcome, further members
      printf '{"finished":{"job":%s,"record":{"schema":1,"creative":{"path":"%s"},' "$id" "$name"
      printf '"device":{"name":"phone",'
      printf '"width":390,"height":844,"scale":3,"renderScale":3},"outcome":"%s",%s"states":["default"],' "$1" "$2"
      printf '"transitions":[],"screenshots":[],"warnings":["worker %s"],"eventCount":0,"attempts":1,' "$$"
      printf '"timings":{}}}}\n'
    }
    succeed() { finished completed ""; }
    progress() { printf '{"progress":{"job":%s,"phase":"load"}}\n' "$id"; }
    first() { [ ! -e "$output.tried" ] && : > "$output.tried"; }
    crash() { finished crashed '"message":"gone","fault":"creative","code":"web-process-crashed",'; }
    if [ -n "$FAKE_UNABLE" ]; then echo "no display" >&2; exit 7; fi
    echo '{"ready":{}}'
    while IFS= read -r line; do
      rest=${line#*\"creative\":}; name=${rest#*\"name\":\"}; name=${name%%\"*}
      id=${line#*\"id\":}; id=${id%%[,\}]*}
      output=${line#*\"output\":\"}; output=${output%%\"*}
      case $name in
        mute*) sleep 1000 ;;
        *) progress ;;
      esac
      case $name in
        hang*) sleep 1000 ;;
        die-once*) if first; then kill -9 $$; fi; succeed ;;
        die*) echo "last words of $name" >&2; kill -9 $$ ;;
        leave*) exit 3 ;;
        orphan*) setsid sleep 1000 & kill -9 $$ ;;
        garbage*) echo "Gtk-WARNING: stray"; echo '{"finished":'; echo '{"finished":{"job":99}}'; succeed ;;
        long*) finished completed "\"message\":\"$(head -c 1048576 /dev/zero | tr '\0' x)\"," ;;
        environment*) finished completed "\"message\":\"$(env | cut -d= -f1 | sort | tr '\n' ' ')\"," ;;
        web-crash-once*) if first; then crash; else succeed; fi ;;
        web-crash*) crash ;;
        *) succeed ;;
      esac
    done
    """#
}
