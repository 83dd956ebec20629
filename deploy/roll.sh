#!/bin/sh
# Puts the image of CARILLON_IMAGE in the place of the one that runs, service by service, while everything works:
# new containers are ready before old ones end. `deploy/roll.sh [service…]`
set -eu
cd "$(dirname "$0")"
docker compose run --rm --no-deps -T install
for service in ${*:-auth org device provisioning resource task notification license gateway mqtt-gateway}; do
  old=$(docker compose ps -q "$service")
  count=$(echo "$old" | wc -w)
  docker compose up -d --no-deps --no-build --no-recreate --wait --scale "$service=$((count * 2))" "$service"
  # Each finishes what it has; an MQTT gateway within 25 s.
  docker stop --time 35 $old >/dev/null
  docker rm $old >/dev/null
  echo "$service: $count replaced"
done
