import { IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react';
import type { listOperationLog, RouteOutput } from '@carillon/contracts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './operation-log-page.module.css';

export type Entry = RouteOutput<typeof listOperationLog>['records'][number];

export function Result({ result }: { result: string }) {
  const { t } = useText();
  const good = result === 'success';
  return (
    <span className={css.result} data-bad={good ? undefined : true}>
      {good ? <IconCircleCheckFilled size={14} aria-hidden /> : <IconCircleXFilled size={14} aria-hidden />}
      <span title={good ? undefined : result}>{t(good ? 'log.success' : 'log.refused')}</span>
    </span>
  );
}
