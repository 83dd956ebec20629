#!/bin/bash
# Like the published image: the first start creates the files, with POSTGRES_PASSWORD for connections by password.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p -m 700 "$PGDATA"
  initdb -D "$PGDATA" -U postgres --auth-local=trust --auth-host=scram-sha-256 --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") --encoding=UTF8 >/dev/null
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
fi
exec "$@" -c "listen_addresses=*"
