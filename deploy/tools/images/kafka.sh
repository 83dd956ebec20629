#!/bin/bash
# Like the published image: KAFKA_ variables become lines of server.properties, and the first start formats the log.
set -euo pipefail
file=/opt/kafka/config/server.properties
env | grep '^KAFKA_' | grep -v '^KAFKA_HEAP_OPTS=' | while IFS='=' read -r name value; do
  # Three underscores stand for a dash, two for an underscore, one for a dot.
  name=$(sed 's/^KAFKA_//; s/___/-/g; s/__/\x01/g; s/_/./g; s/\x01/_/g' <<< "$name" | tr 'A-Z' 'a-z')
  printf '%s=%s\n' "$name" "$value"
done > "$file"
java=(java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '/opt/kafka/libs/*' -Dorg.slf4j.simpleLogger.defaultLogLevel=warn)
[ -e "$KAFKA_LOG_DIRS/meta.properties" ] || "${java[@]}" kafka.tools.StorageTool format -t "${CLUSTER_ID:-5L6g3nShT-eMCtK--X86sw}" -c "$file"
# shellcheck disable=SC2086
exec "${java[@]}" ${KAFKA_HEAP_OPTS:-} kafka.Kafka "$file"
