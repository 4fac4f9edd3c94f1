import Foundation
import Pixels
import Testing

extension ProgramTier {
  /// Backup images, copies in other formats, and pages of pictures.
  @Suite("Pictures for others", .timeLimit(.minutes(4)))
  struct PictureTests {
    private let program: Program

    init() throws { program = try Program() }

    private static let busy = """
      <meta name="ad.size" content="width=301,height=249"><style>body { margin: 0 } canvas { display: block }</style>
      <canvas width="602" height="498" style="width:301px;height:249px"></canvas><script>
        const context = document.querySelector("canvas").getContext("2d");
        for (let y = 0; y < 498; y += 6) for (let x = 0; x < 602; x += 6) {
          context.fillStyle = `hsl(${(x * 7 + y * 13) % 360} 80% 50%)`;
          context.fillRect(x, y, 6, 6);
        }
      </script>
      """

    private func bytes(_ file: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(filePath: "\(program.folder)/\(file)")))
    }

    /// The sides that a JPEG's frame says.
    private func sides(ofJPEG file: [UInt8]) -> [Int] {
      var place = 2
      while place + 9 < file.count {
        let length = Int(file[place + 2]) << 8 | Int(file[place + 3])
        if [0xC0, 0xC1, 0xC2].contains(file[place + 1]) {
          return [Int(file[place + 7]) << 8 | Int(file[place + 8]), Int(file[place + 5]) << 8 | Int(file[place + 6])]
        }
        place += 2 + length
      }
      return []
    }

    @Test("a backup image is the ad alone, in the best quality that fits, and the same the next time")
    func backup() async throws {
      try program.file("busy ad.html", Self.busy)
      try program.file("plain.html", "<meta name=\"ad.size\" content=\"width=60,height=40\"><p>ad")
      let outcome = try await program.render("'busy ad.html' plain.html --backup jpeg --max-bytes 20k")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let jpeg = try bytes("out/busy ad/backup.jpg")
      #expect(jpeg.starts(with: [0xFF, 0xD8]) && sides(ofJPEG: jpeg) == [301, 249])
      #expect(jpeg.count <= 20_000 && jpeg.count > 15_000, "\(jpeg.count)")
      #expect(
        outcome.output.contains("busy ad: backup.jpg, 301x249, \(jpeg.count) bytes, quality "), "\(outcome.output)")
      // What fits easily has all the quality there is.
      #expect(outcome.output.contains("plain: backup.jpg, 60x40,") && outcome.output.contains("quality 100"))
      #expect(try await program.render("'busy ad.html' --backup jpeg --max-bytes 20k").code == 0)
      #expect(try bytes("out/busy ad/backup.jpg") == jpeg)

      // Scale 2 of a device that draws three pixels of a dip; the other backup is gone with its render.
      #expect(try await program.render("'busy ad.html' --backup webp --max-bytes 100k --backup-scale 2").code == 0)
      let webp = try bytes("out/busy ad/backup.webp")
      #expect(webp.starts(with: Array("RIFF".utf8)) && webp.count <= 100_000)
      #expect(!program.has("out/busy ad/backup.jpg"))
      #expect(try await program.render("'busy ad.html' --backup png").code == 0)
      let png = try PNGDecoder.decode(try bytes("out/busy ad/backup.png"))
      #expect(png.width == 301 && png.height == 249)
    }

    @Test("a picture that can't be had in its bytes fails its creative alone, and says by how much")
    func tooLarge() async throws {
      try program.file("busy.html", Self.busy)
      try program.file("plain.html", "<meta name=\"ad.size\" content=\"width=60,height=40\"><p>ad")
      let outcome = try await program.render("busy.html plain.html --backup jpeg --max-bytes 1k")
      #expect(outcome.code == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains("busy: ") && outcome.errors.contains("[still-too-large]"), "\(outcome.errors)")
      #expect(program.has("out/plain/backup.jpg") && !program.has("out/busy/backup.jpg"))
      let png = try await program.render("busy.html --backup png --max-bytes 2k")
      #expect(png.code == 1 && png.errors.contains("use jpeg or webp"), "\(png.errors)")
      let coarse = try await program.render("plain.html --screen 300x600@1 --backup jpeg --backup-scale 2")
      #expect(coarse.code == 2 && coarse.errors.contains("[still-scale-invalid]"), "\(coarse.errors)")
    }

    @Test("screenshots have copies beside them, which comparing doesn't see")
    func copies() async throws {
      try program.file("ad.html", "<meta name=\"ad.size\" content=\"width=60,height=40\"><p>ad")
      #expect(try await program.render("ad.html --copies webp").code == 0)
      for name in ["001-default", "001-default-ad"] {
        #expect(try bytes("out/ad/screenshots/\(name).webp").starts(with: Array("RIFF".utf8)))
      }
      #expect(try await program.shell("exec \"$GALLEY\" render ad.html --out plain").code == 0)
      let same = try await program.shell("exec \"$GALLEY\" diff plain/ad out/ad")
      #expect(same.code == 0, "\(same.output)")
    }

    @Test("a campaign is a PDF with text that can be read, and the same the next time")
    func sheet() async throws {
      for name in ["one", "two ä", "three"] {
        try program.file(
          "ads/\(name).html", "<meta name=\"ad.size\" content=\"width=300,height=250\"><title>a</title><p>\(name)")
      }
      let checked = try await program.shell(
        "exec \"$GALLEY\" check ads --recursive --out out --pdf a.pdf --idle-time 0.2 --measure-time 0.3")
      #expect(checked.code < 2, "\(checked.errors)")
      let pdf = try bytes("a.pdf")
      #expect(pdf.starts(with: Array("%PDF-1.".utf8)) && pdf.count > 5_000)
      #expect(Data(pdf).range(of: Data("/DCTDecode".utf8)) != nil)
      #expect(Data(pdf).range(of: Data("/ToUnicode".utf8)) != nil)
      #expect(try await program.shell("exec \"$GALLEY\" report out --pdf b.pdf").code == 0)
      #expect(try bytes("b.pdf") == pdf)
      // What nobody judged has pages as well, but no other report.
      #expect(try await program.shell("exec \"$GALLEY\" render ads --recursive --out plain").code == 0)
      let plain = try await program.shell("exec \"$GALLEY\" report plain --pdf c.pdf --html c.html")
      #expect(plain.code == 0 && program.has("c.pdf") && program.has("c.html"), "\(plain.errors)")
      let judged = try await program.shell("exec \"$GALLEY\" report plain --junit j.xml --pdf d.pdf")
      #expect(judged.code == 2 && judged.errors.contains("[report-missing]"), "\(judged.errors)")
      let missing = try await program.shell("mkdir none; exec \"$GALLEY\" report none --pdf d.pdf")
      #expect(missing.code == 2 && missing.errors.contains("[result-folder-missing]"), "\(missing.errors)")
    }
  }
}
