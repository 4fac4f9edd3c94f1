"""The image: read by others' tools, and run as a container by runc, with the rights that engines give by default."""

import json
import shutil
import subprocess
import sys

from lib.verify.packages.installed import told

# A user that the image doesn't know.
OTHER = 1234


def tried(packages, scratch, system, report, options):
    archive = next(packages.glob("galley-*-image-*.tar"), None)
    if not archive:
        sys.exit(f"there is no image in {packages}")
    report.size("image, packed", archive.stat().st_size)
    layout = f"{scratch}/layout:galley"
    report.timed("skopeo copies it", quiet, "skopeo", "copy", "--quiet", f"oci-archive:{archive}", f"oci:{layout}")
    bundle = scratch / "bundle"
    report.timed("umoci unpacks it", quiet, "umoci", "unpack", "--image", layout, bundle)
    root = bundle / "rootfs"
    # A file of several names is there once.
    files = {path.lstat().st_ino: path.lstat().st_size for path in root.rglob("*") if not path.is_symlink()}
    report.size("image, unpacked", sum(files.values()))
    configuration = json.loads((bundle / "config.json").read_text())
    process = configuration["process"]
    report.expect(process["user"]["uid"] != 0, "it runs as root")
    report.expect(process["args"] == ["galley", "--help"], f"it runs {process['args']}")
    report.timed("a container: galley --help", contained, bundle, configuration, ["galley", "--help"])
    report.timed("a container: galley render of a banner, the folder outside", contained, bundle, configuration,
                 ["galley", "render", "/work/static", "--out", "/work/proofs"], folder=work(scratch))
    proofs = scratch / "work/proofs/static"
    report.picture(proofs / "screenshots/001-default.png", "image")
    if (proofs / "result.json").is_file():
        told(proofs / "result.json", report)
    # As documents say it, with the number of whoever calls.
    other = json.loads(json.dumps(configuration))
    other["process"]["user"] = {"uid": OTHER, "gid": 0}
    report.timed("the same as another user, check", contained, bundle, other,
                 ["galley", "check", "/work/static", "--out", "/work/checked", "--html", "/work/report.html"],
                 folder=scratch / "work")
    report.expect((scratch / "work/report.html").is_file(), "no report of another user's check")
    script = """galley serve --allow-unsandboxed --data /var/lib/galley >/tmp/address &
for wait in $(seq 300); do grep --quiet http /tmp/address && break; kill -0 $! || exit 1; sleep 0.1; done
"$@" && kill -TERM $! && wait $!"""
    inspected = quiet("skopeo", "inspect", "--config", "--raw", f"oci:{layout}").stdout
    health = json.loads(inspected)["config"]["Healthcheck"]
    report.timed("a container: galley serve, asked by the health check", contained, bundle, configuration,
                 ["sh", "-c", script, "serve", *health["Test"][1:]])
    # It can speak to a queue: what is missing is one that answers, and not the library.
    report.timed("a container: galley work without a queue", contained, bundle, configuration,
                 ["sh", "-c",
                  "galley work --allow-unsandboxed --queue nats://127.0.0.1:1 2>&1 | grep --quiet nats-unreachable"])
    shutil.rmtree(bundle)


def work(scratch):
    """A checkout as a CI job has it, which whoever runs the container may write to."""
    folder = scratch / "work"
    folder.mkdir()
    (folder / "static").mkdir()
    (folder / "static/index.html").write_text(
        '<!doctype html><meta name="ad.size" content="width=320,height=50">'
        '<body style="margin:0;background:#146;color:#fff;font:20px sans-serif">A banner</body>\n')
    folder.chmod(0o777)
    return folder


def contained(bundle, configuration, words, folder=None):
    configuration = json.loads(json.dumps(configuration))
    configuration["process"].update(terminal=False, args=words)
    configuration["process"]["rlimits"] = []
    if folder:
        configuration["mounts"].append(
            {"destination": "/work", "type": "bind", "source": str(folder), "options": ["rbind", "rw"]})
    (bundle / "config.json").write_text(json.dumps(configuration))
    quiet("runc", "run", "--bundle", bundle, f"galley-trial-{bundle.stat().st_ino}")


def quiet(*words):
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=900)
    if done.returncode:
        command = " ".join(map(str, words))
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done
