import { expect, it } from 'vitest';
import { desired, sampleLine, sampleValues } from '../testing/vendor-sample.ts';
import { akuvox } from './akuvox.ts';
import { renderFile } from './vendor.ts';

const rendered = (more: Parameters<typeof desired>[0], folder?: string) => renderFile(akuvox, desired(more), 1, folder);
const firstLine = '#!version:1.0.0.1\n';

it('an Akuvox phone gets its settings as lines behind the version of the syntax', () => {
  expect(rendered({ values: sampleValues })).toBe(`${firstLine}Config.Network.LLDP.LLDPEnable = 0
Config.Network.VLAN.LanVid = 7
Config.Network.VLAN.LanVlanEnable = 1
Config.Settings.BACKLIGHT.Time = 60
Config.Settings.DATETIME.TimeFormat = 0
Config.Settings.LANGUAGE.Type = 10
Config.Settings.RINGTONE.Type = 3
Config.Settings.SNTP.Enable = 1
Config.Settings.SNTP.NTPServer1 = ntp.example
`);
  expect(rendered({ values: { 'network.vlan': 0 } })).toBe(`${firstLine}Config.Network.VLAN.LanVlanEnable = 0\n`);
});

it('an Akuvox phone gets the accounts of its lines, and a line that lost its account is off', () => {
  expect(rendered({ lines: [sampleLine], emptied: [3] })).toBe(`${firstLine}Config.Account2.GENERAL.AuthName = 201
Config.Account2.GENERAL.DisplayName = Ann & Bob
Config.Account2.GENERAL.Enable = 1
Config.Account2.GENERAL.Label = Hall
Config.Account2.GENERAL.Pwd = wallaby<93
Config.Account2.GENERAL.UserName = 201
Config.Account2.OUTPROXY.BakPort =${' '}
Config.Account2.OUTPROXY.BakServer =${' '}
Config.Account2.OUTPROXY.Enable = 0
Config.Account2.OUTPROXY.Port =${' '}
Config.Account2.OUTPROXY.Server =${' '}
Config.Account2.SIP.Port = 5061
Config.Account2.SIP.Port2 =${' '}
Config.Account2.SIP.Server = pbx.example
Config.Account2.SIP.Server2 = 10.0.0.7
Config.Account2.SIP.TransType = 2
Config.Account2.VOICEMSG.Number = *97
Config.Account3.GENERAL.Enable = 0
`);
});

it('an Akuvox phone with a domain registers there by its server, and by the backup when it fails', () => {
  const text = rendered({ lines: [{ ...sampleLine, domain: 'voice.example' }] });
  expect(text).toContain('Config.Account2.SIP.Server = voice.example\n');
  expect(text).toContain('Config.Account2.OUTPROXY.Enable = 1\n');
  expect(text).toContain('Config.Account2.OUTPROXY.Server = pbx.example\n');
  expect(text).toContain('Config.Account2.OUTPROXY.BakServer = 10.0.0.7\n');
});

it('an Akuvox phone gets the URLs of its events below its folder, and asks there every night', () => {
  const all = (event: string) => `http://p.example:8081/f/event/${event}?ip=$ip&account=$active_user&host=$active_host`;
  const door = (now: string, n: number) => `http://p.example:8081/f/event/door-${now}?ip=$ip&door=${n}`;
  expect(rendered({}, 'http://p.example:8081/f/'))
    .toBe(`${firstLine}Config.Autoprovision.GENERAL.Url = http://p.example:8081/f/
Config.Autoprovision.MODE.Mode = 3
Config.Autoprovision.SCHEDULE.DayOfWeek = 0~6
Config.Autoprovision.SCHEDULE.HourOfDay = 4
Config.Autoprovision.SCHEDULE.MinuteOfHour = 0
Config.Features.ACTIONURL.CloseDND = ${all('dnd-off')}
Config.Features.ACTIONURL.Enable = 1
Config.Features.ACTIONURL.HangUp = ${all('call-end')}&call=$call_id
Config.Features.ACTIONURL.MakeCall = ${all('call-start')}&call=$call_id
Config.Features.ACTIONURL.OpenDND = ${all('dnd-on')}
Config.Features.ACTIONURL.RegisterFailed = ${all('failed')}
Config.Features.ACTIONURL.Registered = ${all('registered')}
Config.Features.ACTIONURL.RelayAClosed = ${door('closed', 1)}
Config.Features.ACTIONURL.RelayATriggered = ${door('open', 1)}
Config.Features.ACTIONURL.RelayBClosed = ${door('closed', 2)}
Config.Features.ACTIONURL.RelayBTriggered = ${door('open', 2)}
Config.Features.ACTIONURL.SetupCompleted = ${all('boot')}
Config.Features.ACTIONURL.Unregistered = ${all('unregistered')}
`);
});

it('an address that an Akuvox phone would cut is not in its file', () => {
  const folder = (length: number) => `https://p.example/${'x'.repeat(length - 19)}/`;
  expect(rendered({}, folder(127))).toContain(`Config.Autoprovision.GENERAL.Url = ${folder(127)}\n`);
  expect(rendered({}, folder(128))).not.toContain('Config.Autoprovision.GENERAL.Url');
});

it('times of the screen that an Akuvox phone does not know are named, and are not in its file', () => {
  const values = { 'screen.backlight': 45 };
  expect(akuvox.withoutName(values)).toEqual(Object.keys(values));
  expect(rendered({ values })).toBe(firstLine);
  expect(akuvox.withoutName(sampleValues)).toEqual([]);
});
