import { useCallback } from 'react';
import type { DevicePlace } from '@carillon/contracts';
import { hasText } from '../../../kit/text/translate.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { macText } from '../../../kit/text/time.ts';
import { actionName } from '../../task/action/actions.tsx';
import { lineCause } from '../line/line-cause.ts';
import type { Entry } from './device-log.calls.ts';

const shown = (value: unknown): string => (value === null || value === undefined || value === '' ? '–' : String(value));

/** Returns a value of a changed field: a text, whether access is allowed, names of groups, or tags. */
function valueOf(value: unknown, t: ReturnType<typeof useText>['t']): string {
  if (typeof value === 'boolean') return t(`device.access${value ? 'Yes' : 'No'}`);
  if (Array.isArray(value)) return shown(value.join(', '));
  if (typeof value !== 'object' || value === null) return shown(value);
  return shown(
    Object.entries(value)
      .map((tag) => tag.join(': '))
      .join(', '),
  );
}

/** Returns how to tell two places apart: by the address that the gateway saw, or behind one NAT by the device's own. */
export function placeNames([first, second]: readonly DevicePlace[]): { first: string; second: string } {
  const isBehindOne = first!.address === second!.address;
  const name = ({ address, ip, sn }: DevicePlace): string => `${isBehindOne ? ip : address} (${sn})`;
  return { first: name(first!), second: name(second!) };
}

/** Returns an entry's text. An event that this console does not know is shown as it is. */
export function useWhat(): (entry: Entry) => string {
  const { t } = useText();
  return useCallback(
    ({ kind, detail: d }: Entry) => {
      const word = (key: string, value: unknown): string =>
        hasText(key) ? t(key as 'deviceLog.reason.closed') : shown(value);
      const by = ({ by: name }: Entry['detail']) =>
        name === undefined ? undefined : t('deviceLog.by', { name: shown(name) });
      /** Returns how the device came to the company or left it. */
      const stepOf = ({ step, company }: Entry['detail']) =>
        step === undefined
          ? undefined
          : t(`channelOrder.step.${String(step)}` as 'channelOrder.step.given', { name: shown(company) });
      /** Returns the changed fields with their former and new values. */
      const fieldsOf = ({ by: _, ...fields }: Entry['detail']) =>
        Object.entries(fields as Record<string, { from: unknown; to: unknown }>).map(([field, { from, to }]) => ({
          field: word(`device.${field}`, field),
          from: valueOf(from, t),
          to: valueOf(to, t),
        }));
      switch (kind) {
        case 'online':
          return t('deviceLog.from', { address: shown(d['address']) });
        case 'offline':
          if (d['fault'] === undefined) return word(`deviceLog.reason.${String(d['reason'])}`, d['reason']);
          return hasText(`deviceLog.fault.${String(d['fault'])}`)
            ? t(`deviceLog.fault.${String(d['fault'])}` as 'deviceLog.fault.qos2')
            : t('deviceLog.fault.other', { fault: shown(d['fault']) });
        case 'boot':
          return t('deviceLog.began', {
            reason: word(`deviceLog.boot.${String(d['reason'])}`, d['reason']),
            firmware: shown(d['firmware']),
          });
        case 'firmware':
        case 'config':
          return t('deviceLog.changed', { from: shown(d['from']), to: shown(d['to']) });
        case 'line':
          return [
            t('deviceLog.line', {
              line: shown(d['line']),
              account: shown(d['account']),
              from: word(`line.${String(d['from'] ?? 'unassigned')}`, d['from']),
              to: word(`line.${String(d['to'])}`, d['to']),
            }),
            ...(typeof d['code'] === 'number' ? [t(lineCause(d['code']), { code: d['code'] })] : []),
          ].join(' · ');
        case 'replaced':
        case 'replaces':
          return macText(String(d['mac']));
        case 'drift':
          return t(d['drifted'] === true ? 'deviceLog.drifted' : 'deviceLog.driftOver');
        case 'added':
        case 'handedOver':
          return [stepOf(d) ?? [], by(d) ?? []].flat().join(' · ') || '–';
        case 'restored':
        case 'deleted':
        case 'secret':
          return by(d) ?? '–';
        case 'moved':
        case 'changed':
          return [...fieldsOf(d).map((f) => t('deviceLog.field', f)), by(d) ?? []].flat().join(' · ');
        case 'account':
          return [
            t('deviceLog.account', { line: shown(d['line']), from: shown(d['from']), to: shown(d['to']) }),
            by(d) ?? [],
          ]
            .flat()
            .join(' · ');
        case 'task':
          return `${shown(d['name'])} · ${actionName(String(d['action']))} · ${word(`state.${String(d['status'])}`, d['status'])}`;
        case 'sharedIdentity':
          return t('deviceLog.shared', placeNames(d['places'] as DevicePlace[]));
        default:
          return shown(d['told']);
      }
    },
    [t],
  );
}
