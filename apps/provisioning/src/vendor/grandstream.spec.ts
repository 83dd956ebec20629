import { expect, it } from 'vitest';
import { grandstream } from './grandstream.ts';
import { renderFile } from './vendor.ts';
import { desired, sampleLine, sampleValues } from '../testing/vendor-sample.ts';

const firstLine = { ...sampleLine, line: 1, proxy: { address: 'edge.example', port: 5080 }, transport: 'udp' as const };
const rendered = (more: Parameters<typeof desired>[0]) => renderFile(grandstream, desired(more), 1);
const file = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<gs_provision version="1">\n  <config version="1">\n${inner}` +
  '  </config>\n</gs_provision>\n';

it('a Grandstream phone gets the URLs of its events below its folder, and asks there from now on', () => {
  const all = (event: string) => `http://p.example:8081/f/event/${event}?ip=$phone_ip&amp;account=$active_user`;
  expect(renderFile(grandstream, desired({}), 1, 'http://p.example:8081/f/'))
    .toBe(`<?xml version="1.0" encoding="UTF-8"?>
<gs_provision version="1">
  <config version="1">
    <P193>60</P193>
    <P194>1</P194>
    <P212>1</P212>
    <P237>p.example:8081/f</P237>
    <P8304>${all('boot')}</P8304>
    <P8305>${all('registered')}</P8305>
    <P8306>${all('unregistered')}</P8306>
    <P8313>${all('call-start')}</P8313>
    <P8314>${all('call-end')}</P8314>
    <P8316>${all('dnd-on')}</P8316>
    <P8317>${all('dnd-off')}</P8317>
  </config>
</gs_provision>
`);
});

it('a Grandstream phone gets its settings as P-values', () => {
  expect(rendered({ values: sampleValues })).toBe(
    file(`    <P30>ntp.example</P30>
    <P51>7</P51>
    <P122>0</P122>
    <P1362>de</P1362>
    <P1684>0</P1684>
`),
  );
});

it('a Grandstream phone gets the accounts of its lines, and a line that lost its account is off', () => {
  expect(rendered({ lines: [firstLine, sampleLine], emptied: [3, 5] })).toBe(
    file(`    <P3>Ann &amp; Bob</P3>
    <P33>*97</P33>
    <P34>wallaby&lt;93</P34>
    <P35>201</P35>
    <P36>201</P36>
    <P47>pbx.example:5061</P47>
    <P48>edge.example:5080</P48>
    <P130>0</P130>
    <P270>Hall</P270>
    <P271>1</P271>
    <P401>1</P401>
    <P402>pbx.example:5061</P402>
    <P403></P403>
    <P404>201</P404>
    <P405>201</P405>
    <P406>wallaby&lt;93</P406>
    <P407>Ann &amp; Bob</P407>
    <P417>Hall</P417>
    <P426>*97</P426>
    <P448>2</P448>
    <P501>0</P501>
    <P1701>0</P1701>
    <P2312>10.0.0.7</P2312>
    <P2333></P2333>
    <P2412>10.0.0.7</P2412>
    <P2433></P2433>
`),
  );
});

it('a line with a domain registers there through its server', () => {
  const inFile = rendered({ lines: [{ ...sampleLine, domain: 'voice.example' }] });
  expect(inFile).toContain('<P402>voice.example:5061</P402>');
  expect(inFile).toContain('<P403>pbx.example:5061</P403>');
  expect(inFile).toContain('<P2412></P2412>');
  expect(inFile).toContain('<P2433>10.0.0.7</P2433>');
});

it('settings without a P-value and lines above the sixth are named, and are not in the file', () => {
  expect(grandstream.withoutName(sampleValues)).toEqual(['phone.ringtone', 'screen.backlight']);
  expect(grandstream.mostLines).toBe(6);
  expect(rendered({ lines: [{ ...sampleLine, line: 7 }], emptied: [8] })).toBe(file(''));
});
