import { expect, test } from 'vitest';
import { comparedName, parseName } from './distinguished-name.ts';

test.each([
  ['CN=B\\C3\\BCro S\\C3\\BCd,OU=x', 'Büro Süd'],
  ['cn=b\\c3\\bcro\\2c ost, ou=x', 'büro, ost'],
  ['CN=Büro\\, Ost,OU=x', 'Büro, Ost'],
  ['CN="Büro, Ost";OU=x', 'Büro, Ost'],
  ['CN = Spaces  , OU=x', 'Spaces'],
  ['CN=\\ kept\\20,OU=x', ' kept '],
  ['2.5.4.3=😀\\+1,OU=x', '😀+1'],
  ['uid=,ou=x', ''],
])('%s begins with %s', (name, value) => {
  expect(parseName(name)![0]![0]!.value).toBe(value);
});

test('takes no other text for a name', () => {
  for (const text of ['', 'Ada Lovelace', 'a=b,', 'a=b,c', '=b', 'a="b', 'a b=c'])
    expect(parseName(text), text).toBeUndefined();
});

test('spellings of one name are equal, and other names are not', () => {
  const names = [
    'cn=b\\c3\\bcro\\2c ost, ou=x, dc=example',
    'CN=Büro\\, Ost,OU=X,dc=Example',
    'cn="BÜRO,  ost";ou=x;dc=example',
  ];
  expect(new Set(names.map(comparedName)).size).toBe(1);
  expect(comparedName('ou=a+cn=b,dc=c')).toBe(comparedName('CN=B + OU=A,dc=c'));
  expect(comparedName('cn=a\\,b,dc=c')).not.toBe(comparedName('cn=a,b=,dc=c'));
  expect(comparedName('cn=a,dc=c')).not.toBe(comparedName('cn=a,dc=d'));
});
