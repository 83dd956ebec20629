import { renderSVG } from 'uqr';

/** Returns the address that the installation publishes for devices; null when none is configured. */
export const publishedAddress = (deviceAddress: string): string | null => (deviceAddress === '' ? null : deviceAddress);

/** Returns the data that a person types into a device, or scans, to connect it (docs/device-link.md, "Connect"). */
export function connectOf(deviceAddress: string, mac: string, secret: string): { address: string | null; qr: string } {
  const address = publishedAddress(deviceAddress);
  const svg = renderSVG(JSON.stringify({ address, username: mac, secret }), { border: 2 });
  return { address, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}
