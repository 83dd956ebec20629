import { useState } from 'react';
import { Button, FileButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { CertificateFacts } from '@carillon/contracts';
import { Facts } from '../../../kit/part/facts.tsx';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { useAccess } from '../../../kit/api/access.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { configQuery, useSaveConfig } from './config.calls.ts';
import css from './config-page.module.css';

/** Manages the certificates that outgoing connections trust besides the public ones. */
export default function CertificatesTab() {
  const { t } = useText();
  const access = useAccess();
  const save = useSaveConfig();
  const { data } = useQuery(configQuery<CertificateFacts[]>('certificates'));
  const [refusal, setRefusal] = useState<Refusal>();
  const [gone, setGone] = useState<CertificateFacts>();
  if (data === undefined) return null;
  async function add(pem: string) {
    setRefusal(undefined);
    try {
      await save({ configKey: 'certificates', value: [...kept, pem] });
      await done('added', { name: t('config.certificate') });
    } catch (e) {
      setRefusal(refusalOf(e));
    }
  }
  const kept = data.map((c) => c.pem);
  const may = access.can('editConfig');
  return (
    <div className={css.form}>
      <p className={css.hint}>{t('config.certificatesText')}</p>
      {data.length === 0 ? (
        <p>{t('config.certificatesNone')}</p>
      ) : (
        <ul className={css.list}>
          {data.map((c) => (
            <li key={c.fingerprint}>
              <div>
                <strong>{c.subject}</strong>
                <Facts
                  items={[
                    [t('config.issuer'), c.issuer],
                    [t('config.validTo'), moment(c.validTo)],
                    [t('config.fingerprint'), <code key="f">{c.fingerprint}</code>],
                  ]}
                />
              </div>
              {may && (
                <Button
                  variant="subtle"
                  data-danger
                  size="compact-sm"
                  aria-label={t('config.deleteOne', { name: c.subject })}
                  onClick={() => setGone(c)}
                >
                  {t('common.delete')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <RefusalBox refusal={refusal} />
      {may && (
        <div>
          <FileButton
            accept=".pem,.crt,.cer"
            onChange={(file) => {
              if (file) void file.slice(0, 20_000).text().then(add);
            }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconPlus size={15} stroke={2} />}>
                {t('config.addCertificate')}
              </Button>
            )}
          </FileButton>
        </div>
      )}
      {gone && (
        <AskDialog
          title={t('config.deleteOne', { name: gone.subject })}
          text={t('config.deleteCertificateText')}
          danger
          onClose={() => setGone(undefined)}
          onConfirm={async () => {
            await save({ configKey: 'certificates', value: kept.filter((pem) => pem !== gone.pem) });
            await done('deleted', { name: gone.subject });
          }}
        />
      )}
    </div>
  );
}
