"""A relocatable folder of attnlab as a wheel, after PEP 427: `attnlab` on the path, and `import attnlab`.

    write_wheel.py FOLDER VERSION OUTPUT

FOLDER holds bin, lib and share; what it is linked with looks beside itself ($ORIGIN), so that it runs under the prefix
of any Python. The wheel's tag names the newest symbol of the C library that a file in it asks for (PEP 600).
"""

import base64
import hashlib
import pathlib
import re
import sys
import zipfile

METADATA = """\
Metadata-Version: 2.1
Name: attnlab
Version: {version}
Summary: Attention and the Transformer, experiment by experiment
License: MIT
Requires-Python: >=3.9
"""
WHEEL = """\
Wheel-Version: 1.0
Generator: attnlab
Root-Is-Purelib: false
Tag: {tag}
"""
DATE = (2020, 1, 1, 0, 0, 0)  # the same folder, the same bytes


def glibc(files):
    versions = {int(minor) for file in files for minor in re.findall(rb"GLIBC_2\.(\d+)", file.read_bytes())}
    return max(versions)


def main():
    folder, version, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    binaries = [path for path in files if path.read_bytes()[:4] == b"\x7fELF"]
    tag = f"py3-none-manylinux_2_{glibc(binaries)}_x86_64"
    name, data = f"attnlab-{version}", f"attnlab-{version}.data"
    record = []
    wheel = output / f"{name}-{tag}.whl"
    output.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

        def add(path, contents, mode=0o644):
            entry = zipfile.ZipInfo(path, DATE)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, contents)
            digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(contents)}")

        for file in files:
            path = file.relative_to(folder)
            place = "scripts/attnlab" if str(path) == "bin/attnlab" else f"data/{path}"
            add(f"{data}/{place}", file.read_bytes(), 0o755 if file in binaries else 0o644)
        add("attnlab.py", (folder / "share/attnlab/attnlab.py").read_bytes())
        add(f"{name}.dist-info/METADATA", METADATA.format(version=version).encode())
        add(f"{name}.dist-info/WHEEL", WHEEL.format(tag=tag).encode())
        record.append(f"{name}.dist-info/RECORD,,")
        add(f"{name}.dist-info/RECORD", ("\n".join(record) + "\n").encode())
    print(wheel)


if __name__ == "__main__":
    main()
