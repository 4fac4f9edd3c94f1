"""The tarball for who has no Debian, or no rights to install: the same tree, in a folder of its own."""

import lzma
import tarfile


def write(out, prefix, project):
    """Leaves galley-VERSION-linux-MACHINE.tar.xz."""
    name = f"galley-{project.version}-linux-{project.architecture}"
    path = out / f"{name}.tar.xz"
    # Programs repeat each other's libraries: the window has to reach from one to the next.
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 128 << 20}]
    with lzma.open(path, "wb", filters=filters) as packed, tarfile.open(fileobj=packed, mode="w|") as archive:
        for member in [prefix.folder, *sorted(prefix.folder.rglob("*"))]:
            add(archive, member, f"{name}/{member.relative_to(prefix.folder)}".removesuffix("/."), project.epoch)
    return path


def add(archive, path, name, epoch):
    """A member that is nobody's and of the project's time."""
    entry = archive.gettarinfo(path, name)
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = epoch
    # Two names of one file would depend on which came first.
    if entry.islnk():
        entry.type, entry.linkname, entry.size = tarfile.REGTYPE, "", path.stat().st_size
    if entry.isreg():
        with path.open("rb") as file:
            archive.addfile(entry, file)
    else:
        archive.addfile(entry)
