#!/bin/sh
# Pins the images of compose.yaml and of the Dockerfile: writes the current digests of their tags into deploy/.env, and
# compose runs and builds on exactly these from then on. Run it again for newer images. Needs the registry.
#   deploy/pin.sh           pins
#   deploy/pin.sh --check   fails when an image is not pinned, or a container runs another one
set -eu
cd "$(dirname "$0")"

images() {
  sed -nE 's/.*(image:|FROM) ([a-z0-9./-]+:[A-Za-z0-9._-]+)\$\{(CARILLON_[A-Z]+_DIGEST)(:-)?\}.*/\2 \3/p' compose.yaml ../Dockerfile | sort -u
}

if [ "${1:-}" = --check ]; then
  images | while read -r image name; do
    grep -qE "^$name=@sha256:[0-9a-f]{64}$" .env || { echo "$image is not pinned: deploy/pin.sh pins it" >&2; exit 1; }
  done
  export COMPOSE_FILE=compose.yaml COMPOSE_PROFILES='*'
  wanted=$(docker compose config --images)
  for container in $(docker compose ps -q); do
    runs=$(docker inspect --format '{{.Config.Image}}' "$container")
    echo "$wanted" | grep -qxF "$runs" || { echo "$runs runs and is not what is pinned: docker compose up -d" >&2; exit 1; }
  done
  echo "every image is pinned, and no container runs another"
  exit 0
fi

[ -f .env ] || { echo "deploy/.env is not there yet: ./carillon env makes it" >&2; exit 1; }
images | while read -r image name; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  case $digest in
    sha256:*) ;;
    *) echo "no digest of $image: $digest" >&2; exit 1 ;;
  esac
  sed -i "/^$name=/d" .env
  echo "$name=@$digest" >> .env
  echo "$image@$digest"
done
