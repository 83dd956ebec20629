import { useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { showToast } from '../../../kit/part/toast.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deleteDeliveries } from './delivery.calls.ts';

/** Deletes one or the selected devices of delivery lists, which no company can claim afterwards. */
export default function DeleteDeliveries({
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
  const many = { count: ids.length, number: count(ids.length) };
  return (
    <AskDialog
      title={name === undefined ? t('delivery.deleteMany', many) : t('delivery.deleteOne', { name })}
      text={t('delivery.deleteText', many)}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await call(deleteDeliveries, { query: { ids: [...ids] } });
        onDone();
        await client.invalidateQueries({ queryKey: ['delivery'] });
        showToast(t('delivery.deleted', many));
      }}
    />
  );
}
