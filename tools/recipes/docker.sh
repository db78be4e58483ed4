# A Docker engine for the container hosts; prints its DOCKER_HOST. One that answers already is
# used as it is. Otherwise Debian's is started: without a bridge and without firewall rules, so it
# needs no more of the machine than root (functions run with `--network none` anyway).
state=$cache/docker
socket=unix://$state/docker.sock

answers() { docker --host "$1" version >/dev/null 2>&1; }

provide() {
    apt_install docker docker.io
    local current host
    current=$(docker context inspect --format '{{.Endpoints.docker.Host}}')
    for host in "$current" "$socket"; do
        if answers "$host"; then
            say "docker: an engine answers at $host"
            printf '%s\n' "$host"
            return
        fi
    done
    [ "$(id -u)" = 0 ] || die "docker: no engine answers and only root can start one"
    apt_install dockerd docker.io
    mkdir -p "$state"
    rm -f "$state/pid" # of an engine that was killed: its number may be another process by now
    # Not a child that waits for us: no lock, no terminal, its own session.
    setsid dockerd --host "$socket" --data-root "$state/data" --exec-root "$state/run" \
        --pidfile "$state/pid" --iptables=false --ip6tables=false --bridge=none \
        >"$state/log" 2>&1 </dev/null 9>&- &
    for _ in $(seq 60); do
        if answers "$socket"; then
            say "docker: started an engine at $socket, log in $state/log"
            printf '%s\n' "$socket"
            return
        fi
        sleep 0.5
    done
    die "docker: the engine did not start, see $state/log"
}

stop() {
    answers "$socket" || { say "docker: no engine of ours runs"; return; }
    local pid
    pid=$(cat "$state/pid")
    say "docker: stopping $pid"
    kill "$pid"
    tail --pid="$pid" -f /dev/null # until it is gone
}
