import { expect, test } from 'vitest';
import { redirectKinds } from '@carillon/contracts/redirect';
import { vendors } from '../vendor/vendor-of.ts';
import { hawkHeader } from './hawk.ts';
import { redirectMakers } from './redirect-client.ts';
import { refusedWith } from './redirect-maker.ts';
import { readRpc, rpcCall } from './xml-rpc.ts';

const response = (values: string): string =>
  `<?xml version="1.0"?><methodResponse><params><param><value><array><data>${values}</data></array></value></param></params></methodResponse>`;

test('a result is read with and without types, as CDATA, with entities and as a fault', () => {
  const failed = '<value><boolean>0</boolean></value>';
  expect(
    [
      response('<value><boolean>1</boolean></value><value>OK</value>'),
      response('<value>\n<boolean>true</boolean></value>\n<value><string>Ok</string></value>'),
      response(`${failed}<value><string>a &lt;b&gt; &amp;amp;</string></value>`),
      response(`${failed}<value><![CDATA[Error:x]]></value>`),
      response(failed),
      '<methodResponse><fault><value><struct><member><name>faultString</name><value>Gone</value></member></struct></value></fault></methodResponse>',
      '<html><boolean>1</boolean></html>',
      response('<value><string>none</string></value>'),
    ].map(readRpc),
  ).toEqual([
    { ok: true, text: 'OK' },
    { ok: true, text: 'Ok' },
    { ok: false, text: 'a <b> &amp;' },
    { ok: false, text: 'Error:x' },
    { ok: false, text: '' },
    { ok: false, isFault: true, text: 'Gone' },
    undefined,
    undefined,
  ]);
});

test('a call escapes its values and has arrays', () => {
  expect(rpcCall('redirect.x', ['a<&', ['b']])).toContain(
    '<param><value><string>a&lt;&amp;</string></value></param><param><value><array><data><value><string>b</string></value></data></array></value></param>',
  );
});

test('the body of a request is hashed as in the published example of Hawk', () => {
  const request = {
    method: 'POST',
    url: new URL('http://example.com:8000/resource/1?b=1&a=2'),
    contentType: 'text/plain',
    body: 'Thank you for flying Hawk',
  };
  const key = { id: 'dh37fgj492je', key: 'werxhqb98rpaxn39848xrunpaw3489ruxnpa98w4rxn' };
  const header = hawkHeader(key, request, 1_353_832_234_567, 'j4h3g2');
  expect(header).toContain('Hawk id="dh37fgj492je", ts="1353832234", nonce="j4h3g2"');
  expect(header).toContain('hash="Yi9LfIIFRtBEPt74PVmbTF/xVAwPn7ub15ePICfgnuY="');
});

test('an error of a service is shown in its words, cut, printable and without the secret', () => {
  const account = { address: new URL('https://rps.example/'), userName: 'u', secret: 'S3cret' };
  const { reason } = refusedWith(`\u0000no\nS3cret ${'x'.repeat(500)}`, account).values;
  expect([reason!.length, reason!.startsWith('no … xx')]).toEqual([120, true]);
  expect(refusedWith(' ', account).values).toEqual({ reason: '?' });
});

test('each redirect service has a protocol and a known maker', () => {
  expect(Object.keys(redirectMakers)).toEqual(Object.keys(redirectKinds));
  const names = vendors.map(({ name }) => name);
  expect(Object.values(redirectKinds).filter(({ maker }) => !names.includes(maker))).toEqual([]);
});
