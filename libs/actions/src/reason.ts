import type { Language, Text } from '@carillon/contracts';
import type { ActionDefinition, ReasonValues } from './define.ts';
import * as registry from './registry.ts';

/**
 * Why a device ended otherwise than it was told, where no action has words of its own for the code: the platform's
 * reasons, and those that docs/device-link.md lets every device answer.
 */
const reasons: Readonly<Record<string, Text>> = {
  capabilityUnknown: {
    en_US: 'It has not said what it can do',
    zh_CN: '设备未告知其支持的操作',
    ko: '장치가 지원하는 동작을 알리지 않음',
    pt_BR: 'Não informou o que sabe fazer',
  },
  unsupported: {
    en_US: 'The {model} cannot do this',
    zh_CN: '{model} 不支持此操作',
    ko: '{model}에서 지원하지 않음',
    pt_BR: 'O {model} não oferece isto',
  },
  noAnswer: { en_US: 'No answer', zh_CN: '无应答', ko: '응답 없음', pt_BR: 'Sem resposta' },
  notDone: {
    en_US: 'Begun, but its end was not told',
    zh_CN: '已开始，但未报告结果',
    ko: '시작했지만 결과를 알리지 않음',
    pt_BR: 'Iniciado, mas o fim não foi informado',
  },
  expired: {
    en_US: 'Not reached in time',
    zh_CN: '未能及时送达',
    ko: '제시간에 전달되지 않음',
    pt_BR: 'Não alcançado a tempo',
  },
  unknown: {
    en_US: 'Broken off by a restart',
    zh_CN: '因重启而中断',
    ko: '재시작으로 중단됨',
    pt_BR: 'Interrompido por uma reinicialização',
  },
  clock: {
    en_US: "The device's clock is not set",
    zh_CN: '设备时钟未设置',
    ko: '장치 시계가 설정되지 않음',
    pt_BR: 'O relógio do dispositivo não está ajustado',
  },
  deleted: {
    en_US: 'The device was deleted',
    zh_CN: '设备已删除',
    ko: '장치가 삭제됨',
    pt_BR: 'O dispositivo foi excluído',
  },
};

const refusals = Object.fromEntries(
  (Object.values(registry) as unknown as ActionDefinition[]).map(({ key, texts }) => [key, texts.refusals]),
);

/** A reason in words, or null when neither the action nor the platform has some for its code. */
export function tellReason(action: string, code: string, values: ReasonValues, language: Language): string | null {
  const own = Object.hasOwn(refusals, action) ? refusals[action]! : {};
  const text = [own, reasons].find((texts) => Object.hasOwn(texts, code))?.[code];
  if (!text) return null;
  return text[language].replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
