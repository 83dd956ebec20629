import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { AttemptResult } from './attempt-result.tsx';
import { testWebhook, type Attempt, type Webhook } from './webhook.calls.ts';
import css from '../../../kit/part/dialog.module.css';

/** Sends a test, repeatedly if wanted, and shows the receiver's last answer. */
export default function TestDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const [attempt, setAttempt] = useState<Attempt>();
  const { submit, refusal, busy } = useForm({});
  const send = async () => {
    setAttempt(undefined);
    setAttempt(await call(testWebhook, { params: { id: webhook.id } }));
    await client.invalidateQueries({ queryKey: ['webhook'] });
  };
  return (
    <Modal opened onClose={onClose} title={t('webhook.testOne', { name: webhook.name })} withCloseButton={false}>
      <form onSubmit={submit(() => ({}), send)} noValidate>
        <p className={css.effect}>{t('webhook.testText', { url: webhook.url })}</p>
        <div role="status">{attempt && <AttemptResult attempt={attempt} />}</div>
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
          <Button type="submit" loading={busy} data-autofocus>
            {t('webhook.test')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
