import { saveBlob } from '../session/save-file.ts';
import { macText } from '../text/time.ts';

/** Returns a CSV cell that no program interprets as a formula. */
const cell = (text: string): string => `"${text.replace(/^[=+\-@]/, "'$&").replaceAll('"', '""')}"`;

interface DeviceSecret {
  mac: string;
  name: string;
  model: string;
  secret: string;
}

/** Saves the secrets of devices as a CSV file; they leave the page only this way. */
export function saveSecrets(titles: readonly string[], devices: readonly DeviceSecret[]): void {
  const rows = [titles, ...devices.map((d) => [macText(d.mac), d.name, d.model, d.secret])];
  const text = `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
  saveBlob(new Blob([text], { type: 'text/csv;charset=utf-8' }), 'device-secrets.csv');
}
