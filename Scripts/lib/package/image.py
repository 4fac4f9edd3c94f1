"""The image for container engines, written as the standard has it: a system of Debian's with the package in it.

No engine is asked: mmdebstrap makes the system, and what stands around its one layer is a few JSON documents.
"""

import datetime
import gzip
import hashlib
import io
import json
import sys
import tarfile
import tempfile
from pathlib import Path

from lib.common import debian_system
from lib.package import debian, sbom

OCI = "application/vnd.oci.image"
# Another number on each machine would lock a volume's files away.
USER = 900
# What two makings of the same system don't have alike, and nobody misses.
LEFTOVERS = ("var/log/*", "var/cache/ldconfig/*", "var/cache/debconf/*", "var/cache/fontconfig/*", "var/lib/dpkg/*-old",
             "etc/*-", "tmp/*")


def write(out, package, project, build):
    """Leaves galley-VERSION-image-MACHINE.tar, an archive with an OCI layout, and its bill of materials."""
    if not package.is_file():
        sys.exit(f"there is no {package} to put into the image")
    path = out / f"galley-{project.version}-image-{project.architecture}.tar"
    with tempfile.TemporaryDirectory(prefix="galley-image-", dir=build) as scratch:
        layer = Path(scratch) / "layer.tar"
        make_system(layer, package, build)
        with tarfile.open(layer) as archive:
            member = archive.extractfile("./var/lib/dpkg/status")
            assert member
            status = member.read().decode()
        packed = layer.with_suffix(".gz")
        with (
            layer.open("rb") as plain, packed.open("wb") as file,
            gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as target,
        ):
            contents = copied(plain, target)
        write_layout(path, packed, contents, project)
    bill = out / f"galley-{project.version}-image-{project.architecture}.cdx.json"
    return [path, sbom.write_image(bill, project, status)]


def make_system(layer, package, build):
    inside = f"/tmp/{package.name}"
    clean = " ".join(f'"$1"/{leftover}' for leftover in LEFTOVERS)
    debian_system.make(layer, build, hooks=[
        f"copy-in {package} /tmp",
        f'chroot "$1" groupadd --system --gid {USER} galley',
        f'chroot "$1" useradd --system --uid {USER} --gid {USER} --home-dir /var/lib/galley --no-create-home '
        "--shell /usr/sbin/nologin galley",
        f'chroot "$1" apt-get install --yes --no-install-recommends {inside} {debian.SUGGESTED}',
        'install --directory --mode 1777 "$1"/work',
    ], last=[f"rm --recursive --force {clean}"], excludes=("man", "locale", "doc", "info", "lintian"))


def write_layout(path, packed, contents, project):
    layer = {"mediaType": f"{OCI}.layer.v1.tar+gzip", "digest": f"sha256:{digest(packed)}",
             "size": packed.stat().st_size}
    configuration = document(settings(contents, project))
    manifest = document({
        "schemaVersion": 2, "mediaType": f"{OCI}.manifest.v1+json",
        "config": described(configuration, f"{OCI}.config.v1+json"), "layers": [layer],
        "annotations": labels(project)})
    index = document({
        "schemaVersion": 2, "mediaType": f"{OCI}.index.v1+json",
        "manifests": [{**described(manifest, f"{OCI}.manifest.v1+json"),
                       "platform": {"architecture": project.architecture, "os": "linux"},
                       "annotations": {"org.opencontainers.image.ref.name": project.version}}]})
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        add(archive, "oci-layout", document({"imageLayoutVersion": "1.0.0"}), project)
        add(archive, "index.json", index, project)
        for blob in (manifest, configuration):
            add(archive, f"blobs/sha256/{hashlib.sha256(blob).hexdigest()}", blob, project)
        with packed.open("rb") as file:
            entry = member(f"blobs/sha256/{layer['digest'].removeprefix('sha256:')}", layer["size"], project)
            archive.addfile(entry, file)


def settings(contents, project):
    day = datetime.datetime.fromtimestamp(project.epoch, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "architecture": project.architecture, "os": "linux", "created": day,
        "config": {
            "User": "galley", "WorkingDir": "/work", "Entrypoint": ["galley"], "Cmd": ["--help"],
            "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
            "ExposedPorts": {"8080/tcp": {}}, "StopSignal": "SIGTERM", "Labels": labels(project),
            # Not of the standard, which has none; Docker goes by it. Only a server answers, and it takes one to ask.
            "Healthcheck": {
                "Test": ["CMD", "curl", "--fail", "--silent", "--output", "/dev/null", "http://127.0.0.1:8080/readyz"],
                "Interval": 30 * 10**9, "Timeout": 5 * 10**9, "StartPeriod": 10 * 10**9, "Retries": 3}},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{contents}"]},
        "history": [{"created": day, "created_by": "Scripts/package image"}]}


def labels(project):
    return {
        "org.opencontainers.image.title": "galley", "org.opencontainers.image.version": project.version,
        "org.opencontainers.image.revision": project.commit, "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.description": "Renders and checks HTML and MRAID ad creatives."}


def document(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def described(blob, kind):
    return {"mediaType": kind, "digest": f"sha256:{hashlib.sha256(blob).hexdigest()}", "size": len(blob)}


def member(name, size, project):
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime, entry.mode = size, project.epoch, 0o644
    return entry


def add(archive, name, blob, project):
    archive.addfile(member(name, len(blob), project), io.BytesIO(blob))


def copied(source, target):
    """The digest of what was copied."""
    counted = hashlib.sha256()
    while piece := source.read(1 << 20):
        counted.update(piece)
        target.write(piece)
    return counted.hexdigest()


def digest(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
