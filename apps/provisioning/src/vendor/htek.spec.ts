import { expect, it } from 'vitest';
import { desired, sampleLine, sampleValues } from '../testing/vendor-sample.ts';
import { htek } from './htek.ts';
import { renderFile } from './vendor.ts';

const rendered = (more: Parameters<typeof desired>[0]) => renderFile(htek, desired(more), 1);
const file = (lines: string) =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  `<hl_provision version="1">\n  <config version="1">\n${lines}  </config>\n</hl_provision>\n`;

it('an Htek phone gets its settings as P-values', () => {
  expect(rendered({ values: sampleValues })).toBe(
    file(`    <P30>ntp.example</P30>
    <P51>7</P51>
    <P5438>0</P5438>
    <P8621>2</P8621>
    <P8624>1</P8624>
    <P8721>3</P8721>
    <P24053>1</P24053>
`),
  );
  expect(rendered({ values: { 'network.vlan': 0, 'time.format': '24' } })).toBe(
    file('    <P51>0</P51>\n    <P8624>0</P8624>\n    <P24053>0</P24053>\n'),
  );
});

it('an Htek phone gets the account of its first line with a proxy and a backup proxy for a domain', () => {
  const line = { ...sampleLine, line: 1, domain: 'voice.example' };
  expect(rendered({ lines: [line] })).toBe(
    file(`    <P3>Ann &amp; Bob</P3>
    <P33>*97</P33>
    <P34>wallaby&lt;93</P34>
    <P35>201</P35>
    <P36>201</P36>
    <P47>voice.example:5061</P47>
    <P48>pbx.example:5061</P48>
    <P130>2</P130>
    <P271>1</P271>
    <P967></P967>
    <P20000>Hall</P20000>
    <P20047>10.0.0.7</P20047>
    <P24082>0</P24082>
`),
  );
});

it('an Htek phone gets the accounts of its other lines, and a line that lost its account is off', () => {
  expect(rendered({ lines: [sampleLine], emptied: [3] })).toBe(
    file(`    <P401>1</P401>
    <P426>*97</P426>
    <P501>0</P501>
    <P703>Ann &amp; Bob</P703>
    <P734>wallaby&lt;93</P734>
    <P735>201</P735>
    <P736>201</P736>
    <P747>pbx.example:5061</P747>
    <P748></P748>
    <P830>2</P830>
    <P987>10.0.0.7</P987>
    <P20001>Hall</P20001>
    <P20048></P20048>
    <P24083>1</P24083>
`),
  );
  for (const [line, user] of [
    [3, 'P504'],
    [4, 'P604'],
  ] as const)
    expect(rendered({ lines: [{ ...sampleLine, line }] })).toContain(`<${user}>201</${user}>`);
});

it('an Htek phone gets the URLs of its events below its folder, and asks there from now on', () => {
  const all = 'http://p.example:8081/f/event/';
  expect(renderFile(htek, desired({}), 1, 'http://p.example:8081/f/')).toBe(
    file(`    <P193>60</P193>
    <P194>1</P194>
    <P212>1</P212>
    <P237>http://p.example:8081/f</P237>
    <P3701>${all}boot</P3701>
    <P3702>${all}registered</P3702>
    <P3703>${all}unregistered</P3703>
    <P3704>${all}failed</P3704>
    <P3711>${all}dnd-on</P3711>
    <P3712>${all}dnd-off</P3712>
`),
  );
  expect(renderFile(htek, desired({}), 1, 'https://p.example/f/')).toContain('<P212>3</P212>');
});

it('what an Htek phone does not know is named, and lines above the fourth are not in its file', () => {
  expect(htek.withoutName(sampleValues)).toEqual(['screen.backlight']);
  const values = { 'phone.language': 'ko', 'phone.ringtone': 6 };
  expect(htek.withoutName(values)).toEqual(Object.keys(values));
  expect(rendered({ values })).toBe(file(''));
  expect(rendered({ lines: [{ ...sampleLine, line: 5 }], emptied: [6] })).toBe(file(''));
});
