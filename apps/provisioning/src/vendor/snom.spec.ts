import { expect, it } from 'vitest';
import { desired, sampleLine, sampleValues } from '../testing/vendor-sample.ts';
import { snom } from './snom.ts';
import { renderFile } from './vendor.ts';

const rendered = (more: Parameters<typeof desired>[0]) => renderFile(snom, desired(more), 1);
const file = (lines: string) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<settings>\n  <phone-settings>\n${lines}  </phone-settings>\n</settings>\n`;

it('a Snom phone gets its settings as elements that its user may change until the next load', () => {
  expect(rendered({ values: sampleValues })).toBe(
    file(`    <dim_timer perm="">60</dim_timer>
    <language perm="">Deutsch</language>
    <lldp_enable perm="">off</lldp_enable>
    <ntp_server perm="">ntp.example</ntp_server>
    <ring_sound perm="">Ringer3</ring_sound>
    <time_24_format perm="">off</time_24_format>
    <vlan_id perm="">7</vlan_id>
    <vlan_qos perm="">0</vlan_qos>
    <web_language perm="">Deutsch</web_language>
`),
  );
  expect(rendered({ values: { 'network.vlan': 0 } })).toBe(
    file('    <vlan_id perm=""></vlan_id>\n    <vlan_qos perm=""></vlan_qos>\n'),
  );
});

it('a Snom phone gets the accounts of its lines, and a line that lost its account is off', () => {
  expect(rendered({ lines: [sampleLine], emptied: [3] })).toBe(
    file(`    <user_active idx="2" perm="">on</user_active>
    <user_active idx="3" perm="">off</user_active>
    <user_host idx="2" perm="">pbx.example</user_host>
    <user_idle_text idx="2" perm="">Hall</user_idle_text>
    <user_mailbox idx="2" perm="">*97</user_mailbox>
    <user_name idx="2" perm="">201</user_name>
    <user_outbound idx="2" perm="">pbx.example:5061;transport=tls</user_outbound>
    <user_pass idx="2" perm="">wallaby&lt;93</user_pass>
    <user_pname idx="2" perm="">201</user_pname>
    <user_realname idx="2" perm="">Ann &amp; Bob</user_realname>
`),
  );
});

it.each([
  [{ domain: 'voice.example' }, 'voice.example', 'pbx.example:5061;transport=tls'],
  [{ proxy: { address: 'edge.example', port: null } }, 'pbx.example:5061', 'edge.example;transport=tls'],
  [
    { domain: 'voice.example', proxy: { address: 'edge.example', port: 5070 } },
    'voice.example',
    'edge.example:5070;transport=tls',
  ],
])('a Snom phone with %j registers at %s by %s', (more, host, outbound) => {
  const text = rendered({ lines: [{ ...sampleLine, ...more }] });
  expect(text).toContain(`<user_host idx="2" perm="">${host}<`);
  expect(text).toContain(`<user_outbound idx="2" perm="">${outbound}<`);
});

it('a Snom phone gets the URLs of its events below its folder, and asks there from now on', () => {
  const all = (event: string) =>
    `http://p.example:8081/f/event/${event}?ip=$phone_ip&amp;account=$active_user&amp;host=$active_host`;
  expect(renderFile(snom, desired({}), 1, 'http://p.example:8081/f/')).toBe(
    file(`    <action_connected_url perm="">${all('call-start')}&amp;call=$call-id</action_connected_url>
    <action_disconnected_url perm="">${all('call-end')}&amp;call=$call-id</action_disconnected_url>
    <action_dnd_off_url perm="">${all('dnd-off')}</action_dnd_off_url>
    <action_dnd_on_url perm="">${all('dnd-on')}</action_dnd_on_url>
    <action_log_off_url perm="">${all('unregistered')}</action_log_off_url>
    <action_log_on_url perm="">${all('registered')}</action_log_on_url>
    <action_reg_failed perm="">${all('failed')}</action_reg_failed>
    <action_setup_url perm="">${all('boot')}</action_setup_url>
    <prov_polling_enabled perm="">off</prov_polling_enabled>
    <setting_server perm="">http://p.example:8081/f/{mac}.xml</setting_server>
    <settings_refresh_timer perm="">3600</settings_refresh_timer>
`),
  );
});

it('languages that a Snom phone does not have are named, and lines above the twelfth are not in its file', () => {
  expect(snom.withoutName({ 'phone.language': 'ko' })).toEqual(['phone.language']);
  expect(snom.withoutName({ ...sampleValues, 'phone.language': 'zh' })).toEqual(['phone.language']);
  expect(snom.withoutName(sampleValues)).toEqual([]);
  expect(rendered({ lines: [{ ...sampleLine, line: 13 }], emptied: [14] })).toBe(file(''));
});
