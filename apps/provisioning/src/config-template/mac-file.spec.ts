import { describe, expect, it } from 'vitest';
import { linkText } from '../device-config/desired.ts';
import { macOfFile, readMacFile } from './mac-file.ts';

describe('the name of a MAC file', () => {
  it.for([
    ['0c383e112233.txt', '0c383e112233'],
    ['0C-38-3E-11-22-33.TXT', '0c383e112233'],
    ['0c:38:3e:11:22:33.txt', '0c383e112233'],
    ['0c383e11223.txt', undefined],
    ['0c383e1122334.txt', undefined],
    ['0c383e112233.cfg', undefined],
    ['0c383e112233', undefined],
    ['../0c383e112233.txt', undefined],
    ['cfg0c383e112233.txt', undefined],
  ] as const)('%s names the device %s', ([name, mac]) => {
    expect(macOfFile(name)).toBe(mac);
  });
});

describe('the text of a MAC file', () => {
  it('is read with comments, empty lines, any line end and a mark of its encoding', () => {
    const text = '\ufeff# Bar\r\n\r\nscreen.backlight = 60\rtime.server=ntp.example\n network.lldp = 0 \n';
    expect(readMacFile(text)).toEqual({
      values: { 'screen.backlight': 60, 'time.server': 'ntp.example', 'network.lldp': false },
    });
  });

  it('is the text that a device on the link loads', () => {
    const values = { 'phone.language': 'ko', 'phone.ringtone': 3, 'network.vlan': 0, 'network.lldp': true };
    expect(readMacFile(linkText({ values, lines: [], emptied: [] }))).toEqual({ values });
  });

  it.for([
    ['', { error: 'macFile.empty' }],
    ['# only a comment', { error: 'macFile.empty' }],
    ['screen.backlight: 60', { error: 'macFile.line', details: { line: 1 } }],
    ['\n= 60', { error: 'macFile.line', details: { line: 2 } }],
    ['screen.colour = red', { error: 'macFile.key', details: { line: 1, key: 'screen.colour' } }],
    ['toString = 1', { error: 'macFile.key', details: { line: 1, key: 'toString' } }],
    ['__proto__ = 1', { error: 'macFile.key', details: { line: 1, key: '__proto__' } }],
    ['screen.backlight = 0', { error: 'macFile.value', details: { line: 1, key: 'screen.backlight' } }],
    ['screen.backlight = 6e1', { error: 'macFile.value', details: { line: 1, key: 'screen.backlight' } }],
    ['screen.backlight =', { error: 'macFile.value', details: { line: 1, key: 'screen.backlight' } }],
    ['network.lldp = true', { error: 'macFile.value', details: { line: 1, key: 'network.lldp' } }],
    ['time.server = a b', { error: 'macFile.value', details: { line: 1, key: 'time.server' } }],
    [
      'phone.adminPassword = No-Admin.93',
      { error: 'macFile.password', details: { line: 1, key: 'phone.adminPassword' } },
    ],
    ['account.1.password = 1', { error: 'macFile.account', details: { line: 1, key: 'account.1.password' } }],
    ['time.format = 12\ntime.format = 24', { error: 'macFile.keyTwice', details: { line: 2, key: 'time.format' } }],
    ['time.format = 12\0', { error: 'macFile.notText' }],
    ['time.format = \ufffd', { error: 'macFile.notText' }],
    ['#'.repeat(4_097), { error: 'macFile.long', details: { most: 4_096 } }],
  ] as const)('%j is refused with its reason', ([text, refusal]) => {
    expect(readMacFile(text)).toEqual(refusal);
  });
});
