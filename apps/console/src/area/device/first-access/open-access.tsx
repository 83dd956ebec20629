import { useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { firstAccessKey, openAccess } from './first-access.calls.ts';

/** Opens the first access of one device or of several named ones, for phones that are plugged in later. */
export default function OpenAccess({
  ids,
  name,
  onClose,
}: {
  ids: readonly string[];
  /** Name of a single device. */
  name: string | undefined;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const devices = { count: ids.length, number: count(ids.length) };
  return (
    <AskDialog
      title={name === undefined ? t('firstAccess.openMany', devices) : t('firstAccess.openOne', { name })}
      text={t('firstAccess.openText')}
      confirm={t('firstAccess.open')}
      onClose={onClose}
      onConfirm={async () => {
        await openAccess(ids);
        await client.invalidateQueries({ queryKey: firstAccessKey });
        await done('accessOpened', { many: ids.length });
      }}
    />
  );
}
