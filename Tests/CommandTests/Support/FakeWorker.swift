import Foundation

/// A worker that behaves as the creative's name says; with `hang` it and a child hold the fifo `alive` of the working folder open.
enum FakeWorker {
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
    finished() {
      printf '{"finished":{"job":%s,"record":{"schema":1,"creative":{"path":"%s"},' "$id" "$name"
      printf '"device":{"name":"phone",'
      printf '"width":390,"height":844,"scale":3,"renderScale":3},"outcome":"%s",%s' "$1" "$2"
      printf '"states":["default","expanded","default"],"transitions":[],"screenshots":[{"name":"001-default",'
      printf '"path":"screenshots/001-default.png","state":"default","t":1,"width":1170,"height":2532}],'
      printf '"warnings":[],"eventCount":7,"attempts":1,"timings":{"total":412}}}}\n'
    }
    echo '{"ready":{}}'
    while IFS= read -r line; do
      rest=${line#*\"creative\":}; name=${rest#*\"name\":\"}; name=${name%%\"*}
      id=${line#*\"id\":}; id=${id%%[,\}]*}
      printf '{"progress":{"job":%s,"phase":"load"}}\n' "$id"
      case $name in
        hang*) exec 9> alive; setsid sleep 1000 & echo up >&9; sleep 1000 ;;
        slow*) sleep 1000 ;;
        die*) kill -9 $$ ;;
        fail*) finished failed '"message":"no","fault":"creative","code":"expectation-failed",' ;;
        *) finished completed "" ;;
      esac
    done
    """#
}
