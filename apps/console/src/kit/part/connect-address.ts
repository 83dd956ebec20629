const portOf: Readonly<Record<string, number>> = { 'mqtts:': 8883, 'mqtt:': 1883 };

/**
 * Returns what a person types into a device from the address that the installation publishes (`mqtts://host:port`); null
 * for WebSocket addresses, which are typed as a whole, and for what is no URL.
 */
export function connectAddress(address: string): { host: string; port: number; isEncrypted: boolean } | null {
  const url = URL.parse(address);
  const usual = url && portOf[url.protocol];
  if (!usual) return null;
  const { protocol, hostname, port } = url;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual : Number(port),
    isEncrypted: protocol === 'mqtts:',
  };
}
