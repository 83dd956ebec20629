import { useQueryClient } from '@tanstack/react-query';
import type { TextKey } from '../text/key.ts';
import { useText } from '../text/use-text.ts';
import { AskDialog } from './ask-dialog.tsx';
import { useDeleted, type Restored, type Undoable } from './deleted.ts';

type Noun = { [K in Undoable]: `${K}.deleteOne` extends TextKey ? K : never }[Undoable];

/** Says what goes with a record, takes it away, and offers the way back for a moment. */
export function DeleteDialog({
  noun,
  name,
  text,
  renew = [[noun]],
  remove,
  restore,
  onClose,
}: {
  noun: Noun;
  name: string;
  text: string;
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
  return (
    <AskDialog
      title={t(`${noun}.deleteOne`, { name })}
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
