"""SHA256SUMS of all packages in a folder, as `sha256sum --check` reads it."""

import hashlib


def write(out):
    """Takes in what earlier calls left, and nothing else that lies there."""
    files = sorted(path for path in out.iterdir() if path.is_file() and path.name.startswith(("galley_", "galley-")))
    (out / "SHA256SUMS").write_text("".join(f"{digest(path)}  {path.name}\n" for path in files))


def digest(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
