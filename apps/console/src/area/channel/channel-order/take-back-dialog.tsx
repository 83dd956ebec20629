import { useQueryClient } from '@tanstack/react-query';
import type { Target } from '../../../kit/grid/selection.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { takeBackChannelOrders, type ChannelOrder } from './channel-order.calls.ts';

export interface OrderRequest {
  target: Target<never>;
  count: number;
  order?: ChannelOrder | undefined;
}

/** Tells what ends in the channel before lines are taken back. */
export default function TakeBackDialog({
  request,
  onClose,
  onDone,
}: {
  request: OrderRequest;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  return (
    <AskDialog
      title={
        request.order
          ? t('channelOrder.takeBackOne', { name: macText(request.order.mac) })
          : t('channelOrder.takeBackMany', { count: request.count, number: count(request.count) })
      }
      text={t('channelOrder.takeBackText')}
      confirm={t('channelOrder.takeBack')}
      danger
      onConfirm={async () => {
        const { takenBack } = await call(takeBackChannelOrders, {
          body: { target: request.target, confirmed: true },
        });
        await client.invalidateQueries({ queryKey: ['channelOrder'] });
        await done('takenBack', { many: takenBack });
        onDone();
      }}
      onClose={onClose}
    />
  );
}
