import { expect, it } from 'vitest';
import { accountsOf, actionCalls, callOf, type ActionEvent } from './action-url.ts';
import { models } from './model.ts';

const phoneOf = (name: string) => ({
  mac: '805ec0000001',
  model: models.find((m) => m.name === name)!,
  firmware: '1',
  ip: '10.0.0.9',
});
const calls = (name: string, values: Record<string, string>, failing: number[] = []) =>
  actionCalls(phoneOf(name), { version: null, values }, failing);

it('a Yealink phone calls its URLs for the start and for each account that is on', () => {
  const url = (event: string) => `http://p.example/${event}?ip=$ip&u=$active_user&h=$active_host`;
  const values = {
    'action_url.setup_completed': url('boot'),
    'action_url.registered': url('on'),
    'action_url.register_failed': url('failed'),
    'account.1.enable': '1',
    'account.1.user_name': '+49',
    'account.1.sip_server.1.address': 'pbx.example',
    'account.2.enable': '1',
    'account.3.enable': '0',
  };
  expect(calls('SIP-T46U', values, [2, 3])).toEqual([
    { event: 'boot', url: 'http://p.example/boot?ip=10.0.0.9&u=%24active_user&h=%24active_host' },
    { event: 'registered', line: 1, url: 'http://p.example/on?ip=10.0.0.9&u=%2B49&h=pbx.example' },
    { event: 'failed', line: 2, url: 'http://p.example/failed?ip=10.0.0.9&u=&h=' },
  ]);
});

it('a Grandstream phone calls nothing for an account that fails, and a Fanvil phone nothing at all', () => {
  const values = { P8305: 'http://p.example/on?u=$active_user', P271: '1', P35: '201', P401: '1', P404: '202' };
  expect(calls('GRP2614', values, [1])).toEqual([{ event: 'registered', line: 2, url: 'http://p.example/on?u=202' }]);
  expect(calls('X4U', values)).toEqual([]);
});

it.each([
  ['D785', 'action_log_on_url', { 'user_active.2': 'on', 'user_name.2': '201', 'user_host.2': 'pbx' }],
  [
    'SP-R50P',
    'Features.ACTIONURL.Registered',
    { 'Account2.GENERAL.Enable': '1', 'Account2.GENERAL.UserName': '201', 'Account2.SIP.Server': 'pbx' },
  ],
])('a %s calls its URL for an account that is on with the user and the host', (name, setting, account) => {
  const values = { [setting]: 'http://p.example/on?u=$active_user&h=$active_host', ...account };
  expect(calls(name, values)).toEqual([{ event: 'registered', line: 2, url: 'http://p.example/on?u=201&h=pbx' }]);
});

it('a Poly phone posts its registrations and calls as XML when its parameters say so, and nothing else', () => {
  const url = 'http://p.example/event/post';
  const values = { 'reg.2.server.1.register': '1', 'reg.2.address': '201', 'apps.telNotification.URL': url };
  const phone = phoneOf('VVX 450');
  const [account] = accountsOf(phone.model, values);
  const seen = (event: ActionEvent, more: object) =>
    callOf(phone, { version: null, values: { ...values, ...more } }, event, { account });
  const all = { 'apps.telNotification.lineRegistrationEvent': '1', 'apps.telNotification.callStateChangeEvent': '1' };
  const [registered] = seen('registered', all);
  expect(registered).toMatchObject({ event: 'registered', line: 2, url });
  expect(registered!.body).toMatch(
    /^<PolycomIPPhone><LineRegistrationEvent><PhoneIP>10\.0\.0\.9<\/PhoneIP><MACAddress>805ec0000001<\/MACAddress><LineNumber>2</,
  );
  expect(seen('call-start', all)[0]!.body).toContain('<CallStateChangeEvent CallReference="1" CallState="Connected">');
  expect([seen('registered', {}), seen('boot', all), seen('dnd-on', all)]).toEqual([[], [], []]);
});

it('an Akuvox door calls the URLs of its two relays', () => {
  const url = (event: string) => `http://p.example/${event}?ip=$ip`;
  const values = {
    'Features.ACTIONURL.RelayATriggered': url('open'),
    'Features.ACTIONURL.RelayBClosed': url('closed'),
  };
  const seen = (event: ActionEvent, door: number) =>
    callOf(phoneOf('SP-R50P'), { version: null, values }, event, { door }).map((call) => [call.door, call.url]);
  expect(seen('door-open', 1)).toEqual([[1, 'http://p.example/open?ip=10.0.0.9']]);
  expect(seen('door-closed', 2)).toEqual([[2, 'http://p.example/closed?ip=10.0.0.9']]);
  expect([seen('door-open', 2), seen('door-open', 3)]).toEqual([[], []]);
});

it('an Htek phone replaces no variable, and a Poly phone calls nothing', () => {
  const values = { P3702: 'http://p.example/on?u=$active_user', P401: '1', P735: '201' };
  expect(calls('UC926', values)).toEqual([
    { event: 'registered', line: 2, url: 'http://p.example/on?u=%24active_user' },
  ]);
  expect(calls('VVX 450', values)).toEqual([]);
});
