import { expect, it } from 'vitest';
import { desired, sampleLine, sampleValues } from '../testing/vendor-sample.ts';
import { yealink } from './yealink.ts';
import { renderFile } from './vendor.ts';

const firstLine = {
  ...sampleLine,
  line: 1,
  auth: 'ann',
  domain: 'voice.example',
  transport: 'udp' as const,
  backup: null,
  voicemail: '',
};
const rendered = (more: Parameters<typeof desired>[0]) => renderFile(yealink, desired(more), 1);

it('a Yealink phone gets its settings as lines behind the version of the syntax', () => {
  expect(rendered({ values: sampleValues })).toBe(`#!version:1.0.0.1
lang.gui = German
local_time.ntp_server1 = ntp.example
local_time.time_format = 0
phone_setting.backlight_time = 60
phone_setting.ring_type = Ring3.wav
static.network.lldp.enable = 0
static.network.vlan.internet_port_enable = 1
static.network.vlan.internet_port_vid = 7
`);
  expect(rendered({ values: { 'network.vlan': 0 } })).toBe(
    '#!version:1.0.0.1\nstatic.network.vlan.internet_port_enable = 0\n',
  );
});

it('a Yealink phone gets the accounts of its lines, and a line that lost its account is off', () => {
  expect(rendered({ lines: [firstLine, sampleLine], emptied: [3] })).toBe(`#!version:1.0.0.1
account.1.auth_name = ann
account.1.display_name = Ann & Bob
account.1.enable = 1
account.1.label = Hall
account.1.outbound_proxy.1.address = pbx.example
account.1.outbound_proxy.1.port = 5061
account.1.outbound_proxy.2.address = %NULL%
account.1.outbound_proxy.2.port = %NULL%
account.1.outbound_proxy_enable = 1
account.1.password = wallaby<93
account.1.sip_server.1.address = voice.example
account.1.sip_server.1.port = 5061
account.1.sip_server.1.transport_type = 0
account.1.sip_server.2.address = %NULL%
account.1.sip_server.2.port = %NULL%
account.1.sip_server.2.transport_type = %NULL%
account.1.user_name = 201
account.2.auth_name = 201
account.2.display_name = Ann & Bob
account.2.enable = 1
account.2.label = Hall
account.2.outbound_proxy.1.address = %NULL%
account.2.outbound_proxy.1.port = %NULL%
account.2.outbound_proxy.2.address = %NULL%
account.2.outbound_proxy.2.port = %NULL%
account.2.outbound_proxy_enable = 0
account.2.password = wallaby<93
account.2.sip_server.1.address = pbx.example
account.2.sip_server.1.port = 5061
account.2.sip_server.1.transport_type = 2
account.2.sip_server.2.address = 10.0.0.7
account.2.sip_server.2.port = %NULL%
account.2.sip_server.2.transport_type = 2
account.2.user_name = 201
account.3.enable = 0
voice_mail.number.1 = %NULL%
voice_mail.number.2 = *97
`);
});

it('a Yealink phone gets the URLs of its events below its folder, and asks there from now on', () => {
  const all = (event: string) => `http://p.example:8081/f/event/${event}?ip=$ip&account=$active_user&host=$active_host`;
  expect(renderFile(yealink, desired({}), 1, 'http://p.example:8081/f/')).toBe(`#!version:1.0.0.1
action_url.call_established = ${all('call-start')}&call=$call_id
action_url.call_terminated = ${all('call-end')}&call=$call_id
action_url.dnd_off = ${all('dnd-off')}
action_url.dnd_on = ${all('dnd-on')}
action_url.register_failed = ${all('failed')}
action_url.registered = ${all('registered')}
action_url.setup_completed = ${all('boot')}
action_url.unregistered = ${all('unregistered')}
sip.notify_reboot_enable = 0
static.auto_provision.power_on = 1
static.auto_provision.repeat.enable = 1
static.auto_provision.repeat.minutes = 60
static.auto_provision.server.url = http://p.example:8081/f/
`);
});

it('values that a Yealink phone does not know are named, and are not in its file', () => {
  const values = { 'phone.language': 'ko', 'phone.ringtone': 9, 'screen.backlight': 45 };
  expect(yealink.withoutName(values)).toEqual(Object.keys(values));
  expect(rendered({ values })).toBe('#!version:1.0.0.1\n');
  expect(yealink.withoutName(sampleValues)).toEqual([]);
});
