import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { TextKey } from '../text/key.ts';
import { useText } from '../text/use-text.ts';
import { AskDialog } from './ask-dialog.tsx';
import { useDeleted, type Restored, type Undoable } from './deleted.ts';
import css from './dialog.module.css';

type Noun = { [K in Undoable]: `${K}.deleteOne` extends TextKey ? K : never }[Undoable];

/**
 * Shows what is deleted with a record, deletes it, and offers an undo for a moment. When it cannot be deleted, shows
 * the reason instead.
 */
export function DeleteDialog({
  noun,
  name,
  text,
  stays,
  renew = [[noun]],
  remove,
  restore,
  onClose,
}: {
  noun: Noun;
  name: string;
  text: string;
  /** Why it cannot be deleted now, and what to do first. */
  stays?: string | undefined;
  /** Query keys to invalidate. */
  renew?: readonly (readonly string[])[];
  remove: () => Promise<unknown>;
  restore: () => Promise<Restored>;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const deleted = useDeleted();
  const changed = async () => {
    for (const queryKey of renew) await client.invalidateQueries({ queryKey });
  };
  const title = t(`${noun}.deleteOne`, { name });
  if (stays !== undefined)
    return (
      <Modal opened onClose={onClose} title={title} withCloseButton={false}>
        <p className={css.effect}>{stays}</p>
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('common.close')}
          </Button>
        </div>
      </Modal>
    );
  return (
    <AskDialog
      title={title}
      text={text}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await remove();
        await changed();
        await deleted({ what: noun, name }, async () => {
          const back = await restore();
          await changed();
          return back;
        });
      }}
    />
  );
}
