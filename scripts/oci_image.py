#!/usr/bin/env python3
"""Writes an OCI image without a container engine: oci_image.py PROGRAM LICENCES VERSION COMMIT OUT.tar

The image has only the program, the C library that it was linked against, and certificates of authorities: no shell, and no package
manager. Its user is 65532, and its root file system may be read-only. All its files have the time SOURCE_DATE_EPOCH."""

import gzip
import hashlib
import io
import json
import os
import platform
import subprocess
import sys
import tarfile
import time
from pathlib import Path

USER = 65532
DATA = "/var/lib/covernote"
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
LEVEL = int(os.environ.get("PACKAGE_LEVEL", "9"))
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# Debian packages whose files are copied from this machine, together with their licences.
COPIED_FROM = ["ca-certificates", "libc6", "libgcc-s1"]


def libraries(program):
    """Paths of the libraries that the program loads, and of the loader."""
    lines = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted({word for line in lines for word in line.split() if word.startswith("/")})


class Layer:
    """Tar archive whose bytes depend only on its files."""

    def __init__(self):
        self.bytes = io.BytesIO()
        self.tar = tarfile.open(fileobj=self.bytes, mode="w", format=tarfile.GNU_FORMAT)
        self.folders = set()

    def folder(self, path, mode=0o755, owner=0):
        if path in self.folders or path == "/":
            return
        self.folder(os.path.dirname(path))
        self.folders.add(path)
        self.add(path, tarfile.DIRTYPE, mode, owner, b"")

    def file(self, path, content, mode=0o644):
        self.folder(os.path.dirname(path))
        self.add(path, tarfile.REGTYPE, mode, 0, content)

    def add(self, path, kind, mode, owner, content):
        entry = tarfile.TarInfo(path.lstrip("/"))
        entry.type, entry.mode, entry.uid, entry.gid, entry.mtime, entry.size = kind, mode, owner, owner, EPOCH, len(content)
        self.tar.addfile(entry, io.BytesIO(content))

    def finish(self):
        self.tar.close()
        return self.bytes.getvalue()


def root(program, licences):
    layer = Layer()
    layer.file("/usr/bin/covernote", program.read_bytes(), 0o755)
    for library in libraries(program):
        layer.file(library, Path(library).read_bytes(), 0o755)
    layer.file("/etc/ssl/certs/ca-certificates.crt", Path("/etc/ssl/certs/ca-certificates.crt").read_bytes())
    layer.file("/etc/passwd", f"root:x:0:0:root:/:/sbin/nologin\ncovernote:x:{USER}:{USER}:covernote:{DATA}:/sbin/nologin\n".encode())
    layer.file("/etc/group", f"root:x:0:\ncovernote:x:{USER}:\n".encode())
    layer.file("/etc/nsswitch.conf", b"hosts: files dns\n")
    layer.file("/usr/share/doc/covernote/copyright", licences.read_bytes())
    for package in COPIED_FROM:
        layer.file(f"/usr/share/doc/{package}/copyright", Path(f"/usr/share/doc/{package}/copyright").read_bytes())
    layer.folder("/etc/covernote")
    layer.folder("/tmp", 0o1777)
    layer.folder(DATA, 0o700, USER)
    return layer.finish()


def configuration(layer, version, commit):
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH))
    return {
        "architecture": ARCHITECTURES[platform.machine()],
        "os": "linux",
        "created": created,
        "config": {
            "User": f"{USER}:{USER}",
            "Entrypoint": ["/usr/bin/covernote"],
            "Cmd": ["serve"],
            "WorkingDir": DATA,
            "Volumes": {DATA: {}},
            "ExposedPorts": {"8080/tcp": {}, "9090/tcp": {}},
            "Env": [
                "PATH=/usr/bin",
                # The root file system may be read-only, but statements and imports need temporary files.
                f"TMPDIR={DATA}",
                f"COVERNOTE_DATA={DATA}",
                "COVERNOTE_LISTEN=0.0.0.0:8080",
                "COVERNOTE_METRICS_LISTEN=0.0.0.0:9090",
                "COVERNOTE_OPERATOR=/etc/covernote/operator.toml",
            ],
            "StopSignal": "SIGTERM",
            # Docker's extension of the format. Kubernetes has its own probes.
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/covernote", "ready"],
                "Interval": 10_000_000_000,
                "Timeout": 6_000_000_000,
                "StartPeriod": 60_000_000_000,
                "Retries": 3,
            },
            "Labels": {
                "org.opencontainers.image.title": "covernote",
                "org.opencontainers.image.description": "The insurance partner service",
                "org.opencontainers.image.licenses": "Apache-2.0 OR MIT",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.revision": commit,
                "org.opencontainers.image.created": created,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [digest(layer)]},
        "history": [{"created": created, "created_by": "scripts/package"}],
    }


def digest(content):
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    program, licences, version, commit, out = sys.argv[1:]
    layer = root(Path(program), Path(licences))
    blobs = {}

    def blob(kind, content):
        if not isinstance(content, bytes):
            content = json.dumps(content, separators=(",", ":")).encode()
        blobs[digest(content)] = content
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": digest(content), "size": len(content)}

    config = blob("config.v1+json", configuration(layer, version, commit))
    layers = [blob("layer.v1.tar+gzip", gzip.compress(layer, LEVEL, mtime=0))]
    manifest = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": layers}
    reference = {
        **blob("manifest.v1+json", manifest),
        "annotations": {
            "org.opencontainers.image.ref.name": f"covernote:{version}",
            "io.containerd.image.name": f"docker.io/library/covernote:{version}",
        },
    }
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [reference]}

    archive = Layer()
    archive.file("/oci-layout", b'{"imageLayoutVersion":"1.0.0"}')
    archive.file("/index.json", json.dumps(index).encode())
    # For versions of `docker load` that do not know the OCI format.
    path = lambda part: f"blobs/sha256/{part['digest'].removeprefix('sha256:')}"
    docker = [{"Config": path(config), "RepoTags": [f"covernote:{version}"], "Layers": [path(layer) for layer in layers]}]
    archive.file("/manifest.json", json.dumps(docker).encode())
    for name, content in sorted(blobs.items()):
        archive.file(f"/blobs/sha256/{name.removeprefix('sha256:')}", content)
    Path(out).write_bytes(archive.finish())


main()
