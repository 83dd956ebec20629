import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  makers,
  rawSettingExamples,
  rawSettingLengths,
  rawSettingsMost,
  type Maker,
  type TemplateKey,
} from '@carillon/contracts/settings';
import { useText } from '../../../kit/text/use-text.ts';
import { configLocksQuery } from './config-template.calls.ts';
import { LockNote } from './lock-note.tsx';
import { makerNames } from './setting-words.ts';
import { rawFault, rawKeyOf, type RawDraft, type TemplateDraft } from './template-draft.ts';
import css from './config-template.module.css';

type Values = Pick<TemplateDraft, 'level' | 'raw' | 'locked'>;

/** Sets what the list of settings lacks, by the names that the files of a maker have. */
export function RawSettings({
  values: { level, raw, locked },
  set,
  fault,
}: {
  values: Values;
  set: (change: Partial<Values>) => void;
  fault: ReactNode;
}) {
  const { t } = useText();
  const box = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<{ at: string }>();
  useEffect(() => {
    if (focus) box.current?.querySelector<HTMLElement>(focus.at)?.focus();
  }, [focus]);
  const change = (at: number, part: Partial<RawDraft>) =>
    set({ raw: raw.map((one, index) => (index === at ? { ...one, ...part } : one)) });
  const add = () => {
    set({ raw: [...raw, { maker: raw.at(-1)?.maker ?? makers[0], name: '', value: '' }] });
    setFocus({ at: `[data-raw="${raw.length}"] [data-name]` });
  };
  /** The focus goes to the button of the next setting, or else to the one that adds. */
  const remove = (at: number) => {
    const key = rawKeyOf(raw[at]!);
    const others = raw.filter((_, index) => index !== at);
    set({ raw: others, locked: locked.filter((one) => one !== key) });
    setFocus({
      at: others.length === 0 ? '[data-add-raw]' : `[data-raw="${Math.min(at, others.length - 1)}"] > button`,
    });
  };
  const lock = (key: TemplateKey, isLocked: boolean) =>
    set({ locked: isLocked ? [...locked, key] : locked.filter((one) => one !== key) });
  return (
    <div ref={box} className={css.raw}>
      <p className={css.note}>{t('rawSetting.hint')}</p>
      {raw.map((one, at) => (
        <RawFields
          key={at}
          at={at}
          value={one}
          all={raw}
          isChecked={Boolean(fault)}
          isLocked={locked.includes(rawKeyOf(one))}
          onChange={(part) => change(at, part)}
          onLock={level === 'general' ? lock : undefined}
          onRemove={() => remove(at)}
        />
      ))}
      {raw.length < rawSettingsMost && (
        <Button
          data-add-raw
          className={css.add!}
          variant="default"
          leftSection={<IconPlus size={15} stroke={1.75} aria-hidden />}
          onClick={add}
        >
          {t('rawSetting.add')}
        </Button>
      )}
      {Boolean(fault) && <div className={css.keyFault}>{fault}</div>}
    </div>
  );
}

function RawFields({
  at,
  value: one,
  all,
  isChecked,
  isLocked,
  onChange,
  onLock,
  onRemove,
}: {
  at: number;
  value: RawDraft;
  all: readonly RawDraft[];
  /** Faults are shown once the form was sent. */
  isChecked: boolean;
  isLocked: boolean;
  onChange: (part: Partial<RawDraft>) => void;
  onLock: ((key: TemplateKey, isLocked: boolean) => void) | undefined;
  onRemove: () => void;
}) {
  const { t } = useText();
  const locks = useQuery(configLocksQuery()).data ?? [];
  const wrong = isChecked ? rawFault(one, all) : undefined;
  const found = locks.find(({ key, company }) => key === rawKeyOf(one) && (company !== null || !onLock));
  const remove = t('configTemplate.removeSetting', { name: one.name.trim() || t('rawSetting.one') });
  const mono = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, classNames: { input: 'mono' } };
  return (
    <section data-raw={at} className={css.rawSetting} aria-label={one.name.trim() || t('rawSetting.one')}>
      <Select
        label={t('rawSetting.maker')}
        data={makers.map((maker) => ({ value: maker, label: makerNames[maker] }))}
        value={one.maker}
        onChange={(maker) => onChange({ maker: maker as Maker })}
        allowDeselect={false}
      />
      <TextInput
        {...mono}
        data-name
        className={css.rawName!}
        label={t('rawSetting.name')}
        placeholder={rawSettingExamples[one.maker]}
        maxLength={rawSettingLengths.name}
        value={one.name}
        onChange={(e) => onChange({ name: e.currentTarget.value })}
        error={wrong && t(`rawSetting.wrong.${wrong}`, { example: rawSettingExamples[one.maker] })}
      />
      <ActionIcon variant="subtle" color="gray" size={30} aria-label={remove} title={remove} onClick={onRemove}>
        <IconTrash size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
      <div className={css.rawValue}>
        <TextInput
          {...mono}
          label={t('rawSetting.value')}
          maxLength={rawSettingLengths.value}
          value={one.value}
          onChange={(e) => onChange({ value: e.currentTarget.value })}
        />
        {onLock && (
          <Checkbox
            label={t('configLock.lock')}
            aria-label={t('configLock.lockOne', { name: one.name })}
            checked={isLocked}
            disabled={one.name.trim() === ''}
            onChange={(e) => onLock(rawKeyOf(one), e.currentTarget.checked)}
          />
        )}
        {found && <LockNote lock={found} />}
      </div>
    </section>
  );
}
