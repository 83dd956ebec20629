import { useState } from 'react';
import { Button, FileButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { CertificateFacts } from '@carillon/contracts';
import { Facts } from '../../../kit/part/facts.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { useAccess } from '../../../kit/session/access.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { configQuery, useSaveConfig } from './config.calls.ts';
import css from './config-page.module.css';

/** Certificates that outgoing connections trust beside the public ones. */
export default function CertificatesTab() {
  const { t } = useText();
  const access = useAccess();
  const save = useSaveConfig();
  const { data } = useQuery(configQuery<CertificateFacts[]>('certificates'));
  const [refusal, setRefusal] = useState<Refusal>();
  if (data === undefined) return null;
  async function store(value: string[]) {
    setRefusal(undefined);
    try {
      await save({ configKey: 'certificates', value });
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
                  size="compact-sm"
                  aria-label={t('config.deleteOne', { name: c.subject })}
                  onClick={() => void store(kept.filter((pem) => pem !== c.pem))}
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
              if (file)
                void file
                  .slice(0, 20_000)
                  .text()
                  .then((pem) => store([...kept, pem]));
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
    </div>
  );
}
