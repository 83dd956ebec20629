#!/bin/bash
# Checks this container's process: `livez` whether it lives, `readyz` whether it is ready. Starts no second Node.js.
exec 3<>"/dev/tcp/127.0.0.1/${CARILLON_OPS_PORT}" || exit 1
printf 'GET /%s HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n' "${1:-livez}" >&3
read -t 4 -r _ status _ <&3 && [ "$status" = 200 ]
