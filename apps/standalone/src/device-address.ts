const everywhere = new Set(['0.0.0.0', '::', '']);

/** What devices connect to on this machine: where MQTT listens, or where the console does when that is every address. */
export function deviceAddressOf(mqttHost: string, mqttPort: number, consoleHost: string): string {
  const host = [mqttHost, consoleHost].find((of) => !everywhere.has(of));
  if (host === undefined) return '';
  return `mqtt://${host.includes(':') ? `[${host}]` : host}:${mqttPort}`;
}
