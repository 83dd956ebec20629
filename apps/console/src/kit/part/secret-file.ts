import { saveBlob } from '../api/save-file.ts';
import { t } from '../text/translate.ts';
import { macText } from '../text/time.ts';
import { connectAddress } from './connect-address.ts';

/** Returns a CSV cell that no program interprets as a formula. */
const cell = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `"${value.replace(/^[=+\-@]/, "'$&").replaceAll('"', '""')}"`;

interface DeviceSecret {
  mac: string;
  name: string;
  model: string;
  secret: string;
}

/**
 * Returns the server address, port and encryption of the file. A WebSocket address is typed as a whole, and an
 * installation may publish none.
 */
function connectCells(address: string | null): (string | number)[] {
  const parts = address === null ? null : connectAddress(address);
  return parts
    ? [parts.host, parts.port, t(parts.isEncrypted ? 'deviceForm.encrypted' : 'deviceForm.unencrypted')]
    : [address ?? '', '', ''];
}

/**
 * Saves the secrets of devices, with the address that they connect to, as a CSV file; they leave the page only this
 * way.
 */
export function saveSecrets(devices: readonly DeviceSecret[], address: string | null): void {
  const titles = [
    ...[t('device.mac'), t('device.name'), t('device.model'), t('secret.secret')],
    ...[t('deviceForm.address'), t('deviceForm.port'), t('deviceForm.encryption')],
  ];
  const connect = connectCells(address);
  const rows = [titles, ...devices.map((d) => [macText(d.mac), d.name, d.model, d.secret, ...connect])];
  const text = `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
  saveBlob(new Blob([text], { type: 'text/csv;charset=utf-8' }), 'device-secrets.csv');
}
