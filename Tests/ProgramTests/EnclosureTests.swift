import Core
import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// Files of the machine that a worker and its child processes can see, on machines that allow namespaces.
  @Suite(.enabled(if: Tier.runs(where: OwnMounts.usersAreAllowed)), .timeLimit(.minutes(2))) struct EnclosureTests {
    private let program: Program
    private let server: LoopbackServer

    init() throws {
      program = try Program()
      server = try LoopbackServer { _, _ in nil }
    }

    @Test func aWorkerSeesItsJobsFilesAndNoOthers() async throws {
      try program.file("secret.txt", "secret")
      try program.file("ad/index.html", "<script src='\(server.address)/asked'></script>")
      let running = try program.start("exec \"$GALLEY\" render ad --timeout 60 --out out")
      defer { running.stop() }
      await server.awaitRequest("/asked")
      let processes = try #require(RunProcesses(of: running.id))
      for kind in [RunProcesses.Kind.worker, .networkProcess, .forkServer, .webProcess, .display] {
        let ids = processes.ids(kind)
        #expect(!ids.isEmpty, "\(kind)")
        for id in ids {
          #expect(sees(id, "/usr"), "\(kind)")
          for path in [program.folder + "/secret.txt", program.folder, "/etc/hostname", "/etc/shadow", "/home"] {
            #expect(!sees(id, path), "\(kind) sees \(path)")
          }
        }
      }
      let worker = try #require(processes.ids(.worker).first)
      #expect(sees(worker, "/job/1/0/index.html") && sees(worker, "/job/1/output/events.ndjson"))
      let users = try String(contentsOfFile: "/proc/\(worker)/root/etc/passwd", encoding: .utf8)
      #expect(users.split(separator: "\n").count == 1)
    }

    /// Compares settings in the view with those outside; small ones are copies, since sandboxes go through every mount.
    @Test func settingsAreAsOutside() async throws {
      try program.file("ad/index.html", "<script src='\(server.address)/asked'></script>")
      let running = try program.start("exec \"$GALLEY\" render ad --timeout 60 --out out")
      defer { running.stop() }
      await server.awaitRequest("/asked")
      let worker = try #require(RunProcesses(of: running.id)?.ids(.worker).first)
      let outside = ["/etc/nsswitch.conf", "/etc/ld.so.conf"].compactMap { path in
        FileManager.default.contents(atPath: path).map { (path, $0) }
      }
      #expect(!outside.isEmpty)
      for (path, content) in outside {
        #expect(FileManager.default.contents(atPath: "/proc/\(worker)/root\(path)") == content, "\(path)")
      }
      let mounts = try String(contentsOfFile: "/proc/\(worker)/mountinfo", encoding: .utf8).split(separator: "\n")
      #expect(mounts.count { $0.contains(" /etc/") } < 10)
    }

    /// Draws with a custom font: the engine passes the system's fonts to its web processes, and an unreadable one draws
    /// nothing.
    @Test func fontsOfTheCallersOwnAreDrawnWith() async throws {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      try program.file("mine/fonts/own.ttf", Data(contentsOf: tests.appending(path: "Fonts/three-characters.ttf")))
      try program.file(
        "mine/fonts.conf",
        """
        <?xml version="1.0"?><fontconfig><dir>/usr/share/fonts</dir><dir>\(program.folder)/mine/fonts</dir></fontconfig>
        """)
      try program.file(
        "ad.html",
        """
        <!doctype html><meta charset=utf-8><meta name="ad.size" content="width=300,height=100"><h1>日</h1><script>
        const context = document.createElement("canvas").getContext("2d");
        context.font = "100px sans-serif";
        context.fillText("日", 0, 100);
        console.log("ink " + context.getImageData(0, 0, 150, 150).data.filter((value, i) => i % 4 === 3 && value > 128).length);
        </script>
        """)
      let outcome = try await program.shell(
        "FONTCONFIG_FILE=\"$PWD/mine/fonts.conf\" exec \"$GALLEY\" render ad.html --out out --json")
      #expect(try outcome.document().results.map(\.warnings) == [[]], "\(outcome.output)")
      let log = try String(contentsOfFile: "\(program.folder)/out/ad/events.ndjson", encoding: .utf8)
      let ink = try #require(log.firstMatch(of: /ink (\d+)/).flatMap { Int($0.1) })
      #expect((2_600...2_900).contains(ink), "\(log)")
    }

    /// Runs with caches in the worker's memory, so that neither another worker nor the user finds their content.
    @Test func nothingIsLeftInTheUsersCaches() async throws {
      try program.file("ad.html", "<div style='perspective: 99px'><p style='transform: rotateY(42deg)'>ad</p></div>")
      let outcome = try await program.shell(
        """
        mkdir -p home/.cache/mesa_shader_cache home/.cache/gstreamer-1.0
        HOME="$PWD/home" XDG_CACHE_HOME="$PWD/home/.cache" exec "$GALLEY" render ad.html --out out --timeout 60
        """)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let found = try await program.shell("find home -type f")
      #expect(found.output.isEmpty, "\(found.output)")
    }

    /// Checks that a compromised web process can see only the files of its own worker.
    @Test func whatIsLeftInAWorkersHomeGoesWithIt() async throws {
      try program.file("ad/index.html", "<script src='\(server.address)/asked'></script>")
      try program.file("other/index.html", "<script src='\(server.address)/second'></script>")
      let running = try program.start("exec \"$GALLEY\" render ad --timeout 60 --out out")
      defer { running.stop() }
      await server.awaitRequest("/asked")
      let first = try #require(RunProcesses(of: running.id)?.ids(.worker).first)
      let following = try program.start("exec \"$GALLEY\" render other --timeout 60 --out others")
      defer { following.stop() }
      await server.awaitRequest("/second")
      let second = try #require(RunProcesses(of: following.id)?.ids(.worker).first)
      let outcome = try await program.shell(
        """
        inside() { nsenter --target $1 --user --mount --ipc --preserve-credentials sh -c "$2"; }
        inside \(first) 'echo left > /galley/.cache/gstreamer-1.0/left; ls /galley/.cache/gstreamer-1.0'
        inside \(second) 'find /galley -name left'
        find / -xdev -path '*/.cache/*' -name left
        readlink /proc/\(first)/ns/ipc /proc/\(second)/ns/ipc /proc/self/ns/ipc | sort -u | wc -l
        """)
      #expect(outcome.output == "left\n3\n", "\(outcome.output)\(outcome.errors)")
    }

    /// Runs as a program in the worker's place, which reaches nothing outside by paths or through processes that see
    /// more.
    @Test func nothingInAWorkerReachesWhatIsOutside() async throws {
      try program.file("secret.txt", "secret")
      try program.file("ad/index.html", "<script src='\(server.address)/asked'></script>")
      let running = try program.start("exec \"$GALLEY\" render ad --timeout 60 --out out")
      defer { running.stop() }
      await server.awaitRequest("/asked")
      let processes = try #require(RunProcesses(of: running.id))
      let worker = try #require(processes.ids(.worker).first)
      let carrier = try #require(processes.ids(.carrier).first)
      let secret = program.folder + "/secret.txt"
      let outcome = try await program.shell(
        """
        inside() { nsenter --target \(worker) --user --mount --preserve-credentials "$@" 2> /dev/null; }
        inside cat /job/1/0/index.html > /dev/null && echo sees its job
        inside cat \(secret)
        for process in \(carrier) \(running.id) 1; do inside cat /proc/$process/root\(secret); done
        inside sh -c 'echo more > /job/1/0/index.html' || echo changes nothing
        inside sh -c 'echo more >> /etc/nsswitch.conf' || echo changes no settings
        inside mkdir /new || echo makes nothing
        inside mount --bind /proc/\(carrier)/root /tmp || echo mounts nothing from outside
        """)
      #expect(
        outcome.output.split(separator: "\n") == [
          "sees its job", "changes nothing", "changes no settings", "makes nothing", "mounts nothing from outside",
        ],
        "\(outcome.errors)")
    }

    @Test func whatIsDoneGoes() async throws {
      for name in ["a", "b", "c"] { try program.file("\(name)/index.html") }
      try program.file("d/index.html", "<script src='\(server.address)/asked'></script>")
      let running = try program.start("exec \"$GALLEY\" render a b c d --jobs 1 --timeout 60 --out out")
      defer { running.stop() }
      await server.awaitRequest("/asked")
      let processes = try #require(RunProcesses(of: running.id))
      let worker = try #require(processes.ids(.worker).first)
      let jobs = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/root/job")
      #expect(jobs.sorted() == ["3", "4"])
      // What was taken away was the view, not the files.
      for name in ["a", "b", "c"] {
        #expect(program.has("\(name)/index.html") && program.has("out/\(name)/result.json"))
      }
    }

    @Test func findsWhatLiesBesideADocument() async throws {
      let page = "<script src=mraid.js></script><script src=beside.js></script><p>ad"
      try program.file("page/ad.html", page)
      try program.file("page/beside.js", "console.log('beside')")
      try program.file("elsewhere/real.html", page)
      try program.file("links/beside.js", "console.log('beside')")
      try FileManager.default.createSymbolicLink(
        atPath: program.folder + "/links/ad.html", withDestinationPath: "../elsewhere/real.html")
      let outcome = try await program.render("page/ad.html links/ad.html --jobs 1 --json")
      let results = try outcome.document().results
      #expect(results.map(\.outcome) == [.completed, .completed], "\(outcome.errors)")
      #expect(results.allSatisfy { !$0.warnings.contains { $0.contains("namespaces") } })
      let logs = try await program.shell("grep -l '\"beside\"' out/*/*/events.ndjson | wc -l")
      #expect(logs.output.contains("2"))
    }

    /// Checks that faults name folders by the caller's paths.
    @Test(.enabled(if: Tier.runs(where: OwnMounts.areAllowed))) func tellsTheCallersPaths() async throws {
      try program.file("good.html")
      try program.file("disk/keep")
      let outcome = try await program.shell(
        """
        exec unshare --map-root-user --mount sh -c \
          'mount -t tmpfs -o size=64k tmpfs disk; exec "$GALLEY" render --json --jobs 1 --out disk good.html good.html'
        """)
      let full = try #require(try outcome.document().results.last)
      #expect(full.message?.contains(program.folder + "/disk/good-2") == true, "\(full.message ?? "")")
    }

    private func sees(_ process: Int32, _ path: String) -> Bool {
      FileManager.default.fileExists(atPath: "/proc/\(process)/root\(path)")
    }
  }
}
