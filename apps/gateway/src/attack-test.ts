import { afterAll, beforeEach } from 'vitest';
import { startGateway } from './gateway-test.ts';

export const list = '/api/f/device/device/list';

/** Starts a gateway without limits behind a trusted proxy. Closes it after the tests. */
export async function startAttack() {
  const gateway = await startGateway({
    loginsPerMinute: 0,
    publicCallsPerMinute: 0,
    sessionCallsPerMinute: 0,
    trustedProxies: '127.0.0.2',
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    gateway.received.length = 0;
  });
  return { gateway };
}
