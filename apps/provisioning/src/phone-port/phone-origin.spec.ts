import { expect, it } from 'vitest';
import type { ProvisioningConfig } from '../config.ts';
import { PhoneOrigin } from './phone-origin.ts';

const origin = (settings: Partial<ProvisioningConfig>) =>
  new PhoneOrigin({ phonePort: 8081, phoneTlsCertificate: '', ...settings } as ProvisioningConfig);
const folderOf = (settings: Partial<ProvisioningConfig>, host?: string) => origin(settings).folder('/c/t/', host);

it('the set address of the port goes before the public host, and that before the host of a request', () => {
  const publicUrl = 'https://console.example';
  expect(folderOf({ publicUrl, phoneUrl: 'https://phones.example' }, 'other.example')).toBe(
    'https://phones.example/c/t/',
  );
  expect(folderOf({ publicUrl }, 'other.example:8081')).toBe('http://console.example:8081/c/t/');
  expect(folderOf({ publicUrl, phoneTlsCertificate: 'cert.pem' })).toBe('https://console.example:8081/c/t/');
});

it.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://0.0.0.0:8080'])(
  'an installation at %s has the address that the phone asks for',
  (publicUrl) => {
    expect(folderOf({ publicUrl }, '10.0.0.5:8081')).toBe('http://10.0.0.5:8081/c/t/');
    expect(folderOf({ publicUrl }, '[fd00::5]:8081')).toBe('http://[fd00::5]:8081/c/t/');
    expect(folderOf({ publicUrl, phoneTlsCertificate: 'cert.pem' }, 'pbx.lan')).toBe('https://pbx.lan/c/t/');
  },
);

it.each(['a b', 'a/b', 'user@host', 'a"b', 'a\nb', 'host:port', 'x'.repeat(254), '[::1', ''])(
  'the host %j of a request is not used',
  (host) => {
    expect(folderOf({ publicUrl: 'http://127.0.0.1:8080' }, host)).toBe('http://127.0.0.1:8081/c/t/');
    expect(folderOf({ publicUrl: 'http://0.0.0.0:8080' }, host)).toBeUndefined();
  },
);
