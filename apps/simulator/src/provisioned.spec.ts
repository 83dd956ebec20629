import { expect, it } from 'vitest';
import { readFile } from './provisioned.ts';

const xml = (inner: string) => `<?xml version="1.0"?>\n<sysConf>\n${inner}</sysConf>\n`;

it('a phone reads the values of its file by the path of their element', () => {
  expect(
    readFile(
      xml(
        '<Version>2.0000000003</Version><phone><date>\n<SNTPServer>a &amp; b</SNTPServer></date><Lang>de</Lang></phone>',
      ),
    ),
  ).toEqual({
    version: '2.0000000003',
    values: { 'phone/date/SNTPServer': 'a & b', 'phone/Lang': 'de' },
  });
});

it.each([
  'time.server = a',
  '<html>Not found</html>',
  xml('<phone/>'),
  xml('<Version>2.1</Version><phone>'),
  '<?xml version="1.0"?>',
])('a phone applies nothing of %j', (text) => {
  expect(readFile(text)).toBeNull();
});
