"""The Debian package, made by Debian's own tools."""

import datetime
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys

from lib.package.prefix import FILES

MAINTAINER = "Galley maintainers <maintainers@galley.invalid>"
DESCRIPTION = """headless rendering of HTML and MRAID ad creatives
 Galley renders ad creatives in real WebKit without a visible screen. It is the
 MRAID 3.0 container that they talk to, and leaves a picture of every state and
 a log of every event.
 .
 It checks creatives against networks' rules, compares them with approved
 baselines, and does all of it over HTTP as well."""


# What serves and renders by a queue on NATS; it is loaded by its name, which the linker doesn't know.
SUGGESTED = "libnats3.4, fonts-noto-cjk, fonts-noto-core"


def revision(project):
    return f"{project.version}-1"


def depends(programs, project, scratch):
    """What the package depends on: libraries as dpkg-shlibdeps finds them, then what rendering starts and shows."""
    work = scratch / "shlibs"
    (work / "debian").mkdir(parents=True)
    (work / "debian/control").write_text(f"Source: galley\n\nPackage: galley\nArchitecture: {project.architecture}\n")
    words = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", f"-l{programs.folder}"]
    # It has much to say of libraries that are linked and not used: that is how their pkg-config files are.
    done = subprocess.run([*words, *(f"-e{file}" for file in programs.files)], cwd=work, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    libraries = re.findall(r"shlibs:Depends=(.*)", done.stdout)[0].split(", ")
    # The user of the unit is made by adduser, and https takes certificates.
    return sorted(libraries) + sorted({*project.run_packages(), "adduser", "ca-certificates"})


def write(out, prefix, project, needed):
    """Leaves galley_VERSION_ARCHITECTURE.deb."""
    tree = prefix.folder.parent
    add_files(tree, prefix, project)
    for path in sorted(tree.rglob("*"), reverse=True):
        os.utime(path, (project.epoch,) * 2, follow_symlinks=False)
    size = sum(-(-path.lstat().st_size // 1024) for path in tree.rglob("*"))
    control = tree / "DEBIAN"
    control.mkdir()
    (control / "control").write_text(f"""Package: galley
Version: {revision(project)}
Architecture: {project.architecture}
Maintainer: {MAINTAINER}
Installed-Size: {size}
Depends: {', '.join(needed)}
Suggests: {SUGGESTED}
Section: web
Priority: optional
Description: {DESCRIPTION}
""")
    (control / "conffiles").write_text("/etc/galley/server.conf\n")
    for name in ("postinst", "prerm", "postrm"):
        shutil.copyfile(FILES / name, control / name)
        (control / name).chmod(0o755)
    files = sorted(path for path in tree.rglob("*")
                   if path.is_file() and not path.is_symlink() and control not in path.parents)
    (control / "md5sums").write_text("".join(
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in files
        if path.relative_to(tree).parts[0] != "etc"))
    package = out / f"galley_{revision(project)}_{project.architecture}.deb"
    # One thread, since with more the compressed bytes depend on the machine.
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "-z9", "--threads-max=1", "--build", tree, package],
                   check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(control)
    return package


def add_files(tree, prefix, project):
    """What a tarball hasn't: settings in /etc, and the papers that Debian asks for."""
    settings = tree / "etc/galley"
    settings.mkdir(parents=True)
    shutil.copyfile(FILES / "server.conf", settings / "server.conf")
    (settings / "server.conf").chmod(0o644)
    day = datetime.datetime.fromtimestamp(project.epoch, datetime.UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
    entry = (f"galley ({revision(project)}) unstable; urgency=medium\n\n  * What changed is in changelog.gz.\n"
             f"  * Built of commit {project.commit}.\n\n -- {MAINTAINER}  {day}\n")
    added = prefix.papers / "changelog.Debian.gz"
    added.write_bytes(gzip.compress(entry.encode(), 9, mtime=0))
    shutil.copyfile(FILES / "copyright", prefix.papers / "copyright")
    for path in (added, prefix.papers / "copyright"):
        path.chmod(0o644)
