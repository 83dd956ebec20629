import type { Text } from '@carillon/contracts';
import type { ActionTexts } from '../define.ts';

export const doorControlTexts = {
  name: {
    en_US: 'Open or close a door',
    zh_CN: '开门或关门',
    ko: '출입문 열기 또는 닫기',
    pt_BR: 'Abrir ou fechar uma porta',
  },
  effect: {
    en_US: 'The door moves within 10 seconds or not at all. Offline devices are skipped and won’t act later.',
    zh_CN: '门会在 10 秒内动作，否则不再动作。离线设备会被跳过，之后也不会补执行。',
    ko: '출입문은 10초 안에 움직이거나 아예 움직이지 않습니다. 오프라인 장치는 제외되며 나중에 움직이지 않습니다.',
    pt_BR: 'A porta se move em até 10 segundos ou não se move. Dispositivos offline são ignorados e não agem depois.',
  },
  right: {
    en_US: 'Open and close doors',
    zh_CN: '开关门',
    ko: '출입문 열기 및 닫기',
    pt_BR: 'Abrir e fechar portas',
  },
  params: {
    command: { en_US: 'Open or close', zh_CN: '开门或关门', ko: '열기 또는 닫기', pt_BR: 'Abrir ou fechar' },
    door: { en_US: 'Door number', zh_CN: '门编号', ko: '출입문 번호', pt_BR: 'Número da porta' },
  },
  choices: {
    command: {
      open: { en_US: 'Open', zh_CN: '开门', ko: '열기', pt_BR: 'Abrir' },
      close: { en_US: 'Close', zh_CN: '关门', ko: '닫기', pt_BR: 'Fechar' },
    },
  },
  refusals: {
    noDoor: {
      en_US: 'It doesn’t have this door',
      zh_CN: '设备没有这扇门',
      ko: '해당 출입문이 없음',
      pt_BR: 'Não tem esta porta',
    },
  },
} satisfies ActionTexts<'command' | 'door', 'noDoor'>;

const orders: Readonly<Record<'open' | 'close', Text>> = {
  open: {
    en_US: 'Open door {door}',
    zh_CN: '打开门 {door}',
    ko: '출입문 {door} 열기',
    pt_BR: 'Abrir a porta {door}',
  },
  close: {
    en_US: 'Close door {door}',
    zh_CN: '关闭门 {door}',
    ko: '출입문 {door} 닫기',
    pt_BR: 'Fechar a porta {door}',
  },
};
/** Returns what an order does with a door. */
export const doorOrder = (command: 'open' | 'close', door: number): Text =>
  Object.fromEntries(
    Object.entries(orders[command]).map(([language, text]) => [language, text.replace('{door}', String(door))]),
  ) as Text;
