import { Button, Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pacing } from 'virtual:actions/forms';
import type { ApprovalRule } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { CheckField, NumberField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { actionKeys, actionName } from '../action/actions.tsx';
import { approvalRuleQuery, editApprovalRule } from './approval.calls.ts';
import page from '../../../kit/part/form-page.module.css';
import css from './approval.module.css';

/** Actions that are never spread are for the moment, so they cannot wait for an approval. */
const waiting = actionKeys.filter((key) => pacing[key]?.spreads);
const most = 1_000_000;

/** Sets which tasks of the company need a second person. */
export function ApprovalPage() {
  const { t } = useText();
  const { data } = useQuery(approvalRuleQuery());
  const access = useAccess();
  return (
    <section className={page.page} aria-label={t('menu.approval')}>
      {data && access.ready ? (
        <Rule now={data} />
      ) : (
        <header className={page.head} aria-busy>
          <h1>{t('menu.approval')}</h1>
        </header>
      )}
    </section>
  );
}

function Rule({ now }: { now: ApprovalRule }) {
  const { t } = useText();
  const client = useQueryClient();
  const access = useAccess();
  const may = access.can('editApproval');
  const form = useForm({
    required: now.devices !== null,
    devices: (now.devices ?? 100) as number | '',
    actions: [...now.actions] as string[],
  });
  const { values, set, fault, refusal, busy } = form;
  const number = Number(values.devices);
  const check = () => ({
    ...(values.required && !(Number.isInteger(number) && number >= 1 && number <= most)
      ? { devices: t('approval.devicesMissing') }
      : {}),
    ...(values.required && values.actions.length === 0 ? { actions: t('approval.actionsMissing') } : {}),
  });
  async function save() {
    const body = { devices: values.required ? number : null, actions: values.actions };
    client.setQueryData(approvalRuleQuery().queryKey, await call(editApprovalRule, { body }));
    await done('saved', { name: t('menu.approval') });
  }
  return (
    <form className={page.form} onSubmit={form.submit(check, save)} noValidate aria-label={t('menu.approval')}>
      <header className={page.head}>
        <h1>{t('menu.approval')}</h1>
      </header>
      <div className={page.body}>
        <p>{t('approval.lead')}</p>
        <CheckField form={form} name="required" label={t('approval.required')} disabled={!may} />
        {values.required && (
          <>
            <NumberField
              form={form}
              name="devices"
              label={t('approval.devices')}
              description={t('approval.devicesHint')}
              min={1}
              max={most}
              allowNegative={false}
              disabled={!may}
            />
            <Checkbox.Group
              label={t('approval.actions')}
              description={t('approval.actionsHint')}
              value={values.actions}
              onChange={(actions) => set({ actions })}
              error={fault('actions')}
            >
              <div className={css.actions}>
                {waiting.map((key) => (
                  <Checkbox key={key} name="actions" value={key} label={actionName(key)} disabled={!may} />
                ))}
              </div>
            </Checkbox.Group>
          </>
        )}
        <p className={css.since}>{t('approval.later')}</p>
        <RefusalBox refusal={refusal} />
      </div>
      {may && (
        <footer className={page.foot}>
          <Button type="submit" loading={busy}>
            {t('common.save')}
          </Button>
        </footer>
      )}
    </form>
  );
}
