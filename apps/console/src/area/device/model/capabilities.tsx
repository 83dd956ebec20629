import { Select } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import { actionKeys, actionName } from '../../task/action/actions.tsx';
import type { Model } from './model.calls.ts';
import css from '../../../kit/part/form-page.module.css';
import own from './model.module.css';

const states = ['supported', 'unsupported', 'unknown'] as const;
type State = (typeof states)[number];
type Values = Model['capabilities'];

export const capabilityState = (capabilities: Values, key: string): State =>
  capabilities[key] === undefined ? 'unknown' : capabilities[key] ? 'supported' : 'unsupported';

/** Says for each action whether a model supports it. Capabilities that this console does not know are kept. */
export function Capabilities({ value, onChange }: { value: Values; onChange: (value: Values) => void }) {
  const { t } = useText();
  const set = (key: string, state: State) => {
    const { [key]: _, ...others } = value;
    onChange(state === 'unknown' ? others : { ...others, [key]: state === 'supported' });
  };
  return (
    <fieldset className={css.group}>
      <legend>{t('model.capabilities')}</legend>
      <p className={own.hint}>{t('model.capabilitiesHint')}</p>
      <div className={own.counts}>
        {actionKeys.map((key) => (
          <Select
            key={key}
            name={`capability.${key}`}
            label={actionName(key)}
            data={states.map((state) => ({ value: state, label: t(`model.${state}`) }))}
            value={capabilityState(value, key)}
            onChange={(state) => set(key, (state ?? 'unknown') as State)}
            allowDeselect={false}
          />
        ))}
      </div>
    </fieldset>
  );
}
