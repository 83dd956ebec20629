import { useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DeviceRecord } from '@carillon/contracts';
import type { SettingValues } from '@carillon/contracts/settings';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useActions } from '../../task/action/actions.tsx';
import { addConfigTemplate, editConfigTemplate } from '../config-template/config-template.calls.ts';
import { ReasonField } from '../config-template/reason-field.tsx';
import { sendDraft } from '../config-template/send-draft.ts';
import { settingName } from '../config-template/setting-words.ts';
import { TemplateEffect } from '../config-template/template-effect.tsx';
import { formerConfigQuery, type FormerConfig } from './config-period.calls.ts';
import actions from '../../../kit/part/dialog.module.css';
import { useAction } from '../../../kit/part/use-action.ts';
import css from './config-period.module.css';

/**
 * Restores the settings of a former configuration with the device's own template, and says before what that changes and
 * what it cannot bring back. It is an ordinary version of the template, with author and reason.
 */
export function RestoreConfig({
  device,
  former: { id, remaining },
  restore: { template, version, ...fields },
  onClose,
}: {
  device: DeviceRecord;
  former: FormerConfig;
  restore: NonNullable<FormerConfig['restore']>;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const maySend =
    useActions().some(({ key }) => key === 'configUpdate') && !device.unsupported.includes('configUpdate');
  const [reason, setReason] = useState('');
  const { busy, refusal, run } = useAction();
  /** Set by the button that also opens the task. */
  const sends = useRef(false);
  const values: SettingValues = fields.values;
  const target = { level: 'device', target: device.id } as const;
  const store = async () => {
    const body = { ...fields, values, reason: reason.trim() };
    const stored = await (template === null
      ? call(addConfigTemplate, { body: { ...body, ...target } })
      : call(editConfigTemplate, { body: { ...body, id: template, ...(version === null ? {} : { version }) } }));
    for (const queryKey of [['configTemplate'], ['device']]) await client.invalidateQueries({ queryKey });
    await done('saved', { name: fields.name });
    onClose();
    if (sends.current) await navigate({ to: '/task/addTask', search: { draft: sendDraft(stored, []) } as never });
  };
  // What a restore changes is different after another user has changed the template.
  const lookAgain = () => client.invalidateQueries({ queryKey: formerConfigQuery(device.id, id).queryKey });
  return (
    <form
      className={css.restore}
      onSubmit={(e) => {
        e.preventDefault();
        void run(() =>
          store().catch((error: unknown) => {
            void lookAgain();
            throw error;
          }),
        );
      }}
    >
      <p>{t('configPeriod.restores', { name: fields.name })}</p>
      <TemplateEffect change={template === null ? { ...target, values } : { id: template, values }} />
      <p className={css.note}>{t('configPeriod.notRestored')}</p>
      {remaining.length > 0 && (
        <p className={css.note}>
          {t('configPeriod.remaining', { names: remaining.map((key) => settingName(key)).join(', ') })}
        </p>
      )}
      <ReasonField value={reason} onChange={setReason} />
      <RefusalBox refusal={refusal} />
      <div className={actions.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        {maySend && (
          <Button
            variant="default"
            disabled={busy}
            onClick={(e) => {
              sends.current = true;
              e.currentTarget.form!.requestSubmit();
            }}
          >
            {t('configPeriod.restoreAndSend')}
          </Button>
        )}
        <Button type="submit" loading={busy} onClick={() => (sends.current = false)}>
          {t('configPeriod.restore')}
        </Button>
      </div>
    </form>
  );
}
