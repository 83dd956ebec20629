import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { TextKey } from '../text/key.ts';
import { useText } from '../text/use-text.ts';
import { AskDialog } from './ask-dialog.tsx';
import { useDeleted, type Restored, type Undoable } from './deleted.ts';
import css from './dialog.module.css';

type Noun = { [K in Undoable]: `${K}.deleteOne` extends TextKey ? K : never }[Undoable];

/**
 * Says what goes with a record, takes it away, and offers the way back for a moment. Of one that has to stay it says
 * why, and offers nothing that would be refused.
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
  /** Why it can't be deleted now, and what to do first. */
  stays?: string | undefined;
  /** The keys of what is asked for anew. */
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
