import { useState } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FcsConfig } from '@carillon/contracts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { useAccess } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { configQuery, useSaveConfig } from './config.calls.ts';
import css from './config-page.module.css';

/** Edits FCS: whether it is enabled, and its SIP servers. */
export default function FcsTab() {
  const { t } = useText();
  const access = useAccess();
  const save = useSaveConfig();
  const { data: stored } = useQuery(configQuery<FcsConfig>('fcs'));
  // Shows the new value while it is being saved.
  const [ahead, setAhead] = useState<Partial<FcsConfig>>({});
  const [gone, setGone] = useState<FcsConfig['servers'][number]>();
  if (stored === undefined) return null;
  const data = { ...stored, ...ahead };
  const may = access.can('editConfig');
  const change = (value: Partial<FcsConfig>) => {
    setAhead(value);
    void save({ configKey: 'fcs', value: { ...data, ...value } })
      .then(() => done('saved', { name: t('config.fcs') }))
      .catch(() => {
        /* shown as a toast */
      })
      .finally(() => setAhead({}));
  };
  return (
    <div className={css.form}>
      <Checkbox
        label={t('config.fcsEnabled')}
        description={t('config.fcsHint')}
        checked={data.enabled}
        disabled={!may}
        onChange={(e) => change({ enabled: e.currentTarget.checked })}
      />
      <Checkbox
        label={t('config.fcsSync')}
        checked={data.localConfigSync}
        disabled={!may}
        onChange={(e) => change({ localConfigSync: e.currentTarget.checked })}
      />
      <h2>{t('config.fcsServers')}</h2>
      {data.servers.length === 0 ? (
        <p className={css.hint}>{t('config.fcsNone')}</p>
      ) : (
        <ul className={css.list}>
          {data.servers.map((server) => (
            <li key={`${server.name} ${server.address} ${server.port}`}>
              <div>
                <strong>{server.name}</strong>
                <br />
                <code>
                  {server.transport}:{server.address}:{server.port}
                </code>
                {server.domain !== '' && (
                  <>
                    <br />
                    {server.domain}
                  </>
                )}
              </div>
              {may && (
                <Button
                  variant="subtle"
                  data-danger
                  size="compact-sm"
                  aria-label={t('config.deleteOne', { name: server.name })}
                  onClick={() => setGone(server)}
                >
                  {t('common.delete')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {may && (
        <div>
          <Button
            component={Link}
            to="/system/config/addFcsSipServer"
            variant="default"
            leftSection={<IconPlus size={15} stroke={2} />}
          >
            {t('config.addFcs')}
          </Button>
        </div>
      )}
      {gone && (
        <AskDialog
          title={t('config.deleteOne', { name: gone.name })}
          text={t('config.deleteFcsText')}
          danger
          onClose={() => setGone(undefined)}
          onConfirm={async () => {
            await save({ configKey: 'fcs', value: { ...data, servers: data.servers.filter((s) => s !== gone) } });
            await done('deleted', { name: gone.name });
          }}
        />
      )}
    </div>
  );
}
