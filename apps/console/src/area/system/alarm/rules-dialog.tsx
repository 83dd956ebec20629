import { useState } from 'react';
import { Button, Checkbox, Modal, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { alarmLevels } from '@carillon/contracts/message';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { editAlarmRule, rulesQuery } from './alarm.calls.ts';
import { kindNames } from './alarm-kinds.ts';
import dialog from '../../../kit/part/dialog.module.css';
import css from './alarm-page.module.css';

/** Sets the level of each kind of alarm, and whether it is raised. Changes apply at once. */
export default function RulesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { data: rules = [] } = useQuery(rulesQuery);
  const [refusal, setRefusal] = useState<Refusal>();
  const save = (rule: (typeof rules)[number]) =>
    void call(editAlarmRule, { body: rule }).then(
      (data) => {
        setRefusal(undefined);
        client.setQueryData(rulesQuery.queryKey, data);
      },
      (e: unknown) => setRefusal(refusalOf(e)),
    );
  return (
    <Modal opened onClose={onClose} title={t('alarm.rules')} withCloseButton={false}>
      <p className={dialog.effect}>{t('alarm.rulesText')}</p>
      <ul className={css.rules}>
        {rules.map((rule) => {
          const name = t(`alarm.kind.${kindNames[String(rule.type)]!}`);
          return (
            <li key={rule.type}>
              <span className={css.name}>{name}</span>
              <Select
                aria-label={t('alarm.ruleLevel', { name })}
                data={alarmLevels.map((value) => ({ value, label: t(`level.${value}`) }))}
                value={rule.level}
                onChange={(level) => save({ ...rule, level: (level ?? rule.level) as typeof rule.level })}
                allowDeselect={false}
                disabled={!rule.enabled}
              />
              <Checkbox
                aria-label={t('alarm.ruleEnabled', { name })}
                checked={rule.enabled}
                onChange={(e) => save({ ...rule, enabled: e.currentTarget.checked })}
              />
            </li>
          );
        })}
      </ul>
      <RefusalBox refusal={refusal} />
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('common.close')}
        </Button>
      </div>
    </Modal>
  );
}
