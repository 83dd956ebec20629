/** The published images of the servers in deploy/compose.yaml. */
export const serverImages = {
  postgres: 'postgres:18-bookworm',
  redis: 'redis:8-bookworm',
  kafka: 'apache/kafka:4.3.1',
  haproxy: 'haproxy:3.2-bookworm',
  prometheus: 'prom/prometheus:v3.7.0',
  pause: 'registry.k8s.io/pause:3.10',
} as const;
