import type { TaskPreview } from '@carillon/contracts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import form from '../../../kit/part/form-page.module.css';
import css from './order.module.css';

/** Lists the windows of the first run by time zone, in the reader's time; nothing for a task with one window. */
export function SiteWindows({ windows }: { windows: TaskPreview['windows'] }) {
  const { t } = useText();
  if (windows.length === 0) return null;
  return (
    <section aria-label={t('taskOrder.windows')} className={form.group}>
      <strong>{t('taskOrder.windows')}</strong>
      <table className={css.runs}>
        <thead>
          <tr>
            <th scope="col">{t('taskTime.zone')}</th>
            <th scope="col">{t('taskOrder.windowOpens')}</th>
            <th scope="col">{t('taskOrder.windowCloses')}</th>
            <th scope="col">{t('taskTime.devices')}</th>
          </tr>
        </thead>
        <tbody>
          {windows.map(({ zone, opensAt, closesAt, devices }) => (
            <tr key={zone}>
              <td>{zone}</td>
              <td>{moment(opensAt).slice(0, 16)}</td>
              <td>{moment(closesAt).slice(0, 16)}</td>
              <td>{count(devices)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
