/** Messages between the devices of a bench and the measured servers, the same for each server. */
export const macOf = (n: number): string => `00a859${n.toString(16).padStart(6, '0')}`;
export const indexOf = (mac: string): number => Number.parseInt(mac.slice(6), 16);
export const linkCommandTopic = (mac: string): string => `d/${mac}/command`;
export const commandText = (action: string): string =>
  JSON.stringify({
    id: '01920000-0000-7000-8000-000000000001',
    action,
    args: { whenIdle: true },
    expiresAt: Date.now() + 60_000,
    now: Date.now(),
  });
export const helloText = JSON.stringify({
  model: 'X6',
  sn: 'SN1',
  firmware: '2.4.1',
  ip: '10.0.0.7',
  uptime: 12,
  boot: 'power',
  capabilities: ['reboot'],
});
/** 207 bytes. */
export const stateText = JSON.stringify({
  at: 1_790_000_000_000,
  calls: 0,
  lines: [
    { line: 1, account: '100', server: 'sip.example.org', status: 'registered' },
    { line: 2, account: '101', server: 'sip.example.org', status: 'registered' },
  ],
  ip: '10.0.0.7',
});
