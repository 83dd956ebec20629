import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { SecretPanel } from './secret-panel.tsx';
import { renewWebhookSecret, type Webhook } from './webhook.calls.ts';
import css from '../../../kit/part/dialog.module.css';

/** Makes a new secret, and shows it. */
export default function SecretDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const [made, setMade] = useState<{ secret: string; formerUntil: string }>();
  const { submit, refusal, busy } = useForm({});
  const renew = async () => {
    setMade(await call(renewWebhookSecret, { params: { id: webhook.id } }));
    await client.invalidateQueries({ queryKey: ['webhook'] });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(made ? 'webhook.secretOf' : 'webhook.renewOne', { name: webhook.name })}
      withCloseButton={false}
      closeOnClickOutside={made === undefined}
    >
      {made ? (
        <SecretPanel
          secret={made.secret}
          text={t('webhook.renewedText', { time: moment(made.formerUntil) })}
          onClose={onClose}
        />
      ) : (
        <form onSubmit={submit(() => ({}), renew)} noValidate>
          <p className={css.effect}>{t('webhook.renewText')}</p>
          <RefusalBox refusal={refusal} />
          <div className={css.buttons}>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={busy} data-autofocus>
              {t('webhook.renew')}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}
