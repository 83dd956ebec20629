import { expect, test } from 'vitest';
import { enterprise } from '../auth/user.schemas.ts';
import {
  isChineseName,
  isEmpty,
  isHttpUrl,
  isIdCard,
  isLetters,
  isLowerCase,
  isMainlandMobile,
  isPhone,
  isUpperCase,
} from './check.ts';

function takes(check: (text: string) => boolean, good: readonly string[], bad: readonly string[]): void {
  for (const text of good) expect(check(text), `${check.name} ${text}`).toBe(true);
  for (const text of bad) expect(check(text), `${check.name} ${text}`).toBe(false);
}

test('each check accepts valid values and refuses invalid ones [SYS-09]', () => {
  takes(
    isPhone,
    ['13812345678', '+49 (40) 123-456', '010-12345678', '+1.415.555.0100', '12345'],
    ['', '1234', '+49 40 abc', '1234567890123456', '(((((12345', '+49(40', ')4912345(', '++4912345', '12345x'],
  );
  takes(
    isMainlandMobile,
    ['13812345678', '19900000000'],
    ['1381234567', '138123456789', '23812345678', '+8613812345678', '138 1234 5678', '1381234567a', ''],
  );
  takes(
    isHttpUrl,
    ['http://a.example', 'https://a.example:8443/x?y=1#z', 'HTTPS://A.EXAMPLE', 'http://[::1]/'],
    [
      '',
      'a.example',
      'ftp://a.example',
      'http://',
      'https:///x',
      'javascript:alert(1)',
      'http://a b',
      '//a.example',
      'http://[::1',
      ' http://a.example',
    ],
  );
  takes(isLowerCase, ['a', 'abc'], ['', 'aB', 'ab1', 'ä', 'a b']);
  takes(isUpperCase, ['A', 'ABC'], ['', 'aB', 'AB1', 'Ä', 'A B']);
  takes(isLetters, ['a', 'aB', 'ABC'], ['', 'ab1', 'é', 'a-b']);
  takes(isChineseName, ['张三', '欧阳娜娜', '王小明'], ['', '张', '欧阳娜娜娜', '张3', 'Anna', '张 三', '金さん']);
  // The example of GB 11643 and one that ends in X; then one violation of each rule: a digit, the length, an impossible
  // date, an area.
  takes(
    isIdCard,
    ['11010519491231002X', '11010519491231002x', '440524188001010014'],
    [
      '110105194912310021',
      '11010519491231003X',
      '1101051949123100',
      '11010519491331002X',
      '11010519490230002X',
      '01010519491231002X',
      '11010522491231002X',
      '11010519491231002XX',
      '',
    ],
  );
  for (const value of [null, undefined, '', [], {}, Object.create(null)])
    expect(isEmpty(value), JSON.stringify(value)).toBe(true);
  for (const value of [0, 1, Number.NaN, false, true, ' ', 'a', [0], [[]], { a: undefined }, new Date(), () => {}])
    expect(isEmpty(value), String(value)).toBe(false);
});

test('the contact details of a company accept a phone number or none', () => {
  const given = (phone: string) => enterprise.safeParse({ contact: '', phone, address: '', website: '' }).success;
  expect(['', '+49 40 12345', 'call me', '12'].map(given)).toEqual([true, true, false, false]);
});
