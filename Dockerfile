# The function image: an interpreter and the function, without a shell or a package manager.
#
#   docker build --tag ghcr.io/zonecast/zonecast:v0.1.0 .
#
# BASE lends its python3 (3.11 or newer) and is any Debian or Ubuntu.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    python3 python3-pip

# The dependencies first: they change less often than the sources.
WORKDIR /src
COPY pyproject.toml ./
RUN python3 -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' >requirements.txt \
 && pip install --no-cache-dir --no-compile --only-binary :all: --target /rootfs/opt/zonecast \
    --requirement requirements.txt

# What the function needs of the system: Python, its library, the C libraries that these and the
# wheels load, and names for user ids (hosts say `--user nobody`). Left out are modules whose
# libraries (TLS, databases, terminals) a function without network has no use for.
RUN cd /usr/lib/python3.* \
 && rm -rf test lib2to3 distutils pydoc_data \
 && rm -f lib-dynload/_ssl.* lib-dynload/_hashlib.* lib-dynload/_sqlite3.* lib-dynload/_dbm.* \
    lib-dynload/_curses* lib-dynload/readline.* lib-dynload/_ctypes* lib-dynload/_crypt.* \
    lib-dynload/_uuid.* lib-dynload/nis.* lib-dynload/*test* \
 && python=$(readlink -f /usr/bin/python3) \
 && ldd "$python" lib-dynload/*.so $(find /rootfs -name '*.so') | grep -o '/lib[^ ]*' | sort -u \
    | xargs cp -r --parents --dereference --target-directory /rootfs \
        "$python" /usr/lib/python3.* /etc/passwd /etc/group \
 && ln -s "$python" /rootfs/usr/bin/python3

# Compiled once and never checked again: nothing is written when the root is read-only. Columns in
# tracebacks, which no user sees, would cost 5 % of the start-up.
COPY fn /rootfs/opt/zonecast
COPY README.md /rootfs/opt/zonecast/zonecast/
RUN python3 -X no_debug_ranges -m compileall -qf --invalidation-mode unchecked-hash /rootfs/opt /rootfs/usr/lib

# The command by its name, for images that build on this one and for those who run kustomize in it.
RUN mkdir -p /rootfs/usr/local/bin \
 && printf '%s\n' '#!/usr/bin/python3 -IS' 'import sys' "sys.path.insert(0, '/opt/zonecast')" \
    'from zonecast.main import main' 'main()' >/rootfs/usr/local/bin/zonecast \
 && chmod 755 /rootfs/usr/local/bin/zonecast

FROM scratch
COPY --from=build /rootfs /
# Isolated (-I) and without `site` (-S): the environment of a host cannot change what runs, and
# the interpreter starts in three quarters of the time. A directory or a zip would cost 4 ms more.
ENTRYPOINT ["/usr/bin/python3", "-ISc", "import sys; sys.path.insert(0, '/opt/zonecast'); from zonecast.main import main; main()"]
