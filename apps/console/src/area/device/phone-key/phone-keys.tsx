import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { fitsPhoneKey, phoneKeyNames, type PhoneKeyLayout, type PhoneKeyName } from '@carillon/contracts/settings';
import { useText } from '../../../kit/text/use-text.ts';
import { KeyFields } from './key-fields.tsx';
import { unplaced, withKey, type KeyDraft } from './key-moves.ts';
import { keyPlaceWords } from './key-words.ts';
import { PhonePicture } from './phone-picture.tsx';
import { useKeyEditor } from './use-key-editor.ts';
import css from './phone-key.module.css';

/** Returns the keys whose value does not fit what they do. */
export const wrongKeys = (keys: KeyDraft): PhoneKeyName[] =>
  phoneKeyNames(keys).filter((name) => !fitsPhoneKey(keys[name]!.type, keys[name]!.value.trim()));

export interface KeyForm {
  layout: PhoneKeyLayout;
  /** False while the layout of the model is not there, and the general one stands in. */
  isKnown: boolean;
  keys: KeyDraft;
  onKeys: (keys: KeyDraft) => void;
  /** What is to be known of a key, such as a lock that decides. */
  note: (name: PhoneKeyName) => ReactNode;
  /** Keys that the template itself locks. */
  locked: readonly string[];
  /** Absent for a template that can lock nothing. */
  onLock: ((name: PhoneKeyName, isLocked: boolean) => void) | undefined;
  /** A key was moved, and its lock moves with it. */
  onSwap: (from: PhoneKeyName, to: PhoneKeyName) => void;
  /** Shows which keys have a wrong value. */
  checked: boolean;
}

/** Sets the keys of the phone on a picture of it (CFG-01). It opens when there is a key, or when it is asked for. */
export function PhoneKeys(form: KeyForm) {
  const { t } = useText();
  const [open, setOpen] = useState(phoneKeyNames(form.keys).length > 0);
  if (open) return <Editor {...form} />;
  return (
    <div className={css.closed}>
      <p>{t('phoneKey.closed')}</p>
      <Button
        variant="default"
        leftSection={<IconKeyboard size={15} stroke={1.75} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('phoneKey.open')}
      </Button>
    </div>
  );
}

function Editor({ layout, isKnown, keys, onKeys, note, locked, onLock, onSwap, checked }: KeyForm) {
  const { t } = useText();
  const editor = useKeyEditor(layout, keys, onKeys, onSwap);
  const { box, chosen, said, clear, close, start } = editor;
  const wrong = checked ? wrongKeys(keys) : [];
  return (
    <div ref={box} className={css.editor}>
      <LayoutNote layout={layout} />
      <PhonePicture layout={layout} keys={keys} editor={editor} wrong={new Set(wrong)} />
      <p className={css.hint}>{t('phoneKey.keyboard')}</p>
      <p className={css.hint} role="status">
        {said}
      </p>
      {chosen !== undefined && (
        <KeyFields
          key={chosen}
          name={chosen}
          value={keys[chosen]}
          layout={layout}
          error={wrong.includes(chosen) ? t('phoneKey.valueWrong') : undefined}
          note={note(chosen)}
          isLocked={locked.includes(chosen)}
          onLock={onLock && ((isLocked) => onLock(chosen, isLocked))}
          onValue={(value) => onKeys(withKey(keys, chosen, value))}
          onClear={() => {
            clear(chosen);
            close(chosen);
          }}
          onMove={() => start(chosen)}
          onBack={() => close(chosen)}
        />
      )}
      {isKnown && <Beyond layout={layout} keys={keys} onKeys={onKeys} />}
    </div>
  );
}

/** Names the keys that the phones do not have, and takes them away. */
function Beyond({ layout, keys, onKeys }: Pick<KeyForm, 'layout' | 'keys' | 'onKeys'>) {
  const { t } = useText();
  const beyond = unplaced(keys, layout);
  if (beyond.length === 0) return null;
  return (
    <div className={css.beyond}>
      <p role="status">
        {t('phoneKey.beyond', { count: beyond.length, names: beyond.map((name) => keyPlaceWords(name)).join(', ') })}
      </p>
      <Button
        variant="default"
        onClick={() => onKeys(beyond.reduce<KeyDraft>((all, name) => withKey(all, name, undefined), keys))}
      >
        {t('phoneKey.removeBeyond')}
      </Button>
    </div>
  );
}

/** Says when the number of keys is not that of a model. */
function LayoutNote({ layout: { areas } }: { layout: PhoneKeyLayout }) {
  const { t } = useText();
  const all = Object.values(areas);
  if (all.every(({ perPage }) => perPage === 0)) return <p className={css.hint}>{t('phoneKey.noKeys')}</p>;
  return all.some(({ isKnown }) => !isKnown) ? <p className={css.hint}>{t('phoneKey.general')}</p> : null;
}
