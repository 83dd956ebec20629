import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Button, Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { IconArrowsMove, IconTrash } from '@tabler/icons-react';
import {
  phoneKeyLengths,
  phoneKeyLine,
  phoneKeyTypes,
  phoneKeyValues,
  type PhoneKey,
  phoneKeyOnLine,
  type PhoneKeyLayout,
  type PhoneKeyName,
  type PhoneKeyType,
} from '@carillon/contracts/settings';
import { useText } from '../../../kit/text/use-text.ts';
import { keyPlaceWords } from './key-words.ts';
import css from './phone-key.module.css';

const empty: PhoneKey = { type: 'none', line: 1, value: '', label: '' };

interface Fields {
  name: PhoneKeyName;
  value: PhoneKey | undefined;
  layout: PhoneKeyLayout;
  error: string | undefined;
  note: ReactNode;
  isLocked: boolean;
  /** Absent for a template that can lock nothing. */
  onLock: ((isLocked: boolean) => void) | undefined;
  onValue: (value: PhoneKey) => void;
  onClear: () => void;
  onMove: () => void;
  onBack: () => void;
}

/** Returns a key with another function. The value stays when the new function takes the same kind. */
function withType(value: PhoneKey | undefined, type: PhoneKeyType): PhoneKey {
  const { line, label, ...former } = value ?? empty;
  const keeps = phoneKeyValues[type] !== undefined && phoneKeyValues[former.type] === phoneKeyValues[type];
  return { type, line: phoneKeyOnLine.has(type) ? line : 1, value: keeps ? former.value : '', label };
}

/** Asks what a key does. Escape goes back to the key. */
export function KeyFields({ name, value, layout, error, note, isLocked, onLock, onBack, ...on }: Fields) {
  const { t } = useText();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus(), []);
  const types = phoneKeyTypes.filter((type) => type !== 'line' || layout.lines !== 0);
  /** An open list closes first, and Enter never sends the form. */
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') event.preventDefault();
    if (event.key !== 'Escape' || event.currentTarget.getAttribute('aria-expanded') === 'true') return;
    event.stopPropagation();
    onBack();
  };
  return (
    <section ref={box} className={css.fields} aria-label={keyPlaceWords(name)}>
      <h3>{keyPlaceWords(name)}</h3>
      <Select
        label={t('phoneKey.type')}
        placeholder={t('phoneKey.notSet')}
        data={types.map((type) => ({ value: type, label: t(`phoneKey.type.${type}`) }))}
        value={value?.type ?? null}
        onChange={(type) => on.onValue(withType(value, type as PhoneKeyType))}
        onKeyDown={onKeyDown}
        searchable
        // Enter takes the first match.
        selectFirstOptionOnChange
        maxDropdownHeight={560}
        allowDeselect={false}
        openOnFocus={false}
      />
      {value && <Parts value={value} layout={layout} error={error} onValue={on.onValue} onKeyDown={onKeyDown} />}
      {value && onLock && (
        <Checkbox
          label={t('configLock.lock')}
          aria-label={t('configLock.lockOne', { name: keyPlaceWords(name) })}
          checked={isLocked}
          onChange={(e) => onLock(e.currentTarget.checked)}
        />
      )}
      {note}
      {value && <Actions {...on} />}
    </section>
  );
}

/** Moves a key or clears it. */
function Actions({ onMove, onClear }: Pick<Fields, 'onMove' | 'onClear'>) {
  const { t } = useText();
  return (
    <div className={css.actions}>
      <Button variant="default" leftSection={<IconArrowsMove size={15} stroke={1.75} aria-hidden />} onClick={onMove}>
        {t('phoneKey.move')}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={15} stroke={1.75} aria-hidden />} onClick={onClear}>
        {t('phoneKey.clear')}
      </Button>
    </div>
  );
}

/** Asks for the value of a key, its line and its label, as far as its function has them. */
function Parts({
  value,
  layout,
  error,
  onValue,
  onKeyDown,
}: {
  value: PhoneKey;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
} & Pick<Fields, 'layout' | 'error' | 'onValue'>) {
  const { t } = useText();
  const kind = phoneKeyValues[value.type];
  return (
    <>
      {kind && (
        <TextInput
          label={t(`phoneKey.value.${kind}`)}
          description={t(`phoneKey.valueHint.${kind}`)}
          maxLength={phoneKeyLengths.value}
          value={value.value}
          onChange={(e) => onValue({ ...value, value: e.currentTarget.value })}
          onKeyDown={onKeyDown}
          error={error}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
      )}
      {phoneKeyOnLine.has(value.type) && (
        <NumberInput
          label={t('phoneKey.line')}
          min={phoneKeyLine.least}
          max={Math.max(layout.lines ?? phoneKeyLine.most, 1)}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
          value={value.line}
          onChange={(line) => onValue({ ...value, line: Number(line) || 1 })}
          onKeyDown={onKeyDown}
        />
      )}
      <TextInput
        label={t('phoneKey.label')}
        description={t('phoneKey.labelHint')}
        maxLength={phoneKeyLengths.label}
        value={value.label}
        onChange={(e) => onValue({ ...value, label: e.currentTarget.value })}
        onKeyDown={onKeyDown}
        autoComplete="off"
      />
    </>
  );
}
