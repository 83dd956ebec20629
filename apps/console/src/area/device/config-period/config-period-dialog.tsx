import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DeviceRecord } from '@carillon/contracts';
import { Failed } from '../../../kit/grid/states.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { settingName } from '../config-template/setting-words.ts';
import { SettingValueWords } from '../config-template/template-effect.tsx';
import { formerConfigQuery, type FormerConfig, type LineChange } from './config-period.calls.ts';
import { RestoreConfig } from './restore-config.tsx';
import actions from '../../../kit/part/dialog.module.css';
import table from '../../../kit/part/drawer-table.module.css';
import css from './config-period.module.css';

/** Shows what differs between a former configuration and the present one, and offers to restore it. */
export default function ConfigPeriodDialog({
  device,
  period,
  onClose,
}: {
  device: DeviceRecord;
  /** Id of the period. */
  period: string;
  onClose: () => void;
}) {
  const { t } = useText();
  const access = useAccess();
  const former = useQuery(formerConfigQuery(device.id, period));
  const { data } = former;
  const mayRestore = data?.restore && access.can(data.restore.template ? 'editConfigTemplate' : 'addConfigTemplate');
  return (
    <Modal
      opened
      onClose={onClose}
      title={data ? t('configPeriod.of', { when: moment(data.from) }) : t('configPeriod.title')}
      size={620}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className={css.compare} aria-busy={former.isPending}>
        {former.isError && (
          <Failed text={t('configPeriod.failed')} error={former.error} onRetry={() => void former.refetch()} />
        )}
        {data && <Comparison former={data} />}
      </div>
      {mayRestore ? (
        <RestoreConfig device={device} former={data} restore={data.restore!} onClose={onClose} />
      ) : (
        <>
          {data?.known && data.settings.length > 0 && !data.restore && (
            <p className={css.note}>{t('configPeriod.nothing')}</p>
          )}
          <div className={actions.buttons}>
            <Button variant="default" onClick={onClose}>
              {t('common.close')}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}

/** Lists only what differs. */
function Comparison({ former: { known, settings, lines } }: { former: FormerConfig }) {
  const { t } = useText();
  if (!known) return <p>{t('configPeriod.unknown')}</p>;
  if (settings.length + lines.length === 0) return <p>{t('configPeriod.same')}</p>;
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t('deviceConfig.setting')}</th>
          <th scope="col">{t('configPeriod.then')}</th>
          <th scope="col">{t('configPeriod.wanted')}</th>
        </tr>
      </thead>
      <tbody>
        {settings.map(({ key, before, after }) => (
          <tr key={key}>
            <th scope="row">{settingName(key)}</th>
            {[before, after].map((value, i) => (
              <td key={i}>
                <SettingValueWords name={key} value={value} />
              </td>
            ))}
          </tr>
        ))}
        {lines.map((line) => (
          <tr key={line.line}>
            <th scope="row">
              {t('configPeriod.line', { line: line.line })}
              <small>
                <Differing fields={line.fields} />
              </small>
            </th>
            {[line.before, line.after].map((account, i) => (
              <td key={i}>
                {account ? `${account.label} · ${account.user} · ${account.server}` : t('configPeriod.noAccount')}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const kinds = {
  label: 'account',
  display: 'account',
  user: 'account',
  auth: 'account',
  voicemail: 'account',
  password: 'password',
  server: 'server',
  port: 'server',
  transport: 'server',
  domain: 'server',
  proxy: 'server',
  backup: 'server',
} as const satisfies Record<LineChange['fields'][number], string>;

/** Names what differs at a line; of a password nothing else is known here. */
function Differing({ fields }: Pick<LineChange, 'fields'>) {
  const { t } = useText();
  return (
    <>{[...new Set(fields.map((field) => kinds[field]))].map((kind) => t(`configPeriod.differs.${kind}`)).join(', ')}</>
  );
}
