const everywhere = new Set(['0.0.0.0', '::', '']);

/** Returns the address for devices: the MQTT host, or the console's host when MQTT listens on every address. */
export function deviceAddressOf(mqttHost: string, mqttPort: number, consoleHost: string): string {
  const host = [mqttHost, consoleHost].find((of) => !everywhere.has(of));
  if (host === undefined) return '';
  return `mqtt://${host.includes(':') ? `[${host}]` : host}:${mqttPort}`;
}
