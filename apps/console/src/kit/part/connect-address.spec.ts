import { expect, test } from 'vitest';
import { connectAddress } from './connect-address.ts';

test('an address for devices is told as host, port and encryption, and a WebSocket address as a whole', () => {
  expect(connectAddress('mqtts://devices.example.com')).toEqual({
    host: 'devices.example.com',
    port: 8883,
    isEncrypted: true,
  });
  expect(connectAddress('mqtt://[::1]:2883')).toEqual({ host: '::1', port: 2883, isEncrypted: false });
  for (const whole of ['wss://devices.example.com/mqtt', 'mqtts://devices.example.com:99999'])
    expect(connectAddress(whole)).toBeNull();
});
