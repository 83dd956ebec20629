import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DeviceRecord } from '@carillon/contracts';
import { lineTone, reportsAccount } from '@carillon/contracts/device-line';
import { useAccess } from '../../../kit/api/access.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceLinesQuery, type DeviceLine } from './line.calls.ts';
import { isOfAccount, lineCause } from './line-cause.ts';
import css from '../record/device-parts.module.css';

/**
 * Shows the first failed line of an online device: the cause, since when, and the page that mends it. Failures from
 * before a device went offline say nothing about now.
 */
export default function LineProblem({ device }: { device: DeviceRecord }) {
  const { t } = useText();
  const bad = device.lines.filter((l) => lineTone(l.status) === 'bad');
  const first = bad[0];
  const isShown = first !== undefined && device.onlineSince !== null;
  const lines = useQuery({ ...deviceLinesQuery(device.id), enabled: isShown }).data;
  if (!isShown) return null;
  const line = lines?.find((l) => l.line === first.line);
  const since = line?.reported?.failedAt;
  return (
    <div className={css.problem} role="status">
      <IconAlertTriangleFilled size={14} aria-hidden />
      <p>
        <strong>{t('device.lineFailed', { line: first.line })}</strong>{' '}
        {first.code !== undefined && <>{t(lineCause(first.code), { code: first.code })} </>}
        {first.server !== undefined && (
          <>{t('device.lineFailedAt', { account: first.account ?? '–', server: first.server })} </>
        )}
        {since !== undefined && <>{t('lineCause.since', { when: moment(since) })} </>}
        {bad.length > 1 && <>{t('device.moreLines', { count: bad.length - 1 })} </>}
        {line && <Cure device={device} code={first.code} line={line} />}
      </p>
    </div>
  );
}

/** Links the page that mends a failed line, for users who may change it. */
function Cure({ device, code, line }: { device: DeviceRecord; code: number | undefined; line: DeviceLine }) {
  const { t } = useText();
  const { can } = useAccess();
  const { account, reported } = line;
  if (account === null || !reportsAccount(reported, account.number)) return null;
  const isServer = code !== undefined && !isOfAccount(code);
  if (isServer && device.server && can('editSipServer'))
    return (
      <Link className="link" to="/account/sip/editSipServer" search={{ id: device.server.id } as never}>
        {t('lineCause.openServer')}
      </Link>
    );
  if (isServer || !can('editSipAccount')) return null;
  return (
    <Link className="link" to="/account/sip/editSipAccount" search={{ id: account.id } as never}>
      {t('lineCause.openAccount')}
    </Link>
  );
}
