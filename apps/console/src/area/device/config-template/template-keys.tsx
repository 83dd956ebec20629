import type { ReactNode } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { phoneKeyLayout, type TemplateKey, type TemplateLevel } from '@carillon/contracts/settings';
import { swappedNames, type KeyDraft } from '../phone-key/key-moves.ts';
import { PhoneKeys } from '../phone-key/phone-keys.tsx';
import { configLocksQuery, keyLayoutQuery, type ConfigTemplate } from './config-template.calls.ts';
import { KeyCopyButton } from './key-copy-button.tsx';
import { LockNote } from './lock-note.tsx';
import css from './config-template.module.css';

/** Levels whose phones have the keys of a model. */
const ofModels: ReadonlySet<TemplateLevel> = new Set(['model', 'series', 'device']);
const general = phoneKeyLayout(null);

interface KeyValues {
  level: TemplateLevel;
  target: string;
  keys: KeyDraft;
  locked: TemplateKey[];
}

/** Sets the keys of the phones that a template is for. */
export function TemplateKeys({
  template,
  values: { level, target, keys, locked },
  set,
  fault,
}: {
  /** The stored template, while the form changes nothing of it. */
  template: ConfigTemplate | undefined;
  values: KeyValues;
  set: (change: Partial<KeyValues>) => void;
  fault: ReactNode;
}) {
  const locks = useQuery(configLocksQuery()).data ?? [];
  const [of] = useDebouncedValue(target.trim(), 250);
  const layout = useQuery({
    ...keyLayoutQuery(level, of),
    enabled: ofModels.has(level) && of !== '',
    placeholderData: keepPreviousData,
  });
  const isKnown = !ofModels.has(level) || of === '' || (layout.data !== undefined && !layout.isPlaceholderData);
  const isGeneral = level === 'general';
  const lock = (name: TemplateKey, isLocked: boolean) =>
    set({ locked: isLocked ? [...locked, name] : locked.filter((one) => one !== name) });
  return (
    <>
      <PhoneKeys
        layout={(ofModels.has(level) && layout.data) || general}
        isKnown={isKnown}
        keys={keys}
        onKeys={(next) => set({ keys: next })}
        note={(name) => {
          const found = locks.find(({ key, company }) => key === name && (company !== null || !isGeneral));
          return found && <LockNote lock={found} />;
        }}
        locked={locked}
        onLock={isGeneral ? lock : undefined}
        onSwap={(from, to) => set({ locked: swappedNames(locked, from, to) })}
        checked={Boolean(fault)}
      />
      {Boolean(fault) && <div className={css.keyFault}>{fault}</div>}
      {template && Object.keys(keys).length > 0 && <KeyCopyButton template={template} />}
    </>
  );
}
