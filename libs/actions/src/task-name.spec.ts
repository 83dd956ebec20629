import { expect, it } from 'vitest';
import { languages, mostRestored, type TaskNaming } from '@carillon/contracts';
import { namedBy, taskNameIn, taskNames } from './index.ts';

const reboot = { name: 'stored', action: 'reboot', params: {} };
const ofDevices = (count: number): TaskNaming => ({ code: 'devices', count, restored: [] });
const ofDevice = (device: string, restored: string[] = []): TaskNaming => ({ code: 'device', device, restored });
const inAll = (naming: TaskNaming) => languages.map((language) => namedBy(naming, reboot, language));

it('names a task after its action and devices in each language, with their plural', () => {
  expect(inAll(ofDevices(1))).toEqual([
    'Reboot 1 device',
    '重启 1 台设备',
    '장치 1대 재부팅',
    'Reiniciar 1 dispositivo',
  ]);
  expect(inAll(ofDevices(1_200))).toEqual([
    'Reboot 1,200 devices',
    '重启 1,200 台设备',
    '장치 1,200대 재부팅',
    'Reiniciar 1.200 dispositivos',
  ]);
  expect(inAll(ofDevice('Porch'))).toEqual(['Reboot Porch', '重启 Porch', 'Porch 재부팅', 'Reiniciar Porch']);
});

it('names an order for a door after what it does with the door', () => {
  const door = { ...reboot, action: 'doorControl', params: { command: 'close', door: 2 } };
  expect(languages.map((language) => namedBy(ofDevice('Gate'), door, language))).toEqual([
    'Close door 2: Gate',
    '关闭门 2: Gate',
    '출입문 2 닫기: Gate',
    'Fechar a porta 2: Gate',
  ]);
});

it('cuts a long name to 64 characters, and keeps the version of a roll-back', () => {
  const long = namedBy(ofDevice('x'.repeat(64)), reboot, 'en_US');
  expect([long.length, long.slice(0, 8)]).toEqual([64, 'Reboot x']);
  const back = namedBy(ofDevice('x'.repeat(64), ['3.0', '2.9']), reboot, 'en_US');
  expect([back.length, back.slice(-12)]).toEqual([64, ' → 3.0 → 2.9']);
  expect(mostRestored).toBe(3);
});

it('keeps a typed name as it is for every reader', () => {
  const typed = { ...reboot, naming: null };
  expect(languages.map((language) => taskNameIn(typed, language))).toEqual(languages.map(() => 'stored'));
  expect(taskNames(typed)).toBeUndefined();
});
