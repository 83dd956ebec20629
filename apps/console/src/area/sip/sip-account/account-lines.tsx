import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { SipAccount } from './sip-account.calls.ts';
import part from '../../../kit/part/drawer-table.module.css';
import css from './several-note.module.css';

/** Lists the lines with an account, and warns when there are several. */
export function AccountLines({ account: { devices } }: { account: SipAccount }) {
  const { t } = useText();
  return (
    <section className={part.section} aria-labelledby="account-lines">
      <h2 id="account-lines">{t('sipAccount.lines')}</h2>
      {devices.length > 1 && (
        <p className={css.inDrawer} role="note">
          <IconAlertTriangleFilled size={14} aria-hidden />
          {t('sipAccount.severalText', { count: devices.length })}
        </p>
      )}
      <table className={part.table}>
        <thead>
          <tr>
            <th scope="col">{t('sipAccount.device')}</th>
            <th scope="col">{t('device.mac')}</th>
            <th scope="col">{t('sipAccount.line')}</th>
          </tr>
        </thead>
        <tbody>
          {devices.map((d) => (
            <tr key={`${d.deviceId} ${d.line}`}>
              <th scope="row">
                <Link to="/device/deviceDetail" search={{ id: d.deviceId } as never}>
                  {d.device}
                </Link>
              </th>
              <td>
                <code>{macText(d.mac)}</code>
              </td>
              <td>{d.line}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
