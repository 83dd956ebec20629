import { expect, it } from 'vitest';
import { nicknameOf, readAddresses, usernameOf } from './address-list.ts';

it('reads people from pasted mail and table formats once each, and keeps invalid addresses to report', () => {
  expect(
    readAddresses(`anna.weber@example.com
"Braun, Bert" <Bert@Example.com>; Clara Chen <clara@example.com>, 
Dora Dahl\tdora@example.com
ANNA.WEBER@example.com
not an address`),
  ).toEqual([
    { email: 'anna.weber@example.com', nickname: 'Anna Weber', username: 'anna.weber' },
    { email: 'Bert@Example.com', nickname: 'Braun, Bert', username: 'bert' },
    { email: 'clara@example.com', nickname: 'Clara Chen', username: 'clara' },
    { email: 'dora@example.com', nickname: 'Dora Dahl', username: 'dora' },
    { email: 'not an address', nickname: 'Not an address', username: 'notanaddress' },
  ]);
  expect(readAddresses(' ,;\n')).toEqual([]);
  expect([usernameOf('eva+phones@example.com'), nicknameOf('eva_maria@example.com')]).toEqual([
    'evaphones',
    'Eva Maria',
  ]);
});
