#!/bin/sh
# Starts a process of the product by name: `auth`, `mqtt-gateway`, `install`, `simulator` …
set -eu
name=${1:?"the name of a process is needed: $(ls /app/dist/cluster | sed -n 's/^\([a-z-]*\)\.js$/\1/p' | tr '\n' ' ')simulator"}
shift
case $name in
  simulator) file=/app/dist/simulator/main.js ;;
  *) file=/app/dist/cluster/$name.js ;;
esac
if [ ! -f "$file" ]; then echo "carillon: there is no process \"$name\"" >&2; exit 64; fi
# Unique in the installation, and unchanged when the container restarts.
export CARILLON_NAME="${CARILLON_NAME:-$name-$(cat /proc/sys/kernel/hostname)}"
exec node --max-semi-space-size=4 --enable-source-maps "$file" "$@"
