import { expect, it } from 'vitest';
import { desired, sampleLine, sampleValues } from '../testing/vendor-sample.ts';
import { poly } from './poly.ts';
import { renderFile } from './vendor.ts';

const rendered = (more: Parameters<typeof desired>[0]) => renderFile(poly, desired(more), 1);
const file = (lines: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<polycomConfig\n${lines}/>\n`;

it('a Poly phone gets its settings as attributes, and those of the device with their mark', () => {
  expect(rendered({ values: sampleValues })).toBe(
    file(`  device.net.lldpEnabled="0"
  device.net.lldpEnabled.set="1"
  device.net.vlanId="7"
  device.net.vlanId.set="1"
  device.set="1"
  lcl.datetime.time.24HourClock="0"
  lcl.ml.lang="German_Germany"
  np.normal.ringing.calls.tonePattern="ringer4"
  tcpIpApp.sntp.address="ntp.example"
  tcpIpApp.sntp.address.overrideDHCP="1"
  up.backlight.timeout="60"
`),
  );
  expect(rendered({ values: { 'network.vlan': 0 } })).toBe(
    file('  device.net.vlanId=""\n  device.net.vlanId.set="1"\n  device.set="1"\n'),
  );
});

it('a Poly phone gets the accounts of its lines, and a line that lost its account is off', () => {
  const line = { ...sampleLine, domain: 'voice.example', proxy: { address: 'edge.example', port: 5070 } };
  expect(rendered({ lines: [line], emptied: [3] })).toBe(
    file(`  msg.mwi.2.callBack="*97"
  msg.mwi.2.callBackMode="contact"
  reg.2.address="201@voice.example"
  reg.2.auth.password="wallaby&lt;93"
  reg.2.auth.userId="201"
  reg.2.displayName="Ann &amp; Bob"
  reg.2.label="Hall"
  reg.2.outboundProxy.address="edge.example"
  reg.2.outboundProxy.port="5070"
  reg.2.outboundProxy.transport="TLS"
  reg.2.server.1.address="pbx.example"
  reg.2.server.1.port="5061"
  reg.2.server.1.register="1"
  reg.2.server.1.transport="TLS"
  reg.2.server.2.address="10.0.0.7"
  reg.2.server.2.port=""
  reg.2.server.2.transport="TLS"
  reg.3.address=""
  reg.3.server.1.register="0"
`),
  );
});

it('a Poly phone without a proxy, backup server and voicemail gets empty values for them', () => {
  const text = rendered({ lines: [{ ...sampleLine, backup: null, voicemail: '' }] });
  for (const name of ['outboundProxy.address', 'outboundProxy.transport', 'server.2.address', 'server.2.transport'])
    expect(text).toContain(`  reg.2.${name}=""\n`);
  expect(text).toContain('  reg.2.address="201"\n');
  expect(text).toContain('  msg.mwi.2.callBack=""\n  msg.mwi.2.callBackMode="registration"\n');
});

it('a Poly phone asks in its folder from now on, and names its MAC there', () => {
  expect(renderFile(poly, desired({}), 1, 'https://p.example:8081/f/')).toBe(
    file(`  apps.telNotification.URL="https://p.example:8081/f/event/post"
  apps.telNotification.callStateChangeEvent="1"
  apps.telNotification.lineRegistrationEvent="1"
  device.prov.serverName="p.example:8081/f/"
  device.prov.serverName.set="1"
  device.prov.serverType="HTTPS"
  device.prov.serverType.set="1"
  device.prov.tagSerialNo="1"
  device.prov.tagSerialNo.set="1"
  device.set="1"
  prov.polling.enabled="1"
  prov.polling.mode="rel"
  prov.polling.period="3601"
`),
  );
});

it('the master of Poly phones names the file of the phone that asks', () => {
  const { name, text } = poly.master!;
  const [, listed] = /CONFIG_FILES="([^"]+)"/.exec(text)!;
  expect([name, listed!.replace('[PHONE_MAC_ADDRESS]', '0004f2e765da')]).toEqual([
    '000000000000.cfg',
    poly.fileOf('0004f2e765da'),
  ]);
});

it('times of the screen that a Poly phone does not know are named, and are not in its file', () => {
  for (const seconds of [4, 61]) {
    expect(poly.withoutName({ 'screen.backlight': seconds })).toEqual(['screen.backlight']);
    expect(rendered({ values: { 'screen.backlight': seconds } })).toBe(file(''));
  }
  expect(poly.withoutName(sampleValues)).toEqual([]);
});
