const everywhere = new Set(['0.0.0.0', '::', '']);

/** Returns the address for devices: the MQTT host, or the console's host when MQTT listens on every address. */
export function deviceAddressOf(mqttHost: string, mqttPort: number, consoleHost: string): string {
  const host = [mqttHost, consoleHost].find((name) => !everywhere.has(name));
  if (host === undefined) return '';
  return `mqtt://${host.includes(':') ? `[${host}]` : host}:${mqttPort}`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the address at which phones load their configuration, by the settings that provisioning reads as well. */
export function phoneAddressOf(host: string, port: number, environment: Environment): string {
  const given = URL.parse(environment['CARILLON_PHONE_URL'] ?? '');
  if (given) return given.origin;
  const shown = URL.parse(environment['CARILLON_PUBLIC_URL'] ?? '')?.hostname;
  const scheme = environment['CARILLON_PHONE_TLS_CERTIFICATE'] ? 'https' : 'http';
  return `${scheme}://${shown ?? (host.includes(':') ? `[${host}]` : host)}:${port}`;
}
