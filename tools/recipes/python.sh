# An interpreter that can make a virtual environment; prints its path. Debian ships that apart.
can() { command -v "$1" >/dev/null && "$1" -c 'import sys, venv, ensurepip; assert sys.version_info >= (3, 9)' 2>/dev/null; }

provide() {
    local python=python3
    if ! can "$python"; then
        apt_install python3-venv python3-venv
        can "$python" || die "python3 is older than 3.9: install a newer one and put it first on PATH"
    fi
    say "python: $("$python" --version)"
    command -v "$python"
}
