import { taskNameLength } from '../define/constant.ts';
import type { Language } from '../define/language.ts';
import type { TaskNaming } from './task.schemas.ts';

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
const words: Readonly<Record<Language, { device: string; devices: Forms }>> = {
  en_US: {
    device: '{action} {device}',
    devices: { one: '{action} {number} device', other: '{action} {number} devices' },
  },
  zh_CN: { device: '{action} {device}', devices: { other: '{action} {number} 台设备' } },
  ko: { device: '{device} {action}', devices: { other: '장치 {number}대 {action}' } },
  pt_BR: {
    device: '{action} {device}',
    devices: { one: '{action} {number} dispositivo', other: '{action} {number} dispositivos' },
  },
};

/**
 * Returns the name that the product gives a task, cut to its longest length. `action` is what the task does, in that
 * language.
 */
export function builtTaskName(language: Language, action: string, naming: TaskNaming): string {
  const { device, devices } = words[language];
  const tag = language.replace('_', '-');
  const [text, values] =
    naming.code === 'device'
      ? [device, { action, device: naming.device }]
      : [
          devices[new Intl.PluralRules(tag).select(naming.count)] ?? devices.other,
          { action, number: new Intl.NumberFormat(tag).format(naming.count) },
        ];
  const built = text.replace(/\{(\w+)\}/g, (_, name: string) => (values as Record<string, string>)[name] ?? '');
  const { restored } = naming;
  // The version at the end tells a roll-back from the task that it undoes.
  return (
    restored.length > 0 ? [built, ...restored].join(' → ').slice(-taskNameLength) : built.slice(0, taskNameLength)
  ).trim();
}
