import { renderSVG } from 'uqr';

/** Returns the data that a person types into a device, or scans, to connect it (docs/device-link.md, "Connect"). */
export function connectOf(deviceAddress: string, mac: string, secret: string): { address: string | null; qr: string } {
  const address = deviceAddress === '' ? null : deviceAddress;
  const svg = renderSVG(JSON.stringify({ address, username: mac, secret }), { border: 2 });
  return { address, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}
