#!/bin/sh
# Replaces the running image by CARILLON_IMAGE, service by service, without an interruption: new containers are ready
# before old ones end. `deploy/roll.sh [service…]`
set -eu
cd "$(dirname "$0")"
docker compose run --rm --no-deps -T install
for service in ${*:-auth org device provisioning resource task notification license gateway mqtt-gateway}; do
  old=$(docker compose ps -q "$service")
  count=$(echo "$old" | wc -w)
  docker compose up -d --no-deps --no-build --no-recreate --wait --scale "$service=$((count * 2))" "$service"
  # Each container finishes its work; an MQTT gateway needs up to 25 s.
  docker stop --time 35 $old >/dev/null
  docker rm $old >/dev/null
  echo "$service: $count replaced"
done
