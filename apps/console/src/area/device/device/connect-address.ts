const portOf: Readonly<Record<string, string>> = { 'mqtts:': '8883', 'mqtt:': '1883' };

/**
 * Returns what a person types into a device from the address that the installation publishes (`mqtts://host:port`); null
 * for WebSocket addresses, which are typed as a whole.
 */
export function connectAddress(address: string): { host: string; port: string; isEncrypted: boolean } | null {
  const { protocol, hostname, port } = new URL(address);
  const usual = portOf[protocol];
  if (usual === undefined) return null;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual : port,
    isEncrypted: protocol === 'mqtts:',
  };
}
