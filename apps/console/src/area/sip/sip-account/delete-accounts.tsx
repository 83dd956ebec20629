import { useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { useDeleted } from '../../../kit/part/deleted.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deleteSipAccounts, restoreSipAccounts } from './sip-account.calls.ts';

/** Warns that lines lose their account, deletes one or the selected ones, and offers an undo. */
export default function DeleteAccounts({
  ids,
  name,
  onClose,
  onDone,
}: {
  ids: readonly string[];
  name: string | undefined;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const deleted = useDeleted();
  const renew = async () => {
    for (const queryKey of [['sipAccount'], ['sipServer'], ['device']]) await client.invalidateQueries({ queryKey });
  };
  const many = { count: ids.length, number: count(ids.length) };
  const title = name === undefined ? t('sipAccount.deleteMany', many) : t('sipAccount.deleteOne', { name });
  return (
    <AskDialog
      title={title}
      text={t('sipAccount.deleteText', many)}
      confirm={title}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await call(deleteSipAccounts, { query: { ids: [...ids] } });
        onDone();
        await renew();
        await deleted(
          name === undefined ? { what: 'sipAccount', many: ids.length } : { what: 'sipAccount', name },
          async () => {
            const back = await call(restoreSipAccounts, { body: { ids: [...ids] } });
            await renew();
            return back;
          },
        );
      }}
    />
  );
}
