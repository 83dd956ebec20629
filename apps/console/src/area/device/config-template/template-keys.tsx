import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { type TemplateKey, type TemplateLevel } from '@carillon/contracts/settings';
import { swappedNames, type KeyDraft } from '../phone-key/key-moves.ts';
import { PhoneKeys } from '../phone-key/phone-keys.tsx';
import { configLocksQuery, type ConfigTemplate } from './config-template.calls.ts';
import { KeyCopyButton } from './key-copy-button.tsx';
import { LockNote } from './lock-note.tsx';
import { useLayout } from './use-layout.ts';
import css from './config-template.module.css';

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
  const { layout, isKnown } = useLayout(level, target);
  const isGeneral = level === 'general';
  const lock = (name: TemplateKey, isLocked: boolean) =>
    set({ locked: isLocked ? [...locked, name] : locked.filter((one) => one !== name) });
  return (
    <>
      <PhoneKeys
        layout={layout}
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
