import type { RetryClass, TaskDeviceRecord, TaskPace } from '@carillon/contracts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { t } from '../../../kit/text/translate.ts';

export const retryClasses = ['busy', 'interrupted', 'timeout'] as const satisfies readonly RetryClass[];

type Fact = readonly [name: string, value: string];

/** Returns a task's pace as sentences, without default values. */
export function paceFacts(pace: TaskPace | null): Fact[] {
  if (!pace) return [];
  const { retry, spreadMinutes, siteSync, sitePerMinute } = pace;
  const counted = (n: number) => ({ count: n, number: count(n) });
  const sites = [
    ...(siteSync > 0 ? [t('pace.siteSyncWords', counted(siteSync))] : []),
    ...(sitePerMinute > 0 ? [t('pace.sitePerMinuteWords', counted(sitePerMinute))] : []),
  ];
  return [
    ...(retry
      ? [
          [
            t('pace.retries'),
            t('pace.retryWords', {
              tries: retry.tries,
              seconds: count(retry.firstSeconds),
              of: retryClasses
                .filter((kind) => retry.of.includes(kind))
                .map((kind) => t(`pace.of.${kind}`))
                .join(' · '),
            }),
          ] as const,
        ]
      : []),
    ...(spreadMinutes > 0 ? [[t('pace.spread'), t('pace.spreadWords', counted(spreadMinutes))] as const] : []),
    ...(sites.length > 0 ? [[t('pace.site'), sites.join(' · ')] as const] : []),
  ];
}

/** Returns what a device waits for: its next attempt, or its place in the spread. */
export function nextWords(pace: TaskPace | null, device: TaskDeviceRecord): string | undefined {
  const { tryNumber, nextAt, status } = device;
  const tries = { try: tryNumber, tries: pace?.retry?.tries ?? tryNumber };
  if (nextAt === null) return tryNumber > 1 && status === 'process' ? t('pace.at', tries) : undefined;
  const when = moment(nextAt);
  return tryNumber > 1 ? t('pace.next', { ...tries, when }) : t('pace.starts', { when });
}

/** Returns each failed attempt with its reason. */
export const triedWords = ({ tried }: TaskDeviceRecord): string[] =>
  tried.map(({ at, code, message }, n) =>
    t('pace.failedTry', { try: n + 1, when: moment(at), reason: message ?? code ?? '–' }),
  );
