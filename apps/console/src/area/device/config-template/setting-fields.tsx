import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ActionIcon, Checkbox, Select } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import {
  isHiddenSetting,
  isPasswordKey,
  settingKeys,
  type PhoneKeyLayout,
  type SettingKey,
  type SettingValue,
} from '@carillon/contracts/settings';
import { useText } from '../../../kit/text/use-text.ts';
import type { ConfigLock } from './config-template.calls.ts';
import { LockNote, OtherLocks } from './lock-note.tsx';
import type { SettingDraft } from './template-draft.ts';
import { SettingInput } from './setting-input.tsx';
import { byGroup, definitionOf, settingName } from './setting-words.ts';
import css from './config-template.module.css';

const field = 'input:not([type=hidden])';

/**
 * Chooses the marked option of a list. Mantine forgets its index when the list opens during the typing, and keeps the
 * mark. A second choice of the same option changes nothing.
 */
function chooseMarked(field: HTMLInputElement): void {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
  list?.querySelector<HTMLElement>('[data-combobox-selected]')?.click();
}

/** Chooses settings and their values: a field for each setting, by group, and a search for another one. */
export function SettingFields({
  values,
  set,
  fault,
  locks,
  locked,
  onLock,
  layout,
}: {
  values: SettingDraft;
  /** An undefined value removes the setting. */
  set: (key: SettingKey, value: SettingValue | undefined) => void;
  /** `values` is the fault of all together. */
  fault: (field: SettingKey | 'values') => ReactNode;
  /** Locks that decide, whatever the template says. */
  locks: readonly ConfigLock[];
  /** Settings that the template itself locks. */
  locked: readonly string[];
  /** Absent for a template that can lock nothing. */
  onLock?: ((key: SettingKey, isLocked: boolean) => void) | undefined;
  /** What the models of the phones hide is not offered. */
  layout: Pick<PhoneKeyLayout, 'hiddenItems'>;
}) {
  const { t } = useText();
  const box = useRef<HTMLDivElement>(null);
  const [next, setNext] = useState<{ focus: string }>();
  useEffect(() => {
    if (next) box.current?.querySelector<HTMLElement>(next.focus)?.focus();
  }, [next]);
  const chosen = byGroup(settingKeys.filter((key) => values[key] !== undefined));
  const others = byGroup(settingKeys.filter((key) => values[key] === undefined && !isHiddenSetting(layout, key)));
  const shown = chosen.flatMap(([, keys]) => keys);
  const add = (key: SettingKey) => {
    const definition = definitionOf(key);
    set(key, definition.kind === 'password' ? '' : definition.standard);
    setNext({ focus: `[data-setting="${key}"] ${field}` });
  };
  /** The focus goes to the button of the next setting, or else to the search. */
  const remove = (key: SettingKey) => {
    const at = shown.indexOf(key);
    const neighbour = shown[at + 1] ?? shown[at - 1];
    set(key, undefined);
    setNext({ focus: neighbour === undefined ? `[data-add] ${field}` : `[data-setting="${neighbour}"] > button` });
  };
  return (
    <div ref={box} className={css.settings}>
      <OtherLocks locks={locks} shown={shown} />
      {chosen.map(([group, keys]) => (
        <section key={group} className={css.part} aria-label={t(`setting.group.${group}`)}>
          <h2>{t(`setting.group.${group}`)}</h2>
          {keys.map((key) => (
            <div key={key} data-setting={key} className={css.setting}>
              <div>
                <SettingInput
                  setting={key}
                  value={values[key]!}
                  error={fault(key)}
                  onValue={(value) => set(key, value)}
                />
                {isHiddenSetting(layout, key) && <p className={css.lock}>{t('setting.hidden')}</p>}
                {onLock && !isPasswordKey(key) && (
                  <Checkbox
                    mt={6}
                    label={t('configLock.lock')}
                    aria-label={t('configLock.lockOne', { name: settingName(key) })}
                    checked={locked.includes(key)}
                    onChange={(e) => onLock(key, e.currentTarget.checked)}
                  />
                )}
                {locks
                  .filter((lock) => lock.key === key)
                  .map((lock) => (
                    <LockNote key={lock.key} lock={lock} />
                  ))}
              </div>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={30}
                aria-label={t('configTemplate.removeSetting', { name: settingName(key) })}
                title={t('configTemplate.removeSetting', { name: settingName(key) })}
                onClick={() => remove(key)}
              >
                <IconTrash size={16} stroke={1.75} aria-hidden />
              </ActionIcon>
            </div>
          ))}
        </section>
      ))}
      {others.length > 0 && (
        <div data-add>
          {/* Empty again after each choice. */}
          <AddSetting key={shown.join(' ')} offered={others} error={fault('values')} onAdd={add} />
        </div>
      )}
    </div>
  );
}

/** Searches for a setting by its name. */
function AddSetting({
  offered,
  error,
  onAdd,
}: {
  offered: ReturnType<typeof byGroup>;
  error: ReactNode;
  onAdd: (key: SettingKey) => void;
}) {
  const { t } = useText();
  return (
    <Select
      name="values"
      label={t('configTemplate.addSetting')}
      placeholder={t('configTemplate.findSetting')}
      data={offered.map(([group, keys]) => ({
        group: t(`setting.group.${group}`),
        items: keys.map((key) => ({ value: key, label: settingName(key) })),
      }))}
      value={null}
      onChange={(key) => {
        if (key !== null) onAdd(key as SettingKey);
      }}
      searchable
      // Enter adds the first match and never sends the form.
      selectFirstOptionOnChange
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        chooseMarked(event.currentTarget);
      }}
      // The list itself scrolls: assistive technology knows it as the popup of this field.
      withScrollArea={false}
      classNames={{ options: css.options }}
      nothingFoundMessage={t('configTemplate.noSetting')}
      error={error}
      openOnFocus={false}
    />
  );
}
